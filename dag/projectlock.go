package dag

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/internal/sha256"
	"github.com/xpkg-go/sdk/meta"
)

// ProjectLockVersion is the version of the file format of a [ProjectLock].
const ProjectLockVersion = 1

// A ProjectLock is the file in which a project keeps what was chosen for it: what it
// asked for, and one version with its digest of each package that it needs. Commit it,
// and everybody gets the same packages until the request changes.
type ProjectLock struct {
	// Roots are the request, in the order of their identities.
	Roots []LockedRoot

	// Packages are what was chosen, in the order of the plan: dependencies first.
	Packages []LockedPackage
}

// LockedRoot is a package that a project asks for.
type LockedRoot struct {
	Source     meta.Source
	Constraint meta.Constraint // the zero Constraint for any version
}

// LockedPackage is a package that was chosen.
type LockedPackage struct {
	Source meta.Source

	// Version is a tag, or the digest if somebody pins that.
	Version meta.Version

	// Digest is the digest of the image, or of the index that the version leads to;
	// empty if the catalog did not tell.
	Digest string

	// Kind is what the package says that it is; empty if that is not known.
	Kind meta.Kind
}

// NewProjectLock is the lock of a plan that was made for the roots. A plan that
// came with an error holds less than the roots need, and so does its lock; roots that
// name no package, or whose constraint cannot be read, are not in it. A nil plan, which
// comes where there is none, gives a lock without packages.
func NewProjectLock(roots []meta.Dependency, p *Plan) *ProjectLock {
	l := &ProjectLock{Roots: slices.DeleteFunc(lockedRoots(roots), func(r LockedRoot) bool { return r.Constraint.Err() != nil })}
	if p == nil {
		return l
	}
	for _, x := range p.Packages {
		locked := LockedPackage{Source: x.Source, Version: x.Version, Digest: x.Version.Digest()}
		if r := x.Release; r != nil {
			locked.Kind = r.Kind
			locked.Digest = cmp.Or(r.Digest, locked.Digest)
		}
		l.Packages = append(l.Packages, locked)
	}
	return l
}

func lockedRoots(roots []meta.Dependency) []LockedRoot {
	var locked []LockedRoot
	for _, r := range roots {
		if onPackage(r) {
			locked = append(locked, LockedRoot{Source: r.Package, Constraint: r.Constraint})
		}
	}
	slices.SortStableFunc(locked, func(a, b LockedRoot) int { return strings.Compare(a.key(), b.key()) })
	return slices.CompactFunc(locked, func(a, b LockedRoot) bool { return a.key() == b.key() })
}

// key is what two roots have in common that ask for the same, however they spell
// the source.
func (r LockedRoot) key() string { return r.Source.Identity() + " " + constraintKey(r.Constraint) }

// String is the root as prose has it.
func (r LockedRoot) String() string { return sourceText(r.Source) + " " + constraintText(r.Constraint) }

