package linter

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Rewrite returns a fix that writes another text as the value at a path, in the quotes
// that the author has used. There is none, as of Rename, Remove and Append, where a
// change of bytes might change more than that: when there is no such value, when it is
// no scalar of one line, in a document with anchors, and in a file that is not UTF-8.
func Rewrite(d *parser.Document, text string, path ...any) []Fix {
	place := d.At(path...)
	if !place.Found {
		return nil
	}
	return fixOf("write "+clip(text), replaceScalar(d, place.Value, text))
}

// Rename returns a fix that gives the field at a path another key, if there is no field
// of that key beside it.
func Rename(d *parser.Document, key string, path ...any) []Fix {
	place := d.At(path...)
	if !place.Found || place.Key.IsZero() || d.At(append(parentOf(path), key)...).Found {
		return nil
	}
	return fixOf("rename it to "+clip(key), replaceScalar(d, place.Key, key))
}

// Remove returns a fix that removes the lines of a field or of an item of a sequence,
// whichever the path leads to. There is none for one that is not on lines of its own, as
// in flow style. The caller knows that something is left beside it.
func Remove(d *parser.Document, path ...any) []Fix {
	place := d.At(path...)
	if !place.Found || len(path) == 0 || isFlow(d, parentOf(path)) {
		return nil
	}
	from := place.Key
	if from.IsZero() {
		from = place.Value
	}
	lines, ok := wholeLines(d, from.Start, place.Value.End, !place.Key.IsZero())
	if !ok {
		return nil
	}
	return fixOf("remove it", []Edit{{Range: lines}})
}

// Append returns a fix that writes a field with a text behind the one at a path, whose
// value is a scalar of one line, if there is no field of that key beside it.
func Append(d *parser.Document, key, text string, path ...any) []Fix {
	place := d.At(path...)
	old, ok := scalarAt(d, place.Key)
	if _, one := scalarAt(d, place.Value); !place.Found || !ok || !one || d.At(append(parentOf(path), key)...).Found {
		return nil
	}
	key, text = scalar(key, old), scalar(text, `"`)
	line := d.Line(place.Value.End.Line)
	rest := line[place.Value.End.Column-1:]
	at := place.Value.End
	switch indent := indentOf(d, place.Key.Start); {
	case isFlow(d, parentOf(path)):
		text = ", " + key + ": " + text
	case indent < 0 || !isBlank(rest):
		return nil
	default:
		text = "\n" + strings.Repeat(" ", indent) + key + ": " + text
		at.Offset += len(rest)
		at.Column += len(rest)
	}
	return fixOf("add "+clip(key), []Edit{{Range: parser.Range{File: place.Value.File, Start: at, End: at}, New: text}})
}

// Quote returns a fix that writes the scalar in a range in quotes.
func Quote(d *parser.Document, r parser.Range) []Fix {
	text, ok := scalarAt(d, r)
	if !ok {
		return nil
	}
	return fixOf("write it in quotes", []Edit{{Range: r, New: scalar(text, `"`)}})
}

// together joins fixes that hold together to one, with a message; there is none where one of
// them is missing.
func together(message string, parts ...[]Fix) []Fix {
	var edits []Edit
	for _, p := range parts {
		if len(p) == 0 {
			return nil
		}
		edits = append(edits, p[0].Edits...)
	}
	return fixOf(message, edits)
}

func fixOf(message string, edits []Edit) []Fix {
	if len(edits) == 0 {
		return nil
	}
	return []Fix{{Message: message, Edits: edits}}
}

func parentOf(path meta.Path) meta.Path { return path[: len(path)-1 : len(path)-1] }

func replaceScalar(d *parser.Document, r parser.Range, text string) []Edit {
	old, ok := scalarAt(d, r)
	if !ok || !isPrintable(text) {
		return nil
	}
	return []Edit{{Range: r, New: scalar(text, old)}}
}

// notScalar is what begins neither a plain nor a quoted scalar of one line.
const notScalar = "|>&*!{[?%@`"

// maxMended is how large a document may be to be mended: each fix looks at all of it, and
// there may be many. The largest definitions that there are have a quarter of that.
const maxMended = 4 << 20

