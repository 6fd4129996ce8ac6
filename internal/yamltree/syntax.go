package yamltree

import (
	"bytes"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

// go-yaml tells at most a line, and often the line where the collection around
// the fault begins, or the one before it. So the place is asked for in other
// ways: by handing it the text a byte at a time, which shows how far it had
// looked when it gave up, and by handing it less of the text, which shows from
// which line on it gives up. Both are paid only by documents that are wrong.

// where says how the place of a problem is found.
type where uint8

const (
	byLine   where = iota // the first line with which it fails
	atChar                // one of the characters of chars, just before where it had looked
	atLast                // the last of the characters of chars before where it had looked
	atQuote               // the quote that opens on the first line with which it fails
	atAnchor              // the alias that it names
	tooDeep               // anywhere: it is a limit
)

// problems says for each of go-yaml's messages what to say instead. The first
// whose find is part of the message counts.
var problems = []struct {
	find  string
	where where
	chars string
	say   string
}{
	{"unknown anchor", atAnchor, "", ""},
	{"exceeded max depth", tooDeep, "", ""},
	{"mapping values are not allowed", atChar, ":", `a ":" cannot stand here: check the indentation, or quote the text before it`},
	{"block sequence entries are not allowed", atChar, "-", `a "- " cannot stand here: a sequence begins on a line of its own`},
	{"mapping keys are not allowed", atChar, "?", `a "? " cannot stand here`},
	{"that cannot start any token", atChar, "@`%\t", ""},
	{"tab character", atLast, "\t", "a tab cannot be used for indentation; use spaces"},
	{"unknown escape character", atLast, `\`, "a double-quoted text knows no such escape"},
	{"expected hexdecimal number", atLast, `\`, "this escape needs hexadecimal digits"},
	{"invalid Unicode character escape", atLast, `\`, "this escape is no Unicode character"},
	{"unexpected end of stream", atQuote, "", "the quoted text that begins here has no end"},
	{"unexpected document indicator", atQuote, "", "the quoted text that begins here has no end"},
	{"could not find expected ':'", byLine, "", `expected ":" after a key`},
	{"expected ',' or ']'", byLine, "", `expected "," or "]" in a sequence in brackets`},
	{"expected ',' or '}'", byLine, "", `expected "," or "}" in a mapping in braces`},
	{"expected '-' indicator", byLine, "", `expected "- ", as on the lines before: check the indentation`},
	{"expected key", byLine, "", "expected a key, as on the lines before: check the indentation"},
	{"expected node content", byLine, "", "expected a value"},
	{"expected <document start>", byLine, "", "the document ends before this line, but more text follows"},
	{errTrailing.Error(), byLine, "", "the document ends before this line, but more text follows"},
	{"expected comment or line break", byLine, "", "expected the end of the line"},
	{"expected alphabetic or numeric", byLine, "", "expected a name behind & or *; quote the text if it is none"},
	{"find the expected '>'", byLine, "", `expected ">" at the end of a tag`},
	{"undefined tag handle", byLine, "", "the tag's handle is not declared with %TAG"},
	{"incompatible YAML document", byLine, "", "a %YAML version other than 1.1 and 1.2 cannot be read"},
	{"unknown directive name", byLine, "", "a directive other than %YAML and %TAG cannot be read"},
	{"duplicate %YAML directive", byLine, "", "the %YAML directive is given twice"},
	{"duplicate %TAG directive", byLine, "", "a %TAG directive is given twice"},
}

// yamlPrefix is what go-yaml puts before its messages.
var yamlPrefix = regexp.MustCompile(`^yaml: (line \d+: )?`)

// problemOf returns a message of go-yaml without prefix and line.
func problemOf(err error) string {
	if err == nil {
		return ""
	}
	return yamlPrefix.ReplaceAllString(err.Error(), "")
}

// locate turns an error of go-yaml about f into a fault with its place in t.
func locate(t *Tree, f feed, err error) Fault {
	p := prober{text: f.text, problem: problemOf(err), budget: 4*len(f.text) + 64<<10}
	looked := p.looked()
	fault := Fault{Message: "the document cannot be read: " + Quote(p.problem)}
	offset := -1
	for _, m := range problems {
		if !strings.Contains(p.problem, m.find) {
			continue
		}
		fault.Message = m.say
		switch m.where {
		case atChar:
			offset = p.charBefore(looked, m.chars)
			if m.say == "" && offset >= 0 {
				fault.Message = "no value can begin with " + Quote(string(p.text[offset])) + "; quote it"
				if p.text[offset] == '\t' {
					fault.Message = "a tab cannot be used for indentation; use spaces"
				}
			}
		case atLast:
			offset = bytes.LastIndexAny(p.text[:looked], m.chars)
		case atQuote:
			if offset = p.openQuote(p.firstLine(looked)); offset < 0 {
				fault.Message = "a quoted text before here has no end"
			}
		case atAnchor:
			name := strings.TrimSuffix(strings.TrimPrefix(p.problem, "unknown anchor '"), "' referenced")
			offset = p.alias(looked, name)
			fault.Message = unknownAnchor(name)
		case tooDeep:
			offset = max(looked-1, 0)
			fault.Problem, fault.Limit = TooDeep, 10_000
			fault.Message = "mappings and sequences nest deeper than 10000"
		}
		break
	}
	if offset < 0 {
		offset = p.firstNonBlank(p.firstLine(looked))
	}
	if fault.Message == "" {
		fault.Message = Quote(p.problem)
	}
	start := f.original(t, offset)
	fault.Span = Span{start, start}
	return fault
}

// A prober finds where in a text go-yaml has a problem.
type prober struct {
	text    []byte
	problem string
	budget  int // bytes that may still be parsed
	starts  []int32
}

// looked returns how far go-yaml reads before it gives up.
func (p *prober) looked() int {
	rough := &reader{text: p.text, slow: len(p.text)}
	if _, err := load(rough); err == nil {
		return len(p.text)
	}
	// It reads 512 bytes at a time, and looks at some before it reads more.
	exact := &reader{text: p.text, slow: max(0, rough.offset-2048)}
	_, _ = load(exact) // fails as before
	return exact.offset
}

// fails reports whether the problem is there when the text ends at offset end.
func (p *prober) fails(end int) bool {
	p.budget -= end
	_, err := load(&reader{text: p.text[:end], slow: end})
	problem := problemOf(err)
	return problem == p.problem || isFlow(problem) && isFlow(p.problem)
}

// isFlow reports whether a problem is one of an open bracket, which depends on
// where the text ends.
func isFlow(problem string) bool {
	return strings.Contains(problem, "expected ',' or") || strings.Contains(problem, "expected node content")
}

// firstLine returns the index of the first line with which the problem is
// there, searching backwards from where go-yaml had looked to. The problem is
// nearly always one or two lines before that; without a budget left, the
// answer is what is known by then.
func (p *prober) firstLine(looked int) int {
	p.starts = lineStarts(p.text)
	fails := sort.Search(len(p.starts), func(i int) bool { return int(p.starts[i]) >= looked }) - 1
	fails = max(fails, 0)
	works := -1 // the document fails with line fails, and not with line works
	for step := 1; works < 0 && fails > 0 && p.budget > 0; step *= 2 {
		if k := max(fails-step, 0); p.fails(p.lineEnd(k)) {
			fails = k
		} else {
			works = k
		}
	}
	for fails-works > 1 && works >= 0 && p.budget > 0 {
		if k := (works + fails) / 2; p.fails(p.lineEnd(k)) {
			fails = k
		} else {
			works = k
		}
	}
	return fails
}

func (p *prober) lineEnd(k int) int {
	if k+1 < len(p.starts) {
		return int(p.starts[k+1])
	}
	return len(p.text)
}

// firstNonBlank returns the offset of the first character of line k that is no
// blank.
func (p *prober) firstNonBlank(k int) int {
	i := int(p.starts[k])
	for i < len(p.text) && (p.text[i] == ' ' || p.text[i] == '\t') {
		i++
	}
	return i
}

// charBefore returns the offset of the first of chars among the four
// characters before looked, as many as go-yaml needs to tell tokens apart, or -1.
func (p *prober) charBefore(looked int, chars string) int {
	from := looked
	for range 4 {
		_, n := utf8.DecodeLastRune(p.text[:from])
		from -= n
	}
	if i := bytes.IndexAny(p.text[from:looked], chars); i >= 0 {
		return from + i
	}
	return -1
}

// openQuote returns the offset of the last quote on line k that can open a
// quoted text, or -1.
func (p *prober) openQuote(k int) int {
	line := p.text[p.starts[k]:p.lineEnd(k)]
	for i := len(line) - 1; i >= 0; i-- {
		if (line[i] == '"' || line[i] == '\'') && (i == 0 || bytes.IndexByte([]byte(" \t[{,:"), line[i-1]) >= 0) {
			return int(p.starts[k]) + i
		}
	}
	return -1
}

// alias returns the offset of the first alias that fails, or -1.
func (p *prober) alias(looked int, name string) int {
	found := -1
	for end := looked; p.budget > 0; end = found {
		i := bytes.LastIndex(p.text[:end], []byte("*"+name))
		if i < 0 || found >= 0 && !p.fails(i+1+len(name)) {
			break
		}
		found = i
	}
	return found
}

// original returns the offset in the text of t of an offset in the feed.
func (f *feed) original(t *Tree, offset int) int {
	if f.breaks == nil && f.escape == "" && len(f.text) == len(t.text) {
		return offset
	}
	starts := lineStarts(f.text)
	line := sort.Search(len(starts), func(i int) bool { return int(starts[i]) > offset }) - 1
	at := int(f.starts[line])
	for range utf8.RuneCount(f.text[starts[line]:offset]) {
		_, n := utf8.DecodeRune(t.text[at:])
		at += n
	}
	return at
}
