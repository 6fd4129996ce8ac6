package linter

import (
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Rewrite returns a fix that writes another text as the value at a path, in the quotes
// that the author has used. There is none, as of the other functions, where a
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
// whichever the path leads to, and the comment that belongs to it: the lines directly above
// that are comments and indented as it is. There is none for one that is not on lines of its own, as
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
// value is a scalar of one line, if there is no field of that key beside it. The text is in quotes.
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
		text = lineBreak(d) + strings.Repeat(" ", indent) + key + ": " + text
		at.Offset += len(rest)
		at.Column += len(rest)
	}
	return fixOf("add "+clip(key), []Edit{{Range: parser.Range{File: place.Value.File, Start: at, End: at}, New: text}})
}

// Prepend returns a fix that writes a field with a text before the one at a path, if there
// is no field of that key beside it. The text is in quotes where it needs them.
func Prepend(d *parser.Document, key, text string, path ...any) []Fix {
	place := d.At(path...)
	old, ok := scalarAt(d, place.Key)
	if !place.Found || !ok || !isPrintable(text) || d.At(append(parentOf(path), key)...).Found {
		return nil
	}
	field := scalar(key, old) + ": " + scalar(text, old)
	switch indent := indentOf(d, place.Key.Start); {
	case isFlow(d, parentOf(path)):
		field += ", "
	case indent < 0:
		return nil
	default:
		field += lineBreak(d) + strings.Repeat(" ", indent)
	}
	return fixOf("add "+clip(key), []Edit{{Range: parser.Range{File: place.Key.File, Start: place.Key.Start, End: place.Key.Start}, New: field}})
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
