package legacy

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// writeYAML returns a value as a YAML document in block style, as Kubernetes' tools
// write them: keys in the value's order, texts of several lines as block scalars, and
// texts in quotes wherever a reader of YAML 1.1 or 1.2 might take them for something
// else. The document has no comments: a converted definition is another document than
// the author's.
func writeYAML(v *value) []byte {
	var b strings.Builder
	if v.kind == isObject && len(v.members) > 0 {
		writeMembers(&b, v, "")
	} else {
		b.WriteString(flowValue(v))
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// longestKey is how many characters a key may have that is not written behind a question mark:
// YAML 1.2.2, section 7.4.2.
const longestKey = 1024

func writeMembers(b *strings.Builder, v *value, indent string) {
	for i, m := range v.members {
		if i > 0 {
			b.WriteString(indent)
		}
		if v.kind == isObject {
			key := plainOrQuoted(m.key)
			if len(key) > longestKey {
				key = "? " + key + "\n" + indent
			}
			b.WriteString(key)
			b.WriteByte(':')
		} else {
			b.WriteByte('-')
		}
		writeMember(b, v.kind == isArray, m.value, indent)
	}
}

// writeMember writes what is behind "key:" or "-", up to the end of its last line.
func writeMember(b *strings.Builder, item bool, v *value, indent string) {
	inner := indent + "  "
	switch {
	case len(v.members) == 0:
		writeScalar(b, v, inner)
	case item: // the first line of a collection in a list is behind the dash
		b.WriteByte(' ')
		writeMembers(b, v, inner)
	case v.kind == isObject:
		b.WriteString("\n" + inner)
		writeMembers(b, v, inner)
	default: // a list is not indented below its key
		b.WriteString("\n" + indent)
		writeMembers(b, v, indent)
	}
}

func writeScalar(b *strings.Builder, v *value, indent string) {
	if v.kind != isText || !isBlock(v.text) {
		b.WriteString(" " + flowValue(v) + "\n")
		return
	}
	lines, last := strings.CutSuffix(v.text, "\n")
	b.WriteString(" |")
	if !last {
		b.WriteByte('-')
	}
	b.WriteByte('\n')
	for line := range strings.SplitSeq(lines, "\n") {
		if line != "" {
			b.WriteString(indent + line)
		}
		b.WriteByte('\n')
	}
}

// flowValue writes a scalar, or a collection that is empty.
func flowValue(v *value) string {
	if v.kind == isText {
		return plainOrQuoted(v.text)
	}
	return string(v.appendJSON(nil))
}

// isBlock reports whether a text is one that a block scalar holds as it is, whatever
// reads it.
func isBlock(s string) bool {
	if !strings.Contains(s, "\n") || s[0] == ' ' || s[0] == '\n' || strings.HasSuffix(s, "\n\n") || !utf8.ValidString(s) {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line != "" && strings.TrimLeft(line, " ") == "" {
			return false
		}
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return false
		}
	}
	return true
}

// words are the plain scalars that mean something else than their text to some reader
// of YAML, in lower case.
const words = " y n yes no on off true false null ~ .inf .nan "

// plainOrQuoted returns a text of one line as a scalar: as it is where every reader
// takes it for text, else in double quotes.
func plainOrQuoted(s string) string {
	plain := s != "" && !strings.Contains(words, " "+strings.ToLower(s)+" ") &&
		(isLetter(s[0]) || len(s) > 1 && strings.IndexByte("./_$", s[0]) >= 0 && isLetter(s[1])) &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.HasSuffix(s, ":") && !strings.HasSuffix(s, " ")
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] >= ' ' && s[i] <= '~'
	}
	if plain {
		return s
	}
	return quoteText(s)
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// quoteText returns a text in double quotes, as JSON and YAML both read it.
func quoteText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r <= 0xffff && r != ' ' && !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
