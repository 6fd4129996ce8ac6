package dag_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// cluster is a graph with everything in it: two roots, a library of both, a circle
// above a library, and a package that nobody requires any more.
const cluster = `acme.io/app v1.0.0: acme.io/net >=v1; acme.io/lib
	acme.io/site v2.0.0: acme.io/net
	acme.io/net v1.1.0: acme.io/lib >=v1.0.0
	acme.io/lib v1.0.0
	acme.io/ring-a v1.0.0: acme.io/ring-b; acme.io/lib
	acme.io/ring-b v1.0.0: acme.io/ring-a
	acme.io/left v0.1.0: acme.io/gone`

func TestRootsAndOrphans(t *testing.T) {
	g := mustGraph(t, nodes(cluster)...)
	check := func(reason string, got []dag.Node, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, names(got), cmpEmpty); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
	}
	check("nobody requires a root; a circle has none", g.Roots(), "acme.io/app", "acme.io/left", "acme.io/site")
	check("a package that requires only itself is a root", mustGraph(t, nodes("acme.io/a v1.0.0: acme.io/a")...).Roots(), "acme.io/a")

	asked := func(sources ...string) func(dag.Node) bool {
		return func(n dag.Node) bool {
			for _, s := range sources {
				if n.Source.Equal(src(s)) {
					return true
				}
			}
			return false
		}
	}
	check("what neither was asked for nor is needed can go, dependents first",
		g.Orphans(asked("acme.io/site")), "acme.io/ring-a", "acme.io/ring-b", "acme.io/left", "acme.io/app")
	check("a circle that was asked for stays", g.Orphans(asked("acme.io/ring-b", "acme.io/left", "acme.io/app", "acme.io/site")))
	check("when nothing was asked for everything can go, what depends on others first", mustGraph(t, nodes("acme.io/a v1.0.0: acme.io/b\nacme.io/b v1.0.0")...).Orphans(asked()), "acme.io/a", "acme.io/b")
	check("nothing is orphaned in nothing", mustGraph(t).Orphans(asked("acme.io/a")))
}

