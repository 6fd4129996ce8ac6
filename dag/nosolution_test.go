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

// Every requirement is told once, with its path, and why each candidate fails.
func TestNoSolutionText(t *testing.T) {
	const requirements = `acme.io/getting-started v0.1.0: acme.io/provider-nop <=v0.3.0; acme.io/nested v0.2.0
		acme.io/nested v0.2.0: acme.io/provider-nop =v0.2.0
		acme.io/platform v1.2.0: acme.io/provider-nop >=v0.3.1
		acme.io/provider-nop v0.2.0
		acme.io/provider-nop v0.3.0
		acme.io/provider-nop v0.3.1
		acme.io/provider-nop latest
		acme.io/provider-nop v0
		acme.io/provider-nop v0.2
		acme.io/provider-nop sha256-aa.sig`
	const want = `no version of acme.io/provider-nop satisfies all requirements:
  1  <=v0.3.0  from acme.io/getting-started v0.1.0 (root)
  2  >=v0.3.1  from acme.io/platform v1.2.0 (root)
  3  =v0.2.0   from acme.io/nested v0.2.0 <- acme.io/getting-started v0.1.0 (root)
  candidates: v0.3.1 (fails 1 and 3), v0.3.0 (fails 2 and 3), v0.2.0 (fails 2); 4 tags ignored: latest, sha256-aa.sig (no versions), v0, v0.2 (partial, moved along with newer versions)
and no version of acme.io/getting-started avoids that:
  4  v0.1.0  from the request
  candidates: v0.1.0 (brings 1)
and no version of acme.io/platform avoids that:
  5  any version  from the request
  candidates: v1.2.0 (brings 2)
smallest change: relax ">=v0.3.1" in acme.io/platform v1.2.0`
	roots := deps("acme.io/platform; acme.io/getting-started v0.1.0")
	for range 20 {
		_, err := resolve(roots, catalog(requirements), nil)
		if diff := cmp.Diff(want, errText(err)); diff != "" {
			t.Fatalf("explanation (-want +got):\n%s", diff)
		}
		slices.Reverse(roots)
	}
}

// Many versions that fail alike are told together.
func TestNoSolutionManyVersions(t *testing.T) {
	var lines strings.Builder
	lines.WriteString("acme.io/a v1.0.0: acme.io/x >=v9\n")
	for i := range 200 {
		fmt.Fprintf(&lines, "acme.io/x v1.%d.0\n", i)
	}
	_, err := resolve(deps("acme.io/a"), catalog(lines.String()), nil)
	if want := "candidates: v1.199.0 to v1.0.0 (200 versions; fail 1)"; !strings.Contains(errText(err), want) {
		t.Errorf("%q is not in:\n%v", want, err)
	}
}

func TestNoSolutionData(t *testing.T) {
	_, err := resolve(deps("acme.io/a"), catalog("acme.io/a v1.0.0: acme.io/x >=v2\nacme.io/x v1.0.0"), nil)
	var none *dag.NoSolutionError
	if !errors.As(err, &none) || len(none.Conflicts) != 1 {
		t.Fatalf("error = %v, want a *NoSolutionError with one conflict", err)
	}
	c := none.Conflicts[0]
	x := c.Packages[0]
	r := x.Requirements[0]
	if x.Source.String() != "acme.io/x" || r.Number != 1 || !r.Core || !r.Rooted || r.Constraint.String() != ">=v2" ||
		len(r.Path) != 1 || r.Path[0].String() != "acme.io/a v1.0.0" {
		t.Errorf("requirement is %+v", r)
	}
	if len(x.Candidates) != 1 || x.Candidates[0].Version != ver("v1.0.0") || x.Candidates[0].Fails[0].Number != 1 ||
		x.Candidates[0].Fails[0].Verdict.Reason != meta.ReasonOutOfRange {
		t.Errorf("candidates are %+v", x.Candidates)
	}
	if c.Relax == nil || c.Relax.Constraint.String() != ">=v2" {
		t.Errorf("relax is %+v", c.Relax)
	}
	if c.String() != err.Error() {
		t.Error("the text of the only conflict is not the text of the error")
	}
}
