package dag_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// actions lists a plan as "ACTION SOURCE VERSION: REASON".
func actions(p *dag.Plan) []string {
	var out []string
	for _, x := range slices.Concat(p.Packages, p.Removed) {
		text := fmt.Sprintf("%s %s %s: %s", x.Action, x.Source, x.Version, x.Reason)
		if len(x.Via) > 0 {
			text += fmt.Sprintf(" via %v", x.Via)
		}
		out = append(out, text)
	}
	for _, b := range p.Blocked {
		out = append(out, fmt.Sprintf("blocked %s: %s", b.Source, b.Reason))
	}
	for _, w := range p.Warnings {
		out = append(out, "warning "+w.String())
	}
	return out
}

func TestPlanActions(t *testing.T) {
	const lines = `acme.io/a v1.0.0: acme.io/x >=v1
		acme.io/a v2.0.0: acme.io/x >=v2
		acme.io/old v1.0.0: acme.io/older
		acme.io/older v1.0.0
		acme.io/x v1.0.0
		acme.io/x v1.1.0
		acme.io/x v1.1.7
		acme.io/x v1.2.0
		acme.io/x v1.3.0-rc.1
		acme.io/x v2.0.0
		acme.io/x v2.0.1`
	cases := map[string]struct {
		reason    string
		roots     string
		installed string
		opts      dag.ResolveOptions
		fail      string // a package whose versions cannot be listed
		want      []string
		solution  bool
	}{
		"Keep": {
			reason: "what is installed stays although there is something newer", roots: "acme.io/a",
			installed: "acme.io/a v1.0.0: acme.io/x >=v1\nacme.io/x v1.0.0", solution: true,
			want: []string{"keep acme.io/x v1.0.0: it meets every requirement", "keep acme.io/a v1.0.0: it meets every requirement"},
		},
		"Upgrade": {
			reason: "the newest is taken where the caller asks for it", roots: "acme.io/a",
			installed: "acme.io/a v1.0.0: acme.io/x >=v1\nacme.io/x v1.0.0", opts: dag.ResolveOptions{Upgrade: true}, solution: true,
			want: []string{"upgrade acme.io/x v2.0.1: acme.io/a v2.0.0 (root) requires >=v2: v1.0.0 is not in >=v2 (1.0.0 is less than v2)", "upgrade acme.io/a v2.0.0: it is the newest version that will do"},
		},
		"Needed": {
			reason: "only what must change is changed", roots: "acme.io/a v2.0.0; acme.io/old",
			installed: "acme.io/a v1.0.0: acme.io/x >=v1\nacme.io/x v2.0.0\nacme.io/older v1.0.0", solution: true,
			want: []string{
				"keep acme.io/x v2.0.0: it meets every requirement", "upgrade acme.io/a v2.0.0: the request requires v2.0.0: v1.0.0 is not in v2.0.0 (1.0.0 is not equal to v2.0.0)",
				"keep acme.io/older v1.0.0: it meets every requirement", "install acme.io/old v1.0.0: it is asked for",
			},
		},
		"Downgrade": {
			reason: "an older version is planned where only that will do", roots: "acme.io/x <v1.1.0", installed: "acme.io/x v1.1.0", solution: true,
			want: []string{"downgrade acme.io/x v1.0.0: the request requires <v1.1.0: v1.1.0 is not in <v1.1.0 (1.1.0 is greater than or equal to v1.1.0)"},
		},
		"Remove": {
			reason: "what nothing needs is removed, dependents first", roots: "acme.io/x",
			installed: "acme.io/old v1.0.0: acme.io/older\nacme.io/older v1.0.0\nacme.io/x v1.0.0", solution: true,
			want: []string{"keep acme.io/x v1.0.0: it meets every requirement", "remove acme.io/old v1.0.0: nothing that is asked for needs it", "remove acme.io/older v1.0.0: nothing that is asked for needs it"},
		},
		"BlockedStays": {
			reason: "a root that cannot be met stays as it is installed, with what it needs", roots: "acme.io/old >=v9; acme.io/x",
			installed: "acme.io/old v1.0.0: acme.io/older\nacme.io/older v1.0.0",
			want: []string{
				"keep acme.io/older v1.0.0: it meets every requirement", "keep acme.io/old v1.0.0: it meets every requirement", "install acme.io/x v2.0.1: it is asked for",
				"blocked acme.io/old: the request for >=v9 cannot be met",
			},
		},
		"Stepwise": {
			reason: "the newest release of each minor version between is on the way", roots: "acme.io/x >=v2", installed: "acme.io/x v1.0.0",
			opts: dag.ResolveOptions{Stepwise: true}, solution: true,
			want: []string{"upgrade acme.io/x v2.0.1: the request requires >=v2: v1.0.0 is not in >=v2 (1.0.0 is less than v2) via [v1.1.7 v1.2.0]"},
		},
		"StepwiseAccepted": {
			reason: "what is installed is changed after what it depends on, so it must accept the steps", roots: "acme.io/a; acme.io/x v2.0.1",
			installed: "acme.io/a v1.0.0: acme.io/x >=v1\nacme.io/old v1.0.0: acme.io/x <v1.1.7\nacme.io/x v1.0.0",
			opts:      dag.ResolveOptions{Stepwise: true}, solution: true,
			want: []string{
				"upgrade acme.io/x v2.0.1: the request requires v2.0.1: v1.0.0 is not in v2.0.1 (1.0.0 is not equal to v2.0.1) via [v1.1.0]",
				"keep acme.io/a v1.0.0: it meets every requirement",
				"remove acme.io/old v1.0.0: nothing that is asked for needs it",
				"warning acme.io/x v2.0.1: no release of v1.2 is on the way from v1.0.0: acme.io/old v1.0.0, which is installed, requires <v1.1.7",
			},
		},
		"LatestAskedFor": {
			reason: "a tag that is no version is replaced where the package itself is asked for", roots: "acme.io/x >=v2", installed: "acme.io/x latest", solution: true,
			want: []string{"replace acme.io/x v2.0.1: the request requires >=v2: latest is not a version: name one such as v1.2.3, or a digest"},
		},
		"Skip": {
			reason: "a package that is taken as given demands nothing, and that is said", roots: "acme.io/old",
			opts: dag.ResolveOptions{SkipDependencies: []meta.Source{src("acme.io/old")}}, solution: true,
			want: []string{"install acme.io/old v1.0.0: it is asked for", "warning acme.io/old v1.0.0: it is taken as given: its dependencies are neither followed nor demanded"},
		},
		"NotListed": {
			reason: "what is installed stays when its versions cannot be listed", roots: "acme.io/a", fail: "acme.io/x",
			installed: "acme.io/x v1.0.0", opts: dag.ResolveOptions{}, solution: true,
			want: []string{"keep acme.io/x v1.0.0: it meets every requirement", "install acme.io/a v1.0.0: it is asked for",
				"warning acme.io/x v1.0.0: its versions cannot be listed, so it is as it is installed or pinned: unavailable"},
		},
		"NotInCatalog": {
			reason: "a version that is installed is one even if the catalog does not have it any more", roots: "acme.io/x",
			installed: "acme.io/x v1.0.5", solution: true,
			want: []string{"keep acme.io/x v1.0.5: it meets every requirement",
				"warning acme.io/x v1.0.5: the catalog cannot tell about it, so what is installed is taken: acme.io/x v1.0.5: not found"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := catalog(lines)
			if tc.fail != "" {
				m.fail(tc.fail, meta.ErrUnavailable)
			}
			tc.opts.Installed = nodes(tc.installed)
			plan, err := resolve(deps(tc.roots), m, &tc.opts)
			if (err == nil) != tc.solution {
				t.Fatalf("%s\nerror: %v", tc.reason, err)
			}
			if diff := cmp.Diff(tc.want, actions(plan)); diff != "" {
				t.Errorf("%s\nplan (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestHeldError(t *testing.T) {
	o := &dag.ResolveOptions{Installed: nodes("acme.io/x v1.0.0"), NoUpgrades: true}
	_, err := resolve(deps("acme.io/x >=v2"), catalog("acme.io/x v1.0.0\nacme.io/x v2.0.0"), o)
	var none *dag.NoSolutionError
	if !errors.As(err, &none) {
		t.Fatalf("error = %v", err)
	}
	held := new(dag.HeldError)
	if !errors.As(none.Conflicts[0].Packages[0].Candidates[0].Err, &held) || held.Installed != ver("v1.0.0") || !errors.Is(held, meta.ErrInvalid) {
		t.Errorf("candidates are %+v", none.Conflicts[0].Packages[0].Candidates)
	}
}

// The catalog of a root, which may have the credentials that its user gave, is asked
// about that root and nothing else.
func TestRootCatalog(t *testing.T) {
	const lines = "acme.io/a v1.0.0: acme.io/x\nacme.io/b v1.0.0: acme.io/x\nacme.io/x v1.0.0: acme.io/y\nacme.io/y v1.0.0"
	common, private := catalog(lines), catalog(lines)
	o := &dag.ResolveOptions{RootCatalog: func(root meta.Source) dag.Catalog {
		if root.Equal(src("acme.io/a")) {
			return private
		}
		return nil
	}}
	plan, err := resolve(deps("acme.io/a; acme.io/b"), common, o)
	if err != nil || len(plan.Packages) != 4 {
		t.Fatalf("plan %v, error %v", planned(plan), err)
	}
	if diff := cmp.Diff(map[string]int{"acme.io/a": 1, "acme.io/a v1.0.0": 1}, private.asked); diff != "" {
		t.Errorf("asked with the credentials of a (-want +got):\n%s", diff)
	}
	if common.asked["acme.io/a"] != 0 || common.asked["acme.io/x"] != 1 || common.asked["acme.io/y v1.0.0"] != 1 {
		t.Errorf("asked without: %v", common.asked)
	}
}

// A meeting is a catalog whose answers come only when some questions are asked at the
// same time.
type meeting struct {
	*memory
	missing atomic.Int32
	all     chan struct{}
}

func (m *meeting) Tags(ctx context.Context, s meta.Source) ([]string, error) {
	if s.Equal(src("acme.io/app")) {
		return m.memory.Tags(ctx, s)
	}
	if m.missing.Add(-1) == 0 {
		close(m.all)
	}
	select {
	case <-m.all:
	case <-ctx.Done():
	}
	return m.memory.Tags(ctx, s)
}

func TestAskedTogether(t *testing.T) {
	m := &meeting{all: make(chan struct{})}
	m.missing.Store(4)
	m.memory = catalog("acme.io/app v1.0.0: acme.io/a; acme.io/b; acme.io/c; acme.io/d\nacme.io/a v1.0.0\nacme.io/b v1.0.0\nacme.io/c v1.0.0\nacme.io/d v1.0.0")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	plan, err := dag.Resolve(ctx, deps("acme.io/app"), m, nil)
	if err != nil || len(plan.Packages) != 5 {
		t.Errorf("plan %v, error %v: four questions were not asked at the same time", planned(plan), err)
	}
}

func TestOutdated(t *testing.T) {
	m := catalog("acme.io/a v1.0.0\nacme.io/a v2.0.0\nacme.io/x v1.0.0\nacme.io/x v1.5.0\nacme.io/x v2.0.0\nacme.io/x v3.0.0-rc.1\nacme.io/y v1.0.0\nacme.io/z v1.0.0")
	m.fail("acme.io/z", meta.ErrUnavailable)
	updates, err := dag.Outdated(t.Context(), nodes("acme.io/a v1.0.0: acme.io/x <v2.0.0\nacme.io/x v1.0.0\nacme.io/y v1.0.0\nacme.io/z v1.0.0"), m)
	var got []string
	for _, u := range updates {
		text := fmt.Sprintf("%s %s %s %s", u.Installed.Source, u.Installed.Version, u.Allowed, u.Newest)
		for _, r := range u.Requirements {
			text += " held by " + r.Origin()
		}
		got = append(got, text)
	}
	want := []string{"acme.io/a v1.0.0 v2.0.0 v2.0.0", "acme.io/x v1.0.0 v1.5.0 v2.0.0 held by acme.io/a v1.0.0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("updates (-want +got):\n%s", diff)
	}
	if !errors.Is(err, meta.ErrUnavailable) || !errors.As(err, new(*dag.CatalogError)) {
		t.Errorf("error = %v", err)
	}
}
