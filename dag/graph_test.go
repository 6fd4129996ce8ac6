package dag_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

func TestOrder(t *testing.T) {
	cases := map[string]struct {
		reason string
		nodes  string
		want   []string
		err    string
	}{
		"Diamond": {
			reason: "what two packages need is there once, before both",
			nodes: `acme.io/a v1.0.0: acme.io/b; acme.io/c
				acme.io/b v1.0.0: acme.io/d
				acme.io/c v1.0.0: acme.io/d
				acme.io/d v1.0.0`,
			want: []string{"acme.io/d", "acme.io/b", "acme.io/c", "acme.io/a"},
		},
		"Cycle": {
			reason: "the whole path is told, from its smallest name",
			nodes: `acme.io/c v1.0.0: acme.io/a
				acme.io/b v1.0.0: acme.io/c
				acme.io/a v1.0.0: acme.io/b`,
			err: "dependency cycle: acme.io/a -> acme.io/b -> acme.io/c -> acme.io/a",
		},
		"CycleBelowTail": {
			reason: "only the cycle is told, not the way to it",
			nodes: `acme.io/a v1.0.0: acme.io/b
				acme.io/b v1.0.0: acme.io/c
				acme.io/c v1.0.0: acme.io/p
				acme.io/p v1.0.0: acme.io/s
				acme.io/q v1.0.0: acme.io/p
				acme.io/r v1.0.0: acme.io/q
				acme.io/s v1.0.0: acme.io/r`,
			err: "dependency cycle: acme.io/p -> acme.io/s -> acme.io/r -> acme.io/q -> acme.io/p",
		},
		"ShortestCycle": {
			reason: "of two cycles through one package the shorter is easier to break",
			nodes: `acme.io/a v1.0.0: acme.io/b; acme.io/c
				acme.io/b v1.0.0: acme.io/d
				acme.io/d v1.0.0: acme.io/a
				acme.io/c v1.0.0: acme.io/a`,
			err: "dependency cycle: acme.io/a -> acme.io/c -> acme.io/a",
		},
		"Self": {
			reason: "a package that needs itself is the shortest cycle of all",
			nodes:  `acme.io/a v1.0.0: acme.io/a >=v1.0.0`,
			err:    "dependency cycle: acme.io/a -> acme.io/a",
		},
		"CycleSpoilsOnlyWhatNeedsIt": {
			reason: "packages that have nothing to do with a cycle are ordered all the same, and every cycle is told",
			nodes: `acme.io/a v1.0.0: acme.io/b
				acme.io/b v1.0.0: acme.io/a
				acme.io/needs v1.0.0: acme.io/a
				acme.io/x v1.0.0: acme.io/x
				acme.io/fine v1.0.0: acme.io/lib
				acme.io/lib v1.0.0`,
			want: []string{"acme.io/lib", "acme.io/fine"},
			err:  "dependency cycle: acme.io/a -> acme.io/b -> acme.io/a\ndependency cycle: acme.io/x -> acme.io/x",
		},
		"Missing": {
			reason: "a package without a node has no place in the order, and what needs it has",
			nodes:  `acme.io/a v1.0.0: acme.io/gone; acme.io/z` + "\nacme.io/z v1.0.0",
			want:   []string{"acme.io/z", "acme.io/a"},
		},
		"Identity": {
			reason: "spellings of one repository are one package; the declared text is kept",
			nodes: `crossplane/provider-aws v1.0.0
				acme.io/a v1.0.0: docker.io/crossplane/provider-aws
				acme.io/b v1.0.0: index.docker.io/crossplane/provider-aws`,
			want: []string{"crossplane/provider-aws", "acme.io/a", "acme.io/b"},
		},
		"Empty": {reason: "a graph of nothing has an order"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := mustGraph(t, nodes(tc.nodes)...).Order()
			if diff := cmp.Diff(tc.want, names(got), cmpEmpty); diff != "" {
				t.Errorf("%s\norder (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.err, errText(err)); diff != "" {
				t.Errorf("%s\nerror (-want +got):\n%s", tc.reason, diff)
			}
			if err != nil && !errors.Is(err, meta.ErrInvalid) {
				t.Errorf("%s\nerror does not match meta.ErrInvalid: %v", tc.reason, err)
			}
		})
	}
}

