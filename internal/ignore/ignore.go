// Package ignore reads patterns as git does in .gitignore files: gitignore(5).
// Upper and lower case differ on every system.
package ignore

import "strings"

// A List is patterns in their order: the last one that matches decides.
type List []pattern

// A pattern is one line.
type pattern struct {
	tokens  []token
	negated bool // it takes paths back in
	dirs    bool // it is for directories only
	name    bool // it is for the last element of a path
}

// A token matches one byte of a set, or any number of bytes.
type token struct {
	op  op
	set [4]uint64
}

type op byte

const (
	one   op = iota // a byte of set
	stars           // any number of bytes that are no slash: *
	deep            // any number of bytes: ** at the end
	dirs            // any number of elements, each with its slash: **/
)

// Parse returns the patterns of a text, one a line. A pattern that cannot match
// anything, such as one with an open bracket, is no error, as it is none to git.
func Parse(text string) List {
	var l List
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		if p, ok := parse(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")); ok {
			l = append(l, p)
		}
	}
	return l
}

func parse(line string) (p pattern, ok bool) {
	if strings.HasPrefix(line, "#") {
		return p, false
	}
	line = trimSpaces(line)
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.dirs = strings.CutSuffix(line, "/")
	p.name = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return p, false
	}
	p.tokens, ok = tokens(line, p.name)
	return p, ok
}

// trimSpaces cuts the spaces at the end that no backslash stands before.
func trimSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			end = min(i+1, len(s))
		} else if s[i] != ' ' {
			end = i + 1
		}
	}
	return s[:end]
}

// tokens returns false for a pattern that matches nothing.
//
// git compares what stands before the first sign of a pattern first, and then no longer
// sees it. So a ** behind it is one over directories: a**/b leaves out ac/d/b. Behind any
// other sign it needs a slash before it, and is a single star without one.
func tokens(s string, name bool) (list []token, ok bool) {
	signs := strings.IndexAny(s, `*?[\`)
	for i := 0; i < len(s); {
		t := token{}
		switch s[i] {
		case '*':
			start := i
			for i < len(s) && s[i] == '*' {
				i++
			}
			t.op = stars
			if i-start > 1 && !name && (start == signs || s[start-1] == '/') {
				switch {
				case i == len(s):
					t.op = deep
				case s[i] == '/':
					t.op = dirs
					i++
				}
			}
			list = append(list, t)
			continue
		case '?':
			t.addRange(0, 255)
			t.remove('/')
		case '[':
			if i = t.readSet(s, i+1); i < 0 {
				return nil, false
			}
		case '\\':
			if i++; i == len(s) {
				return nil, false
			}
			t.addRange(s[i], s[i])
		default:
			t.addRange(s[i], s[i])
		}
		i++
		list = append(list, t)
	}
	return list, true
}

func (t *token) has(c byte) bool { return t.set[c>>6]&(1<<(c&63)) != 0 }
func (t *token) remove(c byte)   { t.set[c>>6] &^= 1 << (c & 63) }

func (t *token) addRange(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		t.set[c>>6] |= 1 << (c & 63)
	}
}

// Match reports whether the patterns leave out the file or directory of a
// slash-separated path. What is in a directory that is left out is not asked for.
func (l List) Match(path string, isDir bool) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(l) - 1; i >= 0; i-- {
		p := &l[i]
		text := path
		if p.name {
			text = base
		}
		if (isDir || !p.dirs) && match(p.tokens, text) {
			return !p.negated
		}
	}
	return false
}

// match tries all ways at once, so that no pattern takes exponential time.
func match(tokens []token, text string) bool {
	// Most patterns begin with letters, and most paths with others.
	for len(tokens) > 0 && tokens[0].op == one {
		if text == "" || !tokens[0].has(text[0]) {
			return false
		}
		tokens, text = tokens[1:], text[1:]
	}
	states, next := make([]bool, len(tokens)+1), make([]bool, len(tokens)+1)
	enter(tokens, states, 0)
	for i := 0; i < len(text); i++ {
		clear(next)
		for k := range tokens {
			if !states[k] {
				continue
			}
			switch t := &tokens[k]; {
			case t.op == one && t.has(text[i]):
				enter(tokens, next, k+1)
			case t.op == stars && text[i] != '/', t.op == deep:
				enter(tokens, next, k)
			case t.op == dirs:
				next[k] = true // not behind it: that is for after a slash
				if text[i] == '/' {
					enter(tokens, next, k+1)
				}
			}
		}
		states, next = next, states
	}
	return states[len(tokens)]
}

// enter adds the state k, and those behind tokens that may match nothing.
func enter(tokens []token, states []bool, k int) {
	states[k] = true
	for ; k < len(tokens) && tokens[k].op != one; k++ {
		states[k+1] = true
	}
}
