// Package yamlscan reads the YAML that Kubernetes objects are written in, in one
// pass over the bytes and without a tree: what the object is, its JSON, and where
// a field stands.
//
// It knows a part of YAML only: block mappings and sequences; plain, quoted and
// block scalars; flow collections within one line; comments. Of everything else
// (anchors, aliases, tags, directives, explicit keys, carriage returns, tabs that
// may matter …), of every word that YAML 1.1 and 1.2 understand differently, and
// of every text with a fault it says that it does not take it, and the library
// decides. So the one law of this package is: a text that is taken is accepted by
// both go-yaml v2 (as sigs.k8s.io/yaml uses it) and v3, and means to both
// what it means here. Where that is in doubt, the answer is "not taken": it costs
// time and nothing else.
//
// The three files: this one holds the structure of a document (lines, block
// collections, keys), scalar.go the scalars and the flow collections, and
// events.go what is made of them: the identity, the JSON, the place of a field.
package yamlscan

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// A Scanner reads documents one after the other. The zero Scanner is ready; it is
// for one goroutine at a time, and keeps its memory for the next document.
//
// The text that its methods are given is one document without its separator and
// directives, from the start of a line, in UTF-8 without the characters that YAML
// does not allow and without U+0085, U+2028 and U+2029. It is not changed.
type Scanner struct {
	text   []byte
	at     int     // next unread byte: the start of a line, between lines
	frames []frame // open collections, outermost first
	keys   []key   // keys of the open mappings, those of the innermost last
	seed   maphash.Seed
	seeded bool
	limit  int // most open collections

	pending   bool // a key or dash was read whose value is not yet known
	pendingAt int  // behind that colon or dash
	end       int  // behind the last value

	knownLine, knownText int // a line's start, and the first byte of it that is no space

	events
}

// A frame is an open collection.
type frame struct {
	indent int    // column of its keys or dashes
	seq    bool   // it is a sequence
	first  int    // mapping: index of its first key in Scanner.keys
	filter uint64 // mapping: a bit for each hash of a key
	items  int    // sequence: how many items have begun
}

// A key is a key of an open mapping.
type key struct {
	hash       uint64
	start, end int // in the text, without quotes
	out        int // where in the JSON its member begins
}

const (
	maxKeyBytes = 512  // go-yaml takes 1024 characters, with quotes and blanks
	maxKeys     = 2048 // of one mapping: they are compared one by one
)

// run reads the whole text. It returns false when it is not taken.
func (s *Scanner) run(text []byte, limit int) bool {
	s.text, s.at, s.limit = text, 0, limit
	s.frames, s.keys = s.frames[:0], s.keys[:0]
	s.pending, s.pendingAt, s.end = true, 0, 0
	s.knownLine = -1
	if !s.seeded {
		s.seed, s.seeded = maphash.MakeSeed(), true
	}
	// A document that holds one of these anywhere is rare, and each would have to
	// be thought of in many places.
	if bytes.IndexByte(text, '\r') >= 0 || bytes.Contains(text, []byte("\uFEFF")) {
		return false
	}
	for {
		column, more := s.nextLine()
		if column < 0 {
			return false
		}
		if !more {
			break
		}
		if !s.line(column) {
			return false
		}
		if s.done {
			return true
		}
	}
	if len(s.frames) == 0 {
		return false // nothing but comments
	}
	if s.pending {
		s.null()
	}
	for len(s.frames) > 0 {
		s.close()
	}
	return true
}

// nextLine goes to the first byte of the next line that is not blank and no
// comment, and returns its column; -1 when the line is not taken.
func (s *Scanner) nextLine() (column int, more bool) {
	for s.at < len(s.text) {
		i := s.knownText
		if s.knownLine != s.at {
			i = skipSpaces(s.text, s.at)
		}
		if i == len(s.text) {
			return 0, false
		}
		switch s.text[i] {
		case '\n':
			s.at = i + 1
		case '#':
			s.at = s.nextStart(i)
		case '\t':
			return -1, false
		default:
			column = i - s.at
			s.at = i
			return column, true
		}
	}
	return 0, false
}

