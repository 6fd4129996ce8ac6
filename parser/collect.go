package parser

import (
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// Collect reads all documents of a sequence and makes a package of them.
//
// It returns both: a package with everything that could be read, never nil,
// and, when anything was wrong, an [ErrorList] with all of it: the errors of
// the sequence; RuleMetadataMissing when there is no metadata object and
// RuleMetadataMultiple for each beyond the first; RuleMetadataInvalid, or
// RuleConstraint for a version range, for every field that meta.Decode refuses, at
// its place. Objects of unknown kinds are no error here: which kinds a package
// may hold is the linter's business.
func Collect(docs iter.Seq2[*Document, error]) (*Package, error) {
	c := collector{files: map[string]bool{}}
	for d, err := range docs {
		switch {
		case err != nil:
			c.fault(err)
		case d != nil:
			c.documents++
			c.files[d.Range.File] = true
			c.pkg.Objects = append(c.pkg.Objects, d)
		}
	}
	c.pickHeader()
	c.readMetadata()
	if len(c.errs) == 0 {
		return &c.pkg, nil
	}
	c.errs.sort()
	return &c.pkg, c.errs
}

// A collector gathers a package and what is wrong with it.
type collector struct {
	pkg        Package
	errs       ErrorList
	documents  int // that were read
	unreadable int // documents that were not
	files      map[string]bool
	cutShort   bool // not everything was seen, so nothing can be called missing
}

func (c *collector) fault(err error) {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Rule: RuleUnreadable, Index: -1, Message: clip(err.Error()), Err: err}
	}
	c.errs = append(c.errs, e)
	if e.Range.File != "" {
		c.files[e.Range.File] = true
	}
	switch {
	case e.Index < 0:
		c.cutShort = c.cutShort || e.Rule == RuleUnreadable || e.Rule == RuleLimit
	case e.Object == ObjectRef{} && e.Rule != RuleMissingKind && e.Rule != RuleMissingAPIVersion:
		c.unreadable++
	}
}

// pickHeader moves the metadata object out of the objects, and reports others.
func (c *collector) pickHeader() {
	header := -1
	for i, d := range c.pkg.Objects {
		if !meta.IsMeta(d.APIVersion) {
			continue
		}
		switch {
		case header < 0, isPackageKind(d.Kind) && !isPackageKind(c.pkg.Objects[header].Kind):
			header = i
		case isPackageKind(d.Kind):
			c.multiple(c.pkg.Objects[header], d)
		}
	}
	if header < 0 {
		return
	}
	c.pkg.Header = c.pkg.Objects[header]
	c.pkg.Objects = append(c.pkg.Objects[:header:header], c.pkg.Objects[header+1:]...)
}

func isPackageKind(kind string) bool {
	switch meta.Kind(kind) {
	case meta.Provider, meta.Configuration, meta.Function:
		return true
	}
	return false
}

func (c *collector) multiple(first, second *Document) {
	c.errs = append(c.errs, &Error{
		Rule: RuleMetadataMultiple, Range: second.Range, Related: []Range{first.Range},
		Object: second.Ref(), Index: second.Index, Document: second.number,
		Message: fmt.Sprintf("%s %s is a second metadata object beside %s %s at %s",
			second.Kind, quote(second.Name), first.Kind, quote(first.Name), first.Range),
	})
}

// readMetadata decodes the header, and reports what is wrong with it and with
// other objects that claim to be metadata.
func (c *collector) readMetadata() {
	if c.pkg.Header == nil {
		if !c.cutShort {
			c.missing()
		}
		return
	}
	c.pkg.Meta = c.decode(c.pkg.Header)
	for _, d := range c.pkg.Objects {
		if meta.IsMeta(d.APIVersion) {
			c.decode(d)
		}
	}
}

func (c *collector) missing() {
	var b strings.Builder
	fmt.Fprintf(&b, "no crossplane.yaml (Configuration, Provider or Function in %s) found; searched %s in %s",
		meta.Group, count(c.documents+c.unreadable, "document"), count(len(c.files), "file"))
	if c.unreadable > 0 {
		fmt.Fprintf(&b, ", of which %d could not be read", c.unreadable)
	}
	c.errs = append(c.errs, &Error{Rule: RuleMetadataMissing, Index: -1, Message: b.String()})
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func (c *collector) decode(d *Document) *meta.Package {
	json, err := d.JSON()
	if err != nil {
		return nil // the sequence has told of it
	}
	p, err := meta.Decode(json)
	var faults meta.FieldErrors
	errors.As(err, &faults)
	for _, f := range faults {
		e := &Error{
			Rule: RuleMetadataInvalid, Object: d.Ref(), Index: d.Index, Document: d.number,
			Path: f.Path, Message: f.Message(), Err: f,
		}
		if f.Fault == meta.FaultConstraint {
			e.Rule = RuleConstraint
		}
		place := d.At(f.Path...)
		switch {
		case place.Found:
			e.Range = place.Value
		case !place.Key.IsZero():
			e.Range = place.Key
		default:
			e.Range = Range{place.Value.File, place.Value.Start, place.Value.Start}
		}
		c.errs = append(c.errs, e)
	}
	return p
}
