package yamltree

import (
	"bytes"
	"slices"
)

// HasMoreNodes reports whether Parse refuses a text because it may have more nodes
// than a limit.
func HasMoreNodes(text []byte, l Limits) bool {
	return l.Nodes > 0 && tooManyNodes(text, l.Nodes) >= 0
}

// tooManyNodes returns the offset at which the text has signs for more than most
// nodes, or -1. A node costs a hundred times the byte that may be all it is
// written with, so this is asked before go-yaml makes any.
//
// Every node but the first owes its being to a sign, which is counted wherever
// it stands, in quotes and comments too: a colon that may end a key makes two
// nodes, a dash that may begin an item one, a question mark two, a bracket one, a
// brace two, and a comma behind a bracket one, or two behind a brace. A colon behind an
// anchor or an alias ends a key whatever follows.
func tooManyNodes(text []byte, most int) int {
	if len(text) <= (most-1)/2 { // a byte makes two at most
		return -1
	}
	bound := 1
	for _, sign := range signs { // counting them takes less time than looking at each
		bound += 2 * bytes.Count(text, sign)
	}
	if bound <= most {
		return -1
	}
	nodes, comma := 1, 0
	for i, c := range text {
		if !isSign[c] {
			continue
		}
		switch c {
		case ',':
			nodes += comma
		case '[':
			nodes++
			comma = max(comma, 1)
		case '{':
			nodes += 2
			comma = 2
		case '-':
			if endsWord(text[i+1:]) && beginsWord(text[:i]) {
				nodes++
			}
		case '?':
			if beginsWord(text[:i]) || isFlowSign(text[i-1]) {
				nodes += 2
			}
		case ':':
			if endsWord(text[i+1:]) || isFlowSign(text[i+1]) || beginsWord(text[:i]) || !isWordEnd(text[i-1]) {
				nodes += 2
			}
		case '&', '*':
			end := endOfName(text, i+1)
			if end < len(text) && text[end] == ':' && (beginsWord(text[:i]) || !isWordEnd(text[i-1])) {
				nodes += 2
			}
		}
		if nodes > most {
			return i
		}
	}
	return -1
}

// signs are the bytes that tooManyNodes looks at, and isSign says of a byte whether it is one.
var (
	signs  = [][]byte{{','}, {'['}, {'{'}, {'-'}, {'?'}, {':'}, {'&'}, {'*'}}
	isSign = [256]bool{',': true, '[': true, '{': true, '-': true, '?': true, ':': true, '&': true, '*': true}
)

// breaks are what YAML 1.1 takes for line breaks above those of ASCII, and with them the byte
// order mark, which may begin a line.
var breaks = []string{"\u0085", "\u2028", "\u2029", "\uFEFF"}

// beginsWord reports whether what follows the text is not part of a word of it.
func beginsWord(before []byte) bool {
	n := len(before)
	return n == 0 || isSpace(before[n-1]) || before[n-1] >= 0x80 &&
		slices.ContainsFunc(breaks, func(s string) bool { return bytes.HasSuffix(before, []byte(s)) })
}

// endsWord reports whether what is before the text ends there.
func endsWord(behind []byte) bool {
	return blankOrEnd(behind, 0) || behind[0] >= 0x80 &&
		slices.ContainsFunc(breaks, func(s string) bool { return bytes.HasPrefix(behind, []byte(s)) })
}

func blankOrEnd(text []byte, i int) bool { return i >= len(text) || isSpace(text[i]) }

// isWordEnd reports whether a colon behind c, with text behind it, is part of a
// word.
func isWordEnd(c byte) bool {
	return !isSpace(c) && !isFlowSign(c) && c != '"' && c != '\'' && c != ':' && c != '?'
}

// maxTags is how many %TAG directives a document may have: go-yaml compares each with all
// before it, and every tag with all.
const maxTags = 100

// tooManyTags returns the offset of a line that begins with the first %TAG directive above
// maxTags, or -1. It counts those too that are text, such as in quotes of several lines.
func tooManyTags(text []byte) int {
	directive := []byte("%TAG")
	for at, n := 0, 0; ; at += len(directive) {
		i := bytes.Index(text[at:], directive)
		if i < 0 {
			return -1
		}
		// A line begins behind what YAML 1.1 takes for a break, or a byte order mark, too.
		if at += i; at > 0 && text[at-1] != '\n' && text[at-1] != '\r' && text[at-1] < 0x80 {
			continue
		}
		if n++; n > maxTags {
			return at
		}
	}
}
