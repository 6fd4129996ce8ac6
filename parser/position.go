package parser

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// A Position is a place in a stream or file. The zero Position is unknown.
//
// Lines end at LF, CRLF or CR and at nothing else, so the numbers agree with
// those of an editor even where a text holds U+0085 or U+2028. Of a stream in
// UTF-16 columns count the bytes that it has in UTF-8, as [Document.Line] does.
type Position struct {
	Line   int // from 1
	Column int // from 1, in bytes of the line as UTF-8
	Offset int // from 0, in bytes of the original
}

// IsValid reports whether the position is known.
func (p Position) IsValid() bool { return p.Line > 0 }

// String returns "line:column", or "-" when the position is unknown.
func (p Position) String() string {
	if !p.IsValid() {
		return "-"
	}
	return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// RuneColumn returns the column of p counted from 1 in Unicode code points (SARIF's
// unicodeCodePoints). line is the text of the line that p is on, as
// [Document.Line] returns it; a byte order mark at its start does not count,
// since editors do not show it.
func (p Position) RuneColumn(line []byte) int {
	return utf8.RuneCount(p.before(line)) + 1
}

// UTF16Column returns the column of p counted from 1 in UTF-16 code units (SARIF's
// utf16CodeUnits; the Language Server Protocol counts the same from 0). line
// is the text of the line that p is on, as for [Position.RuneColumn].
func (p Position) UTF16Column(line []byte) int {
	n := 1
	for _, r := range string(p.before(line)) {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// before returns the part of line that stands before p, without a byte order mark.
func (p Position) before(line []byte) []byte {
	n := min(max(p.Column-1, 0), len(line))
	return bytes.TrimPrefix(line[:n], []byte("\uFEFF"))
}

// A Range is a part of a stream or file, from Start up to but without End. The
// zero Range is unknown; a Range with a File alone means the file as a whole.
type Range struct {
	File  string // the name given to Stream or Bytes, or the slash-separated path below the root of Dir, as it is
	Start Position
	End   Position
}

// IsZero reports whether nothing is known of the range.
func (r Range) IsZero() bool { return r == Range{} }

// String returns "file:line:column" of the start, "file" when the position is
// unknown, and "line:column" when the file has no name. A name that does not print as
// it is, with a line break in it for example, is quoted as Go does.
func (r Range) String() string {
	switch {
	case !r.Start.IsValid():
		return visible(r.File)
	case r.File == "":
		return r.Start.String()
	}
	return visible(r.File) + ":" + r.Start.String()
}
