package dag

import "github.com/xpkg-go/sdk/meta"

// set is the candidates that an edge allows. Each constraint is matched once
// against the versions of a package; the search then works on the sets, so
// that what a constraint means stays what Crossplane's predicates say.
func (u *universe) set(e int32) (bitset, error) {
	ed := &u.edges[e]
	if ed.set != nil {
		return ed.set, nil
	}
	p := u.pkgs[ed.to]
	key := constraintKey(ed.constraint)
	if s, ok := p.sets[key]; ok {
		ed.set = s
		return s, nil
	}
	known := len(p.candidates)
	s := newBitset(known)
	for k := range p.candidates {
		if v := p.candidates[k].version; v.IsZero() || ed.constraint.Allows(v) {
			s.add(k)
		}
	}
	if ed.constraint.Digest() == "" && !ed.constraint.IsZero() {
		for k := range p.candidates {
			if v := p.candidates[k].version; v.IsZero() || v.Tag() != "" {
				continue
			}
			s.remove(k)
			ok, err := u.tagged(ed.to, k, s)
			if err != nil {
				return nil, err
			}
			if ok {
				s.add(k)
			}
		}
	}
	if len(p.candidates) == known { // otherwise the search starts again
		p.sets[key] = s
		u.edges[e].set = s
	}
	return s, nil
}

// tagged says whether one of the allowed tags is the digest of candidate k. A
// digest cannot be compared with a range, but a tag that names the same content
// can; tags are asked newest first, and only while somebody pins a digest and
// somebody else demands a range.
func (u *universe) tagged(i int32, k int, allowed bitset) (bool, error) {
	t, err := u.tagOf(i, u.pkgs[i].candidates[k].version.Digest(), allowed)
	return t >= 0, err
}

// tagOf is the newest of some candidates with a tag whose content is a digest; below zero
// when it is none of them.
func (u *universe) tagOf(i int32, digest string, among bitset) (int, error) {
	for t := among.next(0); t >= 0 && t < u.pkgs[i].tags; t = among.next(t + 1) {
		content, err := u.content(i, int32(t))
		if err != nil || content == digest {
			return t, err
		}
	}
	return -1, nil
}

// content is the digest of a candidate with a tag; "" when the catalog cannot tell. One that
// may not be used is asked about as well: what is the same is so whatever the options are.
func (u *universe) content(i, t int32) (string, error) {
	p := u.pkgs[i]
	c := &p.candidates[t]
	switch {
	case c.version.Digest() != "":
		return c.version.Digest(), nil
	case !c.read:
		if err := u.readAll([][2]int32{{i, t}}); err != nil {
			return "", err
		}
	case c.barred && !c.looked:
		c.looked = true
		v := c.version
		var r *meta.Release
		if err := each(u.ctx, 1, func(int) { r, _ = askRelease(u.ctx, u.catalogOf(p), p.source, v) }); err != nil {
			return "", err
		}
		c.release = r
	}
	if r := p.candidates[t].release; r != nil {
		return r.Digest, nil
	}
	return "", nil
}
