package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

func objectDuplicate() *linter.Rule {
	return &linter.Rule{
		ID: "object-duplicate",
		Doc: "A package holds an object once. Of two with the same group, kind and name, one would overwrite the other, " +
			"whatever their versions.",
		Bad:      headConfiguration + headComposition + headComposition,
		Good:     headConfiguration + headComposition + but(headComposition, "demo", "demo-2"),
		Severity: linter.Error,
		Run:      runObjectDuplicate,
	}
}

func runObjectDuplicate(_ context.Context, p *linter.Pass) error {
	type identity struct{ group, kind, name string }
	first := map[identity]*parser.Document{}
	for _, d := range p.Package.Objects {
		if !judged(d) || d.Name == "" {
			continue
		}
		group, _ := meta.SplitAPIVersion(d.APIVersion)
		id := identity{group, d.Kind, d.Name}
		other, ok := first[id]
		if !ok {
			first[id] = d
			continue
		}
		at := linter.At(d, "metadata", "name")
		// Not the name of the first: a hostile package has a large object, and many
		// small ones like it, and each would have the large one read again.
		at.Related = []linter.Related{{Range: other.Range, Message: "the first is here"}}
		p.Reportf(at, "%s is in the package twice, first at %s", d.Ref(), other.Range)
	}
	return nil
}
