package dag_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// forged is a text that turns a terminal red, goes back to the start of its line and
// turns the direction of what follows.
const forged = "\x1b[31mred\r\u202eno\u0085\x00\xff"

// A forger is a catalog that puts such texts wherever it may.
type forger struct{ *memory }

func (f forger) Tags(ctx context.Context, s meta.Source) ([]string, error) {
	tags, err := f.memory.Tags(ctx, s)
	if err != nil {
		return nil, errors.Join(errors.New(forged), err)
	}
	return append([]string{forged, "v1" + forged, "v1.0.0" + forged}, tags...), nil
}

func (f forger) Release(ctx context.Context, s meta.Source, v meta.Version) (*meta.Release, error) {
	r, err := f.memory.Release(ctx, s, v)
	if err != nil {
		return nil, errors.Join(errors.New(forged), err)
	}
	copied := *r
	copied.Kind = meta.Kind(forged)
	return &copied, nil
}

// checkText fails for a text with a character that a terminal would obey; a line feed may
// be where the text has lines.
func checkText(t *testing.T, what, text string, lines bool) {
	t.Helper()
	for _, r := range text {
		if !unicode.IsPrint(r) && (r != '\n' || !lines) {
			t.Errorf("%s holds %q: %q", what, r, text)
			return
		}
	}
}

// What a catalog, a lock and metadata say goes into texts for people only as far as it
// can be printed.
func TestHostileTexts(t *testing.T) {
	lines := `acme.io/a v1.0.0: acme.io/x >=v1; acme.io/gone
		acme.io/b v2.0.0: acme.io/x >=v1
		acme.io/c v1.0.0: acme.io/x >=v3
		acme.io/d v1.0.0: acme.io/down
		acme.io/x v1.0.0
		acme.io/x v2.0.0`
	m := catalog(lines)
	m.fail("acme.io/down", errors.New("503 "+forged))
	m.failVersion("acme.io/x", "v2.0.0", errors.Join(meta.ErrNotPackage, errors.New(forged)))
	b := m.releases["acme.io/b v2.0.0"]
	b.DependsOn[0].Kind = "Provider" + forged
	b.DependsOn = append(b.DependsOn, meta.Dependency{CRD: meta.CRDRef{Name: forged, Group: "acme.io", Version: "v1"}})
	c := m.releases["acme.io/c v1.0.0"]
	c.DependsOn[0].Constraint = con(">=v3,\n\t<v4")
	roots := deps("acme.io/a; acme.io/b; acme.io/c; acme.io/d; acme.io/e")
	roots[1].Kind = "Provider" + forged

	plan, err := resolve(roots, forger{m}, &dag.ResolveOptions{Installed: nodes("acme.io/x v1.0.0\nacme.io/e v1.0.0")})
	if plan == nil || err == nil {
		t.Fatalf("plan %v, error %v", plan, err)
	}
	checkText(t, "the error", err.Error(), true)
	for _, line := range strings.Split(err.Error(), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "red") {
			t.Errorf("a line is forged: %q", line)
		}
	}
	if len(plan.Warnings) < 3 || len(plan.Blocked) < 2 {
		t.Errorf("%d warnings, %d blocked: the test tests too little", len(plan.Warnings), len(plan.Blocked))
	}
	for _, w := range plan.Warnings {
		checkText(t, "a warning", w.String(), false)
		checkText(t, "the message of a warning", w.Message, false)
	}
	for _, b := range plan.Blocked {
		checkText(t, "a reason", b.Reason, false)
	}
	for _, p := range plan.Packages {
		checkText(t, "a reason", p.Reason, false)
	}
	_, err = dag.ClosureOf(t.Context(), roots, forger{m}, nil)
	checkText(t, "the error of a closure", err.Error(), true)
	_, err = dag.Outdated(t.Context(), nodes("acme.io/nowhere v1.0.0"), forger{m})
	checkText(t, "the error of outdated", err.Error(), false)

	invalid := meta.Dependency{}
	if p, _ := meta.Decode([]byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"a"},"spec":{"dependsOn":[{"provider":"a\u001b b"}]}}`)); p != nil && len(p.DependsOn) == 1 {
		invalid = p.DependsOn[0]
	}
	if invalid.Package.String() != "a\x1b b" {
		t.Fatalf("the dependency is %v", invalid)
	}
	n := node("acme.io/a v1.0.0")
	n.Owners, n.DependsOn, n.Kind = []string{forged}, []meta.Dependency{invalid, c.DependsOn[0]}, forged
	other := node("acme.io/a v1.0.0")
	g, err := dag.NewGraph(n, other, dag.Node{Owners: []string{forged}}, node("acme.io/x v1.0.0"))
	checkText(t, "the error of a graph", err.Error(), true)
	for _, u := range g.Unsatisfied() {
		checkText(t, "an unmet demand", u.Error(), false)
	}
	_, err = resolve([]meta.Dependency{invalid}, m, nil)
	checkText(t, "the error of a root", err.Error(), false)
	for _, err := range []error{
		&dag.MissingError{Source: invalid.Package}, &dag.CycleError{Path: []meta.Source{invalid.Package, invalid.Package}},
		&dag.KindError{Kind: meta.CRDRef{Name: forged}}, &dag.KindError{Kind: meta.CRDRef{Name: forged}, Providers: make([]dag.KindProvider, 2)},
		&dag.StaleProjectLockError{Added: []dag.LockedRoot{{Source: invalid.Package, Constraint: con(forged)}}},
		&dag.CrossplaneError{Source: invalid.Package, Constraint: con(forged)}, &dag.HeldError{Source: invalid.Package, Reason: forged},
		&dag.AnswerError{Source: invalid.Package, Answer: &meta.Release{Source: invalid.Package, Digest: forged}},
	} {
		checkText(t, "an error", err.Error(), false)
	}
}
