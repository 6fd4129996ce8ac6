package yamltree

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

// go-yaml tells at most a line, and often the line where the collection around
// the fault begins, or the one before it. So the place is asked for in other
// ways: by handing it the text a byte at a time, which shows how far it had
// looked when it gave up, and by handing it less of the text, cut between two
// lexemes and with its brackets closed, which shows from which lexeme on it
// gives up. Both are paid only by documents that are wrong.

// where says how the place of a problem is found.
type where uint8

const (
	atLexeme    where = iota // the first lexeme with which it fails
	atChar                   // one of the characters of chars, just before where it had looked
	atLast                   // the last of the characters of chars before where it had looked
	atQuote                  // the quote that is never closed
	atProperty               // the last anchor, alias or tag before where it had looked
	atHeader                 // behind the sign of the last block scalar before where it had looked
	atDirective              // the last directive that begins with chars
	atAnchor                 // the alias that it names
	tooDeep                  // anywhere: it is a limit
)

// A problem says for a message of go-yaml what to say instead.
type problem struct {
	find  string
	where where
	chars string
	say   string
}

// problems are go-yaml's messages. The first whose find is part of the message
// counts.
var problems = []problem{
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
	{noColon, atLexeme, "", `expected ":" after a key`},
	{"expected ',' or ']'", atLexeme, "", `expected "," or "]" in a sequence in brackets`},
	{"expected ',' or '}'", atLexeme, "", `expected "," or "}" in a mapping in braces`},
	{"expected '-' indicator", atLexeme, "", `expected "- ", as on the lines before: check the indentation`},
	{"expected key", atLexeme, "", "expected a key, as on the lines before: check the indentation"},
	{"expected node content", atLexeme, "", "expected a value"},
	{"expected <document start>", atLexeme, "", "the document ends before this line, but more text follows"},
	{errTrailing.Error(), atLexeme, "", "the document ends before this line, but more text follows"},
	{"expected comment or line break", atHeader, "", "expected the end of the line"},
	{"indentation indicator equal to 0", atHeader, "", "the indentation of a block text is a digit from 1 to 9"},
	{"expected alphabetic or numeric", atProperty, "", "expected a name behind & or *; quote the text if it is none"},
	{"expected whitespace or line break", atProperty, "", "expected white space behind a tag; quote the text if it is none"},
	{"find the expected '>'", atProperty, "", `expected ">" at the end of a tag`},
	{"expected tag URI", atProperty, "", "expected a name in a tag; quote the text if it is none"},
	{"expected '!'", atProperty, "", "expected a name in a tag; quote the text if it is none"},
	{"octet", atProperty, "", "expected two hexadecimal digits behind each % of a tag"},
	{"undefined tag handle", atProperty, "", "the tag's handle is not declared with %TAG"},
	{"incompatible YAML document", atDirective, "%YAML", "a %YAML version other than 1.1 and 1.2 cannot be read"},
	{"unknown directive name", atDirective, "%", lateDirective},
	{"unexpected non-alphabetical character", atDirective, "%", lateDirective},
	{"could not find expected directive name", atDirective, "%", lateDirective},
	{"duplicate %YAML directive", atDirective, "%YAML", "the %YAML directive is given twice"},
	{"duplicate %TAG directive", atDirective, "%TAG", "a %TAG directive is given twice"},
}

const noColon = "could not find expected ':'"

// yamlPrefix is what go-yaml puts before its messages.
var yamlPrefix = regexp.MustCompile(`^yaml: (line \d+: )?`)

// problemOf returns a message of go-yaml without prefix and line.
func problemOf(err error) string {
	if err == nil {
		return ""
	}
	return yamlPrefix.ReplaceAllString(err.Error(), "")
}

// problemFor returns what to say for a message of go-yaml.
func problemFor(message string) problem {
	for _, m := range problems {
		if strings.Contains(message, m.find) {
			return m
		}
	}
	return problem{say: "the document cannot be read: " + Quote(message)}
}

