package dag_test

import (
	"testing"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// Nothing that is installed is removed because of a root of which nobody knows what it
// needs.
func TestNothingIsRemovedForAnUnknownRoot(t *testing.T) {
	catalog := dag.NewStaticCatalog()
	installed := []dag.Node{{Source: src("acme.io/p"), Version: ver("v1.0.0")}}
	for reason, roots := range map[string][]meta.Dependency{
		"a root that is nowhere": {{Package: src("acme.io/app")}},
		"a root that is none":    {{}},
	} {
		plan, err := dag.Resolve(t.Context(), roots, catalog, &dag.ResolveOptions{Installed: installed})
		if err == nil || plan == nil || len(plan.Removed) > 0 {
			t.Errorf("%s: plan %+v, error %v; want an error, and nothing removed", reason, plan, err)
		}
	}
	plan, err := dag.Resolve(t.Context(), nil, catalog, &dag.ResolveOptions{Installed: installed})
	if err != nil || len(plan.Removed) != 1 {
		t.Errorf("nothing is asked for: plan %+v, error %v; want the package removed", plan, err)
	}
}
