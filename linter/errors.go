package linter

import (
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/parser"
)

// RuleError is the error of one rule: it returned Err, it panicked (Err is a
// *PanicError), or it is no valid rule. Findings of the other rules, and those
// that this one had reported before, are not affected. It matches what Err matches.
type RuleError struct {
	// Rule is the rule's ID.
	Rule string
	// Err is what went wrong.
	Err error
}

// Error returns `rule "x": ` and the cause.
func (e *RuleError) Error() string { return fmt.Sprintf("rule %q: %v", clip(e.Rule), e.Err) }

// finding is the error as a finding of one line, so that it is seen where the others are.
func (e *RuleError) finding() Diagnostic {
	const most = 300 // bytes of what a rule has to say for itself
	text := strings.Join(strings.Fields(e.Error()), " ")
	return Diagnostic{Rule: RuleFailed, Severity: Error, Message: clipTo(text, most)}
}

// Unwrap returns the cause.
func (e *RuleError) Unwrap() error { return e.Err }

// PanicError is a panic of a rule, turned into an error. It matches what the rule
// panicked with, where that is an error, and no category of meta otherwise.
type PanicError struct {
	// Value is what the rule panicked with.
	Value any
	// Stack is the stack of the panic, for the log of whoever owns the rule; it
	// is not part of the message, which has to be the same in every run.
	Stack []byte
}

// Error returns the value that the rule panicked with, cut to a length that
// fits on a line.
func (e *PanicError) Error() string { return "panicked: " + clip(fmt.Sprint(e.Value)) }

// Unwrap returns the value if it is an error, such as a runtime.Error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// FixError is a fix that Apply has left out because it is for another text: the file has
// changed since it was linted, or the rule is wrong about a place. It matches no category
// of meta.
type FixError struct {
	// Finding is what the fix was to mend.
	Finding Diagnostic
	// Range is that of the first edit that is not within the text.
	Range parser.Range
}

// Error names the place and the rule.
func (e *FixError) Error() string {
	text := fmt.Sprintf("the fix of %s is for another text than this one", clip(e.Finding.Rule))
	if place := e.Range.String(); place != "" {
		return place + ": " + text
	}
	return text
}
