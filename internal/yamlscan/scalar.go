package yamlscan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
)

// value reads the value at i, which is no block collection, with all its lines,
// and goes to the line behind it.
func (s *Scanner) value(i int) bool {
	switch c := s.text[i]; c {
	case '"', '\'':
		return s.finish(s.quoted(i, true))
	case '[', '{':
		return s.finish(s.flow(i))
	case '|', '>':
		return s.block(i)
	default:
		return s.plainAt(i) && s.plain(i)
	}
}

// plain reads the plain scalar at start.
func (s *Scanner) plain(start int) bool {
	end, next, more := s.plainLine(start)
	if end < 0 {
		return false
	}
	least, text, blanks := s.top().indent+1, -1, 0
	if more {
		text, blanks = s.continuation(next, least)
	}
	s.at = next
	if text < 0 || s.text[text] == '#' {
		return s.word(start, end)
	}
	s.put(`"`)
	s.say(s.text[start:end])
	for text >= 0 && s.text[text] != '#' {
		from := text
		if end, s.at, more = s.plainLine(from); end < 0 {
			return false
		}
		s.fold(blanks)
		s.say(s.text[from:end])
		if text = -1; more { // behind a comment no scalar goes on
			text, blanks = s.continuation(s.at, least)
		}
	}
	s.put(`"`)
	s.scalar(start, end, isString, false)
	return true
}

