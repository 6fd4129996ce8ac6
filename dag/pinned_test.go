package dag_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
)

// A digest is the version whose tag has it in the catalog, as if that tag had been written
// before it, whatever the options keep out.
func TestPinnedDigest(t *testing.T) {
	a, b, c := digest("a"), digest("b"), digest("c")
	lines := "acme.io/x v1.0.0@" + a + "\nacme.io/x v1.1.0@" + b + "\nacme.io/x v1.2.0-rc.1@" + c
	for name, tc := range map[string]struct {
		reason    string
		roots     string
		installed string
		opts      dag.ResolveOptions
		want      []string
		fault     string // a part of the explanation
	}{
		"Installed": {
			reason: "the digest of what is installed is what is installed", roots: "acme.io/x " + a, installed: "acme.io/x v1.0.0@" + a,
			opts: dag.ResolveOptions{NoUpgrades: true, NoDowngrades: true},
			want: []string{"keep acme.io/x v1.0.0@" + a + ": it meets every requirement"},
		},
		"InstalledOnce": {
			reason: "it is one candidate, not two", roots: "acme.io/x " + a + "; acme.io/x >=v2", installed: "acme.io/x v1.0.0@" + a,
			want:  []string{"keep acme.io/x v1.0.0@" + a + ": it meets every requirement", "blocked acme.io/x: the request for >=v2 cannot be met"},
			fault: "candidates: v1.2.0-rc.1 (fails 1 and 2), v1.1.0 (fails 1 and 2), v1.0.0@" + a + " (fails 1)\n",
		},
		"NoUpgrades": {
			reason: "the digest of a newer tag is an upgrade", roots: "acme.io/x " + b, installed: "acme.io/x v1.0.0",
			opts:  dag.ResolveOptions{NoUpgrades: true},
			want:  []string{"keep acme.io/x v1.0.0: it meets every requirement", "blocked acme.io/x: the request for " + b + " cannot be met"},
			fault: "v1.0.0 is installed, and upgrades are not allowed",
		},
		"NoDowngrades": {
			reason: "and no downgrade", roots: "acme.io/x " + b, installed: "acme.io/x v1.0.0",
			opts: dag.ResolveOptions{NoDowngrades: true},
			want: []string{"replace acme.io/x " + b + ": the request requires " + b + ": the digest of v1.0.0 is not known: " + b + " is asked for"},
		},
		"KeptOut": {
			reason: "a pre-release that is kept out still tells what the digest of it is", roots: "acme.io/x " + c + "; acme.io/x >=v1.2.0-0",
			opts: dag.ResolveOptions{NoPrereleases: true},
			want: []string{"install acme.io/x " + c + ": it is asked for"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.opts.Installed = nodes(tc.installed)
			plan, err := resolve(deps(tc.roots), catalog(lines), &tc.opts)
			if diff := cmp.Diff(tc.want, actions(plan)); diff != "" {
				t.Errorf("%s (-want +got):\n%s\nerror: %v", tc.reason, diff, err)
			}
			if (err != nil) != (tc.fault != "") || !strings.Contains(errText(err), tc.fault) {
				t.Errorf("%s: error is %v", tc.reason, err)
			}
		})
	}
}

// A moving tag is no version to upgrade to, however well it looks in a range.
func TestUpgradePastMovingTag(t *testing.T) {
	plan, err := resolve(deps("acme.io/app; acme.io/x"),
		catalog("acme.io/app v1.0.0: acme.io/x >=v2.0.0\nacme.io/x v1.0.0\nacme.io/x v2\nacme.io/x v2.1.0"),
		&dag.ResolveOptions{Installed: nodes("acme.io/x v1.0.0"), Upgrade: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"upgrade acme.io/x v2.1.0: acme.io/app v1.0.0 (root) requires >=v2.0.0: v1.0.0 is not in >=v2.0.0 (1.0.0 is less than v2.0.0)",
		"install acme.io/app v1.0.0: it is asked for",
	}
	if diff := cmp.Diff(want, actions(plan)); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}