func TestCycleErrorPath(t *testing.T) {
	g := mustGraph(t, nodes("acme.io/b v1.0.0: acme.io/a\nacme.io/a v1.0.0: acme.io/b")...)
	_, err := g.Order()
	var cycle *dag.CycleError
	if !errors.As(err, &cycle) {
		t.Fatalf("error is %T, want *dag.CycleError: the path is data too", err)
	}
	var got []string
	for _, s := range cycle.Path {
		got = append(got, s.String())
	}
	if diff := cmp.Diff([]string{"acme.io/a", "acme.io/b", "acme.io/a"}, got); diff != "" {
		t.Errorf("path (-want +got):\n%s", diff)
	}
}

func TestNewGraphFaults(t *testing.T) {
	bad := node("acme.io/a v1.0.0: acme.io/b")
	bad.DependsOn = append(bad.DependsOn,
		meta.Dependency{},
		meta.Dependency{Package: src("acme.io/b"), Constraint: con("banana")},
		meta.Dependency{Spelling: meta.SpellingCrossplane, Constraint: con(">=v1.0.0")},
		meta.Dependency{CRD: meta.CRDRef{Name: "Thing", Group: "acme.io"}},
	)
	owned := func(s string, owners ...string) dag.Node {
		n := node(s)
		n.Owners = owners
		return n
	}
	cases := map[string]struct {
		reason string
		nodes  []dag.Node
		err    string
		want   []string
	}{
		"Malformed": {
			reason: "a dependency on nothing and one with a constraint that is none spoil nothing else; the error names parent, dependency and text",
			nodes:  []dag.Node{bad, node("acme.io/b v1.0.0")},
			err: `acme.io/a v1.0.0: dependsOn[1]: it names no package
acme.io/a v1.0.0: dependsOn[2] acme.io/b: "banana" is not a version range (improper constraint)`,
			want: []string{"acme.io/b", "acme.io/a"},
		},
		"Duplicate": {
			reason: "one duplicate does not stop the healthy packages, and both owners are named",
			nodes: []dag.Node{
				owned("acme.io/family v2.6.0", "provider-family-aws"),
				owned("acme.io/family v2.6.1", "upbound-provider-family-aws"),
				node("acme.io/app v1.0.0: acme.io/family"),
			},
			err:  `acme.io/family is provided twice: by "upbound-provider-family-aws" (v2.6.1) and "provider-family-aws" (v2.6.0)`,
			want: []string{"acme.io/family", "acme.io/app"},
		},
		"Triplicate": {
			reason: "every one of them is named",
			nodes:  []dag.Node{owned("acme.io/x v1.0.0", "a"), node("acme.io/x v2.0.0"), owned("acme.io/x v3.0.0", "c")},
			err:    `acme.io/x is provided 3 times: by "c" (v3.0.0), an unnamed owner (v2.0.0) and "a" (v1.0.0)`,
			want:   []string{"acme.io/x"},
		},
		"SameVersionOtherDependencies": {
			reason: "nodes that state different dependencies are not the same, whatever their version",
			nodes:  []dag.Node{owned("acme.io/x v1.0.0: acme.io/y", "a"), owned("acme.io/x v1.0.0", "b")},
			err:    `acme.io/x is provided twice: by "b" (v1.0.0) and "a" (v1.0.0); only "a" depends on package acme.io/y`,
			want:   []string{"acme.io/x"},
		},
		"Equal": {
			reason: "equal nodes are merged without a word, however the source is spelt",
			nodes:  []dag.Node{owned("docker.io/acme/x v1.0.0", "a"), owned("acme/x v1.0.0", "b")},
			want:   []string{"acme/x"},
		},
		"NoSource": {
			reason: "a node that names no package is left out, and its owner named",
			nodes:  []dag.Node{{Owners: []string{"lost"}}, node("acme.io/x v1.0.0")},
			err:    `the node of "lost" names no package`,
			want:   []string{"acme.io/x"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			g, err := dag.NewGraph(tc.nodes...)
			if diff := cmp.Diff(tc.err, errText(err)); diff != "" {
				t.Errorf("%s\nerror (-want +got):\n%s", tc.reason, diff)
			}
			if err != nil && !errors.Is(err, meta.ErrInvalid) {
				t.Errorf("%s\nerror does not match meta.ErrInvalid", tc.reason)
			}
			order, err := g.Order()
			if err != nil {
				t.Errorf("%s\nOrder: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, names(order)); diff != "" {
				t.Errorf("%s\norder (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestMergedOwners(t *testing.T) {
	a, b := node("acme.io/x v1.0.0"), node("acme.io/x v1.0.0")
	a.Owners, b.Owners = []string{"z"}, []string{"y", "z"}
	n, ok := mustGraph(t, a, b).Node(src("acme.io/x"))
	if !ok || !slices.Equal(n.Owners, []string{"y", "z"}) {
		t.Errorf("owners = %q, want those of both nodes, sorted, each once", n.Owners)
	}
	if !slices.Equal(a.Owners, []string{"z"}) {
		t.Error("merging changed a node of the caller")
	}
}

func TestMissing(t *testing.T) {
	cases := map[string]struct {
		reason string
		nodes  string
		want   []string
	}{
		"Once": {
			reason: "a package that two need is missing once",
			nodes:  "acme.io/a v1.0.0: acme.io/x\nacme.io/b v1.0.0: acme.io/x",
			want:   []string{"acme.io/x is not in the graph; required by acme.io/a v1.0.0 (any version), acme.io/b v1.0.0 (any version)"},
		},
		"Conflict": {
			reason: "both parents and their constraints are named",
			nodes:  "acme.io/a v1.0.0: acme.io/x >=v2\nacme.io/b v1.0.0: acme.io/x <v2",
			want:   []string{"acme.io/x is not in the graph; required by acme.io/a v1.0.0 (>=v2), acme.io/b v1.0.0 (<v2)"},
		},
		"TwoDemandsOfOne": {
			reason: "one package may demand another twice; both count",
			nodes:  "acme.io/a v1.0.0: acme.io/x >=v2; acme.io/x <v3",
			want:   []string{"acme.io/x is not in the graph; required by acme.io/a v1.0.0 (>=v2), acme.io/a v1.0.0 (<v3)"},
		},
		"None": {
			reason: "nothing is missing",
			nodes:  "acme.io/a v1.0.0: acme.io/x\nacme.io/x v1.0.0",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, m := range mustGraph(t, nodes(tc.nodes)...).Missing() {
				if !errors.Is(m, meta.ErrNotFound) {
					t.Errorf("%s\n%v does not match meta.ErrNotFound", tc.reason, m)
				}
				got = append(got, m.Error())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nmissing (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestUnsatisfied(t *testing.T) {
	d := digest("a")
	cases := map[string]struct {
		reason    string
		installed string
		demand    string
		want      string
	}{
		"Old":             {"an installed version outside of the range is told", "v1.0.0", ">=v2.0.0", "acme.io/x: v1.0.0 is not in >=v2.0.0 (1.0.0 is less than v2.0.0), required by acme.io/app v1.0.0"},
		"InRange":         {"an installed version in the range is fine", "v2.1.0", ">=v2.0.0", ""},
		"Digest":          {"a digest cannot be compared with a range", d, ">=v1.0.0", "acme.io/x: the version of " + d[:40] + "… is not known: a digest cannot be compared with a range, required by acme.io/app v1.0.0"},
		"Latest":          {"a tag that is no version meets no range", "latest", ">=v1.0.0", "acme.io/x: latest is not a version: name one such as v1.2.3, or a digest, required by acme.io/app v1.0.0"},
		"Partial":         {"a moving tag is no version", "v1", ">=v1.0.0", "acme.io/x: v1 is not a full version: name one such as v1.0.0, or a digest, required by acme.io/app v1.0.0"},
		"TagAndDigest":    {"v2.5.6@sha256:… is v2.5.6", "v2.5.6@" + d, "v2.5.6", ""},
		"PinnedDigest":    {"the digest that is demanded is installed", "v1.0.0@" + d, d, ""},
		"OtherDigest":     {"another digest is installed", digest("b"), d, "acme.io/x: " + digest("b")[:40] + "… is not " + d + ", required by acme.io/app v1.0.0"},
		"UnknownDigest":   {"whose digest it is nobody knows", "v1.0.0", d, "acme.io/x: the digest of v1.0.0 is not known: " + d + " is asked for, required by acme.io/app v1.0.0"},
		"Anything":        {"no constraint is met by anything", "latest", "", ""},
		"Prerelease":      {"a pre-release must be asked for, and the error says how", "v0.16.0-feat.0", ">=v0.14.36", "acme.io/x: v0.16.0-feat.0 is a pre-release: write >=v0.14.36-0 to admit it, required by acme.io/app v1.0.0"},
		"NotAConstraint":  {"a constraint that is none is met by nothing", "v1.0.0", "banana", `acme.io/x: "banana" is not a version range (improper constraint), required by acme.io/app v1.0.0`},
		"VersionNotKnown": {"an installed package of no version meets no range", "-", ">=v1.0.0", "acme.io/x: its version is not known: >=v1.0.0 is asked for, required by acme.io/app v1.0.0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			g, _ := dag.NewGraph(node("acme.io/x "+tc.installed), node("acme.io/app v1.0.0: acme.io/x "+tc.demand))
			var got []string
			for _, e := range g.Unsatisfied() {
				got = append(got, e.Error())
				if !errors.Is(e, meta.ErrInvalid) {
					t.Errorf("%s\n%v does not match meta.ErrInvalid", tc.reason, e)
				}
			}
			rest, ok := strings.Join(got, "\n"), true
			for part := range strings.SplitSeq(tc.want, "…") { // digests may be cut short
				if _, rest, ok = strings.Cut(rest, part); !ok {
					t.Fatalf("%s\ngot  %q\nwant %q", tc.reason, got, tc.want)
				}
			}
			if (tc.want == "") != (len(got) == 0) {
				t.Errorf("%s\ngot %q", tc.reason, got)
			}
		})
	}
}

func TestNeighbours(t *testing.T) {
	g := mustGraph(t, nodes(`acme.io/a v1.0.0: acme.io/lib >=v1; acme.io/lib <v2; acme.io/gone
		acme.io/b v1.0.0: acme.io/lib
		acme.io/lib v1.0.0`)...)
	check := func(what string, got []dag.Node, err error, want ...string) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if diff := cmp.Diff(want, names(got), cmpEmpty); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	got, err := g.Dependencies(src("acme.io/a"))
	check("dependencies of a, each once, without the missing one", got, err, "acme.io/lib")
	got, err = g.Dependents(src("acme.io/lib"))
	check("dependents of lib", got, err, "acme.io/a", "acme.io/b")
	got, err = g.Dependents(src("acme.io/gone"))
	check("dependents of a missing package", got, err, "acme.io/a")
	check("nodes", g.Nodes(), nil, "acme.io/a", "acme.io/b", "acme.io/lib")

	_, err = g.Dependencies(src("acme.io/nowhere"))
	var missing *dag.MissingError
	if !errors.As(err, &missing) || missing.Source.String() != "acme.io/nowhere" {
		t.Errorf("error = %v, want a *MissingError that names acme.io/nowhere", err)
	}
	if _, err = g.Dependents(src("acme.io/nowhere")); !errors.Is(err, meta.ErrNotFound) {
		t.Errorf("error = %v, want one that matches meta.ErrNotFound", err)
	}
	if _, ok := g.Node(src("acme.io/gone")); ok {
		t.Error("a missing package has a node")
	}
}

func TestTrace(t *testing.T) {
	g := mustGraph(t, nodes(`acme.io/app v1.0.0: acme.io/lib; acme.io/loop
		acme.io/lib v1.0.0: acme.io/gone >=v1
		acme.io/loop v1.0.0: acme.io/pool
		acme.io/pool v1.0.0: acme.io/loop
		acme.io/other v1.0.0: acme.io/lost`)...)
	cases := map[string]struct {
		reason string
		from   string
		want   []string
		err    string
	}{
		"Whole": {
			reason: "everything that is needed comes back, a circle ends, and what is missing is named",
			from:   "acme.io/app",
			want:   []string{"acme.io/lib", "acme.io/pool", "acme.io/loop", "acme.io/app"},
			err:    "acme.io/gone is not in the graph; required by acme.io/lib v1.0.0 (>=v1)",
		},
		"MissingStart": {
			reason: "a missing package is named together with who requires it",
			from:   "acme.io/lost",
			err:    "acme.io/lost is not in the graph; required by acme.io/other v1.0.0 (any version)",
		},
		"UnknownStart": {
			reason: "a package that nobody has heard of is named",
			from:   "acme.io/nowhere",
			err:    "acme.io/nowhere is not in the graph",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := g.Trace(src(tc.from))
			if diff := cmp.Diff(tc.want, names(got), cmpEmpty); diff != "" {
				t.Errorf("%s\ntrace (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.err, errText(err)); diff != "" {
				t.Errorf("%s\nerror (-want +got):\n%s", tc.reason, diff)
			}
			if !errors.Is(err, meta.ErrNotFound) {
				t.Errorf("%s\nerror does not match meta.ErrNotFound: %v", tc.reason, err)
			}
		})
	}
}

// A chain as long as this overflows a stack that recursion uses.
func TestLongChain(t *testing.T) {
	const n = 100_000
	name := func(i int) string { return fmt.Sprintf("acme.io/p%06d", i%n) }
	ns := make([]dag.Node, n)
	for i := range ns {
		ns[i] = dag.Node{Source: src(name(i)), Version: ver("v1.0.0")}
		if i+1 < n {
			ns[i].DependsOn = deps(name(i + 1))
		}
	}
	order, err := mustGraph(t, ns...).Order()
	if err != nil || len(order) != n || order[0].Source.String() != name(n-1) {
		t.Fatalf("order of %d packages has %d, error %v", n, len(order), err)
	}
	ns[n-1].DependsOn = deps(name(0))
	_, err = mustGraph(t, ns...).Order()
	var cycle *dag.CycleError
	if !errors.As(err, &cycle) || len(cycle.Path) != n+1 {
		t.Fatal("a cycle of all packages is not told whole")
	}
	if len(err.Error()) > 2000 {
		t.Errorf("the text of a very long cycle has %d bytes", len(err.Error()))
	}
}

// A package with very many dependencies must not make its answers quadratic.
func TestWideNode(t *testing.T) {
	const n = 20_000
	hub := node("acme.io/hub v1.0.0")
	for i := range n {
		hub.DependsOn = append(hub.DependsOn, dep(fmt.Sprintf("acme.io/p%06d >=v1.0.0", i)))
	}
	if got := len(mustGraph(t, hub).Missing()); got != n {
		t.Errorf("missing = %d, want %d", got, n)
	}
}