// locate turns an error of go-yaml about f into a fault with its place in t. read is how
// much of f it had read then, and depth the limit that is told where go-yaml's own, which
// is never lower, is reached first.
func locate(t *Tree, f feed, err error, read, depth int) Fault {
	p := prober{text: f.text, problem: problemOf(err), budget: 8*len(f.text) + 256<<10}
	looked := p.looked(read)
	m := problemFor(p.problem)
	fault := Fault{Message: m.say}
	offset := -1
	switch m.where {
	case atAnchor:
		name := strings.TrimSuffix(strings.TrimPrefix(p.problem, "unknown anchor '"), "' referenced")
		offset = max(p.alias(looked, name), 0)
		fault.Message = unknownAnchor(name)
	case tooDeep:
		offset = max(looked-1, 0)
		fault = tooDeepFault(min(depth, maxDepth))
	default:
		p.lexer = lex(p.text)
		offset, fault.Message = p.place(m, looked)
	}
	start := f.original(t, offset)
	fault.Span = Span{start, start}
	return fault
}

// maxDepth is how deep go-yaml lets collections nest.
const maxDepth = 10_000

// place returns where the problem is, and what to say of it.
func (p *prober) place(m problem, looked int) (offset int, say string) {
	if at, say := p.prologue(); at >= 0 {
		return at, say
	}
	offset, say = p.placeInside(m, looked)
	if at := p.lexer.directive; at >= 0 && (at <= offset || m.where == atDirective) {
		return at, lateDirective
	}
	return offset, say
}

// placeInside is place for a problem that is not among directives.
func (p *prober) placeInside(m problem, looked int) (offset int, say string) {
	offset = p.byText(m, looked)
	if m.where == atQuote && offset >= 0 || m.where == atDirective && offset >= 0 {
		return offset, m.say
	}
	// go-yaml looks ahead, and may stumble over what follows before it sees
	// that something did not fit.
	bad, message := p.firstBad(looked)
	bracket := p.lexer.unclosed()
	switch {
	case bracket >= 0 && offset < 0 && (bad < 0 || bad >= bracket):
		if p.text[bracket] == '[' {
			return bracket, `the sequence in brackets that begins here has no end: expected "," or "]"`
		}
		return bracket, `the mapping in braces that begins here has no end: expected "," or "}"`
	case bad >= 0 && bad == p.lexer.stray && (offset < 0 || bad < offset):
		return bad, "expected a value or a key, and not " + Quote(string(p.text[bad])) + ": it closes no bracket that is open"
	case bad >= 0 && (offset < 0 || p.endOf(bad) <= offset):
		m = problemFor(message)
		if at := p.byText(m, p.endOf(bad)); at >= bad {
			bad = at
		}
		return bad, p.sayAt(m, bad)
	case offset >= 0:
		return offset, p.sayAt(m, offset)
	}
	if at := bytes.LastIndexAny(p.text[:looked], m.chars); m.say == "" && at >= 0 {
		return at, p.sayAt(m, at) // a tab behind a comment, with nothing more
	}
	if len(p.lexer.lexemes) > 0 {
		return int(p.lexer.lexemes[p.lastBefore(looked)].start), m.say
	}
	return 0, m.say
}

// sayAt returns what to say of the problem m at an offset.
func (p *prober) sayAt(m problem, offset int) string {
	switch {
	case m.find == noColon:
		return p.sayNoColon(m, offset)
	case m.say != "":
		return m.say
	case p.text[offset] == '\t':
		return "a tab cannot be used for indentation; use spaces"
	}
	_, n := utf8.DecodeRune(p.text[offset:])
	return "no value can begin with " + Quote(string(p.text[offset:offset+n])) + "; quote it"
}

// sayNoColon tells of a colon that go-yaml does not take for that of the key at offset.
func (p *prober) sayNoColon(m problem, offset int) string {
	line := p.text[offset:]
	line = line[:lineLen(line)]
	end := bytes.Index(line, []byte(": "))
	if bytes.HasSuffix(line, []byte(":")) && end < 0 {
		end = len(line) - 1
	}
	if len(line) > 0 && (line[0] == '"' || line[0] == '\'') && end < 0 {
		if end := endOfQuoted(line, 0); end < len(line) && line[end] == ':' {
			return `expected a space behind the ":" of a key`
		}
	}
	if utf8.RuneCount(line[:max(end, 0)]) > maxKey {
		return fmt.Sprintf("a key has at most %d characters; behind \"? \" it may be longer", maxKey)
	}
	return m.say
}

// maxKey is how many characters a key has at most that is not marked as one (YAML 1.2,
// section 7.4.2).
const maxKey = 1024

