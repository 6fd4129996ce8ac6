package yamlscan

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"strconv"
)

// value reads the value at i, which is no block collection, with all its lines.
func (s *Scanner) value(i int) bool {
	switch s.text[i] {
	case '"', '\'':
		return s.finish(s.quoted(i, true))
	case '[', '{':
		return s.finish(s.flow(i))
	case '|', '>':
		return s.block(i)
	}
	return s.isPlain(i) && s.plain(i)
}

// plain reads the plain scalar at start.
func (s *Scanner) plain(start int) bool {
	least := s.top().indent + 1
	end, next, blanks := s.plainLine(start, least)
	if end < 0 || next < 0 {
		return end >= 0 && s.word(start, end)
	}
	s.put(`"`)
	s.say(s.text[start:end])
	for next >= 0 {
		s.breaks(blanks, true)
		from := next
		if end, next, blanks = s.plainLine(from, least); end < 0 {
			return false
		}
		s.say(s.text[from:end])
	}
	s.put(`"`)
	s.scalar(start, end, isString, false)
	return true
}

// plainLine reads the line of a plain scalar from i on. It returns the end of what belongs to it, -1 when it is not
// taken; and where the scalar goes on behind how many blank lines, -1 when it does not.
func (s *Scanner) plainLine(i, least int) (end, next, blanks int) {
	text := s.text
	for ; i < len(text); i++ {
		for ; i+8 <= len(text); i += 8 { // to the next byte that may mean something
			w := binary.LittleEndian.Uint64(text[i:])
			if m := equal(w, '\n') | equal(w, ':') | equal(w, '#') | equal(w, '\t'); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
		}
		if i == len(text) || text[i] == '\n' {
			break
		}
		if text[i] == '#' && text[i-1] == ' ' { // behind a comment it cannot go on
			s.at = s.nextStart(i)
			return trimSpaces(text, i), -1, 0
		}
		if text[i] == '\t' || text[i] == ':' && s.blankAt(i+1) {
			return -1, -1, 0
		}
	}
	s.at = min(i+1, len(text))
	if next, blanks = s.continuation(s.at, least); next >= 0 && text[next] == '#' {
		next = -1
	}
	return trimSpaces(text, i), next, blanks
}

// equal sets the high bit of the bytes of w that are c; above the lowest it may be wrong.
func equal(w uint64, c byte) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	x := w ^ ones*uint64(c)
	return (x - ones) &^ x & highs
}

// word reads a plain scalar of one line.
func (s *Scanner) word(start, end int) bool {
	word := s.text[start:end]
	m := meaningOf(word)
	switch {
	case m == isUnsure:
		return false
	case m == isNull:
		s.put("null")
	case m == isOther:
		s.say(word)
	default:
		s.put(`"`)
		s.say(word)
		s.put(`"`)
	}
	s.scalar(start, end, m, true)
	return true
}

// quoted reads the quoted scalar at start, of several lines where lines is set, and returns the offset behind it, or
// -1.
func (s *Scanner) quoted(start int, lines bool) int {
	text, quote, verbatim := s.text, s.text[start], true
	from := start + 1 // of what is not yet said
	s.put(`"`)
	for i := from; i < len(text); i++ {
		c, next := text[i], s.byteAt(i+1)
		if c > '\\' || c != quote && c != '\\' && c != '\n' && c != '\t' || c == '\\' && quote == '\'' {
			continue
		}
		if c == quote && (c == '"' || next != quote) {
			s.say(text[from:i])
			s.put(`"`)
			s.scalar(start, i+1, isString, verbatim)
			return i + 1
		}
		verbatim = false
		isBreak, isEscape := lines && c == '\n', c == '\\'
		switch {
		case c == quote: // twice, for itself
			s.say(text[from : i+1])
			i, from = i+1, i+2
		case isEscape && escaped[next] != "":
			s.say(text[from:i])
			s.put(escaped[next])
			i, from = i+1, i+2
		case isBreak, lines && isEscape && next == '\n' && i+1 < len(text):
			behind, said := i+1, bytes.TrimRight(text[from:i], " ")
			if isEscape { // the break says nothing, and the spaces before it are said
				behind, said = i+2, text[from:i]
			}
			more, blanks := s.continuation(behind, 1)
			if more < 0 {
				return -1
			}
			s.say(said)
			s.breaks(blanks, !isEscape)
			from, i = more, more-1
		default:
			return -1
		}
	}
	return -1
}

var escaped = [256]string{'"': `\"`, '\\': `\\`, 'n': `\n`, 't': `\t`} // the escapes that YAML and JSON share