// requestDigest is the digest of the keys of sorted roots.
func requestDigest(roots []LockedRoot) string {
	var keys strings.Builder
	for _, r := range roots {
		// The length keeps roots apart, whatever their texts hold.
		fmt.Fprintf(&keys, "%d %s\n", len(r.key()), r.key())
	}
	sum := sha256.Sum256(keys.String())
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Check says whether the lock is for these roots: in any order, and however their
// sources are spelt. The error is a [*StaleProjectLockError]: resolve again. A nil lock
// is one for no roots.
func (l *ProjectLock) Check(roots []meta.Dependency) error {
	if l == nil {
		l = &ProjectLock{}
	}
	asked := lockedRoots(roots)
	known := make(map[string]bool)
	e := &StaleProjectLockError{}
	for _, r := range l.Roots {
		known[r.key()] = true
	}
	for _, r := range asked {
		if !known[r.key()] {
			e.Added = append(e.Added, r)
		}
		delete(known, r.key())
	}
	for _, r := range l.Roots {
		if known[r.key()] {
			e.Removed = append(e.Removed, r)
		}
	}
	if len(e.Added)+len(e.Removed) == 0 {
		return nil
	}
	return e
}

// A StaleProjectLockError says that a project asks for something else than what its
// lock was made for. It matches meta.ErrInvalid.
type StaleProjectLockError struct {
	// Added are the roots that the lock does not know, Removed those that are no longer
	// asked for; a root with another constraint is in both.
	Added, Removed []LockedRoot
}

// Error names what was added and removed, the first few of each.
func (e *StaleProjectLockError) Error() string {
	var parts []string
	for _, change := range []struct {
		word  string
		roots []LockedRoot
	}{{"asks for ", e.Added}, {"no longer asks for ", e.Removed}} {
		const most = 5
		var names []string
		for i, r := range change.roots {
			if i == most {
				names = append(names, fmt.Sprintf("%d more", len(change.roots)-most))
				break
			}
			names = append(names, r.String())
		}
		if len(names) > 0 {
			parts = append(parts, change.word+joinAnd(names))
		}
	}
	return "the project lock is stale: the project " + strings.Join(parts, ", and ")
}

// Is reports whether target is meta.ErrInvalid.
func (e *StaleProjectLockError) Is(target error) bool { return target == meta.ErrInvalid }

// Nodes are the locked packages as nodes, in their order, each at its tag with its
// digest. What they depend on a lock does not say.
func (l *ProjectLock) Nodes() []Node {
	if l == nil {
		return nil
	}
	nodes := make([]Node, len(l.Packages))
	for i, p := range l.Packages {
		nodes[i] = Node{Source: p.Source, Version: p.Version, Kind: p.Kind}
		if p.Digest != "" {
			nodes[i].Version = p.Version.WithDigest(p.Digest)
		}
	}
	return nodes
}

// A projectFile is a ProjectLock as it is written.
type projectFile struct {
	LockVersion int              `json:"lockVersion"`
	Request     string           `json:"request"`
	Roots       []projectRoot    `json:"roots"`
	Packages    []projectPackage `json:"packages"`
}

type projectRoot struct {
	Source     string `json:"source"`
	Constraint string `json:"constraint,omitempty"`
	Tag        string `json:"tag,omitempty"` // in place of a constraint that is one tag and no range
}

type projectPackage struct {
	Source  string `json:"source"`
	Version string `json:"version"`
	Digest  string `json:"digest,omitempty"`
	Kind    string `json:"kind,omitempty"`
}

// Encode is the lock as indented JSON that ends with a line feed, with the digest of
// its request: the same bytes for the same lock. A nil lock is one for no roots. There is
// no error.
func (l *ProjectLock) Encode() ([]byte, error) {
	if l == nil {
		l = &ProjectLock{}
	}
	f := projectFile{
		LockVersion: ProjectLockVersion, Request: requestDigest(l.Roots),
		Roots: make([]projectRoot, len(l.Roots)), Packages: make([]projectPackage, len(l.Packages)),
	}
	for i, r := range l.Roots {
		f.Roots[i] = projectRoot{Source: r.Source.String(), Constraint: r.Constraint.String()}
		if _, exact := r.Constraint.Exact(); exact && r.Constraint.Digest() == "" {
			f.Roots[i].Constraint, f.Roots[i].Tag = "", r.Constraint.String()
		}
	}
	for i, p := range l.Packages {
		f.Packages[i] = projectPackage{
			Source: p.Source.String(), Version: p.Version.String(), Digest: p.Digest, Kind: string(p.Kind),
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // ">=v1.0.0" is read by people
	enc.SetIndent("", "  ")
	err := enc.Encode(f)
	return b.Bytes(), err
}

// MarshalJSON is [ProjectLock.Encode]. There is no error.
func (l *ProjectLock) MarshalJSON() ([]byte, error) { return l.Encode() }

// UnmarshalJSON is [DecodeProjectLock], with its errors. After one the lock is as it was.
func (l *ProjectLock) UnmarshalJSON(data []byte) error {
	if l == nil {
		return errors.New("a project lock cannot be read into nil")
	}
	decoded, err := DecodeProjectLock(data)
	if err == nil {
		*l = *decoded
	}
	return err
}
