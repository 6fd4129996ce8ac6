package yamltree

import (
	"bytes"
	"regexp"
)

// MayHaveDoubts reports whether a document's text, without its separator, may have
// a [Doubt]. It is right when it says no, and asks for no tree: most documents
// have none, and parsing takes a hundred times as long.
//
// A plain scalar stands alone between a sign that a value or key may follow (the
// start of a line, a dash, a colon, a bracket, a comma, an anchor or tag) and one
// that may follow it (the end of the line, a comment, a colon, a comma, a bracket).
// In prose that is rare. Commas and brackets are signs from where the first collection
// in flow style begins that is not empty; before it they are letters.
func MayHaveDoubts(text []byte) bool {
	begins := true // a scalar may begin here
	flow := false  // or a collection in flow style may be around it
	for i := 0; i < len(text); {
		switch text[i] {
		case '\n', '\r':
			begins = true
			i++
			continue
		case '[', '{', ',', ']', '}':
			if begins && (bytes.HasPrefix(text[i:], []byte("[]")) || bytes.HasPrefix(text[i:], []byte("{}"))) {
				i += 2
				continue
			}
			flow = flow || begins && (text[i] == '[' || text[i] == '{')
			begins = begins || flow
			i++
			continue
		case ' ', '\t':
			i++
			continue
		case '"', '\'':
			begins = false
			i++
			continue
		}
		start := i
		for i < len(text) && !isWordBreak[text[i]] {
			i++
		}
		word := text[start:i]
		if word[0] == ':' { // behind a quoted key: {"a":1}
			begins, word = true, word[1:]
		}
		if len(word) == 0 || word[0] == '#' {
			continue
		}
		isKey := word[len(word)-1] == ':'
		if isKey {
			word = word[:len(word)-1]
		}
		if begins && len(word) > 0 {
			if word[0] == '!' || string(word) == "<<" {
				return true // it may say binary, or merge a key that is there; both are rare
			}
			if word[0] >= '0' && word[0] <= '9' && isDate.Match(word) || (isKey || mayFollow(text, i, flow)) && isDoubtful(word) {
				return true
			}
			begins = len(word) == 1 && (word[0] == '-' || word[0] == '?') || word[0] == '&' || string(word) == "---"
		}
		begins = begins || isKey
	}
	return false
}

// isDate finds dates: a time may follow behind white space.
var isDate = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$`)

// isWordBreak holds the bytes that end a word.
var isWordBreak = [256]bool{
	' ': true, '\t': true, '\n': true, '\r': true, '[': true, ']': true, '{': true, '}': true, ',': true, '"': true, '\'': true,
}

// mayFollow reports whether what stands at i may stand behind a plain scalar.
func mayFollow(text []byte, i int, flow bool) bool {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	if i == len(text) {
		return true
	}
	switch text[i] {
	case '\n', '\r', '#', ':':
		return true
	case ',', '[', ']', '{', '}':
		return flow
	}
	return false
}

func isDoubtful(word []byte) bool {
	if len(word) > maxDoubt || !mayBeDoubtful(word) {
		return false
	}
	return doubtOf(string(word), false).Kind != noDoubt || doubtOf(string(word), true).Kind != noDoubt
}
