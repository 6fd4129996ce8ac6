package install

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A Claim is what a package asks the PackageLock for before its revision is
// created.
type Claim struct {
	// Package is the name of the install manifest, Image the reference that is
	// to be installed.
	Package, Image string
	// CRDs and Compositions are the names of the objects that the package
	// controls, CRDs that its XRDs make included.
	CRDs, Compositions []string
	// DependsOn are the package's dependencies. Those on a package must be in
	// the lock at a version that will do. Those on a kind or on Crossplane are
	// not judged: a lock does not hold what that would take.
	DependsOn []meta.Dependency
	// SkipDependencies claims without looking at dependencies:
	// spec.skipDependencyResolution.
	SkipDependencies bool
}

// NewClaim returns the claim of a package: the objects of ObjectsOf, and the
// dependencies of its metadata. Where the metadata is nil, the package is taken
// to be of the manifest's kind, and to depend on nothing.
func NewClaim(m *Manifest, pkg *meta.Package, provides *meta.Provides) Claim {
	c := Claim{
		Package: m.Metadata.Name, Image: m.Spec.Package,
		SkipDependencies: !m.Spec.ResolvesDependencies(),
	}
	kind := m.Kind
	if pkg != nil {
		kind, c.DependsOn = pkg.Kind, slices.Clone(pkg.DependsOn)
	}
	for _, o := range ObjectsOf(kind, provides) {
		switch {
		case isCRD(o.Ref):
			c.CRDs = append(c.CRDs, o.Name)
		case o.Kind == "Composition":
			c.Compositions = append(c.Compositions, o.Name)
		}
		c.CRDs = append(c.CRDs, o.Makes...)
	}
	return c
}

// A MissingError says which dependencies of a package are not in the
// PackageLock, or not at a version that will do. It matches meta.ErrInvalid.
type MissingError struct {
	// Package is the name of the package that cannot be installed.
	Package string
	// Missing are the dependencies, in the order in which the package declares
	// them; there is one at least.
	Missing []MissingDependency
}

// A MissingDependency is one dependency that does not hold.
type MissingDependency struct {
	Dependency meta.Dependency
	// Installed is the version that is there and will not do; zero when none is
	// there.
	Installed meta.Version
}

// Error names the package and every dependency that does not hold.
func (e *MissingError) Error() string {
	texts := make([]string, len(e.Missing))
	for i, m := range e.Missing {
		texts[i] = clip(m.Dependency.String()) + ", which is not installed"
		if !m.Installed.IsZero() {
			texts[i] = clip(m.Dependency.String()) + ", which is installed at " + clip(m.Installed.String())
		}
	}
	return "package " + quote(e.Package) + " depends on " + strings.Join(texts, "; on ")
}

// Is reports whether target is meta.ErrInvalid.
func (e *MissingError) Is(target error) bool { return target == meta.ErrInvalid }

// Claim returns a lock in which the package is recorded as the owner of
// everything that it claims, in place of what was recorded of it before; the
// receiver is not changed. The errors are a *ConflictError with every object
// that another package has, and a *MissingError with every dependency that does
// not hold; both come joined. The error is meta.FieldErrors where the claim holds
// what a valid lock cannot, or where there is no lock. Nothing is claimed then:
// it is all or nothing.
//
// Claim is how exactly one of two packages wins that want the same objects,
// although their controllers run at the same time. The lock is the only record,
// and the API server refuses a write whose metadata.resourceVersion is not the
// newest. So: read the lock, claim, and write the result, which bears the
// resourceVersion that was read. A write that is refused lost a race; read
// again, claim again, and either the claim is refused, since the rival has the
// objects, or it can be written. Whoever writes first wins, and the loser never
// holds a part. (packages v2 design, Phase 2)
func (l *PackageLock) Claim(c Claim) (*PackageLock, error) {
	if l == nil {
		return nil, meta.FieldErrors{missing(nil, "the PackageLock of the cluster")}
	}
	if faults := c.validate(); len(faults) > 0 {
		return nil, sorted(faults)
	}
	if err := errors.Join(l.conflicts(c), l.missing(c)); err != nil {
		return nil, err
	}
	next := l.Release(c.Package)
	next.Spec.Packages = slices.Clone(l.Spec.Packages)
	i := slices.IndexFunc(next.Spec.Packages, func(p PackageDependencies) bool { return p.Name == c.Package })
	if i < 0 {
		i = len(next.Spec.Packages)
		next.Spec.Packages = append(next.Spec.Packages, PackageDependencies{Name: c.Package})
	}
	next.Spec.Packages[i].Image = c.Image
	next.Spec.Packages[i].Dependencies = dependencySources(c.DependsOn)
	if len(c.Compositions) > 0 && next.Spec.Compositions == nil {
		next.Spec.Compositions = make(map[string]string)
	}
	for _, name := range c.Compositions {
		next.Spec.Compositions[name] = c.Package
	}
	if len(c.CRDs) > 0 && next.Spec.CustomResourceDefinitions == nil {
		next.Spec.CustomResourceDefinitions = make(map[string]string)
	}
	for _, name := range c.CRDs {
		next.Spec.CustomResourceDefinitions[name] = c.Package
	}
	return next, nil
}

