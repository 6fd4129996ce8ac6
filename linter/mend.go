package linter

import (
	"bytes"
	"errors"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// maxFaultsMended is how many faults of reading get fixes: the place of each is looked up
// in its document.
const maxFaultsMended = 500

// mender knows how to mend faults of reading. A nil one mends nothing.
type mender struct {
	pkg  *parser.Package
	docs map[int]*parser.Document // by Index; made when the first is asked for
	left int
}

func newMender(p *parser.Package) *mender {
	if p == nil {
		return nil
	}
	return &mender{pkg: p, left: maxFaultsMended}
}

// document returns the document of an index, nil if there is none.
func (m *mender) document(index int) *parser.Document {
	if m.docs == nil {
		m.docs = map[int]*parser.Document{}
		for d := range m.pkg.Documents() {
			m.docs[d.Index] = d
		}
	}
	return m.docs[index]
}

// fixes returns the fix of a fault where it is sure.
func (m *mender) fixes(e *parser.Error) []Fix {
	if m == nil || m.left == 0 {
		return nil
	}
	d := m.document(e.Index)
	if d == nil || e.Range.File != d.Range.File {
		return nil
	}
	m.left--
	var field *meta.FieldError
	switch {
	case e.Rule == parser.RuleDuplicateKey && len(e.Related) == 1:
		return removeRepeated(d, e.Related[0], e.Range)
	case !errors.As(e.Err, &field):
		return nil
	case field.Fault == meta.FaultType && field.Want == "a string" && isMetadata(field.Path):
		return Quote(d, e.Range)
	case field.Fault == meta.FaultTagged:
		return moveTag(d, field.Path)
	case field.Fault == meta.FaultConstraint && len(field.Path) == 2:
		return wrapRange(d, e.Range)
	default:
		return nil
	}
}

// isMetadata reports whether a path leads into metadata, where any text will do. A number
// in the place of a version is none in quotes either.
func isMetadata(path meta.Path) bool { return len(path) > 0 && path[0] == "metadata" }

// moveTag moves the tag or digest of a source to the version of its dependency, or
// removes it if that is the same.
func moveTag(d *parser.Document, path meta.Path) []Fix {
	text, ok := scalarAt(d, d.At(path...).Value)
	ref, err := meta.ParseReference(unquoted(text))
	if !ok || err != nil {
		return nil
	}
	version := ref.Tag
	switch {
	case version == "":
		version = ref.Digest
	case ref.Digest != "":
		version += "@" + ref.Digest
	}
	source := Rewrite(d, ref.Source.String(), path...)
	place := d.At(append(parentOf(path), "version")...)
	if !place.Found {
		return together("move it to version", source, Append(d, "version", version, path...))
	}
	if there, ok := scalarAt(d, place.Value); !ok || unquoted(there) != version {
		return nil
	}
	return source
}

// wrapRange makes the field version of an object of a range that stands in its place.
func wrapRange(d *parser.Document, r parser.Range) []Fix {
	text, ok := scalarAt(d, r)
	if !ok {
		return nil
	}
	if c, err := meta.ParseConstraint(unquoted(text)); err != nil || c.Digest() != "" {
		return nil
	}
	key := "version"
	if text[0] == '"' { // which JSON asks for
		key = scalar(key, text)
	}
	return fixOf("write the field version", []Edit{{Range: r, New: "{" + key + ": " + scalar(unquoted(text), `"`) + "}"}})
}

// unquoted is the text of a scalar as it is written; one with an escape is taken as it is.
func unquoted(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// removeRepeated removes the second of two fields with one key, if its lines are those
// of the first, byte by byte. Both keys stand first on their lines.
func removeRepeated(d *parser.Document, first, second parser.Range) []Fix {
	one, ok1 := fieldLines(d, first.Start)
	two, ok2 := fieldLines(d, second.Start)
	if !ok1 || !ok2 || first.Start.Column != second.Start.Column || first.Start.Line+len(one) > second.Start.Line || len(one) != len(two) {
		return nil
	}
	size := 0
	for i := range one {
		if !bytes.Equal(one[i], two[i]) {
			return nil
		}
		size += len(two[i]) + len(lineBreak(d))
	}
	last := second.Start.Line + len(two)
	if d.Line(last) == nil && !bytes.HasSuffix(d.Text(), []byte(lineBreak(d))) {
		return nil
	}
	start := parser.Position{Line: second.Start.Line, Column: 1, Offset: second.Start.Offset - second.Start.Column + 1}
	end := parser.Position{Line: last, Column: 1, Offset: start.Offset + size}
	return fixOf("remove the second", []Edit{{Range: parser.Range{File: second.File, Start: start, End: end}}})
}

// fieldLines returns the lines of the field whose key begins at p: the one of the key,
// and those behind it that are indented more, or are items of its sequence.
func fieldLines(d *parser.Document, p parser.Position) ([][]byte, bool) {
	if indent := indentOf(d, p); indent < 0 || !isPlainText(d) || bytes.IndexByte(d.Line(p.Line)[:indent], '-') >= 0 {
		return nil, false
	}
	lines := [][]byte{d.Line(p.Line)}
	kept := 1 // lines that are surely the field's: blank ones and comments may be behind it
	for n := p.Line + 1; d.Line(n) != nil; n++ {
		line := d.Line(n)
		text := bytes.TrimLeft(line, " ")
		indent := len(line) - len(text)
		lines = append(lines, line)
		if len(text) == 0 || text[0] == '#' && indent < p.Column {
			continue
		}
		if indent < p.Column-1 || indent == p.Column-1 && !bytes.HasPrefix(text, []byte("- ")) {
			break
		}
		kept = len(lines)
	}
	return lines[:kept], true
}
