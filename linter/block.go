package linter

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

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
// sequences counted, or -1 if something else stands before it on its line, or lines do not
// all end in one way.
func indentOf(d *parser.Document, p parser.Position) int {
	line := d.Line(p.Line)
	if p.Column < 1 || p.Column > len(line) || len(d.Text()) > maxMended || lineBreak(d) == "" {
		return -1
	}
	if len(bytes.TrimLeft(line[:p.Column-1], " -")) > 0 {
		return -1
	}
	return p.Column - 1
}

// lineBreak returns how the lines of a document end, and nothing where they end in several
// ways.
func lineBreak(d *parser.Document) string {
	text := d.Text()
	all, lf, cr := bytes.Count(text, []byte("\r\n")), bytes.Count(text, []byte("\n")), bytes.Count(text, []byte("\r"))
	switch {
	case cr == 0:
		return "\n"
	case lf == 0:
		return "\r"
	case lf == all && cr == all:
		return "\r\n"
	}
	return ""
}

// isBlank reports whether nothing but a comment is left of a line.
func isBlank(rest []byte) bool {
	text := bytes.TrimLeft(rest, " \t")
	return len(text) == 0 || text[0] == '#' && len(text) < len(rest)
}

// commentStart returns where the comment begins that belongs to what is on a line, of which
// it is given the start: the lines directly above that are comments with the same
// indentation. What is above the document's first key is about all of it.
func commentStart(d *parser.Document, item parser.Position) parser.Position {
	indentation := func(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }
	want, newline := indentation(d.Line(item.Line)), lineBreak(d)
	at := item
	for at.Line-1 > d.Range.Start.Line {
		line := d.Line(at.Line - 1)
		indent := indentation(line)
		switch {
		case indent != want || indent == len(line) || line[indent] != '#':
			return at
		case mayEndValue.Match(line):
			return item
		}
		at.Line--
		at.Offset -= len(line) + len(newline)
	}
	return at
}

// mayEndValue matches a line that looks like a comment, and may be the last one of a text in
// quotes or of brackets.
var mayEndValue = regexp.MustCompile(`["'\]}][ \t]*(?:[ \t]#|$)`)

// wholeLines returns the lines from start to end with the comment that belongs to them, if
// nothing else is on them: a dash before an item, and none before a field.
func wholeLines(d *parser.Document, start, end parser.Position, field bool) (parser.Range, bool) {
	indent := indentOf(d, start)
	if indent < 0 || !isPlainText(d) {
		return parser.Range{}, false
	}
	dashes := bytes.Count(d.Line(start.Line)[:indent], []byte("-"))
	if field && dashes > 0 || !field && dashes != 1 {
		return parser.Range{}, false
	}
	first := commentStart(d, parser.Position{Line: start.Line, Column: 1, Offset: start.Offset - indent})
	lines := parser.Range{File: d.Range.File, Start: first, End: end}
	if end.Column == 1 && end.Line > start.Line {
		return lines, true // a block scalar ends where the next line begins
	}
	line := d.Line(end.Line)
	rest, newline := line[end.Column-1:], lineBreak(d)
	if !isBlank(rest) || d.Line(end.Line+1) == nil && !bytes.HasSuffix(d.Text(), []byte(newline)) {
		return parser.Range{}, false
	}
	lines.End = parser.Position{Line: end.Line + 1, Column: 1, Offset: end.Offset + len(rest) + len(newline)}
	return lines, true
}
