package yamltree

import "bytes"

// A lexeme is a piece of a text that is nothing without its whole: a bracket, a
// sign, a scalar with the colon behind it if it is a block mapping's key.
type lexeme struct {
	start, end int32
	open       int32 // the innermost bracket open behind it, an index into lexer.brackets, or -1
	glued      bool  // an anchor or tag of what follows on its line
	isKey      bool  // part of a collection in brackets that a colon makes a key
}

// A bracket begins a flow collection.
type bracket struct {
	offset int32
	outer  int32 // the bracket around it, or -1
	closer byte
}

// A lexer takes a text apart that go-yaml has refused, to show where. It follows
// go-yaml in what a character means in its place (in a comment, in quotes, in a
// block scalar, in a plain scalar of several lines), and judges nothing but
// whether brackets match.
type lexer struct {
	text      []byte
	at        int
	lineStart int
	indents   []int // columns of the block collections around at
	keyStart  int   // of the first anchor or tag of the node at at, or -1

	lexemes  []lexeme
	brackets []bracket
	open     int32
	stray    int // a closing bracket without its opening one, which ends the lexemes, or -1

	separated bool // the separator was there
	directive int  // the first line behind separator or content that begins as directives do, or -1
}

func lex(text []byte) *lexer {
	l := &lexer{text: text, open: -1, stray: -1, keyStart: -1, directive: -1}
	for l.stray < 0 && l.next() {
	}
	return l
}

// unclosed returns the offset of the first bracket that is never closed, or -1.
func (l *lexer) unclosed() int {
	if l.stray >= 0 || l.open < 0 {
		return -1
	}
	b := l.brackets[l.open]
	for b.outer >= 0 {
		b = l.brackets[b.outer]
	}
	return int(b.offset)
}

// next takes one lexeme, and reports whether there was one.
func (l *lexer) next() bool {
	line := l.lineStart
	l.move(skipSpace(l.text, l.at))
	if l.at == len(l.text) {
		return false
	}
	if l.lineStart != line {
		l.keyStart = -1
	}
	start, c := l.at, l.text[l.at]
	if l.open < 0 {
		for len(l.indents) > 0 && l.indents[len(l.indents)-1] > start-l.lineStart {
			l.indents = l.indents[:len(l.indents)-1]
		}
	}
	switch {
	case start == l.lineStart && l.open < 0 && c == '%':
		if l.directive < 0 && (l.separated || len(l.lexemes) > 0) {
			l.directive = start
		}
		l.move(start + lineLen(l.text[start:]))
	case start == l.lineStart && bytes.HasPrefix(l.text[start:], []byte("---")) && l.blankAt(start+3):
		l.indents, l.separated = l.indents[:0], true
		l.move(start + 3)
	case c == '[':
		l.opening(']')
	case c == '{':
		l.opening('}')
	case c == ']' || c == '}':
		l.closing(c)
	case c == ',' && l.open >= 0:
		l.take(start + 1)
	case c == '&' || c == '!':
		l.property()
	case c == '*':
		l.scalar(endOfProperty(l.text, start))
	case c == '"' || c == '\'':
		l.scalar(endOfQuoted(l.text, start))
	case (c == '|' || c == '>') && l.open < 0:
		l.take(l.endOfBlock(start))
	case c == '-' && l.blankAt(start+1), (c == '?' || c == ':') && (l.open >= 0 || l.blankAt(start+1)):
		l.roll(start)
		l.take(start + 1)
	default:
		l.scalar(l.endOfPlain(start))
	}
	return true
}

// move goes on at offset to.
func (l *lexer) move(to int) {
	for ; l.at < to; l.at++ {
		if c := l.text[l.at]; c == '\n' || c == '\r' {
			l.lineStart = l.at + 1
		}
	}
}

// take makes a lexeme of the text up to end.
func (l *lexer) take(end int) {
	l.lexemes = append(l.lexemes, lexeme{start: int32(l.at), end: int32(end), open: l.open})
	l.keyStart = -1
	l.move(end)
}

func (l *lexer) opening(closer byte) {
	l.brackets = append(l.brackets, bracket{offset: int32(l.at), outer: l.open, closer: closer})
	keyStart := l.keyStart
	l.open = int32(len(l.brackets) - 1)
	l.take(l.at + 1)
	if l.brackets[l.open].outer < 0 {
		l.keyStart = keyStart
	}
}

