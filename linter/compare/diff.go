package compare

import (
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// maxPlaced is how many changes of one object get places of their own: finding one
// takes a reading of the object's text.
const maxPlaced = 200

// A diff collects the changes of one object, or of one pair of objects that are the
// same thing in the old package and in the new one. Either may be nil.
type diff struct {
	old, new *parser.Document
	changes  []Change
}

// A subject is what a change is about.
type subject struct {
	api      API
	field    string
	old, new meta.Path // in the objects
}

func (d *diff) add(rule string, s linter.Severity, about subject, format string, args ...any) {
	c := Change{
		Rule: rule, Severity: s, API: about.api, Field: about.field, Message: fmt.Sprintf(format, args...),
		Old: d.place(d.old, about.old), New: d.place(d.new, about.new),
	}
	switch {
	case d.new != nil:
		c.Object = d.new.Ref()
	case d.old != nil:
		c.Object = d.old.Ref()
	}
	d.changes = append(d.changes, c)
}

func (d *diff) place(doc *parser.Document, path meta.Path) Place {
	switch {
	case doc == nil:
		return Place{}
	case len(path) == 0 || len(d.changes) >= maxPlaced:
		return Place{Range: doc.Range, Path: path.String()}
	}
	at := doc.At(path...)
	r := at.Value
	if !at.Key.IsZero() {
		r = at.Key
	}
	return Place{Range: r, Path: path.String()}
}

// below is a path with more behind it, in memory of its own.
func below(path meta.Path, more ...any) meta.Path {
	return append(slices.Clip(slices.Clone(path)), more...)
}