// plainLine returns where the plain text at i ends on its line, the start of the
// next line, and whether the text may go on there; end is -1 when it is not taken.
func (s *Scanner) plainLine(i int) (end, next int, more bool) {
	text := s.text
	for ; i < len(text); i++ {
		for i+8 <= len(text) { // to the next byte that may mean something
			w := binary.LittleEndian.Uint64(text[i:])
			m := equal(w, '\n') | equal(w, ':') | equal(w, '#') | equal(w, '\t')
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i == len(text) {
			break
		}
		switch text[i] {
		case '\n':
			return trimSpaces(text, i), i + 1, true
		case '#':
			if text[i-1] == ' ' {
				return trimSpaces(text, i), s.nextStart(i), false
			}
		case ':':
			if s.blankAt(i + 1) {
				return -1, 0, false
			}
		case '\t':
			return -1, 0, false
		}
	}
	return trimSpaces(text, i), i, false
}

// word reads a plain scalar of one line.
func (s *Scanner) word(start, end int) bool {
	word := s.text[start:end]
	m := meaningOf(word)
	switch m {
	case isUnsure:
		return false
	case isNull:
		s.put("null")
	case isTrue:
		s.put("true")
	case isFalse:
		s.put("false")
	case isNumber:
		s.say(word)
	case isString:
		s.put(`"`)
		s.say(word)
		s.put(`"`)
	}
	s.scalar(start, end, m, true)
	return true
}

// quoted reads the quoted scalar at start, and returns the offset behind it, or
// -1. It may have several lines only where lines is set.
func (s *Scanner) quoted(start int, lines bool) int {
	text, quote, simple := s.text, s.text[start], true
	from := start + 1 // of what is not yet said
	s.put(`"`)
	for i := from; i < len(text); i++ {
		c := text[i]
		if c > '\\' || c != quote && c != '\\' && c != '\n' && c != '\t' || c == '\\' && quote == '\'' {
			continue
		}
		next := byte(0)
		if i+1 < len(text) {
			next = text[i+1]
		}
		if c == quote && (c == '"' || next != quote) {
			s.say(text[from:i])
			s.put(`"`)
			s.scalar(start, i+1, isString, simple)
			return i + 1
		}
		simple = false
		switch {
		case c == quote: // twice, for itself
			s.say(text[from : i+1])
			i++
			from = i + 1
		case c == '\\' && (next == '"' || next == '\\' || next == 'n' || next == 't'): // as in JSON
			s.say(text[from:i])
			s.put(string(text[i : i+2]))
			i++
			from = i + 1
		case lines && c == '\n', lines && c == '\\' && next == '\n':
			skip := 1 + int(c>>6) // the backslash of a line break that says nothing
			more, blanks := s.continuation(i+skip, 1)
			switch {
			case more < 0:
				return -1
			case c == '\\':
				s.say(text[from:i])
				s.breaks(blanks)
			default:
				s.say(bytes.TrimRight(text[from:i], " "))
				s.fold(blanks)
			}
			from, i = more, more-1
		default:
			return -1
		}
	}
	return -1
}

// block reads the block scalar at start.
func (s *Scanner) block(start int) bool {
	text, outer, folded := s.text, s.top().indent, s.text[start] == '>'
	chomp, indent, i := byte(0), 0, start+1 // an indent of 0 is that of the first text
	for ; i < len(text); i++ {
		if c := text[i]; chomp == 0 && (c == '+' || c == '-') {
			chomp = c
		} else if indent == 0 && c >= '1' && c <= '9' {
			indent = max(outer, 0) + int(c-'0')
		} else {
			break
		}
	}
	header := i
	if i = skipSpaces(text, i); !s.endOfContent(i) {
		return false
	}
	body := s.nextStart(i)
	if text[body-1] != '\n' {
		return false
	}
	s.put(`"`)
	s.at = body
	blanks, widest := 0, 0       // lines without text before the next text, and the longest of them
	said, spaced := false, false // there was a line of text; the last one began with white space
	behind := body               // the last line of text
	for s.at < len(text) {
		i := skipSpaces(text, s.at)
		if i == len(text) {
			return false
		}
		column := i - s.at
		if text[i] == '\n' && (indent == 0 || column <= indent) {
			blanks++
			widest = max(widest, column)
			s.at = i + 1
			continue
		}
		if column < max(indent, outer+1) {
			if text[i] == '\t' {
				return false
			}
			break
		}
		if indent == 0 {
			if indent = column; text[i] == '\t' || widest > column {
				return false
			}
		}
		line := s.at + indent
		now := text[line] == ' ' || text[line] == '\t'
		switch {
		case !said:
			s.breaks(blanks)
		case folded && !spaced && !now:
			s.fold(blanks)
		default:
			s.breaks(blanks + 1)
		}
		said, spaced, blanks = true, now, 0
		s.at = s.nextStart(i)
		behind = s.at
		s.say(bytes.TrimSuffix(text[line:behind], []byte("\n")))
	}
	if said && chomp != '-' && text[behind-1] == '\n' {
		s.breaks(1)
	}
	if chomp == '+' {
		s.breaks(blanks)
	}
	s.put(`"`)
	// Its place ends behind its last word, or behind its sign where there is none.
	end := body + len(bytes.TrimRight(text[body:behind], " \t\n"))
	if end == body {
		end = header
	}
	s.scalar(start, end, isString, false)
	return true
}

// flow reads the flow collection at i, which ends on its line, and returns the
// offset behind it, or -1.
func (s *Scanner) flow(i int) int {
	seq, closer := s.text[i] == '[', s.text[i]+2 // in ASCII
	if !s.open(seq, 0, i) {
		return -1
	}
	i = skipSpaces(s.text, i+1)
	for first := true; s.flowByte(i) != closer || !first; first = false {
		if seq {
			s.beginItem()
		} else {
			i = s.flowKey(i)
		}
		if i = s.flowValue(i); i < 0 {
			return -1
		}
		if i = skipSpaces(s.text, i); s.flowByte(i) == closer {
			break
		}
		if s.flowByte(i) != ',' {
			return -1
		}
		i = skipSpaces(s.text, i+1)
	}
	s.end = i + 1
	s.close()
	return i + 1
}

// flowByte returns the byte at i, and a line break where there is none.
func (s *Scanner) flowByte(i int) byte {
	if i < 0 || i >= len(s.text) {
		return '\n'
	}
	return s.text[i]
}

// flowKey reads a key of a flow mapping with its colon and the spaces behind it,
// and returns the offset of the value, or -1.
func (s *Scanner) flowKey(i int) int {
	start, end := i, s.flowWord(i)
	colon := end
	if c := s.flowByte(i); c == '"' || c == '\'' {
		start, end, colon = s.lexKey(i)
	} else if end == i || meaningOf(s.text[i:end]) != isString {
		return -1
	}
	if s.flowByte(colon) != ':' || s.flowByte(colon+1) != ' ' || !s.addKey(start, end, i) {
		return -1
	}
	return skipSpaces(s.text, colon+1)
}

// flowValue reads a value within a flow collection, and returns the offset behind
// it, or -1.
func (s *Scanner) flowValue(i int) int {
	switch s.flowByte(i) {
	case '"', '\'':
		return s.quoted(i, false)
	case '[', '{':
		return s.flow(i)
	}
	if end := s.flowWord(i); end > i && s.word(i, end) {
		return end
	}
	return -1
}

// flowWord returns the offset behind the plain text at i, of characters that have
// no other meaning anywhere in a flow collection; i when there is none.
func (s *Scanner) flowWord(i int) int {
	start := i
	for flowPlain[s.flowByte(i)] {
		i++
	}
	if i == start || s.text[start] == ' ' || s.text[start] == '-' && !flowPlain[s.flowByte(start+1)&^' '] {
		return start
	}
	return trimSpaces(s.text, i)
}

// flowPlain holds the characters that a plain scalar in a flow collection is taken
// with.
var flowPlain = func() (t [256]bool) {
	for _, c := range "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ -_./+()=$;^" {
		t[c] = true
	}
	return t
}()

// A meaning is what a plain scalar means to YAML 1.1 and 1.2 alike.
type meaning uint8

const (
	isString meaning = iota
	isNull
	isTrue
	isFalse
	isNumber // which JSON writes in the same way
	isUnsure // they differ, or JSON writes it in another way, or nobody has looked
)

// meaningOf returns what the plain scalar word, of one line, means.
func meaningOf(word []byte) meaning {
	switch c := word[0]; {
	case c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+':
		return numeric(word)
	case len(word) > 5:
		return isString
	}
	switch string(word) {
	case "~", "null", "Null", "NULL":
		return isNull
	case "true", "True", "TRUE":
		return isTrue
	case "false", "False", "FALSE":
		return isFalse
	case "y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "<<", "=":
		return isUnsure // booleans and signs of YAML 1.1
	}
	return isString
}

// numeric returns what a word means that begins as numbers do.
func numeric(word []byte) meaning {
	points, simple := 0, true
	for i, c := range word {
		switch {
		case c >= '0' && c <= '9':
			continue
		case !inNumbers[c]:
			return isString
		case c == '.':
			if points++; points > 1 {
				return isString // 1.2.3
			}
			continue
		case c == '-' && i > 0 && word[i-1]|' ' != 'e' && bytes.IndexByte(word, '_') < 0:
			return isString // 1-2; a date is a text to sigs.k8s.io/yaml
		}
		simple = simple && c == '-' && i == 0
	}
	if !simple || len(word) > 18 {
		return isUnsure
	}
	// What encoding/json writes must be what is written here. It puts an exponent to a
	// fraction that is smaller.
	var again [24]byte
	if n, err := strconv.ParseInt(string(word), 10, 64); points == 0 && err == nil {
		if string(strconv.AppendInt(again[:0], n, 10)) == string(word) {
			return isNumber
		}
	} else if f, err := strconv.ParseFloat(string(word), 64); err == nil && max(f, -f) >= 1e-6 {
		if string(strconv.AppendFloat(again[:0], f, 'f', -1, 64)) == string(word) {
			return isNumber
		}
	}
	return isUnsure
}

// inNumbers holds the characters of all that some version of YAML takes for a number
// or a date alone: 0x1F, 0o17, 0b1, 1_000, -1e5, .inf, .NaN, 2001-01-01.
var inNumbers = func() (t [256]bool) {
	for _, c := range "0123456789abcdefABCDEFxXoOiInN._+-" {
		t[c] = true
	}
	return t
}()
