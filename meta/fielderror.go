package meta

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Fault is the sort of thing that is wrong with a field: a stable word by which
// tools tell one [FieldError] from another without reading its text.
type Fault string

// The faults of metadata.
const (
	// FaultSyntax: the document is no JSON, or a text in it is no Unicode.
	FaultSyntax Fault = "syntax"

	// FaultType: the value is of another type than the field wants.
	FaultType Fault = "type"

	// FaultDuplicate: an object has the key twice.
	FaultDuplicate Fault = "duplicate-key"

	// FaultRequired: the field must be there, or must not be empty.
	FaultRequired Fault = "required"

	// FaultExclusive: the field excludes another one that is there too.
	FaultExclusive Fault = "exclusive"

	// FaultKind: the apiVersion and kind are not ones of a metadata object.
	FaultKind Fault = "kind"

	// FaultSource: the text is not the name of an image repository.
	FaultSource Fault = "source"

	// FaultTagged: a source has a tag or a digest, which belongs in version.
	FaultTagged Fault = "source-tagged"

	// FaultConstraint: the text is neither a version range nor a digest.
	FaultConstraint Fault = "constraint"

	// FaultCRD: the text does not name a kind.
	FaultCRD Fault = "crd"

	// FaultNotInFormat: the format that the apiVersion stands for has no such field.
	FaultNotInFormat Fault = "not-in-format"

	// FaultLimit: the document is larger than [MaxValues] or [MaxDepth] allow, and
	// the Err is a [*LimitError]; or it has more than [MaxFaults] faults, and the Err
	// says how many.
	FaultLimit Fault = "limit"
)

// A FieldError is one fault of a metadata object and the field that it is in. It
// matches [ErrInvalid], and what its Err matches.
type FieldError struct {
	// Path leads to the field. For a missing field that is where it belongs; for
	// an entry without a name it is the entry.
	Path Path

	// Fault is what sort of fault it is.
	Fault Fault

	// Found is what stands there, shortened, as it may follow "this is": a quoted
	// text, "the number 1.10", "an array". It is empty if nothing stands there.
	Found string

	// Want is what should stand there: "a version range".
	Want string

	// Err is the cause or a hint, if there is more to say.
	Err error
}

// Error is the path and the message:
//
//	spec.dependsOn[0].version: ">= v" is not a version range
func (e *FieldError) Error() string {
	if len(e.Path) == 0 {
		return e.Message()
	}
	return e.Path.clipped().String() + ": " + e.Message()
}

// Message is the text of the error without the path, for diagnostics that show
// the path elsewhere.
func (e *FieldError) Message() string {
	var s string
	switch {
	case e.Want == "" && e.Err != nil:
		return e.Err.Error()
	case e.Found == "":
		s = "missing, want " + e.Want
	default:
		s = e.Found + " is not " + e.Want
	}
	if e.Err != nil {
		s += " (" + e.Err.Error() + ")"
	}
	return s
}

// Is reports whether target is [ErrInvalid].
func (e *FieldError) Is(target error) bool { return target == ErrInvalid }

// Unwrap is the cause.
func (e *FieldError) Unwrap() error { return e.Err }

// FieldErrors are all the faults of a metadata object, sorted by path; where
// there are more than [MaxFaults], the first of them, and behind them one without
// a path that says how many more there are. Each of them is found with [errors.As] and a *[FieldError] target, which gets the
// first; range over the value for all.
type FieldErrors []*FieldError

// maxListed bounds the text of an error that joins many: the faults of a hostile
// document may be as many as it has bytes.
const maxListed = 10

// Error joins the texts of the faults with "; ", the first ten of them.
func (e FieldErrors) Error() string {
	var b strings.Builder
	for i, f := range e {
		if i == maxListed {
			b.WriteString("; and ")
			b.WriteString(strconv.Itoa(len(e) - i))
			b.WriteString(" more")
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(f.Error())
	}
	return b.String()
}

// Unwrap gives the faults to [errors.Is] and [errors.As].
func (e FieldErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, f := range e {
		errs[i] = f
	}
	return errs
}

// maxQuoted is how many bytes of an input a message shows.
const maxQuoted = 60

// clip is s, or its beginning and an ellipsis if s is too long for a message.
func clip(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	n := maxQuoted
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// quote is clip(s) in quotation marks, on one line whatever s holds. Quoting can
// make a byte four; the second clip keeps the promise about the length.
func quote(s string) string {
	q := strconv.Quote(clip(s))
	if len(q) > maxQuoted+20 {
		return clip(q) + `"`
	}
	return q
}
