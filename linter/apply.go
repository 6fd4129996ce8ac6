package linter

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/parser"
)

// Apply carries out fixes on the content of a file: of each finding the first one, in the
// order of the findings. A fix is carried out in full or not at all; it is left out when
// it touches what one before it changes, gives a mapping a key that one before it
// gives it, or has edits in another file. All bytes that no
// edit is about stay as they are. It returns the new content, which is the given one when
// nothing was changed, and the findings whose fixes are in it.
//
// The content is that of the whole file that was linted, as it was then. A fix with an edit
// that is for another text, because line, column and offset do not agree in this one or are
// within a character of it, is left out as well, and the error, which then comes back together with the content and the
// findings, has a *FixError of each: one rule that is wrong about a place does not keep the
// fixes of others from being carried out. There is an error and no result when there are
// fixes for a text that is not in UTF-8.
//
// A fix may uncover another fault; who wants all of them mended lints and applies again
// until nothing is applied.
func Apply(content []byte, file string, ds []Diagnostic) (fixed []byte, applied []Diagnostic, err error) {
	var taken []Edit
	var refused []error
	var lines []int
	made := map[field][]Edit{}
	for _, d := range ds {
		if len(d.Fixes) == 0 || !isOf(d.Fixes[0], file) {
			continue
		}
		if lines == nil {
			if lines, err = linesOf(content); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", file, err)
			}
		}
		edits := d.Fixes[0].Edits
		if i := slices.IndexFunc(edits, func(e Edit) bool { return !isIn(content, lines, e.Range) }); i >= 0 {
			refused = append(refused, &FixError{Finding: d, Range: edits[i].Range})
			continue
		}
		fields := fieldsMade(content, d)
		if makesTwice(made, fields, edits) {
			continue
		}
		var ok bool
		if taken, ok = takeAll(taken, edits); ok {
			applied = append(applied, d)
			for _, f := range fields {
				made[f] = edits
			}
		}
	}
	if len(taken) == 0 {
		return content, nil, errors.Join(refused...)
	}
	var b bytes.Buffer
	at := 0
	for _, e := range taken {
		b.Write(content[at:e.Range.Start.Offset])
		b.WriteString(e.New)
		at = e.Range.End.Offset
	}
	b.Write(content[at:])
	return b.Bytes(), applied, errors.Join(refused...)
}

// isOf reports whether a fix has edits, all of them in the file.
func isOf(f Fix, file string) bool {
	return len(f.Edits) > 0 && !slices.ContainsFunc(f.Edits, func(e Edit) bool { return e.Range.File != file })
}

// takeAll adds the edits of a fix to those that are taken, which are in the order of their
// places; it adds none and returns false when one of them cannot be taken.
func takeAll(taken, edits []Edit) ([]Edit, bool) {
	var places []int // of those that were added
	for _, e := range edits {
		i, there, ok := place(taken, e)
		if !ok {
			for _, added := range slices.Backward(places) {
				taken = slices.Delete(taken, added, added+1)
			}
			return taken, false
		}
		if !there {
			taken = slices.Insert(taken, i, e)
			places = append(places, i)
		}
	}
	return taken, true
}

// place returns where among the edits one belongs and whether it is there, and false
// when it touches another: when they overlap, or begin where nobody could say which of
// the two comes first.
func place(taken []Edit, e Edit) (i int, there, ok bool) {
	i, same := slices.BinarySearchFunc(taken, e, func(a, b Edit) int {
		return cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset)
	})
	if same {
		return i, true, taken[i] == e
	}
	if i > 0 && taken[i-1].Range.End.Offset > e.Range.Start.Offset || i < len(taken) && e.Range.End.Offset > taken[i].Range.Start.Offset {
		return i, false, false
	}
	return i, false, true
}

// linesOf returns where the lines of a text begin, and behind them where it ends.
func linesOf(content []byte) ([]int, error) {
	if bytes.IndexByte(content, 0) >= 0 || bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff")) {
		return nil, errors.New("the text is not in UTF-8, in which alone it can be mended")
	}
	lines := []int{0}
	for start := 0; ; {
		end, next := lineEnd(content, start)
		if next == end { // no line break
			return append(lines, len(content)), nil
		}
		lines = append(lines, next)
		start = next
	}
}

// isIn reports whether a range is one of the text with these lines.
func isIn(content []byte, lines []int, r parser.Range) bool {
	return r.Start.Offset <= r.End.Offset && isAt(content, lines, r.Start) && isAt(content, lines, r.End)
}

// isAt reports whether a position is one of the text with these lines, and between two of its
// characters.
func isAt(content []byte, lines []int, p parser.Position) bool {
	if p.Line < 1 || p.Line >= len(lines) || p.Column < 1 {
		return false
	}
	return p.Offset == lines[p.Line-1]+p.Column-1 && p.Offset <= lines[p.Line] && !splits(content, p.Offset)
}

// splits reports whether a character of several bytes goes on at an offset.
func splits(content []byte, offset int) bool {
	if offset == len(content) || utf8.RuneStart(content[offset]) {
		return false
	}
	for start := offset - 1; start >= 0 && start > offset-utf8.UTFMax; start-- {
		if utf8.RuneStart(content[start]) {
			_, size := utf8.DecodeRune(content[start:])
			return start+size > offset
		}
	}
	return false
}
