package linter

import (
	"context"
	"errors"
	"iter"

	"github.com/xpkg-go/sdk/parser"
)

// Result is what Check, Lint and Text find.
type Result struct {
	// Package is what was judged; never nil.
	Package *parser.Package
	// Diagnostics are the findings of reading, of the rules and of linting itself (see
	// Builtin), in the order of Sort. Those that the configuration turns off and those
	// that a comment ignores are not among them.
	Diagnostics []Diagnostic
	// Ignored are the findings that a comment in the text ignores, in the same order.
	Ignored []Ignored
	// Failed are the rules that could not be applied, or not in full, in their order.
	// Each has a finding of RuleFailed as well; here is its error, with the stack
	// where it panicked.
	Failed []*RuleError
	// Skipped are the rules that were not asked, in their order and those of Builtin
	// last: rules for other packages, releases or profiles, and those that the
	// configuration turns off in all files.
	Skipped []Skipped
}

// Ignored is a finding that the author has answered with a comment:
//
//	# xpkg:ignore RULE reason
type Ignored struct {
	Diagnostic
	// Reason is the author's.
	Reason string
	// Comment is where the comment stands.
	Comment parser.Range
}

// Lint reads a sequence of documents, such as that of parser.Dir, and judges the package:
// parser.Collect and Check in one call.
//
// Result and error come back together when not all could be read (a file without
// permission, a reader that failed): the error is that of reading, the findings are
// those of what was read, with the failure as a finding among them. Any other error is
// as with Check, and the result is then nil.
func Lint(ctx context.Context, docs iter.Seq2[*parser.Document, error], o *Options) (*Result, error) {
	p, faults := parser.Collect(docs)
	if ctx.Err() != nil {
		return nil, canceled(ctx)
	}
	r, err := Check(ctx, p, faults, o)
	if err != nil {
		return nil, err
	}
	return r, unreadable(faults)
}

// Text is Lint for a text that is in memory, such as that of an editor, however much of
// it is written: what cannot be read is a finding. name is what findings call the file.
//
// A file of a package directory is judged as if it were all of the package. Findings
// about what is elsewhere, such as a missing metadata object, have no place then.
// UTF16 turns the places of findings into those of an editor. The error is that of Lint.
func Text(ctx context.Context, name string, text []byte, o *Options) (*Result, error) {
	return Lint(ctx, parser.Bytes(name, text, nil), o)
}

// unreadable returns the faults of reading that are no fault of the text, or nil.
func unreadable(faults error) error {
	var list parser.ErrorList
	if !errors.As(faults, &list) {
		return nil
	}
	var failures parser.ErrorList
	for _, e := range list {
		if e.Rule == parser.RuleUnreadable {
			failures = append(failures, e)
		}
	}
	if len(failures) == 0 {
		return nil
	}
	return failures
}
