package compare

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Packages returns what changed from the old package to the new one that matters to
// who uses the old one: who has objects of its kinds, who depends on it, who installs
// it. The changes are in a fixed order, and the same ones every time. Packages that
// differ only in what adds to the old one have none.
//
// Objects are the same when API group, kind and name are, and API kinds when group
// and kind are, whatever definition they come from. Of several the first counts.
// What is at fault in a package is not told: that is the linter's business.
//
// Both packages are read and not kept. Definitions are compared on all cores, one
// pair on each, and not at all where their texts are equal. The error is that of a
// context that ended; it matches meta.ErrCanceled, and there are no changes then.
func Packages(ctx context.Context, old, new *parser.Package) ([]Change, error) {
	changes := metadata(old, new)
	p := pair{old: index(old), new: index(new)}
	changes = append(changes, p.objects()...)
	defined, err := p.definitions(ctx)
	if err != nil {
		if cause := context.Cause(ctx); cause != ctx.Err() {
			return nil, fmt.Errorf("compare %w: %w (%w)", meta.ErrCanceled, ctx.Err(), cause)
		}
		return nil, fmt.Errorf("compare %w: %w", meta.ErrCanceled, ctx.Err())
	}
	changes = append(changes, defined...)
	inOrder(changes)
	return changes, nil
}

// An identity is what makes two objects the same one, in two packages.
type identity struct{ group, kind, name string }

// An inventory is the objects of a package, the metadata object apart.
type inventory struct {
	ids  []identity // in the order of the package
	docs map[identity]*parser.Document
}

func index(p *parser.Package) inventory {
	inv := inventory{docs: map[identity]*parser.Document{}}
	for _, d := range p.Objects {
		group, _ := meta.SplitAPIVersion(d.APIVersion)
		id := identity{group, d.Kind, d.Name}
		if inv.docs[id] == nil && !meta.IsMeta(d.APIVersion) {
			inv.docs[id] = d
			inv.ids = append(inv.ids, id)
		}
	}
	return inv
}

// A pair is the objects of two packages.
type pair struct{ old, new inventory }
