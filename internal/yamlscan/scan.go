// Package yamlscan reads the YAML that Kubernetes objects are written in, in one pass over the bytes and without a
// tree: what the object is, its JSON, and where a field stands.
//
// It knows a part of YAML: block mappings and sequences; plain, quoted and block scalars; flow collections within one
// line; comments. Of everything else (anchors, aliases, tags, explicit keys, tabs that may matter
// …), of every word that YAML 1.1 and 1.2 understand differently, and of every text with a fault it says that it does
// not take it, and the library decides. So the one law here is: a text that is taken is accepted by go-yaml v2 (as
// sigs.k8s.io/yaml uses it) and v3, and means to both what it means here. Where that is in doubt, the answer is "not
// taken", which costs time and nothing else. This file holds the structure of a document (lines, block collections,
// keys), scalar.go the scalars and the flow collections, events.go what is made of them.
package yamlscan

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
)

// A Scanner reads documents one after the other, and keeps its memory for the next. It is for one goroutine at a time.
//
// The text that its methods are given is one document without its separator and directives, from the start of a line,
// in UTF-8 without the characters that YAML does not allow and without carriage returns, byte order marks, U+0085,
// U+2028 and U+2029. It is not changed. Who calls has looked at every byte anyway, and once for all methods.
type Scanner struct {
	text    []byte
	at      int      // next unread byte: the start of a line; of a node, while its line is read
	frames  []frame  // open collections, outermost first, behind one for what is around the document
	keys    []uint64 // hashes of the keys of the open mappings, those of the innermost last
	seed    maphash.Seed
	depth   int // most open collections
	pending int // behind a colon or dash whose value may be on the next line, or -1
	end     int // behind the last value
	events
}

// New returns a Scanner.
func New() *Scanner { return &Scanner{seed: maphash.MakeSeed()} }

// Forget lets go of what was read and made of it.
func (s *Scanner) Forget() { s.text, s.events = nil, events{} }

// A frame is an open collection.
type frame struct {
	indent int                 // column of its keys or dashes
	seq    bool                // it is a sequence
	items  int                 // sequence: how many items have begun
	first  int                 // mapping: index of its first key in Scanner.keys
	key    Span                // mapping: its last key, without quotes
	filter uint64              // mapping: a bit for each hash of a key
	many   map[uint64]struct{} // mapping: its keys, once they are more than few
}

const (
	maxDepth    = 10_000 // collections within each other: go-yaml's own limit
	maxKeyBytes = 512    // go-yaml takes 1024 characters, with quotes and blanks
	fewKeys     = 256    // of one mapping: so many are compared one by one
)

// run reads a text, to its end or until the place that was asked for is known; false says that it is not taken.
func (s *Scanner) run(text []byte, depth int) bool {
	s.text, s.at, s.depth = text, 0, depth
	s.frames, s.keys = append(s.frames[:0], frame{indent: -1}), s.keys[:0]
	s.pending, s.end = 0, 0 // the document is a value that has not begun
	for i := s.nextLine(); i >= 0 && !s.done; i = s.nextLine() {
		if !s.line(i) {
			return false
		}
	}
	if s.pending >= 0 {
		s.null()
	}
	for len(s.frames) > 1 {
		s.close()
	}
	return s.end > 0 // not nothing but comments
}

// nextLine goes to the next line that is not blank and no comment, and returns its first byte that is no space, or -1.
func (s *Scanner) nextLine() int {
	for s.at < len(s.text) {
		i := skipSpaces(s.text, s.at)
		if c := s.byteAt(i); c != '\n' && c != '#' {
			return i
		}
		s.at = s.nextStart(i)
	}
	return -1
}