// line reads the line whose first byte is at s.at, and all that belongs to its
// scalar, and goes to the start of the line behind it.
func (s *Scanner) line(column int) bool {
	c := s.text[s.at]
	if column == 0 && (c == '%' || s.isMarker(s.at)) {
		return false
	}
	dash := c == '-' && s.blankAt(s.at+1)
	if s.pending {
		top := s.top()
		// A sequence that is a value may stand as deep as its key.
		if column > top.indent || dash && column == top.indent && !top.seq {
			s.pending = false
			return s.node(column)
		}
		s.null()
	}
	for len(s.frames) > 0 {
		top := s.top()
		if top.indent < column || top.indent == column && (dash || !top.seq) {
			break
		}
		s.close()
	}
	if len(s.frames) == 0 {
		return false
	}
	top := s.top()
	if top.indent != column || top.seq != dash {
		return false
	}
	if dash {
		return s.item(column)
	}
	return s.pair(s.lexKey(s.at))
}

// outside is the frame around the document.
var outside = frame{indent: -1}

func (s *Scanner) top() *frame {
	if len(s.frames) == 0 {
		return &outside
	}
	return &s.frames[len(s.frames)-1]
}

// node reads a value that begins at s.at, in a column: as the first on its line,
// or behind a dash. The document itself must be a mapping.
func (s *Scanner) node(column int) bool {
	isRoot := len(s.frames) == 0
	if s.text[s.at] == '-' && s.blankAt(s.at+1) {
		return !isRoot && s.open(true, column, s.at) && s.item(column)
	}
	if start, end, colon := s.lexKey(s.at); colon >= 0 {
		return !(isRoot && column > 0) && s.open(false, column, s.at) && s.pair(start, end, colon)
	}
	return !isRoot && s.value(s.at)
}

// item reads the dash at s.at and what follows on its line.
func (s *Scanner) item(column int) bool {
	s.beginItem()
	i := skipSpaces(s.text, s.at+1)
	if s.endOfContent(i) {
		return s.await(s.at+1, i)
	}
	column += i - s.at
	s.at = i
	return s.node(column)
}

// pair reads what follows on the line of the key at s.at.
func (s *Scanner) pair(start, end, colon int) bool {
	if colon < 0 || !s.addKey(start, end, s.at) {
		return false
	}
	i := skipSpaces(s.text, colon+1)
	if s.endOfContent(i) {
		return s.await(colon+1, i)
	}
	return s.value(i)
}

// lexKey returns where the text of the key at i is, without quotes, and its
// colon, which is -1 when there is no key that is taken.
func (s *Scanner) lexKey(i int) (start, end, colon int) {
	text := s.text
	if quote := text[i]; quote == '"' || quote == '\'' {
		start = i + 1
		for i++; i < len(text) && text[i] != quote; i++ {
			if text[i] == '\\' || text[i] == '\n' || text[i] == '\t' {
				return 0, 0, -1
			}
		}
		if i+1 >= len(text) || text[i+1] != ':' || !s.blankAt(i+2) || string(text[start:i]) == "<<" {
			return 0, 0, -1 // so also where a quote is there twice to stand for itself
		}
		return start, i, i + 1
	}
	if !s.plainAt(i) {
		return 0, 0, -1
	}
	for start = i; i < len(text); i++ {
		switch c := text[i]; {
		case c > ':':
		case c == ':' && s.blankAt(i+1):
			if end = trimSpaces(text, i); meaningOf(text[start:end]) != isString {
				return 0, 0, -1
			}
			return start, end, i
		case c == '\n' || c == '\t' || c == '#' && text[i-1] == ' ':
			return 0, 0, -1
		}
	}
	return 0, 0, -1
}

// plainAt reports whether a plain scalar may begin at i.
func (s *Scanner) plainAt(i int) bool {
	return !notFirst[s.text[i]] || s.text[i] == '-' && !s.blankAt(i+1)
}

// notFirst holds the characters that a plain scalar does not begin with, or
// only before certain others.
var notFirst = func() (t [256]bool) {
	for _, c := range "-?:,[]{}#&*!|>'\"%@`\t\n " {
		t[c] = true
	}
	return t
}()

