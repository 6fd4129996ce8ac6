package dag

import (
	"errors"

	"github.com/xpkg-go/sdk/meta"
)

// onPackage says whether a dependency is an edge to a package.
func onPackage(d meta.Dependency) bool { return !d.Package.IsZero() && d.Package.Err() == nil }

// constraintKey is what two constraints have in common that say the same: the
// text, and whether it is read as a range or as the one version that it names.
func constraintKey(c meta.Constraint) string {
	if _, exact := c.Exact(); exact {
		return "@" + c.String()
	}
	return c.String()
}

// errNoPackage is what is wrong with a dependency on nothing.
var errNoPackage = errors.New("it names no package")

// check is what is wrong with a dependency; nil for one that can be met, if not
// by a package.
func check(d meta.Dependency) error {
	switch {
	case !d.Package.IsZero():
		if err := d.Package.Err(); err != nil {
			return err
		}
	case d.CRD.IsZero() && d.Spelling != meta.SpellingCrossplane:
		return errNoPackage
	}
	return d.Constraint.Err()
}
