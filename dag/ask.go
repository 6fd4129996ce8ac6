package dag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
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

// known is a catalog, or in the place of none one that can answer nothing.
func known(c Catalog) Catalog {
	if c == nil {
		return noCatalog{}
	}
	return c
}

// A noCatalog stands for a catalog that was not given.
type noCatalog struct{}

var errNoCatalog = errors.New("no catalog was given")

// Tags knows nothing.
func (noCatalog) Tags(context.Context, meta.Source) ([]string, error) { return nil, errNoCatalog }

// Release knows nothing.
func (noCatalog) Release(context.Context, meta.Source, meta.Version) (*meta.Release, error) {
	return nil, errNoCatalog
}

// errNoRelease is the answer of a catalog that gave neither release nor error.
var errNoRelease = errors.New("the catalog has no release of this version")

// askRelease asks a catalog for a release, and looks whether the answer is about what
// was asked for. A release need not repeat the question: what it leaves out is not compared.
func askRelease(ctx context.Context, c Catalog, s meta.Source, v meta.Version) (*meta.Release, error) {
	r, err := c.Release(ctx, s, v)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, errNoRelease
	}
	digest := cmp.Or(r.Digest, r.Version.Digest())
	switch {
	case !r.Source.IsZero() && !r.Source.Equal(s),
		v.Digest() != "" && digest != "" && digest != v.Digest(),
		v.Digest() == "" && r.Version.Tag() != "" && r.Version.OCITag() != v.OCITag():
		return nil, &AnswerError{Source: s, Version: v, Answer: r}
	}
	return r, nil
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

// followTags asks where the tags of chosen versions lead that were written down
// with their digests. The digests rule; that a tag has moved is for a person to know. What
// the catalog cannot tell is no remark.
func (u *universe) followTags(chosen map[int32]int32) error {
	type question struct {
		i   int32
		v   meta.Version
		now string
	}
	var ask []question
	for _, i := range slices.Sorted(maps.Keys(chosen)) {
		p := u.pkgs[i]
		if v := p.candidates[chosen[i]].version; v.Tag() != "" && v.Digest() != "" && p.absent == nil && p.listErr == nil {
			ask = append(ask, question{i: i, v: v.WithDigest("")})
		}
	}
	each(len(ask), func(n int) {
		q := &ask[n]
		p := u.pkgs[q.i]
		for k := range p.candidates {
			if c := &p.candidates[k]; c.version == q.v && c.release != nil {
				q.now = c.release.Digest
				return
			}
		}
		r, err := askRelease(u.ctx, u.catalogOf(p), p.source, q.v)
		switch {
		case err == nil:
			q.now = r.Digest
		case errors.Is(err, meta.ErrNotFound):
			q.now = "nothing"
		}
	})
	u.moved = make(map[int32]string)
	for _, q := range ask {
		if pinned := u.pkgs[q.i].candidates[chosen[q.i]].version.Digest(); q.now != "" && q.now != pinned {
			u.moved[q.i] = q.now
		}
	}
	if ended := u.ended(); ended != nil && len(ask) > 0 {
		return &CatalogError{Source: u.pkgs[ask[0].i].source, Version: ask[0].v, Err: ended}
	}
	return nil
}
