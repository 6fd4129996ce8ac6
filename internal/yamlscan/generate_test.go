package yamlscan

import (
	"bytes"
	"math/rand/v2"
	"strings"
)

// A generator writes random documents: mostly what the engine knows, in every
// combination, and now and then what it must leave to the library.
type generator struct {
	*rand.Rand
	out   strings.Builder
	depth int
}

func newGenerator(seed uint64) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(seed, 42))}
}

func (g *generator) document() []byte {
	g.out.Reset()
	g.depth = 0
	if g.IntN(8) == 0 {
		g.comments(0)
	}
	g.mapping(0, false)
	text := []byte(g.out.String())
	if g.IntN(12) == 0 {
		text = bytes.TrimRight(text, "\n")
	}
	if g.IntN(4) == 0 {
		text = g.mutate(text)
	}
	return text
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

// often returns its first argument mostly, and one of the others else.
func (g *generator) often(usual string, others ...string) string {
	if g.IntN(6) > 0 {
		return usual
	}
	return g.pick(others...)
}

func (g *generator) spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

func (g *generator) put(s ...string) {
	for _, s := range s {
		g.out.WriteString(s)
	}
}

// comments writes blank lines and comments.
func (g *generator) comments(indent int) {
	for range g.IntN(3) {
		switch g.IntN(5) {
		case 0, 1:
			g.put(g.spaces(g.IntN(indent+3)), "#", g.pick("", " x", " a: b", "#", " - c", "\t", " é"), "\n")
		case 2:
			g.put(g.spaces(g.IntN(4)), "\n")
		default:
			g.put("\n")
		}
	}
}

// eol ends a line.
func (g *generator) eol() {
	g.put(g.often("", " ", "  ", " # c", "  #", " #a: b", "#", " # é"), "\n")
	if g.IntN(12) == 0 {
		g.comments(g.IntN(6))
	}
}

func (g *generator) mapping(indent int, inline bool) {
	g.depth++
	n := 1 + g.IntN(4)
	for i := range n {
		if i > 0 || !inline {
			g.put(g.spaces(indent))
			if g.IntN(60) == 0 {
				g.put(" ")
			}
		}
		g.put(g.key(i), g.often("", " "), ":")
		g.value(indent, false)
	}
	g.depth--
}

func (g *generator) sequence(indent int, inline bool) {
	g.depth++
	for i := range 1 + g.IntN(3) {
		if i > 0 || !inline {
			g.put(g.spaces(indent))
		}
		g.put("-")
		g.value(indent, true)
	}
	g.depth--
}

// value writes what follows a colon or dash, and the end of the line.
func (g *generator) value(indent int, item bool) {
	deeper := indent + 1 + g.IntN(3)
	kind := g.IntN(20)
	if g.depth > 4 {
		kind = g.IntN(12)
	}
	switch {
	case kind == 0:
		g.eol() // null
	case kind < 8:
		g.put(g.often(" ", "  ", "\n"+g.spaces(deeper)), g.plain())
		g.eol()
	case kind == 8:
		g.put(" ", g.quoted(deeper))
		g.eol()
	case kind == 9:
		g.block(indent)
	case kind == 10:
		g.put(" ", g.flow(0))
		g.eol()
	case kind == 11:
		g.put(" ", g.plain())
		for range 1 + g.IntN(3) {
			g.put(g.often("\n", "\n\n", " \n", "\n  \n \n"), g.spaces(deeper-g.IntN(2)/g.pickInt(1, 3)+g.IntN(2)), g.often(g.plain(), "- a", "#", "[b]", "|", "a: b", "\"", "c:", "? d"))
		}
		g.eol()
	case kind < 16:
		if item && g.IntN(2) == 0 {
			g.put(" ")
			g.mapping(indent+2, true)
			return
		}
		g.eol()
		g.mapping(deeper, false)
	default:
		if item && g.IntN(2) == 0 {
			g.put(" ")
			g.sequence(indent+2, true)
			return
		}
		g.eol()
		if !item && g.IntN(2) == 0 {
			deeper = indent
		}
		g.sequence(deeper, false)
	}
}

func (g *generator) pickInt(list ...int) int { return list[g.IntN(len(list))] }

func (g *generator) key(i int) string {
	if g.depth == 1 && g.IntN(2) == 0 {
		return g.pick("apiVersion", "kind", "metadata", "name")
	}
	if g.IntN(4) == 0 {
		return g.pick("\"a\"", "'b'", "a b", "a/b.c", "x-y_z", "é", "1", "true", "on", "null", "~", "a#b", "a:b", "\"on\"", "'<<'", "<<", "=", "-a", "--b", ".c", "1.2.3", "\"\"", "name", "a  b",
			"[x]", "{{y}}", "\"a\\tb\"", "'c''d'", "x\"y", "$z", "\"a:\"", "0x1", "2001-01-01", "🚀")
	}
	return g.pick("a", "b", "c", "name", "type") + g.pick("", "", "1", "2", "Xyz")
}

func (g *generator) plain() string {
	switch g.IntN(4) {
	case 0:
		return g.pick("null", "~", "Null", "NULL", "nULL", "true", "True", "TRUE", "false", "False", "tRue", "yes", "No", "on", "OFF", "y", "n", "N", "<<", "=", ".inf", "-.INF", ".NaN", ".nan", "+.inf", "-Inf", "Inf", "nan")
	case 1:
		return g.number()
	case 2:
		return g.pick("a:b", "http://x.y/z", "a#b", "a #b", "a: b", "x:", "-x", "- x", "--y", "-", "?", "?x", ":", ":x", "a, b", "a]", "}b", "a\"b", "it's", "a\tb", "a\\nb", "@a", "`b", "%c", "&d", "*e", "!f", "!!str g",
			"|", ">", "<html>", "a & b <c>", "é", "日本", "a b", "a  b", "[a", "{b", "a -b", "a - b", "x=y", "#c", "a'b'c", "\u200b", "😀 x", "...", "---", "a---", "$(x)", "{{ .Values.x }}", "a|b", "^x$", "~x", "a\u00a0b")
	}
	words := []string{}
	for range 1 + g.IntN(4) {
		words = append(words, g.pick("foo", "Bar", "x1", "the", "v1beta1", "apiextensions.k8s.io/v1", "is", "a", "n", "1", "e", "baz."))
	}
	return strings.Join(words, g.often(" ", "  ", "-", "."))
}

func (g *generator) number() string {
	if g.IntN(3) == 0 {
		return g.pick("0", "-0", "00", "007", "1_000", "0x1F", "0o17", "0b11", "0b-1", "0b+1", "-0b-1", "0o-7", "0x-1", "1e3", "1E5", "1e+5", "1e-5", "-1", "+1", "1.0", "1.10", "1.5", "-1.5", ".5", "5.", "-.5", "+.5", "0.1", "0.10", "0.000001", "0.0000001", "123456789012345678", "1234567890123456789",
			"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "0.12345678901234567", "123456.789", "1.2.3", "10.0.0.0/8", "2001-01-01", "2001-01-01T00:00:00Z", "2001-1-1 1:2:3", "12:30", "12:30:45", "1a", "0a", "1-2", "1_", "_1", "1__2", "-1_0", "1e", "1e1e1", "0x", "0xg", "-0x1F", "0b2", "1.e5", "1.5e3", "1_e-5", "10m", "5Gi", "0.5.", "..", ".", "-.", "+", "1.", "1.7976931348623157e308", "1e400", "100000000000000000000000", "4.9e-324")
	}
	var b strings.Builder
	for range 1 + g.IntN(7) {
		b.WriteByte("0123456789012345678901234567890123456789.-+_eExXoObBaAfF:T iInN"[g.IntN(62)])
	}
	return strings.TrimSpace("1" + b.String())[g.IntN(2):] + g.pick("", "", "1", "0")
}

func (g *generator) quoted(indent int) string {
	quote := g.pick("\"", "'")
	var b strings.Builder
	b.WriteString(quote)
	for range g.IntN(7) {
		switch g.IntN(9) {
		case 0:
			b.WriteString(g.often("\n", " \n", "\n\n", "  \n \n\n", "\\\n", " \\\n", "\\\n\n") + g.often(g.spaces(indent+g.IntN(2)), " ", "", "\t"))
		case 1:
			b.WriteString(g.pick("\\n", "\\t", "\\\\", "\\\"", "\\/", "\\u00e9", "\\x41", "\\0", "\\ ", "\\e", "''", "\\'", "\\q", "\\", "\\N", "\\_"))
		case 2:
			b.WriteString(g.pick(" ", "  ", "\t", "#", " #", ":", ": ", ", ", "[", "}", "-", "<", ">&", "é", "😀", "'", "\"", "%", "\u00a0"))
		default:
			b.WriteString(g.pick("a", "foo", "bar baz", "x: y", " lead", "trail ", "1", "null"))
		}
	}
	b.WriteString(g.often(quote, "", quote+" ", quote+quote))
	return b.String()
}

func (g *generator) block(indent int) {
	g.put(" ", g.pick("|", ">"), g.often("", "-", "+", "-", "+"), g.often("", "", "1", "2", "3", "9", "0"), g.often("", "+", " ", " # c", "#", "x"), "\n")
	inner := indent + 1 + g.IntN(4)
	for range g.IntN(6) {
		switch g.IntN(8) {
		case 0:
			g.put("\n")
		case 1:
			g.put(g.spaces(g.IntN(inner+3)), "\n")
		case 2:
			g.put(g.spaces(inner), g.pick(" more", "  more", "\ttab", " ", "x ", "a\tb"), "\n")
		default:
			g.put(g.spaces(inner-g.IntN(20)/19), g.pick("text", "a: b", "- c", "# d", "\"q", "\\x", "<é>", "---", "x  ", "{{ y }}", "...", "'"), "\n")
		}
	}
	if g.IntN(10) == 0 {
		g.comments(inner)
	}
}

func (g *generator) flow(depth int) string {
	var b strings.Builder
	space := func() string { return g.often("", " ", " ", "  ", "\n   ") }
	item := func() string {
		switch k := g.IntN(10); {
		case k == 0 && depth < 3:
			return g.flow(depth + 1)
		case k < 3:
			return g.pick("'a'", "\"b\"", "\"c\\n\"", "'d''e'", "\"f: g\"", "'h, i'")
		case k < 5:
			return g.number()
		case k == 5:
			return g.plain()
		}
		return g.pick("a", "b c", "d-e", "f/g", "h.i", "-1", "-x", "--y", "null", "true", "on", "x_y", "(z)", "", "a$", "é", "-")
	}
	n := g.IntN(4)
	if g.IntN(2) == 0 {
		b.WriteString("[" + space())
		for i := range n {
			if i > 0 {
				b.WriteString(g.often(", ", ",", " , ", " "))
			}
			b.WriteString(item() + g.often("", " "))
		}
		b.WriteString(g.often("", ",") + g.often("]", "}"))
		return b.String()
	}
	b.WriteString("{" + space())
	for i := range n {
		if i > 0 {
			b.WriteString(g.often(", ", ",", " , ", " "))
		}
		b.WriteString(g.often(g.pick("a", "b", "c", "\"d\"", "'e'", "f g"), "1", "true", "", "{x}", "\"a\"", "é", "name") + g.often(": ", ":", " : ", "") + item())
	}
	b.WriteString(g.often("", ",") + g.often("}", "]"))
	return b.String()
}

// mutate changes a text in a few places.
func (g *generator) mutate(text []byte) []byte {
	text = bytes.Clone(text)
	for range 1 + g.IntN(3) {
		if len(text) == 0 {
			return text
		}
		i := g.IntN(len(text))
		switch g.IntN(8) {
		case 0:
			text = append(text[:i], text[min(len(text), i+1+g.IntN(3)):]...)
		case 1: // a line more than once
			start := bytes.LastIndexByte(text[:i], '\n') + 1
			end := i + bytes.IndexByte(text[i:], '\n') + 1
			if end <= i {
				end = len(text)
			}
			line := bytes.Clone(text[start:end])
			text = append(text[:end:end], append(line, text[end:]...)...)
		case 2: // a line less
			start := bytes.LastIndexByte(text[:i], '\n') + 1
			end := i + bytes.IndexByte(text[i:], '\n') + 1
			if end > i {
				text = append(text[:start], text[end:]...)
			}
		case 3: // another indentation
			start := bytes.LastIndexByte(text[:i], '\n') + 1
			text = append(text[:start:start], append([]byte(g.spaces(1+g.IntN(3))), text[start:]...)...)
		case 4:
			text[i] = " \n:#-'\"[]{},|>?&*!%@`\\\t.~0aé"[g.IntN(29)]
		default:
			bit := g.pick(" ", "\n", ": ", " #", "- ", "'", "\"", "[", "]", "{", "}", ", ", "|", ">", "?", "? ", "&a ", "*a", "!x ", "%", "@", "`", "\\", "\t", "...", "---\n", "~", "0", "a", "é", "\n  ", "\n\n", "#", ":", "-", "null", "  ")
			text = append(text[:i:i], append([]byte(bit), text[i:]...)...)
		}
	}
	return text
}
