package parser

import "github.com/xpkg-go/sdk/internal/yamlstream"

// isNull reports whether a document says nothing that can be seen at a glance: a
// null without anchor and tag, and comments in ASCII. A stream may hold a
// million of them, and parsing takes a hundred times as long.
func isNull(c yamlstream.Chunk) bool {
	if c.BadEnd > 0 || c.Text[0] == '%' {
		return false
	}
	word := false
	text := c.Text[c.Raw:]
	for i := 0; i < len(text); {
		switch b := text[i]; {
		case b == ' ' || b == '\n' || b == '\r':
			i++
		case b == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\n' || text[i-1] == '\r'):
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				if (text[i] < ' ' && text[i] != '\t') || text[i] > '~' {
					return false
				}
				i++
			}
		default:
			n := nullWord(text[i:])
			if word || n == 0 {
				return false
			}
			word = true
			i += n
		}
	}
	return word
}

// nullWord returns the length of the null that text begins with, or 0. Whether
// the word ends there is seen at what follows.
func nullWord(text []byte) int {
	if text[0] == '~' {
		return 1
	}
	if len(text) >= 4 {
		switch string(text[:4]) {
		case "null", "Null", "NULL":
			return 4
		}
	}
	return 0
}
