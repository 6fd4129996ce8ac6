package dag

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
	digest := u.pkgs[i].candidates[k].version.Digest()
	for t := allowed.next(0); t >= 0; t = allowed.next(t + 1) {
		if u.pkgs[i].candidates[t].version.Tag() == "" {
			continue
		}
		if err := u.readAll([][2]int32{{i, int32(t)}}); err != nil {
			return false, err
		}
		c := &u.pkgs[i].candidates[t]
		if c.release != nil && c.release.Digest == digest {
			return true, nil
		}
	}
	return false, nil
}