// block reads the block scalar at start.
func (s *Scanner) block(start int) bool {
	text, outer := s.text, s.top().indent
	chomp, indent, i := byte(0), 0, start+1 // an indent of 0 is that of the first text
	for ; i < len(text); i++ {
		if c := text[i]; chomp == 0 && (c == '+' || c == '-') {
			chomp = c
		} else if indent == 0 && c >= '1' && c <= '9' {
			indent = outer + int(c-'0')
		} else {
			break
		}
	}
	end := i
	if !s.finish(i) || text[s.at-1] != '\n' {
		return false
	}
	s.put(`"`)
	first, behind := s.at, s.at  // start of the first line; behind the last one with text
	blanks, widest := 0, 0       // lines without text before the next text, and the longest of them
	said, spaced := false, false // there was a line of text; the last one began with white space
	for s.at < len(text) {
		if i = skipSpaces(text, s.at); i == len(text) {
			return false
		}
		column := i - s.at
		if text[i] == '\n' && (indent == 0 || column <= indent) {
			blanks, widest = blanks+1, max(widest, column)
			s.at = i + 1
			continue
		}
		if text[i] == '\t' && (indent == 0 || column < indent) || indent == 0 && column > outer && widest > column {
			return false
		}
		if column < max(indent, outer+1) {
			break
		}
		indent = cmp.Or(indent, column)
		line := s.at + indent
		now := text[line] == ' ' || text[line] == '\t'
		if folded := text[start] == '>' && !spaced && !now; !said || folded {
			s.breaks(blanks, said)
		} else {
			s.breaks(blanks+1, false)
		}
		said, spaced, blanks = true, now, 0
		behind = s.nextStart(i)
		s.at = behind
		s.say(bytes.TrimSuffix(text[line:behind], []byte("\n")))
	}
	if said && chomp != '-' && text[behind-1] == '\n' {
		s.breaks(1, false)
	}
	if chomp == '+' {
		s.breaks(blanks, false)
	}
	s.put(`"`)
	// Its place ends behind its last word, or behind its sign where there is none.
	if words := bytes.TrimRight(text[first:behind], " \t\n"); len(words) > 0 {
		end = first + len(words)
	}
	s.scalar(start, end, isString, false)
	return true
}

// flow reads the flow collection at i, of one line, and returns the offset behind it, or -1.
func (s *Scanner) flow(i int) int {
	seq, closer := s.text[i] == '[', s.text[i]+2 // in ASCII
	if !s.open(seq, 0, i) {
		return -1
	}
	for i = skipSpaces(s.text, i+1); s.byteAt(i) != closer; {
		if seq {
			s.beginItem()
		} else {
			start, end := i, s.flowWord(i)
			colon := end
			if c := s.byteAt(i); c == '"' || c == '\'' {
				start, end, colon = s.lexKey(i)
			} else if end == i || meaningOf(s.text[i:end]) != isString {
				return -1
			}
			if s.byteAt(colon) != ':' || s.byteAt(colon+1) != ' ' || !s.addKey(start, end, i) {
				return -1
			}
			i = skipSpaces(s.text, colon+1)
		}
		if i = s.flowValue(i); i < 0 {
			return -1
		}
		switch i = skipSpaces(s.text, i); s.byteAt(i) {
		case closer:
		case ',':
			i = skipSpaces(s.text, i+1)
		default:
			return -1
		}
	}
	s.end = i + 1
	s.close()
	return i + 1
}

// flowValue reads a value in a flow collection, and returns the offset behind it, or -1.
func (s *Scanner) flowValue(i int) int {
	switch s.byteAt(i) {
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

// flowWord returns the offset behind the plain text at i, of characters that mean nothing else in a flow collection;
// i when there is none.
func (s *Scanner) flowWord(i int) int {
	start := i
	for flowPlain[s.byteAt(i)] {
		i++
	}
	if i == start || s.text[start] == ' ' || s.text[start] == '-' && (s.byteAt(start+1) == ' ' || i == start+1) {
		return start
	}
	return trimSpaces(s.text, i)
}

var flowPlain = tableOf("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ -_./+()=$;^")

// A meaning is what a plain scalar means to YAML 1.1 and 1.2 alike.
type meaning uint8

const (
	isString meaning = iota
	isNull
	isOther  // a boolean or number that JSON writes in the same way
	isUnsure // they differ, or JSON writes it in another way, or nobody has looked
)

// meaningOf returns what the plain scalar word, of one line, means.
func meaningOf(word []byte) meaning {
	switch {
	case beginsNumber(word[0]):
		return numeric(word)
	case len(word) > 5 || !beginsWord[word[0]]:
		return isString
	}
	switch string(word) {
	case "~", "null", "Null", "NULL":
		return isNull
	case "true", "false":
		return isOther
	case "True", "TRUE", "False", "FALSE", // which are written otherwise, and what YAML 1.1 knows
		"y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "<<", "=":
		return isUnsure
	}
	return isString
}

var beginsWord = tableOf("~nNtTfFyYoO<=") // each of these words

func beginsNumber(c byte) bool { return c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' }

var inNumbers = tableOf("0123456789abcdefABCDEFxXoOiInN._+-") // and in dates: 0x1F, 0o17, 1_000, -1e5, .inf …

// numeric returns what a word means that begins as numbers do.
func numeric(word []byte) meaning {
	points, simple := 0, len(word) <= 18
	for i, c := range word {
		switch {
		case c >= '0' && c <= '9':
		case !inNumbers[c]:
			return isString
		case c == '.' && points == 1:
			return isString // 1.2.3
		case c == '.':
			points++
		case c == '-' && i > 0 && word[i-1] >= '0' && word[i-1] <= '9' && bytes.IndexByte(word, '_') < 0:
			return isString // 1-2; a date is a text to sigs.k8s.io/yaml
		default:
			simple = simple && c == '-' && i == 0
		}
	}
	var b [24]byte
	again := b[:0] // as encoding/json writes it; it gives a smaller fraction an exponent
	if simple && points == 0 {
		n, _ := strconv.ParseInt(string(word), 10, 64) // 0 for a dash alone
		again = strconv.AppendInt(again, n, 10)
	} else if f, _ := strconv.ParseFloat(string(word), 64); simple && max(f, -f) >= 1e-6 {
		again = strconv.AppendFloat(again, f, 'f', -1, 64)
	}
	if string(again) == string(word) {
		return isOther
	}
	return isUnsure
}
