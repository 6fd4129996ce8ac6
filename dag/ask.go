package dag

import (
	"fmt"
	"slices"
	"sync"

	"github.com/xpkg-go/sdk/meta"
)

// parallelQuestions is how many questions a catalog is asked at the same time at
// most.
const parallelQuestions = 8

// each calls f for the numbers below n, several at a time, and waits for all.
func each(n int, f func(i int)) {
	if n == 1 {
		f(0)
		return
	}
	var wait sync.WaitGroup
	free := make(chan struct{}, parallelQuestions)
	for i := range n {
		free <- struct{}{}
		wait.Go(func() {
			f(i)
			<-free
		})
	}
	wait.Wait()
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
	each(len(ask), func(n int) {
		p := u.pkgs[ask[n]]
		answers[n].tags, answers[n].err = u.catalogOf(p).Tags(u.ctx, p.source)
	})
	for n, i := range ask {
		if ended := u.ended(); ended != nil {
			return &CatalogError{Source: u.pkgs[i].source, Err: ended}
		}
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
	each(len(ask), func(n int) {
		p := u.pkgs[ask[n][0]]
		answers[n].release, answers[n].err = askRelease(u.ctx, u.catalogOf(p), p.source, p.candidates[ask[n][1]].version)
	})
	for n, c := range ask {
		p := u.pkgs[c[0]]
		if ended := u.ended(); ended != nil {
			return &CatalogError{Source: p.source, Version: p.candidates[c[1]].version, Err: ended}
		}
		u.declare(c[0], c[1], answers[n].release, answers[n].err)
	}
	return nil
}

// ended is the error of a context that has ended.
func (u *universe) ended() error {
	if err := u.ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", meta.ErrCanceled, err)
	}
	return nil
}