// line reads the line at s.at, whose text begins at i, and all of the scalar that is on it.
func (s *Scanner) line(i int) bool {
	column, dash := i-s.at, s.isDash(i)
	if line := s.text[i:]; column == 0 && (line[0] == '%' || bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))) {
		return false // separators and directives, which the text should not hold
	}
	s.at = i
	if s.pending >= 0 {
		// A sequence that is a value may stand in the column of its key.
		if top := s.top(); column > top.indent || dash && column == top.indent && !top.seq {
			s.pending = -1
			return s.node(column)
		}
		s.null()
	}
	for top := s.top(); top.indent > column || top.indent == column && top.seq && !dash; top = s.top() {
		s.close()
	}
	if top := s.top(); top.indent != column || top.seq != dash {
		return false
	}
	if dash {
		return s.item(column)
	}
	return s.pair(s.lexKey(i))
}

func (s *Scanner) top() *frame { return &s.frames[len(s.frames)-1] }

// node reads the value at s.at, in a column: the first on its line, or behind a dash. A document must be a mapping.
func (s *Scanner) node(column int) bool {
	isRoot := len(s.frames) == 1
	if s.isDash(s.at) {
		return !isRoot && s.open(true, column, s.at) && s.item(column)
	}
	if start, end, colon := s.lexKey(s.at); colon >= 0 {
		return !(isRoot && column > 0) && s.open(false, column, s.at) && s.pair(start, end, colon)
	}
	return !isRoot && s.value(s.at)
}

// item reads the dash at s.at, in a column, and what follows on its line.
func (s *Scanner) item(column int) bool {
	s.beginItem()
	i := skipSpaces(s.text, s.at+1)
	if s.lineEnds(i) {
		s.pending, s.at = s.at+1, s.nextStart(i)
		return true
	}
	column += i - s.at
	s.at = i
	return s.node(column)
}

// pair reads the key at s.at, of which lexKey has told, and what follows on its line.
func (s *Scanner) pair(start, end, colon int) bool {
	if colon < 0 || !s.addKey(start, end, s.at) {
		return false
	}
	i := skipSpaces(s.text, colon+1)
	if s.lineEnds(i) {
		s.pending, s.at = colon+1, s.nextStart(i)
		return true
	}
	return s.value(i)
}

// lexKey returns the place of the key at i, without quotes, and of its colon: -1 for none.
func (s *Scanner) lexKey(i int) (start, end, colon int) {
	text, at := s.text, i
	if quote := text[i]; quote == '"' || quote == '\'' {
		for i++; i < len(text) && text[i] != quote && text[i] != '\\' && text[i] != '\n' && text[i] != '\t'; i++ {
		}
		// Behind a quote that is there twice, to stand for itself, is no colon.
		if s.byteAt(i) == quote && s.byteAt(i+1) == ':' && s.blankAt(i+2) && string(text[at+1:i]) != "<<" {
			return at + 1, i, i + 1
		}
		return 0, 0, -1
	}
	for isPlain := s.isPlain(i); isPlain && i < len(text) && i-at <= maxKeyBytes; i++ {
		switch c := text[i]; {
		case c > ':':
		case c == ':' && s.blankAt(i+1):
			if end = trimSpaces(text, i); meaningOf(text[at:end]) != isString {
				return 0, 0, -1
			}
			return at, end, i
		case c == '\n' || c == '\t' || c == '#' && text[i-1] == ' ':
			return 0, 0, -1
		}
	}
	return 0, 0, -1
}

// addKey adds a key, which begins at at with its quote, to the innermost mapping, unless it is there already. Another
// key of the same hash, which none but chance can make, is taken for the same: the text is not taken, and the library
// decides.
func (s *Scanner) addKey(start, end, at int) bool {
	if end-start > maxKeyBytes {
		return false
	}
	f, name := s.top(), s.text[start:end]
	h, seen := maphash.Bytes(s.seed, name), s.keys[f.first:]
	if len(seen) == fewKeys {
		f.many = make(map[uint64]struct{}, 2*fewKeys)
		for _, k := range seen {
			f.many[k] = struct{}{}
		}
	}
	if f.many != nil {
		f.many[h] = struct{}{}
	}
	if f.many != nil && len(f.many) == len(seen) || f.many == nil && f.filter>>(h&63)&1 != 0 && slices.Contains(seen, h) {
		return false // it was there
	}
	f.filter |= 1 << (h & 63)
	s.keys, f.key = append(s.keys, h), Span{start, end}
	s.beginPair(name, Span{at, end + start - at}) // as many quotes behind as before
	return true
}

