package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Document reads the one document of a YAML or JSON file, as a document for places and
// as JSON.
func Document(ctx context.Context, name string) (*parser.Document, []byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	var doc *parser.Document
	var faults parser.ErrorList
	for d, err := range parser.Stream(ctx, name, f, nil) {
		fault := (*parser.Error)(nil)
		switch {
		case d != nil && doc == nil:
			doc = d
		case d != nil:
			return nil, nil, fmt.Errorf("%s: a second document, want one: %w", d.Range, meta.ErrInvalid)
		case !errors.As(err, &fault):
			return nil, nil, err
		case fault.Rule != parser.RuleMissingKind && fault.Rule != parser.RuleMissingAPIVersion: // not all of these files are objects
			faults = append(faults, fault)
		}
	}
	switch {
	case len(faults) > 0:
		return nil, nil, faults
	case doc == nil:
		return nil, nil, fmt.Errorf("%s: there is no document in it: %w", name, meta.ErrInvalid)
	}
	data, err := doc.JSON()
	return doc, data, err
}

// Placed gives faults of fields the places where these stand in the file.
func Placed(d *parser.Document, rule string, err error) error {
	var faults meta.FieldErrors
	if !errors.As(err, &faults) {
		return err
	}
	list := make(parser.ErrorList, len(faults))
	for i, f := range faults {
		place := d.At(f.Path...)
		at := place.Value
		if !place.Found && !place.Key.IsZero() {
			at = place.Key
		}
		list[i] = &parser.Error{Rule: rule, Range: at, Index: d.Index, Path: f.Path, Message: f.Message(), Err: f}
	}
	slices.SortStableFunc(list, func(a, b *parser.Error) int { return cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset) })
	return list
}