func TestLayers(t *testing.T) {
	cases := map[string]struct {
		reason string
		nodes  string
		want   [][]string
		err    string
	}{
		"Cluster": {
			reason: "each package is in the first layer that it can be in; circles are told and left out",
			nodes:  cluster,
			want:   [][]string{{"acme.io/left", "acme.io/lib"}, {"acme.io/net"}, {"acme.io/app", "acme.io/site"}},
			err:    "dependency cycle: acme.io/ring-a -> acme.io/ring-b -> acme.io/ring-a",
		},
		"AboveCircle": {
			reason: "what needs a circle is in no layer",
			nodes:  "acme.io/a v1.0.0: acme.io/b\nacme.io/b v1.0.0: acme.io/b\nacme.io/c v1.0.0",
			want:   [][]string{{"acme.io/c"}},
			err:    "dependency cycle: acme.io/b -> acme.io/b",
		},
		"Empty": {reason: "a graph of nothing has no layer"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			layers, err := mustGraph(t, nodes(tc.nodes)...).Layers()
			var got [][]string
			for _, l := range layers {
				got = append(got, names(l))
			}
			if diff := cmp.Diff(tc.want, got, cmpEmpty); diff != "" {
				t.Errorf("%s\nlayers (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.err, errText(err)); diff != "" {
				t.Errorf("%s\nerror (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestCycles(t *testing.T) {
	cases := map[string]struct {
		reason string
		nodes  string
		want   []string
	}{
		"ShortestOfThePart": {
			reason: "the shortest circle of a part need not go through its first package",
			nodes: `acme.io/a v1.0.0: acme.io/b
				acme.io/b v1.0.0: acme.io/c
				acme.io/c v1.0.0: acme.io/a; acme.io/d
				acme.io/d v1.0.0: acme.io/c`,
			want: []string{"dependency cycle: acme.io/c -> acme.io/d -> acme.io/c"},
		},
		"SelfInLargerPart": {
			reason: "nothing is shorter than a package that needs itself",
			nodes:  "acme.io/a v1.0.0: acme.io/b\nacme.io/b v1.0.0: acme.io/a; acme.io/b",
			want:   []string{"dependency cycle: acme.io/b -> acme.io/b"},
		},
		"FirstOfEquals": {
			reason: "of equally short ones the first is told",
			nodes:  "acme.io/a v1.0.0: acme.io/b\nacme.io/b v1.0.0: acme.io/a; acme.io/c\nacme.io/c v1.0.0: acme.io/b",
			want:   []string{"dependency cycle: acme.io/a -> acme.io/b -> acme.io/a"},
		},
		"EveryPart": {
			reason: "parts are told in the order of their first packages, one that needs another too",
			nodes: `acme.io/a v1.0.0: acme.io/b; acme.io/x
				acme.io/b v1.0.0: acme.io/a
				acme.io/x v1.0.0: acme.io/y
				acme.io/y v1.0.0: acme.io/x`,
			want: []string{"dependency cycle: acme.io/a -> acme.io/b -> acme.io/a", "dependency cycle: acme.io/x -> acme.io/y -> acme.io/x"},
		},
		"None": {reason: "a graph without circles has none", nodes: "acme.io/a v1.0.0: acme.io/b\nacme.io/b v1.0.0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, e := range mustGraph(t, nodes(tc.nodes)...).Cycles() {
				got = append(got, e.Error())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\ncycles (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestWhy(t *testing.T) {
	g := mustGraph(t, nodes(cluster)...)
	cases := map[string]struct {
		reason string
		source string
		want   []string
	}{
		"Library": {
			reason: "each root that needs it, the nearest first, by the shortest way; a circle stands for itself",
			source: "acme.io/lib",
			want: []string{
				"any version from acme.io/app v1.0.0 (root)",
				"any version from acme.io/ring-a v1.0.0 (root)",
				">=v1.0.0 from acme.io/net v1.1.0 <- acme.io/site v2.0.0 (root)",
			},
		},
		"Missing": {reason: "why a package is missing can be asked too", source: "acme.io/gone", want: []string{"any version from acme.io/left v0.1.0 (root)"}},
		"InCircle": {
			reason: "a package in a circle is there because of the first of it",
			source: "acme.io/ring-b", want: []string{"any version from acme.io/ring-a v1.0.0 (root)"},
		},
		"Root":    {reason: "nobody requires a root", source: "acme.io/app"},
		"Unknown": {reason: "nobody requires what nobody has heard of", source: "acme.io/nowhere"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for r := range g.Why(src(tc.source)) {
				text := r.Constraint.String()
				if text == "" {
					text = "any version"
				}
				got = append(got, text+" from "+r.Origin())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nwhy (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	for range g.Why(src("acme.io/lib")) {
		break // ranging may stop at any
	}
}

func TestPathAndAllDependents(t *testing.T) {
	g := mustGraph(t, nodes(cluster)...)
	for _, tc := range []struct {
		reason, from, to, want string
	}{
		{"the direct way is shorter than that over net", "acme.io/app", "acme.io/lib", "acme.io/app acme.io/lib"},
		{"a way over another package", "acme.io/site", "acme.io/lib", "acme.io/site acme.io/net acme.io/lib"},
		{"the way to itself is itself", "acme.io/lib", "acme.io/lib", "acme.io/lib"},
		{"there is no way up", "acme.io/lib", "acme.io/app", ""},
		{"a missing package has no node to end at", "acme.io/left", "acme.io/gone", ""},
		{"nor has an unknown one to start from", "acme.io/nowhere", "acme.io/lib", ""},
	} {
		if got := strings.Join(names(g.Path(src(tc.from), src(tc.to))), " "); got != tc.want {
			t.Errorf("%s: path from %s to %s is %q, want %q", tc.reason, tc.from, tc.to, got, tc.want)
		}
	}
	for _, tc := range []struct {
		reason, source, want string
	}{
		{"everybody, dependencies first", "acme.io/lib", "acme.io/net acme.io/app acme.io/ring-b acme.io/ring-a acme.io/site"},
		{"a circle without the package itself", "acme.io/ring-a", "acme.io/ring-b"},
		{"a missing package has dependents", "acme.io/gone", "acme.io/left"},
		{"a root has none", "acme.io/app", ""},
	} {
		got, err := g.AllDependents(src(tc.source))
		if text := strings.Join(names(got), " "); err != nil || text != tc.want {
			t.Errorf("%s: dependents of %s are %q (%v), want %q", tc.reason, tc.source, text, err, tc.want)
		}
	}
	if _, err := g.AllDependents(src("acme.io/nowhere")); !errors.Is(err, meta.ErrNotFound) {
		t.Errorf("error is %v, want one that matches meta.ErrNotFound", err)
	}
}

func TestSpoilt(t *testing.T) {
	twice := func(owner, version string) dag.Node {
		n := node("acme.io/twice " + version)
		n.Owners = []string{owner}
		return n
	}
	malformed := node("acme.io/malformed v1.0.0")
	malformed.DependsOn = []meta.Dependency{{}}
	all := append(nodes(cluster+`
		acme.io/needs-twice v1.0.0: acme.io/twice; acme.io/lib
		acme.io/far v1.0.0: acme.io/needs-twice
		acme.io/old v1.0.0: acme.io/lib >=v2.0.0
		acme.io/text v1.0.0: acme.io/lib banana
		acme.io/above v1.0.0: acme.io/ring-a; acme.io/ring-b`),
		malformed, twice("provider-family", "v2.6.1"), twice("upbound-provider-family", "v2.6.0"))
	g, _ := dag.NewGraph(all...)
	var got []string
	for _, s := range g.Spoilt() {
		line := s.Node.Source.String() + ": " + errText(s.Err)
		for _, n := range s.Needs {
			line += " needs " + n.Source.String()
		}
		got = append(got, line)
	}
	want := []string{
		"acme.io/above:  needs acme.io/ring-a needs acme.io/ring-b",
		"acme.io/far:  needs acme.io/needs-twice",
		"acme.io/left: acme.io/gone is not in the graph; required by acme.io/left v0.1.0 (any version)",
		"acme.io/malformed: acme.io/malformed v1.0.0: dependsOn[0]: it names no package",
		"acme.io/needs-twice:  needs acme.io/twice",
		"acme.io/old: acme.io/lib: v1.0.0 is not in >=v2.0.0 (1.0.0 is less than v2.0.0), required by acme.io/old v1.0.0",
		"acme.io/ring-a: dependency cycle: acme.io/ring-a -> acme.io/ring-b -> acme.io/ring-a needs acme.io/ring-b",
		"acme.io/ring-b: dependency cycle: acme.io/ring-a -> acme.io/ring-b -> acme.io/ring-a needs acme.io/ring-a",
		`acme.io/text: acme.io/text v1.0.0: dependsOn[0] acme.io/lib: "banana" is not a version range (improper constraint)`,
		`acme.io/twice: acme.io/twice is provided twice: by "provider-family" (v2.6.1) and "upbound-provider-family" (v2.6.0)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is spoilt, by what (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"acme.io/lib", "acme.io/net", "acme.io/app", "acme.io/site"}, names(g.Sound())); diff != "" {
		t.Errorf("a fault spoils nothing but its package and what needs it (-want +got):\n%s", diff)
	}
}