// Release returns a lock without the package and everything that it owns; the
// receiver is not changed. That of nil is nil.
func (l *PackageLock) Release(pkg string) *PackageLock {
	if l == nil {
		return nil
	}
	next := *l
	next.Spec.Packages = slices.DeleteFunc(slices.Clone(l.Spec.Packages), func(p PackageDependencies) bool { return p.Name == pkg })
	next.Spec.Compositions = without(l.Spec.Compositions, pkg)
	next.Spec.CustomResourceDefinitions = without(l.Spec.CustomResourceDefinitions, pkg)
	return &next
}

func without(owners map[string]string, pkg string) map[string]string {
	left := maps.Clone(owners)
	maps.DeleteFunc(left, func(_, owner string) bool { return owner == pkg })
	return left
}

func (l *PackageLock) conflicts(c Claim) error {
	var conflicts []Conflict
	for _, claimed := range []struct {
		apiVersion, kind string
		names            []string
		owners           map[string]string
	}{
		{crdAPIVersion, meta.DefinitionCRD, c.CRDs, l.Spec.CustomResourceDefinitions},
		{compositionAPIVersion, "Composition", c.Compositions, l.Spec.Compositions},
	} {
		for _, name := range slices.Compact(slices.Sorted(slices.Values(claimed.names))) {
			if owner, taken := claimed.owners[name]; taken && owner != c.Package {
				conflicts = append(conflicts, Conflict{
					Object: Ref{APIVersion: claimed.apiVersion, Kind: claimed.kind, Name: name},
					Holder: Claimant{Package: owner}, Rival: Claimant{Package: c.Package},
				})
			}
		}
	}
	return conflictError(conflicts)
}

func (l *PackageLock) missing(c Claim) error {
	if c.SkipDependencies {
		return nil
	}
	installed := l.versions()
	var missing []MissingDependency
	for _, d := range c.DependsOn {
		if d.Package.IsZero() {
			continue
		}
		installed, holds := satisfies(d, installed[d.Package.Identity()])
		if !holds {
			missing = append(missing, MissingDependency{Dependency: d, Installed: installed})
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return &MissingError{Package: c.Package, Missing: missing}
}

// versions returns the versions that are installed, by the identity of their
// source.
func (l *PackageLock) versions() map[string][]meta.Version {
	versions := make(map[string][]meta.Version, len(l.Spec.Packages))
	for _, p := range l.Spec.Packages {
		if r, err := meta.ParseReference(p.Image); err == nil {
			id := r.Source.Identity()
			versions[id] = append(versions[id], r.Version())
		}
	}
	return versions
}

// satisfies looks for a version that will do, and returns one that is there even
// if none will.
func satisfies(d meta.Dependency, versions []meta.Version) (installed meta.Version, holds bool) {
	for _, installed = range versions {
		if d.Constraint.Allows(installed) {
			return installed, true
		}
	}
	return installed, false
}

func dependencySources(dependencies []meta.Dependency) []string {
	var sources []string
	listed := make(map[string]bool)
	for _, d := range dependencies {
		if s := d.Package.String(); s != "" && !listed[s] {
			listed[s] = true
			sources = append(sources, s)
		}
	}
	return sources
}
