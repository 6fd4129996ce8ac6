package dag_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// What is blocked is told once, with every reason; a request that cannot be met is
// explained once, whatever becomes of the package that is installed.
func TestBlockedOnce(t *testing.T) {
	const lines = `acme.io/a v1.0.0: acme.io/x <v2
		acme.io/b v1.0.0: acme.io/x >=v2
		acme.io/c v1.0.0: acme.io/gone
		acme.io/d v1.0.0: acme.io/down
		acme.io/x v1.0.0
		acme.io/x v2.0.0`
	cases := map[string]struct {
		reason    string
		roots     string
		installed string
		want      []string
		conflicts int
	}{
		"CannotStay": {
			reason: "what is installed lacks what it needs: that is no second conflict, and nobody can change it",
			roots:  "acme.io/c >=v9", installed: "acme.io/c v1.0.0: acme.io/gone", conflicts: 1,
			want: []string{"blocked acme.io/c: the request for >=v9 cannot be met; it cannot stay at v1.0.0: what it needs cannot be had"},
		},
		"InTheWay": {
			reason: "a package that is to stay because its own request cannot be met takes nothing from what else is asked for",
			roots:  "acme.io/a >=v9; acme.io/b", installed: "acme.io/a v1.0.0: acme.io/x <v2\nacme.io/x v1.0.0", conflicts: 1,
			want: []string{
				"upgrade acme.io/x v2.0.0: acme.io/b v1.0.0 (root) requires >=v2: v1.0.0 is not in >=v2 (1.0.0 is less than v2)",
				"install acme.io/b v1.0.0: it is asked for",
				"blocked acme.io/a: the request for >=v9 cannot be met; it cannot stay at v1.0.0 beside acme.io/b",
			},
		},
		"Spellings": {
			reason: "three spellings of one missing package are one",
			roots:  "acme/gone; docker.io/acme/gone; index.docker.io/acme/gone", conflicts: 1,
			want: []string{"blocked acme/gone: the request for any version cannot be met"},
		},
		"Ranges": {
			reason: "each request for a package is a reason",
			roots:  "acme.io/x >=v9; docker.io/acme/gone <v3; acme.io/x >=v10", conflicts: 3,
			want: []string{
				"blocked acme.io/x: the request for >=v10 cannot be met; the request for >=v9 cannot be met",
				"blocked docker.io/acme/gone: the request for <v3 cannot be met",
			},
		},
		"UnreachableToo": {
			reason: "what cannot be met, and cannot be followed where it is installed, is one package",
			roots:  "acme.io/d >=v9", installed: "acme.io/d v1.0.0: acme.io/down", conflicts: 1,
			want: []string{
				"blocked acme.io/d: it needs acme.io/down, which is blocked; the request for >=v9 cannot be met",
				"blocked acme.io/down: the catalog cannot list its versions",
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := catalog(lines)
			m.fail("acme.io/down", meta.ErrUnavailable)
			plan, err := resolve(deps(tc.roots), m, &dag.ResolveOptions{Installed: nodes(tc.installed)})
			var none *dag.NoSolutionError
			if !errors.As(err, &none) || len(none.Conflicts) != tc.conflicts {
				t.Errorf("%s: %d conflicts expected, error is %v", tc.reason, tc.conflicts, err)
			}
			if strings.Contains(err.Error(), "what is installed") {
				t.Errorf("%s: nobody can change what is installed: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, actions(plan)); diff != "" {
				t.Errorf("%s\nplan (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// An answer about something else than what was asked is nobody's declaration.
func TestWrongAnswer(t *testing.T) {
	cases := map[string]struct {
		reason string
		root   string
		answer meta.Release
		want   string // what the error says; empty for none
	}{
		"Source":     {reason: "another package", root: "acme.io/a", answer: meta.Release{Source: src("acme.io/b"), Version: ver("v1.0.0")}, want: "the catalog was asked for acme.io/a v1.0.0 and answered with acme.io/b v1.0.0"},
		"Version":    {reason: "another version", root: "acme.io/a", answer: meta.Release{Source: src("acme.io/a"), Version: ver("v2.0.0")}, want: "the catalog was asked for acme.io/a v1.0.0 and answered with acme.io/a v2.0.0"},
		"Digest":     {reason: "another content", root: "acme.io/a " + digest("a"), answer: meta.Release{Source: src("acme.io/a"), Digest: digest("b")}, want: "answered with acme.io/a " + digest("b")},
		"Spelling":   {reason: "another spelling of the same", root: "acme/a", answer: meta.Release{Source: src("docker.io/acme/a"), Version: ver("v1.0.0@" + digest("a"))}},
		"Build":      {reason: "the mapped form of a version with build metadata", root: "acme.io/build", answer: meta.Release{Source: src("acme.io/build"), Version: ver("v1.0.0_b5")}},
		"LeftOut":    {reason: "a release that does not repeat the question", root: "acme.io/a", answer: meta.Release{Kind: meta.Provider}},
		"OtherTag":   {reason: "a digest has many tags", root: "acme.io/a v1.0.0@" + digest("a"), answer: meta.Release{Version: ver("v0.9.0"), Digest: digest("a")}},
		"DigestOnly": {reason: "the digest of a tag", root: "acme.io/a", answer: meta.Release{Version: ver(digest("a"))}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := catalog("acme.io/a v1.0.0\nacme/a v1.0.0\nacme.io/build v1.0.0_b5")
			answer := tc.answer
			for id := range m.releases {
				m.releases[id] = &answer
			}
			m.releases["acme.io/a "+digest("a")], m.releases["acme.io/build v1.0.0+b5"] = &answer, &answer
			plan, err := resolve(deps(tc.root), m, nil)
			if tc.want == "" {
				if err != nil || len(plan.Packages) != 1 {
					t.Errorf("%s is taken for a wrong answer: %v", tc.reason, err)
				}
				return
			}
			var wrong *dag.AnswerError
			if !errors.As(err, &wrong) || !errors.As(err, new(*dag.CatalogError)) || wrong.Answer == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: error is %v", tc.reason, err)
			}
			if plan == nil || len(plan.Packages) != 0 || len(plan.Blocked) != 1 {
				t.Errorf("%s: the plan is %+v", tc.reason, plan)
			}
			if _, err := dag.ClosureOf(t.Context(), deps(tc.root), m, nil); !errors.As(err, &wrong) {
				t.Errorf("%s: error of the closure is %v", tc.reason, err)
			}
		})
	}
}

// A digest rules over the tag that stands before it; that the tag leads elsewhere is told.
func TestMovedTag(t *testing.T) {
	cases := map[string]struct{ reason, catalog, roots, installed, want string }{
		"Moved": {
			reason: "a dependency that was written down with another content", catalog: "acme.io/x v1.0.0@" + digest("b") + "\nacme.io/x v0.9.0@" + digest("a"),
			roots: "acme.io/x v1.0.0@" + digest("a"), want: "acme.io/x v1.0.0@" + digest("a") + ": the tag v1.0.0 leads to " + digest("b") + " now: what it led to when it was written down is taken",
		},
		"Gone": {
			reason: "a tag that there is not, or not any more", catalog: "acme.io/x v0.9.0@" + digest("a"),
			roots: "acme.io/x v1.0.0@" + digest("a"), want: "acme.io/x v1.0.0@" + digest("a") + ": the tag v1.0.0 leads to nothing now: what it led to when it was written down is taken",
		},
		"Installed": {
			reason: "what is installed under a tag that has moved", catalog: "acme.io/x v1.0.0@" + digest("b") + "\nacme.io/x v0.9.0@" + digest("a"),
			roots: "acme.io/x", installed: "acme.io/x v1.0.0@" + digest("a"), want: "acme.io/x v1.0.0@" + digest("a") + ": the tag v1.0.0 leads to " + digest("b") + " now: what it led to when it was written down is taken",
		},
		"Same": {
			reason: "a tag that leads where it led", catalog: "acme.io/x v1.0.0@" + digest("a"), roots: "acme.io/x v1.0.0@" + digest("a"),
		},
		"Unknown": {
			reason: "a catalog that does not know digests", catalog: "acme.io/x v1.0.0", roots: "acme.io/x", installed: "acme.io/x v1.0.0",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := catalog(tc.catalog)
			plan, err := resolve(deps(tc.roots), m, &dag.ResolveOptions{Installed: nodes(tc.installed)})
			if err != nil || len(plan.Packages) != 1 {
				t.Fatalf("%s: %v, %v", tc.reason, planned(plan), err)
			}
			var got []string
			for _, w := range plan.Warnings {
				got = append(got, w.String())
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			for question, n := range m.asked {
				if n > 1 {
					t.Errorf("%s: %s was asked for %d times", tc.reason, question, n)
				}
			}
		})
	}
}

// Nodes that demand the same, in whatever order and spelling, are one; of others the
// error tells the difference.
func TestDuplicates(t *testing.T) {
	on := func(n dag.Node, owner string, kind meta.Kind) dag.Node {
		n.Owners, n.Kind = []string{owner}, kind
		return n
	}
	cases := map[string]struct {
		reason string
		a, b   dag.Node
		want   string
	}{
		"Order":    {reason: "the order of dependencies", a: on(node("acme.io/x v1.0.0: acme.io/a; acme.io/b"), "a", ""), b: on(node("acme.io/x v1.0.0: acme.io/b; acme.io/a"), "b", "")},
		"Spelling": {reason: "spellings of a source", a: on(node("acme/x v1.0.0: acme/a >=v1.0.0, <v2"), "a", ""), b: on(node("docker.io/acme/x v1.0.0: index.docker.io/acme/a >= v1.0.0,<v2 "), "b", "")},
		"Hint":     {reason: "a hint at the kind demands nothing", a: on(node("acme.io/x v1.0.0: Provider acme.io/a"), "a", ""), b: on(node("acme.io/x v1.0.0: Function acme.io/a"), "b", "")},
		"Twice":    {reason: "the same demand twice", a: on(node("acme.io/x v1.0.0: acme.io/a; acme.io/a"), "a", ""), b: on(node("acme.io/x v1.0.0: acme.io/a"), "b", "")},
		"Version": {
			reason: "versions", a: on(node("acme.io/x v1.0.0"), "a", ""), b: on(node("acme.io/x v2.0.0"), "b", ""),
			want: `acme.io/x is provided twice: by "b" (v2.0.0) and "a" (v1.0.0)`,
		},
		"Kind": {
			reason: "kinds", a: on(node("acme.io/x v1.0.0"), "a", meta.Provider), b: on(node("acme.io/x v1.0.0"), "b", meta.Function),
			want: `acme.io/x is provided twice: by "b" (v1.0.0) and "a" (v1.0.0); "b" says that it is a Function, "a" that it is a Provider`,
		},
		"Demands": {
			reason: "demands", a: on(node("acme.io/x v1.0.0: acme.io/a >=v1; acme.io/c"), "a", ""), b: on(node("acme.io/x v1.0.0: acme.io/a >=v2; acme.io/c"), "b", ""),
			want: `acme.io/x is provided twice: by "a" (v1.0.0) and "b" (v1.0.0); only "a" depends on package acme.io/a >=v1, only "b" depends on package acme.io/a >=v2`,
		},
		"Unreadable": {
			reason: "a range that cannot be read is not one that can", a: on(node("acme.io/x v1.0.0: acme.io/a > =v1"), "a", ""), b: on(node("acme.io/x v1.0.0: acme.io/a >=v1"), "b", ""),
			want: "acme.io/x is provided twice: by",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, nodes := range [][]dag.Node{{tc.a, tc.b}, {tc.b, tc.a}} {
				g, err := dag.NewGraph(nodes...)
				if len(g.Nodes()) != 1 {
					t.Fatalf("%s: %d nodes", tc.reason, len(g.Nodes()))
				}
				duplicate := (*dag.DuplicateError)(nil)
				if tc.want == "" {
					if errors.As(err, &duplicate) || len(g.Nodes()[0].Owners) != 2 {
						t.Errorf("%s make two nodes of one: %v", tc.reason, err)
					}
					continue
				}
				if !errors.As(err, &duplicate) || !strings.HasPrefix(duplicate.Error(), tc.want) {
					t.Errorf("%s: %v", tc.reason, err)
				}
			}
		})
	}
	many := make([]dag.Node, 1000)
	for i := range many {
		many[i] = node("acme.io/x v1." + strings.Repeat("1", i%50+1) + ".0")
	}
	if _, err := dag.NewGraph(many...); len(err.Error()) > 1000 {
		t.Errorf("the error of many is %d bytes long", len(err.Error()))
	}
}