func (l *lexer) closing(c byte) {
	if l.open < 0 || l.brackets[l.open].closer != c {
		l.stray = l.at
		l.take(l.at + 1)
		return
	}
	b := l.brackets[l.open]
	l.open = b.outer
	end := l.at + 1
	colon := l.colonBehind(end)
	if l.open >= 0 || colon < 0 {
		l.take(end)
		return
	}
	l.take(colon)
	for i := len(l.lexemes) - 1; i >= 0 && l.lexemes[i].start >= b.offset; i-- {
		l.lexemes[i].isKey = i < len(l.lexemes)-1
	}
	l.roll(int(b.offset))
}

// property takes an anchor or a tag.
func (l *lexer) property() {
	start := l.at
	keyStart := l.keyStart
	end := endOfProperty(l.text, start)
	l.take(max(end, start+1))
	next := skipBlanks(l.text, end)
	l.lexemes[len(l.lexemes)-1].glued = next < len(l.text) && !isSpace(l.text[next]) && l.text[next] != '#'
	if l.keyStart = keyStart; keyStart < 0 {
		l.keyStart = start
	}
}

// scalar takes a scalar that ends at end, and the colon behind it in a block.
func (l *lexer) scalar(end int) {
	start := l.at
	if l.keyStart >= 0 {
		start = l.keyStart
	}
	if colon := l.colonBehind(end); l.open < 0 && colon >= 0 {
		l.roll(start)
		end = colon
	}
	l.take(end)
}

// colonBehind returns the offset behind the colon that makes a key of what ends
// at end, or -1.
func (l *lexer) colonBehind(end int) int {
	i := skipBlanks(l.text, end)
	if i < len(l.text) && l.text[i] == ':' && l.blankAt(i+1) {
		return i + 1
	}
	return -1
}

// roll notes a block collection that begins at start.
func (l *lexer) roll(start int) {
	if column := start - l.lineStart; l.open < 0 && column > l.indent() {
		l.indents = append(l.indents, column)
	}
}

// indent returns the column of the innermost block collection, or -1.
func (l *lexer) indent() int {
	if len(l.indents) == 0 {
		return -1
	}
	return l.indents[len(l.indents)-1]
}

// blankAt reports whether white space or the end is at i.
func (l *lexer) blankAt(i int) bool { return i >= len(l.text) || isSpace(l.text[i]) }

// endOfPlain returns the offset behind the plain scalar at i.
func (l *lexer) endOfPlain(i int) int {
	end, line := i, l.lineStart
	for i < len(l.text) {
		c := l.text[i]
		switch {
		case isSpace(c):
			next := skipWhite(l.text, i)
			for j := i; j < next; j++ {
				if l.text[j] == '\n' || l.text[j] == '\r' {
					line = j + 1
				}
			}
			if next == len(l.text) || l.text[next] == '#' || line > i && l.open < 0 && next-line <= l.indent() {
				return end
			}
			i = next
			continue
		case c == ':' && (l.blankAt(i+1) || l.open >= 0 && isFlowSign(l.text[i+1])) && i > l.at:
			return end
		case l.open >= 0 && isFlowSign(c):
			return max(end, l.at+1)
		}
		i++
		end = i
	}
	return end
}

// endOfBlock returns the offset behind the block scalar at i.
func (l *lexer) endOfBlock(i int) int {
	header, body := endOfHeader(l.text, i)
	indent := 0
	for _, c := range l.text[i:min(i+3, body)] {
		if c >= '1' && c <= '9' {
			indent = max(l.indent(), 0) + int(c-'0')
		}
	}
	end := header
	for at := body; at < len(l.text); {
		at++ // a line break; that of CRLF is followed by a line of nothing
		text := at
		for text < len(l.text) && l.text[text] == ' ' {
			text++
		}
		next := text + lineLen(l.text[text:])
		if text < next {
			if indent == 0 {
				indent = max(text-at, l.indent()+1, 1)
			}
			if text-at < indent {
				break
			}
			end = next
		}
		at = next
	}
	return end
}

func isFlowSign(c byte) bool {
	return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'
}

func skipBlanks(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}

func skipWhite(text []byte, i int) int {
	for i < len(text) && isSpace(text[i]) {
		i++
	}
	return i
}
