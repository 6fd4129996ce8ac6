package parser

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/internal/yamltree"
	"github.com/xpkg-go/sdk/meta"
)

// Rules of the errors of this package: what [Error.Rule] holds.
const (
	RuleSyntax            = "yaml-syntax"         // the text is no YAML, or no YAML that JSON can express
	RuleDuplicateKey      = "duplicate-key"       // a mapping has a key twice
	RuleEmptyFile         = "empty-file"          // a file or stream holds nothing
	RuleNotUTF8           = "not-utf8"            // bytes are not UTF-8, or not UTF-16 in a stream that is; or it is UTF-32
	RuleNotObject         = "not-an-object"       // a document is a sequence or a scalar
	RuleMissingKind       = "missing-kind"        // an object has no kind
	RuleMissingAPIVersion = "missing-api-version" // an object has no apiVersion
	RuleMetadataMissing   = "metadata-missing"    // a package has no metadata object
	RuleMetadataMultiple  = "metadata-multiple"   // a package has more than one metadata object
	RuleMetadataInvalid   = "metadata-invalid"    // a field of the metadata object is wrong
	RuleConstraint        = "constraint-syntax"   // a version range of the metadata object cannot be read
	RuleUnknownField      = "unknown-field"       // Decode: the Go value has no such field
	RuleWrongType         = "wrong-type"          // Decode: the Go value holds something else there
	RuleLimit             = "limit"               // a limit of Options was reached
	RuleUnreadable        = "unreadable"          // reading failed, or the context ended
)

// An ObjectRef names an object; fields that are not known are empty.
type ObjectRef struct {
	APIVersion string
	Kind       string
	Name       string
}

// String returns `apiVersion kind "name"` as far as known, "" for the zero value.
// Long fields are cut short, and an apiVersion or kind that is long or not
// printable is quoted.
func (o ObjectRef) String() string {
	var s []string
	if o.APIVersion != "" {
		s = append(s, word(o.APIVersion))
	}
	if o.Kind != "" {
		s = append(s, word(o.Kind))
	}
	if o.Name != "" {
		s = append(s, quote(o.Name))
	}
	return strings.Join(s, " ")
}

// An Error is one fault of an input with its place.
//
// It matches, with errors.Is, meta.ErrInvalid for a fault of the text,
// meta.ErrNotPackage for RuleMetadataMissing, meta.ErrLimit for RuleLimit, and
// for RuleUnreadable whatever its cause matches (context.Canceled,
// fs.ErrPermission …). errors.As reaches *meta.LimitError and *meta.FieldError.
type Error struct {
	Rule     string    // one of the Rule constants
	Range    Range     // where; only File, or nothing at all, when the fault has no place
	Related  []Range   // other places the message speaks of: the first of two equal keys, the other metadata object
	Object   ObjectRef // of which object, as far as known
	Index    int       // the document's Index, or -1 when the fault belongs to no document
	Document int       // number of the document in its file or stream, from 1; 0 when the fault belongs to no document
	Path     meta.Path // field, when the fault belongs to one
	Message  string    // what was found and what was expected, without place and rule; short, whatever the input
	Err      error     // cause, or nil
}

// Error returns "file:line:column: rule: message (path)", with the document's number
// in place of the path when there is no path. It is one line, also where the name of a
// file is not: such a name is quoted.
func (e *Error) Error() string {
	var b strings.Builder
	if place := e.Range.String(); place != "" {
		b.WriteString(place)
		b.WriteString(": ")
	}
	b.WriteString(e.Rule)
	b.WriteString(": ")
	b.WriteString(e.Message)
	switch {
	case len(e.Path) > 0:
		b.WriteString(" (" + clip(e.Path.String()) + ")")
	case e.Document > 0:
		b.WriteString(" (document " + strconv.Itoa(e.Document) + ")")
	}
	return b.String()
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the category of the error.
func (e *Error) Is(target error) bool {
	switch e.Rule {
	case RuleUnreadable, RuleLimit:
		return false // the cause knows
	case RuleMetadataMissing:
		return target == meta.ErrNotPackage
	}
	return target == meta.ErrInvalid
}

// An ErrorList holds every fault of an input, sorted by file, offset and rule;
// faults of a file as a whole come behind its others, and faults without a file last. It is never empty when it is an error.
type ErrorList []*Error

// Error returns the errors, one a line; beyond the first ten only their number.
func (l ErrorList) Error() string {
	const most = 10
	var b strings.Builder
	for i, e := range l {
		if i == most {
			b.WriteString("\nand " + strconv.Itoa(len(l)-most) + " more")
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

// Unwrap lets errors.Is and errors.As look into every error of the list.
func (l ErrorList) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// Sort puts the list in the order that it has when this package returns it. It is for whoever
// makes a list of their own, of faults that they found in documents.
func (l ErrorList) Sort() {
	slices.SortStableFunc(l, func(a, b *Error) int {
		return cmp.Or(
			compareBool(a.Range.File == "" && !a.Range.Start.IsValid(), b.Range.File == "" && !b.Range.Start.IsValid()),
			cmp.Compare(a.Range.File, b.Range.File),
			compareBool(!a.Range.Start.IsValid(), !b.Range.Start.IsValid()),
			cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Message, b.Message),
		)
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// quote quotes s for a message and cuts it short when it is long.
func quote(s string) string { return yamltree.Quote(s) }

// word returns s, quoted when it is long or would not be seen as it is.
func word(s string) string {
	const most = 100
	if len(s) > most {
		return quote(s)
	}
	return visible(s)
}

// visible returns s, quoted when it would not be seen as it is: a line break in the name
// of a file must not look like another error.
func visible(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, isInvisible) {
		return s
	}
	return strconv.Quote(s)
}

func isInvisible(r rune) bool { return !strconv.IsPrint(r) }

// maxCause bounds the text of a foreign error in a message.
const maxCause = 200

// clip puts the text of a foreign error on one line, with spaces for what would not be
// seen, and cuts it short when it is long.
func clip(s string) string {
	suffix := ""
	if len(s) > maxCause {
		s, suffix = s[:maxCause], "…"
	}
	s = strings.ToValidUTF8(s, "")
	if strings.ContainsFunc(s, isInvisible) {
		s = strings.Join(strings.FieldsFunc(s, isInvisible), " ")
	}
	return s + suffix
}
