package linter

import "github.com/xpkg-go/sdk/parser"

// UTF16Position is a place as editors count it in the Language Server Protocol.
type UTF16Position struct {
	// Line is counted from 0; lines end at LF, CRLF or CR.
	Line int `json:"line"`
	// Character is counted from 0, in UTF-16 code units of the line.
	Character int `json:"character"`
}

// UTF16 returns start and end of a range of the text, which is the one that was linted,
// in UTF-8. A byte order mark does not count. The start of the text stands for a range
// that is unknown.
func UTF16(text []byte, r parser.Range) (start, end UTF16Position) {
	return utf16Position(text, r.Start), utf16Position(text, r.End)
}

func utf16Position(text []byte, p parser.Position) UTF16Position {
	if !p.IsValid() {
		return UTF16Position{}
	}
	end := min(max(p.Offset, 0), len(text))
	start := min(max(p.Offset-(p.Column-1), 0), end) // of the line
	return UTF16Position{Line: p.Line - 1, Character: p.UTF16Column(text[start:end]) - 1}
}
