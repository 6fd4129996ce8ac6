package dag

import (
	"errors"
	"maps"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

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
	err := each(u.ctx, len(ask), func(n int) {
		q := &ask[n]
		p := u.pkgs[q.i]
		for k := range p.candidates {
			if c := &p.candidates[k]; c.version == q.v && (c.release != nil || c.looked) {
				if c.release != nil {
					q.now = c.release.Digest
				}
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
	if err != nil {
		return err // a question may still be writing its answer
	}
	u.moved = make(map[int32]string)
	for _, q := range ask {
		if pinned := u.pkgs[q.i].candidates[chosen[q.i]].version.Digest(); q.now != "" && q.now != pinned {
			u.moved[q.i] = q.now
		}
	}
	return nil
}
