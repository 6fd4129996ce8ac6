package report

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/parser"
)

// Cells of a terminal that an excerpt shows at most, before what is marked and
// in all.
const (
	cellsBefore = 60
	cellsInAll  = 120
)

// excerpt returns a line as a terminal may show it, with how many cells stand
// before what the range marks on it, and how many are to be marked. Of a long line it
// is the part around the mark.
func excerpt(line []byte, r parser.Range) (shown string, indent, marks int) {
	start := min(max(r.Start.Column-1, 0), len(line))
	end := len(bytes.TrimRight(line, " \t"))
	if r.End.Line == r.Start.Line {
		end = min(r.End.Column-1, len(line))
	}
	before, marked, after := line[:start], line[start:max(start, end)], line[max(start, end):]
	before = bytes.TrimPrefix(before, []byte("\uFEFF"))

	var b strings.Builder
	cut := cellsOf(before) - cellsBefore
	for len(before) > 0 && cut > 0 {
		_, n := utf8.DecodeRune(before)
		cut -= cellsOf(before[:n])
		before = before[n:]
		if cut <= 0 {
			b.WriteString("…")
			indent++
		}
	}
	indent += show(&b, before, cellsInAll)
	marks = show(&b, marked, cellsInAll-indent)
	show(&b, after, cellsInAll-indent-marks)
	return b.String(), indent, max(marks, 1)
}

// show writes a part of a line in at most so many cells, and returns how many it took.
func show(b *strings.Builder, part []byte, most int) int {
	cells := 0
	for len(part) > 0 {
		if cells >= most {
			if most > 0 {
				b.WriteString("…")
				cells++
			}
			return cells
		}
		_, n := utf8.DecodeRune(part)
		b.WriteString(cell(part[:n]))
		cells += cellsOf(part[:n])
		part = part[n:]
	}
	return cells
}

// cell returns how a character is shown.
func cell(char []byte) string {
	if string(char) == "\t" {
		return "    "
	}
	return Printable(string(char))
}

// cellsOf returns how many cells of a terminal a text takes.
func cellsOf(text []byte) int {
	cells := 0
	for len(text) > 0 {
		_, n := utf8.DecodeRune(text)
		for _, r := range cell(text[:n]) {
			switch {
			case unicode.In(r, unicode.Mn, unicode.Me):
			case unicode.Is(wide, r):
				cells += 2
			default:
				cells++
			}
		}
		text = text[n:]
	}
	return cells
}

// wide are the blocks whose characters take two cells: East Asian scripts, and
// the pictures.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115F, Stride: 1}, {Lo: 0x2E80, Hi: 0x303E, Stride: 1}, {Lo: 0x3041, Hi: 0xA4CF, Stride: 1},
		{Lo: 0xAC00, Hi: 0xD7A3, Stride: 1}, {Lo: 0xF900, Hi: 0xFAFF, Stride: 1}, {Lo: 0xFE30, Hi: 0xFE6F, Stride: 1},
		{Lo: 0xFF00, Hi: 0xFF60, Stride: 1}, {Lo: 0xFFE0, Hi: 0xFFE6, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1F300, Hi: 0x1F64F, Stride: 1}, {Lo: 0x1F680, Hi: 0x1FAFF, Stride: 1}, {Lo: 0x20000, Hi: 0x3FFFD, Stride: 1}},
}
