package install

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A Claimant is whoever controls an object, or wants to.
type Claimant struct {
	// Package is the name of the package's install manifest; empty when nobody
	// knows it.
	Package string `json:"package,omitempty"`
	// Ref is the revision of the package, or the package itself where no
	// revision is involved.
	Ref Ref `json:"ref"`
}

// String is such as: ProviderRevision "a-0123456789ab" of package "a".
func (c Claimant) String() string {
	switch {
	case c.Ref.Name == "":
		return "package " + quote(c.Package)
	case c.Package == "" || c.Package == c.Ref.Name:
		return c.Ref.String()
	}
	return c.Ref.String() + " of package " + quote(c.Package)
}

// A Conflict is one object that cannot be taken, since it has a controller
// already.
type Conflict struct {
	Object Ref `json:"object"`
	// Via is what is in the rival's package, when that is not Object itself:
	// the XRD that would make the CRD.
	Via *Ref `json:"via,omitempty"`
	// Holder controls the object, Rival wants to. The holder may be a definition
	// in the rival's own package, which would make the CRD that is wanted.
	Holder Claimant `json:"holder"`
	Rival  Claimant `json:"rival"`
}

// Cedes says whether the conflict will pass: the holder is another revision of
// the same package, which gives the object up once it is Inactive. Try again
// then. (packages v2 design, PackageRevision Controller: Created as Active)
func (c Conflict) Cedes() bool {
	return c.Holder.Package != "" && c.Holder.Package == c.Rival.Package && !makesCRDs(c.Holder.Ref)
}

// String is such as: customresourcedefinition "x" is controlled by package "a".
func (c Conflict) String() string {
	s := lowerKind(c.Object.Kind) + " " + quote(c.Object.Name)
	if c.Via != nil {
		s += " (made by " + lowerKind(c.Via.Kind) + " " + quote(c.Via.Name) + ")"
	}
	s += " is controlled by " + c.Holder.String()
	if c.Cedes() {
		s += ", which has yet to give it up"
	}
	return s
}

// A ConflictError says that somebody could not take control of everything that
// it installs, and therefore took control of nothing. It matches
// meta.ErrInvalid.
type ConflictError struct {
	Rival Claimant
	// Conflicts are all of them, sorted by object; there is one at least.
	Conflicts []Conflict
}

// Error names the rival and every conflict, with both packages.
func (e *ConflictError) Error() string {
	texts := make([]string, len(e.Conflicts))
	for i, c := range e.Conflicts {
		texts[i] = c.String()
	}
	return e.Rival.String() + " cannot take control: " + strings.Join(texts, "; ")
}

// Is reports whether target is meta.ErrInvalid.
func (e *ConflictError) Is(target error) bool { return target == meta.ErrInvalid }

// conflictError keeps a typed nil out of error values. All conflicts have one
// rival.
func conflictError(conflicts []Conflict) error {
	if len(conflicts) == 0 {
		return nil
	}
	slices.SortStableFunc(conflicts, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(a.Object.Kind, b.Object.Kind), cmp.Compare(a.Object.Name, b.Object.Name),
			cmp.Compare(a.Object.APIVersion, b.Object.APIVersion))
	})
	return &ConflictError{Rival: conflicts[0].Rival, Conflicts: conflicts}
}
