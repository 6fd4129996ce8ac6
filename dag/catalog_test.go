package dag_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

func TestCatalogErrors(t *testing.T) {
	down := fmt.Errorf("registry: %w", meta.ErrUnavailable)
	const lines = `acme.io/a v1.0.0
		acme.io/a v2.0.0: acme.io/down; acme.io/lib
		acme.io/b v1.0.0: acme.io/lib
		acme.io/c v1.0.0: acme.io/a
		acme.io/lib v1.0.0
		acme.io/lib v2.0.0`
	cases := map[string]struct {
		reason  string
		damage  func(*memory)
		want    []string
		blocked []string
		err     string
		is      error
		warn    []string
	}{
		"Tags": {
			reason:  "an unreachable package blocks what needs it and nothing else, and no older version is taken for it",
			damage:  func(m *memory) { m.fail("acme.io/down", down) },
			want:    []string{"acme.io/lib v2.0.0", "acme.io/b v1.0.0"},
			blocked: []string{"acme.io/a v2.0.0: it needs acme.io/down, which is blocked", "acme.io/c v1.0.0: it needs acme.io/a, which is blocked", "acme.io/down: the catalog cannot list its versions"},
			err:     "cannot list the versions of acme.io/down: registry: unavailable; required by acme.io/a v2.0.0 (any version)",
			is:      meta.ErrUnavailable,
		},
		"Release": {
			reason: "the same goes for a version that cannot be read",
			damage: func(m *memory) {
				m.tags["acme.io/down"] = []string{"v1.0.0"}
				m.failVersion("acme.io/down", "v1.0.0", down)
			},
			want:    []string{"acme.io/lib v2.0.0", "acme.io/b v1.0.0"},
			blocked: []string{"acme.io/a v2.0.0: it needs acme.io/down, which is blocked", "acme.io/c v1.0.0: it needs acme.io/a, which is blocked", "acme.io/down v1.0.0: the catalog cannot say what it needs"},
			err:     "cannot read acme.io/down v1.0.0: registry: unavailable; required by acme.io/a v2.0.0 (any version)",
			is:      meta.ErrUnavailable,
		},
		"WrongDigest": {
			reason: "content with a wrong digest must not make the resolver fall back to an older version",
			damage: func(m *memory) {
				m.add(&meta.Release{Source: src("acme.io/down"), Version: ver("v1.0.0")})
				m.failVersion("acme.io/lib", "v2.0.0", meta.ErrDigest)
			},
			want:    []string{"acme.io/down v1.0.0"},
			blocked: []string{"acme.io/a v2.0.0: it needs acme.io/lib, which is blocked", "acme.io/b v1.0.0: it needs acme.io/lib, which is blocked", "acme.io/c v1.0.0: it needs acme.io/a, which is blocked", "acme.io/lib v2.0.0: the catalog cannot say what it needs"},
			err:     "cannot read acme.io/lib v2.0.0: digest mismatch; required by acme.io/a v2.0.0 (any version), acme.io/b v1.0.0 (root) (any version)",
			is:      meta.ErrDigest,
		},
		"NotAPackage": {
			reason: "a tag that is certainly no package is passed over, and that is said",
			damage: func(m *memory) {
				m.add(&meta.Release{Source: src("acme.io/down"), Version: ver("v1.0.0")})
				m.failVersion("acme.io/lib", "v2.0.0", meta.ErrNotPackage)
			},
			want: []string{"acme.io/down v1.0.0", "acme.io/lib v1.0.0", "acme.io/a v2.0.0", "acme.io/b v1.0.0", "acme.io/c v1.0.0"},
			warn: []string{"acme.io/lib v1.0.0: v2.0.0 was passed over: not a package"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := catalog(lines)
			tc.damage(m)
			plan, err := resolve(deps("acme.io/b; acme.io/c"), m, nil)
			if diff := cmp.Diff(tc.want, planned(plan), cmpEmpty); diff != "" {
				t.Errorf("%s\nplan (-want +got):\n%s", tc.reason, diff)
			}
			var blocked, warnings []string
			for _, b := range plan.Blocked {
				blocked = append(blocked, strings.TrimSpace(b.Source.String()+" "+b.Version.String())+": "+b.Reason)
			}
			for _, w := range plan.Warnings {
				warnings = append(warnings, w.String())
			}
			if diff := cmp.Diff(tc.blocked, blocked, cmpEmpty); diff != "" {
				t.Errorf("%s\nblocked (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.warn, warnings, cmpEmpty); diff != "" {
				t.Errorf("%s\nwarnings (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.err, errText(err)); diff != "" {
				t.Errorf("%s\nerror (-want +got):\n%s", tc.reason, diff)
			}
			if tc.is != nil && (!errors.Is(err, tc.is) || !errors.As(err, new(*dag.CatalogError))) {
				t.Errorf("%s\nerror does not match %v", tc.reason, tc.is)
			}
		})
	}
}

// A digest can be had although the tags cannot: what pins it is planned, what
// demands a range of the same package is not.
func TestPinWithoutTags(t *testing.T) {
	m := catalog("acme.io/a v1.0.0: acme.io/x " + digest("a") + "\nacme.io/b v1.0.0: acme.io/x >=v1.0.0\nacme.io/x v1.0.0@" + digest("a"))
	m.fail("acme.io/x", meta.ErrUnauthorized)
	plan, err := resolve(deps("acme.io/a"), m, nil)
	if diff := cmp.Diff([]string{"acme.io/x " + digest("a"), "acme.io/a v1.0.0"}, planned(plan)); diff != "" || err != nil {
		t.Errorf("the pin alone: error %v, plan (-want +got):\n%s", err, diff)
	}
	plan, err = resolve(deps("acme.io/a; acme.io/b"), m, nil)
	if len(plan.Packages) != 0 || !errors.Is(err, meta.ErrUnauthorized) || errors.As(err, new(*dag.NoSolutionError)) {
		t.Errorf("the pin and a range: plan %v, error %v", planned(plan), err)
	}
}

// A root that cannot be met does not take a package away from those who need it
// at another version.
func TestBlockedRoot(t *testing.T) {
	plan, err := resolve(deps("acme.io/app; acme.io/x >=v9"), catalog("acme.io/app v1.0.0: acme.io/x\nacme.io/x v1.0.0"), nil)
	if diff := cmp.Diff([]string{"acme.io/x v1.0.0", "acme.io/app v1.0.0"}, planned(plan)); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if len(plan.Blocked) != 1 || plan.Blocked[0].Reason != "the request for >=v9 cannot be met" {
		t.Errorf("blocked is %v, error %v", plan.Blocked, err)
	}
}
