package linter

import (
	"context"
	"errors"
	"sync"
)

// Fact is something that several rules need to know about a package and that
// is computed at most once in a Run, by the first rule that asks. It is a value
// to declare once, beside the rules that share it.
type Fact[T any] struct {
	compute func(context.Context, *Pass) (T, error)
}

// NewFact returns a fact with the function that computes it. The function does
// not report: what is wrong with a fact is for a rule to say, once.
func NewFact[T any](compute func(context.Context, *Pass) (T, error)) *Fact[T] {
	return &Fact[T]{compute: compute}
}

// errNoFact is the error of a fact whose function panicked when it was asked for first.
var errNoFact = errors.New("needs a fact that could not be computed")

// Of returns the fact for the package of the pass. The result is shared by all
// rules that ask; they must not modify it. The error is that of the function that computes
// it, the same for all who ask.
func (f *Fact[T]) Of(ctx context.Context, p *Pass) (T, error) {
	type result struct {
		once  sync.Once
		value T
		err   error
	}
	stored, _ := p.run.facts.LoadOrStore(f, new(result))
	r := stored.(*result)
	r.once.Do(func() {
		r.err = errNoFact // what remains of a panic
		r.value, r.err = f.compute(ctx, p)
	})
	return r.value, r.err
}
