package dag

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/xpkg-go/sdk/meta"
)

// parallelQuestions is how many questions a catalog is asked at the same time at
// most.
const parallelQuestions = 8

// each calls f for the numbers below n, several at a time, and waits for all, but not
// longer than the context lasts: an f that goes on after that is left to itself. The
// error is that of the context.
func each(ctx context.Context, n int, f func(i int)) error {
	if n == 0 {
		return nil
	}
	var wait sync.WaitGroup
	all := make(chan struct{})
	free := make(chan struct{}, parallelQuestions)
	for i := range n {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return ended(ctx)
		}
		wait.Go(func() {
			f(i)
			<-free
		})
	}
	go func() {
		wait.Wait()
		close(all)
	}()
	select {
	case <-all:
	case <-ctx.Done():
	}
	return ended(ctx)
}

// catalogOf is whom to ask about a package.
func (u *universe) catalogOf(p *pkg) Catalog {
	if p.root && u.options.RootCatalog != nil {
		if c := u.options.RootCatalog(p.source); c != nil {
			return c
		}
	}
	return u.catalog
}

// listAll asks for the versions of packages, of each once. The answers are taken in
// the order of the packages, whichever comes first.
func (u *universe) listAll(is []int32) error {
	var ask []int32
	for _, i := range is {
		if !u.pkgs[i].listed && !slices.Contains(ask, i) {
			ask = append(ask, i)
		}
	}
	type answer struct {
		tags []string
		err  error
	}
	answers := make([]answer, len(ask))
	pkgs := make([]*pkg, len(ask)) // a question that is left to itself must not look at what grows
	for n, i := range ask {
		pkgs[n] = u.pkgs[i]
	}
	if err := each(u.ctx, len(ask), func(n int) {
		answers[n].tags, answers[n].err = u.catalogOf(pkgs[n]).Tags(u.ctx, pkgs[n].source)
	}); err != nil {
		return err
	}
	for n, i := range ask {
		u.take(i, answers[n].tags, answers[n].err)
	}
	return nil
}

// readAll asks what candidates declare, of each once.
func (u *universe) readAll(cs [][2]int32) error {
	var ask [][2]int32
	for _, c := range cs {
		if !u.pkgs[c[0]].candidates[c[1]].read {
			ask = append(ask, c)
		}
	}
	type answer struct {
		release *meta.Release
		err     error
	}
	answers := make([]answer, len(ask))
	pkgs, versions := make([]*pkg, len(ask)), make([]meta.Version, len(ask))
	for n, c := range ask {
		pkgs[n] = u.pkgs[c[0]]
		versions[n] = pkgs[n].candidates[c[1]].version
	}
	if err := each(u.ctx, len(ask), func(n int) {
		answers[n].release, answers[n].err = askRelease(u.ctx, u.catalogOf(pkgs[n]), pkgs[n].source, versions[n])
	}); err != nil {
		return err
	}
	for n, c := range ask {
		u.declare(c[0], c[1], answers[n].release, answers[n].err)
	}
	return nil
}

// ended is the error of a context that has ended. It blames no package.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", meta.ErrCanceled, err)
	}
	return nil
}
