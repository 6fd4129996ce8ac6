package install

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/meta"
)

// The faults of install manifests, besides those of metadata that package meta
// has.
const (
	// FaultName: the text is not a proper name of a Kubernetes object.
	FaultName meta.Fault = "name"
	// FaultReference: the text is not an image reference.
	FaultReference meta.Fault = "reference"
	// FaultGitSource: the text names a Git repository, from which nothing can
	// be installed.
	FaultGitSource meta.Fault = "git-source"
	// FaultPullPolicy: the text is not a pull policy.
	FaultPullPolicy meta.Fault = "pull-policy"
	// FaultActivationPolicy: the text is not an activation policy.
	FaultActivationPolicy meta.Fault = "activation-policy"
	// FaultState: the text is not a state of a revision.
	FaultState meta.Fault = "state"
	// FaultRange: a number is too small or too large.
	FaultRange meta.Fault = "range"
	// FaultNotForKind: objects of this kind have no such field.
	FaultNotForKind meta.Fault = "not-for-kind"
	// FaultRefusedGroup: permissions for the API group are not to be had.
	FaultRefusedGroup meta.Fault = "refused-group"
	// FaultMatchType: the text is not a way to match images.
	FaultMatchType meta.Fault = "match-type"
	// FaultVerification: the text is not a way to verify signatures.
	FaultVerification meta.Fault = "verification"
)

var errTwice = errors.New("the field is there twice")

func twice(p meta.Path) *meta.FieldError {
	return &meta.FieldError{Path: p, Fault: meta.FaultDuplicate, Err: errTwice}
}

func missing(p meta.Path, want string) *meta.FieldError {
	return &meta.FieldError{Path: p, Fault: meta.FaultRequired, Want: want}
}

// sorted puts faults in the order of their paths, without touching the slice
// that it was given.
func sorted(faults meta.FieldErrors) meta.FieldErrors {
	faults = slices.Clone(faults)
	slices.SortStableFunc(faults, func(a, b *meta.FieldError) int { return a.Path.Compare(b.Path) })
	return faults
}

// merge adds what validation found to what decoding found. A field of a wrong
// type looks absent to validation: what that says of its path, or of anything
// below it, is noise. Either list may be as long as the document, so they are
// not compared with each other one by one.
func merge(decoded, validated meta.FieldErrors) meta.FieldErrors {
	unread := make(map[string]bool)
	for _, d := range decoded {
		if d.Fault == meta.FaultType {
			unread[d.Path.String()] = true
		}
	}
	all := slices.Clone(decoded)
	for _, v := range validated {
		noise := false
		for n := 0; n <= len(v.Path) && !noise; n++ {
			noise = unread[v.Path[:n].String()]
		}
		if !noise {
			all = append(all, v)
		}
	}
	return sorted(all)
}

// orNil keeps a typed nil out of error values.
func orNil(faults meta.FieldErrors) error {
	if len(faults) == 0 {
		return nil
	}
	return sorted(faults)
}

// found describes a JSON value as it may follow "this is".
func found(raw json.RawMessage) string {
	switch kind := kindOf(raw); kind {
	case "a string":
		return quote(text(raw))
	case "a number":
		return "the number " + clip(string(raw))
	case "a boolean":
		return string(raw)
	default:
		return kind
	}
}

// maxQuoted is how many bytes of an input a message shows.
const maxQuoted = 60

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

// quote is s in quotation marks, on one line whatever it holds, and cut to a
// length for messages.
func quote(s string) string {
	q := strconv.Quote(clip(s))
	if len(q) > maxQuoted+20 {
		return clip(q) + `"`
	}
	return q
}
