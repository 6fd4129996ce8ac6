package linter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// ErrNoRules is the error of a Run without rules: it would find every package
// to be without fault.
var ErrNoRules = errors.New("no rules to run (rules.Suite has those of the Crossplane documents)")

// Options says what Run does.
type Options struct {
	// Rules are the rules to run, in this order; rules.Suite has those of the
	// Crossplane documents. There is no default: see ErrNoRules.
	Rules []*Rule
	// Target is the Crossplane version that the package is judged for, such as
	// "v1.20"; a patch number is ignored. Empty means every release that the
	// package admits (spec.crossplane.version), and the newest one if it admits
	// none that is known, or says nothing.
	Target string
	// Profile is what the package is judged for; empty means Publish.
	Profile Profile
	// Image are facts about the image that the package came from, for rules about images;
	// nil when it came from elsewhere.
	Image *Image
}

// run is what the passes of one Run share.
type run struct {
	facts map[any]any // *Fact[T] -> its result
}

// Run applies rules to a package and returns everything that they report, in
// the order of Sort: the same findings in the same order for the same package,
// every time. Reading faults are not among them, as the package no longer has
// them; FromError turns those into findings of the same form. A nil package is
// one without documents.
//
// Findings and error may come back together. Each rule that fails, panics or is
// no valid rule adds a *RuleError to the error, and all others are run. There are
// no findings only when the context is done (the error matches meta.ErrCanceled,
// the context's error and its cause), when there are no rules (ErrNoRules), when
// two rules have one ID, and when the target is not a version or the profile not one of
// the two.
//
// Run does not modify the package; several Runs may work on one at a time.
func Run(ctx context.Context, p *parser.Package, o *Options) ([]Diagnostic, error) {
	if o == nil || len(o.Rules) == 0 {
		return nil, ErrNoRules
	}
	if err := unique(o.Rules); err != nil {
		return nil, err
	}
	if p == nil {
		p = &parser.Package{}
	}
	releases, err := releasesOf(o.Target, p.Meta)
	if err != nil {
		return nil, fmt.Errorf("target: %w", err)
	}
	profile := cmp.Or(o.Profile, Publish)
	if _, err := ParseProfile(string(profile)); err != nil {
		return nil, err
	}
	var found []Diagnostic
	var errs []error
	r := &run{facts: map[any]any{}}
	for _, rule := range o.Rules {
		if ctx.Err() != nil {
			return nil, canceled(ctx)
		}
		if err := rule.check(); err != nil {
			errs = append(errs, &RuleError{Rule: idOf(rule), Err: err})
			continue
		}
		pass := &Pass{Package: p, Releases: releases, Profile: profile, Image: o.Image, rule: rule, run: r}
		if !rule.applies(pass) {
			continue
		}
		err := call(ctx, pass)
		if err != nil && ctx.Err() != nil {
			return nil, canceled(ctx)
		}
		if err != nil {
			errs = append(errs, &RuleError{Rule: rule.ID, Err: err})
		}
		found = append(found, pass.found...)
	}
	Sort(found)
	return found, errors.Join(errs...)
}

func canceled(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return fmt.Errorf("lint %w: %w (%w)", meta.ErrCanceled, ctx.Err(), cause)
	}
	return fmt.Errorf("lint %w: %w", meta.ErrCanceled, ctx.Err())
}

// call runs the rule of a pass and makes an error of its panic.
func call(ctx context.Context, p *Pass) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return p.rule.Run(ctx, p)
}

// unique refuses two rules of one ID: a reader could not tell whose finding it
// is, nor could a configuration name one of them.
func unique(rules []*Rule) error {
	seen := map[string]bool{}
	for _, r := range rules {
		id := idOf(r)
		if r != nil && seen[id] {
			return &RuleError{Rule: id, Err: errors.New("is there twice")}
		}
		seen[id] = true
	}
	return nil
}

func idOf(r *Rule) string {
	if r == nil {
		return ""
	}
	return r.ID
}
