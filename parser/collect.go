package parser

import (
	"errors"
	"fmt"
	"iter"

	"github.com/xpkg-go/sdk/meta"
)

// Collect reads all documents of a sequence and makes a package of them.
//
// It returns both: a package with everything that could be read, never nil,
// and, when anything was wrong, an [ErrorList] with all of it: the errors of
// the sequence; RuleMetadataMissing when there is no metadata object, with up to
// three objects that come close, and RuleMetadataMultiple for each beyond the
// first; RuleMetadataInvalid, or RuleConstraint for a version range, for every
// field that meta.Decode refuses, at its place. Objects of unknown kinds are no error here: which kinds a package
// may hold is the linter's business.
//
// The list holds at most [MaxFaults] of them, those that came first; where there
// are more, its last error is one of RuleLimit, which matches meta.ErrLimit and
// says how many. See the specification, "package.yaml Contents".
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
	c.errs.Sort()
	if c.dropped > 0 {
		c.errs = append(c.errs, tooManyFaults(c.dropped, c.cutShort))
	}
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

	brokenHeader bool // a document of crossplane.yaml could not be read
	dropped      int  // errors beyond MaxFaults
}

func (c *collector) fault(err error) {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Rule: RuleUnreadable, Index: -1, Message: clip(err.Error()), Err: err}
	}
	c.add(e)
	if e.Range.File != "" {
		c.files[e.Range.File] = true
	}
	switch {
	case e.Index < 0:
		c.cutShort = c.cutShort || e.Rule == RuleUnreadable || e.Rule == RuleLimit
	case e.Object == ObjectRef{} && e.Rule != RuleMissingKind && e.Rule != RuleMissingAPIVersion:
		c.unreadable++
		c.brokenHeader = c.brokenHeader || e.Range.File == metadataFile
	}
}

// add keeps an error while there is room for it.
func (c *collector) add(e *Error) {
	if len(c.errs) == MaxFaults {
		c.dropped++
		return
	}
	c.errs = append(c.errs, e)
}

// tooManyFaults is the error that stands for n errors.
func tooManyFaults(n int, cutShort bool) *Error {
	rest := ""
	if cutShort {
		rest = ", and the rest was not read"
	}
	limit := &meta.LimitError{What: "the package", Limit: MaxFaults, Got: MaxFaults + int64(n), Unit: "faults"}
	return &Error{Rule: RuleLimit, Index: -1, Message: count(n, "more fault") + " in this package" + rest, Err: limit}
}

// pickHeader moves the metadata object out of the objects, and reports others.
func (c *collector) pickHeader() {
	header := -1
	for i, d := range c.pkg.Objects {
		if rank(d) > 0 && (header < 0 || rank(d) > rank(c.pkg.Objects[header])) {
			header = i
		}
	}
	if header < 0 {
		return
	}
	for i, d := range c.pkg.Objects {
		if i != header && rank(d) >= rankPackage {
			c.multiple(c.pkg.Objects[header], d)
		}
	}
	c.pkg.Header = c.pkg.Objects[header]
	c.pkg.Objects = append(c.pkg.Objects[:header:header], c.pkg.Objects[header+1:]...)
}

// Ranks of documents: the first of the highest is the metadata object.
const (
	rankGroup   = 1 // it is of a metadata group
	rankPackage = 2 // and of the kind of a package
	rankFile    = 3 // and where the metadata object of a directory belongs
)

func rank(d *Document) int {
	switch {
	case !meta.IsMeta(d.APIVersion):
		return 0
	case !isPackageKind(d.Kind):
		return rankGroup
	case d.Range.File != metadataFile:
		return rankPackage
	}
	return rankFile
}

func isPackageKind(kind string) bool {
	switch meta.Kind(kind) {
	case meta.Provider, meta.Configuration, meta.Function:
		return true
	}
	return false
}

func (c *collector) multiple(first, second *Document) {
	c.add(&Error{
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

// count returns a number with its noun.
func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(int64(n), noun)) }

// plural returns the noun as it stands behind a number.
func plural(n int64, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
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
		if d.Kind == "" && len(f.Path) == 1 && f.Path[0] == "kind" {
			continue // as of this
		}
		rule := RuleMetadataInvalid
		if f.Fault == meta.FaultConstraint {
			rule = RuleConstraint
		}
		c.add(d.Fault(rule, f))
	}
	return p
}

// Fault returns a fault of a field of the document as an error of a rule, with the place of
// the field: its value, or where it is missing what is nearest around it. The error's cause
// is f.
func (d *Document) Fault(rule string, f *meta.FieldError) *Error {
	e := &Error{
		Rule: rule, Object: d.Ref(), Index: d.Index, Document: d.number,
		Path: f.Path, Message: f.Message(), Err: f,
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
	return e
}