// open begins a collection, whose first key, dash or bracket is at start.
func (s *Scanner) open(seq bool, indent, start int) bool {
	if len(s.frames) > s.depth {
		return false
	}
	s.beginCollection(seq, start)
	s.frames = append(s.frames, frame{indent: indent, seq: seq, first: len(s.keys)})
	return true
}

// close ends the innermost collection.
func (s *Scanner) close() {
	f := s.top()
	s.endCollection(f)
	s.frames, s.keys, f.many = s.frames[:len(s.frames)-1], s.keys[:f.first], nil
}

// finish goes to the next line from behind a value, or from -1 where none was taken.
func (s *Scanner) finish(i int) bool {
	if i < 0 || !s.lineEnds(skipSpaces(s.text, i)) {
		return false
	}
	s.at = s.nextStart(i)
	return true
}

// lineEnds reports whether nothing but a comment is left of the line from i on.
func (s *Scanner) lineEnds(i int) bool {
	return s.byteAt(i) == '\n' || s.text[i] == '#' && s.text[i-1] == ' '
}

// nextStart returns the start of the line behind the one that holds i.
func (s *Scanner) nextStart(i int) int {
	if k := bytes.IndexByte(s.text[i:], '\n'); k >= 0 {
		return i + k + 1
	}
	return len(s.text)
}

// continuation looks, from the start of a line on, for the next line of a scalar whose lines are indented by at least
// a number of spaces. It returns the first byte of its text and the number of blank lines before it; -1 when there is
// none.
func (s *Scanner) continuation(line, least int) (text, blanks int) {
	for ; line < len(s.text); blanks++ {
		i := skipSpaces(s.text, line)
		switch {
		case i == len(s.text) || s.text[i] == '\t' || s.text[i] != '\n' && i-line < least:
			return -1, 0
		case s.text[i] != '\n':
			return i, blanks
		}
		line = i + 1
	}
	return -1, 0
}

// isDash reports whether the dash of an item is at i, isPlain whether a plain scalar begins.
func (s *Scanner) isDash(i int) bool { return s.text[i] == '-' && s.blankAt(i+1) }
func (s *Scanner) isPlain(i int) bool {
	return !notFirst[s.text[i]] || s.text[i] == '-' && !s.isDash(i)
}

// notFirst holds the characters that no plain scalar begins with, or only before some others.
var notFirst = tableOf("-?:,[]{}#&*!|>'\"%@`\t\n ")

func tableOf(chars string) (t [256]bool) {
	for _, c := range []byte(chars) {
		t[c] = true
	}
	return t
}

// blankAt reports whether a space or the end of a line is at i. A tab is white space too; here the sign before it is
// none then, and as no plain scalar with a tab is taken, nor is the text.
func (s *Scanner) blankAt(i int) bool { return s.byteAt(i) == ' ' || s.byteAt(i) == '\n' }

// byteAt returns the byte at i, and a line break where there is none.
func (s *Scanner) byteAt(i int) byte {
	if i >= 0 && i < len(s.text) {
		return s.text[i]
	}
	return '\n'
}

// trimSpaces returns the offset behind the last byte before i that is no space.
func trimSpaces(text []byte, i int) int {
	for ; text[i-1] == ' '; i-- {
	}
	return i
}

// skipSpaces returns the offset of the first byte from i on that is no space, by eights.
func skipSpaces(text []byte, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if x := binary.LittleEndian.Uint64(text[i:]) ^ 0x2020202020202020; x != 0 {
			return i + bits.TrailingZeros64(x)>>3
		}
	}
	for ; i < len(text) && text[i] == ' '; i++ {
	}
	return i
}