// byText returns the place of a problem that one character shows, or -1.
func (p *prober) byText(m problem, looked int) int {
	switch m.where {
	case atChar:
		return p.charBefore(looked, m.chars)
	case atLast:
		return bytes.LastIndexAny(p.text[:looked], m.chars)
	case atQuote:
		if n := len(p.lexer.lexemes); n > 0 {
			last := p.lexer.lexemes[n-1]
			if c := p.text[last.start]; (c == '"' || c == '\'') && int(last.end) == len(p.text) {
				return int(last.start)
			}
		}
	case atProperty:
		return p.lexemeBefore(looked, "&*!")
	case atHeader:
		sign := p.lexemeBefore(looked, "|>")
		if sign < 0 {
			break
		}
		i := sign + 1
		for i < len(p.text) && i < sign+3 && bytes.IndexByte([]byte("+-123456789"), p.text[i]) >= 0 {
			i++
		}
		return skipBlanks(p.text, i)
	case atDirective:
		head := p.text[:looked]
		for {
			i := bytes.LastIndex(head, []byte(m.chars))
			if i <= 0 || head[i-1] == '\n' || head[i-1] == '\r' {
				return i
			}
			head = head[:i]
		}
	}
	return -1
}

// lastBefore returns the index of the last lexeme that begins before looked.
func (p *prober) lastBefore(looked int) int {
	list := p.lexer.lexemes
	return max(sort.Search(len(list), func(i int) bool { return int(list[i].start) >= looked })-1, 0)
}

// lexemeBefore returns the offset of the last lexeme before looked that begins
// with one of signs, or -1.
func (p *prober) lexemeBefore(looked int, signs string) int {
	if len(p.lexer.lexemes) == 0 {
		return -1
	}
	for i := p.lastBefore(looked); i >= 0; i-- {
		if at := int(p.lexer.lexemes[i].start); strings.IndexByte(signs, p.text[at]) >= 0 {
			return at
		}
	}
	return -1
}

// endOf returns the offset behind the lexeme that begins at start.
func (p *prober) endOf(start int) int {
	return int(p.lexer.lexemes[p.lastBefore(start+1)].end)
}

// firstBad returns the offset of the first lexeme with which go-yaml refuses
// the text, and its message; -1 when the text is only not finished. It searches
// backwards from where go-yaml had looked to: the lexeme is nearly always one
// of the last few. Without a budget left, the answer is what is known by then.
func (p *prober) firstBad(looked int) (offset int, message string) {
	if len(p.lexer.lexemes) == 0 {
		return -1, ""
	}
	bad := p.lastBefore(looked)
	if message = p.problemUpTo(bad); message == "" {
		return -1, ""
	}
	good := -1
	for step := 1; good < 0 && bad > 0 && p.budget > 0; step *= 2 {
		k := max(bad-step, 0)
		if m := p.problemUpTo(k); m != "" {
			bad, message = k, m
		} else {
			good = k
		}
	}
	for bad-good > 1 && good >= 0 && p.budget > 0 {
		k := (good + bad) / 2
		if m := p.problemUpTo(k); m != "" {
			bad, message = k, m
		} else {
			good = k
		}
	}
	return int(p.lexer.lexemes[bad].start), message
}

// problemUpTo returns what go-yaml says of the text up to the lexeme k, with all
// brackets closed, and "" when it takes it.
func (p *prober) problemUpTo(k int) string {
	list := p.lexer.lexemes
	for list[k].glued && k+1 < len(list) {
		k++
	}
	text := append(p.text[:list[k].end:list[k].end], ' ')
	for b := list[k].open; b >= 0; b = p.lexer.brackets[b].outer {
		text = append(text, p.lexer.brackets[b].closer)
	}
	if list[k].isKey {
		text = append(text, ':')
	}
	p.budget -= len(text)
	_, err := load(&reader{text: text, slow: len(text)})
	return problemOf(err)
}

// A prober finds where in a text go-yaml has a problem.
type prober struct {
	text    []byte
	problem string
	budget  int // bytes that may still be parsed
	lexer   *lexer
}

// looked returns how far go-yaml looks before it gives up, when it reads so much of the text.
func (p *prober) looked(read int) int {
	// It reads 512 bytes at a time, and looks at some before it reads more.
	exact := &reader{text: p.text, slow: max(0, read-2048)}
	_, _ = load(exact) // fails as before
	return exact.offset
}

// fails reports whether the problem is there when the text ends at offset end.
func (p *prober) fails(end int) bool {
	p.budget -= end
	_, err := load(&reader{text: p.text[:end], slow: end})
	return problemOf(err) == p.problem
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
