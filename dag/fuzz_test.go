package dag_test

import (
	"testing"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

// FuzzTexts feeds any texts as sources, tags and constraints: nothing may panic,
// and a plan must meet the demand.
func FuzzTexts(f *testing.F) {
	f.Add("acme.io/x", "v1.0.0", ">=v1.0.0")
	f.Add("acme.io/x", "latest", digest("a"))
	f.Add("x", "v1.0.0-rc.1+b_2", "v1.0.0-0 || banana")
	f.Fuzz(executions.Many(func(t *testing.T, source, tag, constraint string) {
		s, err := meta.ParseSource(source)
		if err != nil {
			s = src("acme.io/x")
		}
		m := newMemory()
		m.tags[s.Identity()] = []string{tag, "v1.0.0", "v2.0.0-rc.1"}
		for _, v := range []string{tag, "v1.0.0", "v2.0.0-rc.1"} {
			m.releases[s.Identity()+" "+v] = &meta.Release{Source: s}
		}
		root := meta.Dependency{Package: s, Constraint: con(constraint)}
		plan, err := resolve([]meta.Dependency{root}, m, nil)
		if (err == nil) != (len(plan.Packages) == 1) {
			t.Fatalf("plan %v, error %v", planned(plan), err)
		}
		if err == nil && !root.Constraint.Allows(plan.Packages[0].Version) {
			t.Fatalf("%q does not allow %s", constraint, plan.Packages[0].Version)
		}
		v, err := meta.ParseVersion(tag)
		if err != nil {
			return
		}
		g, _ := dag.NewGraph(dag.Node{Source: s, Version: v}, dag.Node{Source: src("acme.io/app"), DependsOn: []meta.Dependency{root}})
		if s.Equal(src("acme.io/app")) {
			return
		}
		if unmet := g.Unsatisfied(); (len(unmet) == 0) != root.Constraint.Allows(v) {
			t.Fatalf("%q and %q: %v", constraint, tag, unmet)
		}
	}))
}
