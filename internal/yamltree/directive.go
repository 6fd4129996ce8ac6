package yamltree

import (
	"bytes"
	"unicode/utf8"
)

// What is said of directives.
const (
	badDirective   = `a directive is "%YAML 1.2", or "%TAG" with a handle and a prefix`
	otherDirective = `expected "---" behind this directive, which is neither %YAML nor %TAG`
	lateDirective  = `a line cannot begin with "%" within a document, since directives do; quote the text`
	noMarker       = `expected "---" between the directives and the document`
)

// prologue looks at the directives before the document: go-yaml tells of a fault among
// them at the first line of content. It returns the place of the first that cannot be
// read, or of what stands where a separator should, and -1 when there is neither.
func (p *prober) prologue() (offset int, say string) {
	last := -1 // the last directive
	for at := 0; at < len(p.text); {
		line := p.text[at:]
		line = line[:lineLen(line)]
		first := skipBlanks(line, 0)
		switch {
		case len(line) > 0 && line[0] == '%':
			if offset, say := directiveFault(line); offset >= 0 {
				return at + offset, say
			}
			last = at
		case first == len(line) || line[first] == '#':
		case last < 0 || isSeparator(line):
			return -1, ""
		default:
			return at + first, noMarker
		}
		at += len(line) + 1
	}
	return last, noMarker
}

// directiveFault returns where in the line of a directive go-yaml gives up; -1 when it
// does not.
func directiveFault(line []byte) (offset int, say string) {
	alone := &reader{text: append(line[:len(line):len(line)], "\n--- a\n"...)}
	_, err := load(alone)
	if err == nil {
		return -1, ""
	}
	switch m := problemFor(problemOf(err)); {
	case m.find == "unknown directive name":
		return 0, otherDirective
	case m.where == atDirective && m.chars != "%":
		return 0, m.say
	}
	at := min(max(alone.offset-1, 0), len(line))
	for at > 0 && at < len(line) && !utf8.RuneStart(line[at]) {
		at-- // the last byte that was read may be one in a letter
	}
	return at, badDirective
}

// isSeparator reports whether a line begins a document.
func isSeparator(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) && (len(line) == 3 || isSpace(line[3]))
}
