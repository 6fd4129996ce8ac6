package report

import (
	"bytes"
	"slices"

	"github.com/xpkg-go/sdk/parser"
)

// Lines returns a function for Source.Line that knows the lines of a package's
// documents, those of comments around them included. It does not know documents
// that could not be read, which are not in the package; see LinesOf. The function may
// be called concurrently.
func Lines(p *parser.Package) func(file string, line int) []byte {
	files := map[string][]*parser.Document{}
	if p != nil {
		for d := range p.Documents() {
			files[d.Range.File] = append(files[d.Range.File], d)
		}
	}
	return func(file string, line int) []byte {
		docs := files[file]
		// The line is in the last document that begins at or before it, or is
		// a comment of the next.
		next, _ := slices.BinarySearchFunc(docs, line+1, func(d *parser.Document, line int) int {
			return d.Range.Start.Line - line
		})
		for _, d := range docs[max(next-1, 0):min(next+1, len(docs))] {
			if text := d.Line(line); text != nil {
				return text
			}
		}
		return nil
	}
}

// LinesOf returns a function for Source.Line that knows the lines of one file, whatever
// is in them, and of no other. Text that is not UTF-8 but UTF-16 has none, since places
// in it count the bytes of another text. The function may be called concurrently.
func LinesOf(file string, text []byte) func(file string, line int) []byte {
	var lines [][]byte
	if bytes.IndexByte(text, 0) < 0 {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		lines = bytes.Split(bytes.ReplaceAll(text, []byte("\r"), []byte("\n")), []byte("\n"))
	}
	return func(f string, line int) []byte {
		if f != file || line < 1 || line > len(lines) {
			return nil
		}
		return lines[line-1]
	}
}
