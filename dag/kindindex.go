package dag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A KindIndex tells which packages bring an API kind, so that a dependency on a kind
// can become one on a package. (packages v2 design: dependencies on a CRD) It does
// not change and may be used concurrently. The zero value and nil know nothing.
type KindIndex struct {
	groups   map[string][]*meta.Release // by API group: the releases that bring a kind of it
	versions map[string][]meta.Version  // by identity: the full versions, oldest first
}

// NewKindIndex makes an index of what releases provide. A release whose Provides is
// not known brings nothing.
func NewKindIndex(releases ...*meta.Release) *KindIndex {
	x := &KindIndex{groups: make(map[string][]*meta.Release), versions: make(map[string][]meta.Version)}
	for _, r := range releases {
		if r == nil {
			continue
		}
		if r.Version.IsFull() {
			x.versions[r.Source.Identity()] = append(x.versions[r.Source.Identity()], r.Version)
		}
		if r.Provides == nil {
			continue
		}
		for _, k := range r.Provides.Kinds {
			of := x.groups[k.Group]
			if n := len(of); n == 0 || of[n-1] != r {
				x.groups[k.Group] = append(of, r)
			}
		}
	}
	for _, vs := range x.versions {
		meta.SortVersions(vs)
	}
	return x
}

// IsEmpty reports whether no release of the index brings anything.
func (x *KindIndex) IsEmpty() bool { return x == nil || len(x.groups) == 0 }

// A KindProvider is a package that brings a kind.
type KindProvider struct {
	Source meta.Source

	// Versions are those that bring it, oldest first, as far as the index knows.
	Versions []meta.Version

	// Constraint allows those of Versions that are full versions, and, where the newest
	// release is among them, newer releases. It is the zero Constraint if all versions
	// that the index knows bring the kind.
	Constraint meta.Constraint
}

// Find gives the packages that bring a kind, in the order of their identities. For
// all kinds of a group, *.GROUP/VERSION, it gives those that bring at least one.
func (x *KindIndex) Find(ref meta.CRDRef) []KindProvider {
	if x == nil {
		return nil
	}
	found := make(map[string]*KindProvider)
	for _, r := range x.groups[ref.Group] {
		if len(r.Provides.Find(ref)) == 0 {
			continue
		}
		id := r.Source.Identity()
		if found[id] == nil {
			found[id] = &KindProvider{Source: r.Source}
		}
		found[id].Versions = append(found[id].Versions, r.Version)
	}
	providers := make([]KindProvider, 0, len(found))
	for id, p := range found {
		meta.SortVersions(p.Versions)
		p.Constraint = among(p.Versions, x.versions[id])
		providers = append(providers, *p)
	}
	slices.SortFunc(providers, func(a, b KindProvider) int { return cmp.Compare(a.Source.Identity(), b.Source.Identity()) })
	return providers
}

// among is a constraint that allows some of a package's full versions, both sorted: a
// range for each run of releases, and each pre-release by itself, since ranges
// pass over these.
func among(some, all []meta.Version) meta.Constraint {
	in := make(map[meta.Version]bool, len(some))
	for _, v := range some {
		in[v] = true
	}
	var parts []string
	var run []meta.Version // of releases
	whole := true
	flush := func(open bool) {
		switch n := len(run); {
		case n == 0:
		case open:
			parts = append(parts, ">="+run[0].Tag())
		case n == 1:
			parts = append(parts, "="+run[0].Tag())
		default:
			parts = append(parts, ">="+run[0].Tag()+", <="+run[n-1].Tag())
		}
		run = nil
	}
	for _, v := range all {
		release := v.Class() == meta.ClassRelease
		switch {
		case !in[v]:
			whole = false
			if release {
				flush(false)
			}
		case release:
			run = append(run, v)
		default:
			parts = append(parts, "="+v.Tag())
		}
	}
	flush(true)
	if whole {
		return meta.Constraint{}
	}
	c, _ := meta.ParseConstraint(strings.Join(parts, " || ")) // of nothing, it allows nothing
	return c
}

// A KindError says that it is not known which package a dependency on a kind needs. It
// matches meta.ErrNotFound where no package brings the kind, and meta.ErrInvalid where
// several do.
type KindError struct {
	// Index is the place of the dependency in the declaration, from 0.
	Index int

	// Kind is what is needed.
	Kind meta.CRDRef

	// Providers are the packages that bring it: none, or the several to choose from.
	Providers []KindProvider
}

// Error names the kind and the choices.
func (e *KindError) Error() string {
	at := fmt.Sprintf("dependsOn[%d]: ", e.Index)
	if len(e.Providers) == 0 {
		return at + "no package is known to bring " + printable(e.Kind.String())
	}
	names := make([]string, len(e.Providers))
	for i, p := range e.Providers {
		names[i] = sourceText(p.Source)
	}
	return at + printable(e.Kind.String()) + " is brought by " + shorten(names, 8) + ", and none of them is asked for"
}

// Is reports whether target is the category that the error matches.
func (e *KindError) Is(target error) bool {
	if len(e.Providers) == 0 {
		return target == meta.ErrNotFound
	}
	return target == meta.ErrInvalid
}