// addKey adds a key to the innermost mapping, unless it is there already. at is
// where it begins with its quote, if it has one.
func (s *Scanner) addKey(start, end, at int) bool {
	f := s.top()
	if end-start > maxKeyBytes || len(s.keys)-f.first == maxKeys {
		return false
	}
	name := s.text[start:end]
	h := maphash.Bytes(s.seed, name)
	bit := uint64(1) << (h & 63)
	if f.filter&bit != 0 {
		for i := range s.keys[f.first:] {
			k := &s.keys[f.first+i]
			if k.hash == h && bytes.Equal(s.text[k.start:k.end], name) {
				return false
			}
		}
	}
	f.filter |= bit
	s.keys = append(s.keys, key{hash: h, start: start, end: end, out: len(s.out)})
	s.beginPair(name, Span{at, end + start - at})
	return true
}

// open begins a collection, whose first key, dash or bracket is at start.
func (s *Scanner) open(seq bool, indent, start int) bool {
	if len(s.frames) >= s.limit {
		return false
	}
	s.beginCollection(seq, start)
	s.frames = append(s.frames, frame{indent: indent, seq: seq, first: len(s.keys)})
	return true
}

// close ends the innermost collection.
func (s *Scanner) close() {
	f := s.frames[len(s.frames)-1]
	s.endCollection(&f)
	s.frames = s.frames[:len(s.frames)-1]
	s.keys = s.keys[:f.first]
}

// await notes that the value, if there is one, is on the next lines. i is the
// end of the line, or the comment on it.
func (s *Scanner) await(at, i int) bool {
	s.pending, s.pendingAt = true, at
	s.at = s.nextStart(i)
	return true
}

// endOfContent reports whether nothing but a comment is left of the line at i,
// which is behind a space, or a sign that has ended something.
func (s *Scanner) endOfContent(i int) bool {
	return i == len(s.text) || s.text[i] == '\n' || s.text[i] == '#' && s.text[i-1] == ' '
}

// finish goes to the next line, from behind a value, or from -1 where it is not taken.
func (s *Scanner) finish(i int) bool {
	if i < 0 {
		return false
	}
	if i = skipSpaces(s.text, i); !s.endOfContent(i) {
		return false
	}
	s.at = s.nextStart(i)
	return true
}

// nextStart returns the start of the line behind the one that holds i.
func (s *Scanner) nextStart(i int) int {
	if k := bytes.IndexByte(s.text[i:], '\n'); k >= 0 {
		return i + k + 1
	}
	return len(s.text)
}

// continuation looks for the next line, from the start of one, of a scalar that goes
// on for as long as lines are indented by at least a number of spaces. It returns the first byte of its text and the number of blank lines before it, and
// -1 when the scalar does not go on.
func (s *Scanner) continuation(at, least int) (text, blanks int) {
	start := at
	for start < len(s.text) {
		i := skipSpaces(s.text, start)
		if i < len(s.text) && s.text[i] == '\n' {
			start = i + 1
			blanks++
			continue
		}
		if blanks == 0 {
			s.knownLine, s.knownText = start, i // so that they are counted once
		}
		if i == len(s.text) || i-start < least || s.text[i] == '\t' {
			break
		}
		return i, blanks
	}
	return -1, 0
}

// blankAt reports whether a space or the end of a line is at i. A tab there is
// white space to YAML; here it makes a sign no sign, so that the text is not taken
// where that matters.
func (s *Scanner) blankAt(i int) bool {
	return i >= len(s.text) || s.text[i] == ' ' || s.text[i] == '\n'
}

// isMarker reports whether the line that begins at i begins as a separator does.
func (s *Scanner) isMarker(i int) bool {
	return len(s.text) >= i+3 && (string(s.text[i:i+3]) == "---" || string(s.text[i:i+3]) == "...")
}

// equal sets the high bit of the bytes of w that are c, eight bytes being looked at
// at a time. Bits above the lowest one that is set may be wrong.
func equal(w uint64, c byte) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	x := w ^ ones*uint64(c)
	return (x - ones) &^ x & highs
}

// trimSpaces returns the offset behind the last byte before i that is no space.
func trimSpaces(text []byte, i int) int {
	for text[i-1] == ' ' {
		i--
	}
	return i
}

// skipSpaces returns the offset of the first byte from i on that is no space.
func skipSpaces(text []byte, i int) int {
	for i+8 <= len(text) {
		if x := binary.LittleEndian.Uint64(text[i:]) ^ 0x2020202020202020; x != 0 {
			return i + bits.TrailingZeros64(x)>>3
		}
		i += 8
	}
	for i < len(text) && text[i] == ' ' {
		i++
	}
	return i
}
