package linter

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// Rule is one check as a value. Rules hold no state: a rule may be run by many
// Runs at once. Anybody may write one; those of the Crossplane documents are in
// the package linter/rules.
type Rule struct {
	// ID names the rule in findings and configuration: kebab-case words, such
	// as constraint-syntax. It never changes once it is published.
	ID string
	// Doc says what the rule asks for and why, in full sentences.
	Doc string
	// Bad and Good are a short package (or the part of one that matters) that
	// the rule reports, and the same mended.
	Bad, Good string
	// URL points to the text that the rule follows; empty when there is none.
	URL string
	// Severity of the rule's findings, unless a finding brings its own.
	Severity Severity
	// Kinds are the package kinds that the rule is for; none means that it also
	// runs on a package without readable metadata (Pass.Package.Meta is nil).
	Kinds []meta.Kind
	// Since and Until bound the Crossplane releases that the rule is for: from
	// Since on, up to but without Until, each as "v1.14"; empty means no bound.
	// The rule runs when one of the releases that the package is judged for
	// (Pass.Releases) is within.
	Since, Until string
	// Profile is Publish for a rule that asks for what no package manager needs: such
	// a rule does not run under the profile Install. Empty means that it always runs.
	Profile Profile
	// OfImage is for a rule about the image that the package came from: it does not run
	// where none is known (Pass.Image is nil).
	OfImage bool
	// Supersedes are the IDs of rules that look for faults that this one finds as well, and
	// says more about. So that each is told once, a finding of theirs is left out where
	// this rule has one at the same place, of the same field or of the list that it is in. What
	// theirs has, fixes and other places, is given to the finding that is told.
	Supersedes []string
	// Run reports what it finds through the pass. An error means that the rule
	// could not be applied; what it had reported before stays. It is called in
	// the goroutine of the caller of linter.Run and must stop when the context
	// is done.
	Run func(context.Context, *Pass) error
}

// check says what is wrong with a rule as a value, before it is run.
func (r *Rule) check() error {
	if r == nil {
		return errors.New("is nil")
	}
	var errs []error
	if !isKebab(r.ID) {
		errs = append(errs, fmt.Errorf("ID %q is not kebab-case words", clip(r.ID)))
	}
	if r.Severity < Info || r.Severity > Error {
		errs = append(errs, errors.New("has no severity"))
	}
	if r.Run == nil {
		errs = append(errs, errors.New("has no Run function"))
	}
	if r.Profile != "" && r.Profile != Install && r.Profile != Publish {
		errs = append(errs, fmt.Errorf("profile %q is neither install nor publish", clip(string(r.Profile))))
	}
	if slices.Contains(r.Supersedes, r.ID) {
		errs = append(errs, errors.New("supersedes itself"))
	}
	for _, bound := range []string{r.Since, r.Until} {
		if bound == "" {
			continue
		}
		if _, err := parseRelease(bound); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// isKebab reports whether s is lower-case words and digits joined by single
// hyphens, the form that every machine format can carry as a rule name.
func isKebab(s string) bool {
	letter := false // the last byte was a letter or digit
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9' && i > 0:
			letter = true
		case c == '-' && letter:
			letter = false
		default:
			return false
		}
	}
	return letter
}
