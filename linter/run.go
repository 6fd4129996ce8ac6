package linter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

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
	// Config are the author's settings, such as those of a file .xpkg-lint.yaml; nil when
	// there are none. What the fields above say rules over it.
	Config *Config
}

// run is what the passes of one Run share.
type run struct {
	facts sync.Map // *Fact[T] -> its result
}

// Run is Check for a package without faults of reading, or whose faults are told
// elsewhere (FromError): it returns the findings, and the errors of rules that could not
// be applied, each a *RuleError. Findings and such errors come back together.
func Run(ctx context.Context, p *parser.Package, o *Options) ([]Diagnostic, error) {
	r, err := check(ctx, p, nil, nil, o)
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, failed := range r.Failed {
		errs = append(errs, failed)
	}
	return r.Diagnostics, errors.Join(errs...)
}

// Check applies rules to a package and returns everything that they report beside the
// faults of reading, which are what parser.Collect returned with the package, or nil: the
// same findings in the same order for the same package, every time. A nil package is one
// without documents.
//
// Options.Config has its say about all findings, and so have the comments of the text:
//
//	# xpkg:ignore RULE[,RULE…] reason
//
// At the end of a line it ignores what those rules find on that line, and behind ---, on
// the line that separates documents, what they find in the document that follows. On a
// line of its own it ignores what they find on the next line that holds something, and if
// a key or an item of a sequence begins there, anywhere in its value. A comment without a
// reason ignores nothing; RuleIgnoreSyntax tells of it, and RuleIgnoreUnused of a comment
// that ignores nothing. A finding is where it starts. Of one document 10,000 such
// comments are read.
//
// A rule that fails or panics is a finding of RuleFailed, and in Result.Failed; what it
// had reported before stays, and all others are run. There is an error, and no result,
// only when the context is done (the error matches meta.ErrCanceled, the context's error
// and its cause), when there are no rules (ErrNoRules), when two rules have one ID, when
// the target is not a version or the profile not one of the two, and when a word in the
// configuration is not one of those that it may hold.
//
// Check does not modify the package; several may work on one at a time.
func Check(ctx context.Context, p *parser.Package, faults error, o *Options) (*Result, error) {
	return check(ctx, p, fromError(faults, p), reading(), o)
}

// check is Check with the faults of reading as findings of rules that were looked for.
func check(ctx context.Context, p *parser.Package, found []Diagnostic, ran []*Rule, o *Options) (*Result, error) {
	common, err := o.pass(p)
	if err != nil {
		return nil, err
	}
	s := newSettings(o.Config)
	result := &Result{Package: common.Package}
	comments := &commentSet{files: readAllComments(common.Package), ids: knownIDs(o.Rules), ran: make(map[string]bool, len(ran)+len(o.Rules))}
	for _, r := range ran {
		comments.ran[r.ID] = true
	}
	for _, rule := range o.Rules {
		if ctx.Err() != nil {
			return nil, canceled(ctx)
		}
		pass := *common
		pass.rule = rule
		err := rule.check()
		if err == nil {
			reason := rule.skips(&pass)
			if reason == "" && s.isOff(rule.ID) {
				reason = isOffReason
			}
			if reason != "" {
				result.Skipped = append(result.Skipped, Skipped{rule.ID, reason})
				continue
			}
			comments.ran[rule.ID] = true
			err = call(ctx, &pass)
		}
		if ctx.Err() != nil { // whatever the rule made of it
			return nil, canceled(ctx)
		}
		found = append(found, pass.found...)
		if err != nil {
			failed := &RuleError{Rule: idOf(rule), Err: err}
			result.Failed = append(result.Failed, failed)
			found = append(found, failed.finding())
		}
	}
	Sort(found)
	kept, ignored := comments.apply(found)
	result.Diagnostics = s.apply(once(kept, s.apply(found), o.Rules))
	for _, i := range ignored {
		if s.applyTo(&i.Diagnostic) {
			result.Ignored = append(result.Ignored, i)
		}
	}
	Sort(result.Diagnostics)
	result.Skipped = append(result.Skipped, s.skipOff(builtin())...)
	return result, nil
}

// pass returns what the passes of all rules have in common, once it has made sure that
// the options can be carried out.
func (o *Options) pass(p *parser.Package) (*Pass, error) {
	if o == nil || len(o.Rules) == 0 {
		return nil, ErrNoRules
	}
	if err := unique(o.Rules); err != nil {
		return nil, err
	}
	if p == nil {
		p = &parser.Package{}
	}
	config := cmp.Or(o.Config, &Config{})
	if err := config.check(nil); err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	releases, err := releasesOf(cmp.Or(o.Target, config.Target), p.Meta)
	if err != nil {
		return nil, fmt.Errorf("target: %w", err)
	}
	profile := cmp.Or(o.Profile, config.Profile, Publish)
	if _, err := ParseProfile(string(profile)); err != nil {
		return nil, err
	}
	return &Pass{Package: p, Releases: releases, Profile: profile, Image: o.Image, run: &run{}}, nil
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
	seen := make(map[string]bool, len(rules))
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