// isPlainText reports whether a document is UTF-8 and has no anchors, so that a change of
// some bytes changes what is there and nothing else. An ampersand that begins a word may
// be one.
func isPlainText(d *parser.Document) bool {
	text := d.Text()
	if len(text) > maxMended || len(d.Raw()) != len(text) {
		return false
	}
	for i := bytes.IndexByte(text, '&'); i >= 0; {
		if (i == 0 || strings.IndexByte(" \t\r\n[{,:-", text[i-1]) >= 0) &&
			i+1 < len(text) && strings.IndexByte(" \t\r\n,[]{}&", text[i+1]) < 0 {
			return false
		}
		next := bytes.IndexByte(text[i+1:], '&')
		if next < 0 {
			break
		}
		i += next + 1
	}
	return true
}

// scalarAt returns the scalar of one line that a range is, as it is written.
func scalarAt(d *parser.Document, r parser.Range) (string, bool) {
	if r.Start.Line != r.End.Line || r.End.Offset-r.Start.Offset != r.End.Column-r.Start.Column {
		return "", false
	}
	line := d.Line(r.Start.Line)
	if r.Start.Column < 1 || r.End.Column <= r.Start.Column || r.End.Column > len(line)+1 {
		return "", false
	}
	text := string(line[r.Start.Column-1 : r.End.Column-1])
	if strings.IndexByte(notScalar, text[0]) >= 0 || !isPlainText(d) {
		return "", false
	}
	return text, true
}

var (
	plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*$`)
	// Words that some reader of YAML takes for something else than a text.
	word = regexp.MustCompile(`^(?i:true|false|null|yes|no|on|off|y|n)$`)
)

// scalar writes a text as YAML, in the quotes of what was there before, and without any
// if that had none and the text is one to all readers.
func scalar(text, old string) string {
	switch {
	case old[0] == '\'' && !strings.Contains(text, "'"):
		return "'" + text + "'"
	case old[0] != '"' && old[0] != '\'' && plain.MatchString(text) && !word.MatchString(text):
		return text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string has a JSON form, which YAML reads
	return strings.TrimSuffix(b.String(), "\n")
}

func isPrintable(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// isFlow reports whether the mapping or sequence at a path is in brackets.
func isFlow(d *parser.Document, path meta.Path) bool {
	start := d.Range.Start
	if len(path) > 0 {
		start = d.At(path...).Value.Start
	}
	line := d.Line(start.Line)
	return start.Column < 1 || start.Column > len(line) || strings.IndexByte("{[", line[start.Column-1]) >= 0
}

// indentOf returns how far what begins at p is indented in block style, the dashes of
// sequences counted, or -1 if something else stands before it on its line, or lines end
// in another way than the one that is written.
func indentOf(d *parser.Document, p parser.Position) int {
	line := d.Line(p.Line)
	if p.Column < 1 || p.Column > len(line) || len(d.Text()) > maxMended || bytes.IndexByte(d.Text(), '\r') >= 0 {
		return -1
	}
	if len(bytes.TrimLeft(line[:p.Column-1], " -")) > 0 {
		return -1
	}
	return p.Column - 1
}

// isBlank reports whether nothing but a comment is left of a line.
func isBlank(rest []byte) bool {
	text := bytes.TrimLeft(rest, " \t")
	return len(text) == 0 || text[0] == '#' && len(text) < len(rest)
}

// wholeLines returns the lines from start to end, if nothing else is on them: a dash before
// an item, and none before a field.
func wholeLines(d *parser.Document, start, end parser.Position, field bool) (parser.Range, bool) {
	indent := indentOf(d, start)
	if indent < 0 || !isPlainText(d) {
		return parser.Range{}, false
	}
	dashes := bytes.Count(d.Line(start.Line)[:indent], []byte("-"))
	if field && dashes > 0 || !field && dashes != 1 {
		return parser.Range{}, false
	}
	lines := parser.Range{File: d.Range.File, Start: parser.Position{Line: start.Line, Column: 1, Offset: start.Offset - indent}, End: end}
	if end.Column == 1 && end.Line > start.Line {
		return lines, true // a block scalar ends where the next line begins
	}
	line := d.Line(end.Line)
	rest := line[end.Column-1:]
	if !isBlank(rest) || d.Line(end.Line+1) == nil && !bytes.HasSuffix(d.Text(), []byte("\n")) {
		return parser.Range{}, false
	}
	lines.End = parser.Position{Line: end.Line + 1, Column: 1, Offset: end.Offset + len(rest) + 1}
	return lines, true
}
