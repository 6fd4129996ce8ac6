package dag_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// Nothing, wherever it may be given, is a typed error or an empty answer, and never a
// panic.
func TestNothing(t *testing.T) {
	ctx := t.Context()
	catalogError := func(what string, err error) {
		t.Helper()
		if !errors.As(err, new(*dag.CatalogError)) || !strings.Contains(err.Error(), "no catalog was given") {
			t.Errorf("%s: error is %v, want a *CatalogError", what, err)
		}
	}
	plan, err := dag.Resolve(ctx, deps("acme.io/a"), nil, nil)
	catalogError("Resolve without a catalog", err)
	if plan == nil || len(plan.Blocked) != 1 {
		t.Errorf("the plan is %+v", plan)
	}
	if plan, err := dag.Resolve(ctx, nil, nil, nil); err != nil || len(plan.Packages) != 0 {
		t.Errorf("nothing is resolved to %v, %v", plan, err)
	}
	_, err = dag.ClosureOf(ctx, deps("acme.io/a"), nil, nil)
	catalogError("ClosureOf without a catalog", err)
	_, err = dag.Outdated(ctx, nodes("acme.io/a v1.0.0"), nil)
	catalogError("Outdated without a catalog", err)
	if updates, err := dag.Outdated(ctx, nil, nil); updates != nil || err != nil {
		t.Errorf("of nothing %v is outdated, %v", updates, err)
	}
	_, err = dag.Resolve(ctx, deps("acme.io/a"), dag.ByKind(nil, nil), nil)
	catalogError("ByKind of nothing", err)

	var x *dag.KindIndex
	ref := meta.CRDRef{Name: "A", Group: "acme.io", Version: "v1"}
	if !x.IsEmpty() || len(x.Find(ref)) != 0 || !new(dag.KindIndex).IsEmpty() || len(new(dag.KindIndex).Find(ref)) != 0 || !dag.NewKindIndex(nil, nil).IsEmpty() {
		t.Error("an index of nothing knows something")
	}
	if _, err := x.Follow(meta.Dependency{CRD: ref}); !errors.Is(err, meta.ErrNotFound) {
		t.Errorf("Follow in an index of nothing: %v", err)
	}
	onKind := catalog("acme.io/a v1.0.0")
	onKind.releases["acme.io/a v1.0.0"].DependsOn = []meta.Dependency{{CRD: ref}}
	if _, err := dag.Resolve(ctx, deps("acme.io/a"), dag.ByKind(onKind, nil), nil); !errors.As(err, new(*dag.NoSolutionError)) {
		t.Errorf("ByKind without an index: %v", err)
	}

	var none *dag.StaticCatalog
	for _, c := range []*dag.StaticCatalog{none, new(dag.StaticCatalog), dag.NewStaticCatalog(), dag.NewStaticCatalog(nil)} {
		_, tags := c.Tags(ctx, src("acme.io/a"))
		_, release := c.Release(ctx, src("acme.io/a"), ver("v1.0.0"))
		if !errors.Is(tags, meta.ErrNotFound) || !errors.Is(release, meta.ErrNotFound) || len(c.Releases()) != 0 {
			t.Errorf("a catalog of nothing: %v, %v", tags, release)
		}
	}

	if dag.NodesOf(nil) != nil || dag.NodesOfPackageLock(nil) != nil {
		t.Error("no lock has nodes")
	}
	if _, err := dag.NewGraph(dag.NodeOf(nil)); !errors.As(err, new(*dag.NodeError)) {
		t.Errorf("the node of no release: %v", err)
	}

	l := dag.NewProjectLock(deps("acme.io/a"), nil)
	if l.Check(deps("acme.io/a")) != nil || len(l.Packages) != 0 || len(l.Nodes()) != 0 {
		t.Errorf("the lock of no plan is %+v", l)
	}
	var nolock *dag.ProjectLock
	if err := nolock.Check(deps("acme.io/a")); !errors.As(err, new(*dag.StaleProjectLockError)) {
		t.Errorf("no lock is for everything: %v", err)
	}
	if nolock.Check(nil) != nil || nolock.Nodes() != nil {
		t.Error("no lock is for something")
	}
	data, err := nolock.Encode()
	if again, derr := dag.DecodeProjectLock(data); err != nil || derr != nil || len(again.Roots) != 0 {
		t.Errorf("no lock is written as %s, %v, %v", data, err, derr)
	}
	if err := nolock.UnmarshalJSON(data); err == nil {
		t.Error("a lock was read into nothing")
	}
	for _, decode := range []func([]byte) error{
		func(b []byte) error { _, err := dag.DecodeCatalog(b); return err },
		func(b []byte) error { _, err := dag.DecodeProjectLock(b); return err },
	} {
		if err := decode(nil); !errors.Is(err, meta.ErrInvalid) {
			t.Errorf("nothing is read: %v", err)
		}
	}
}

// The zero Graph is one without packages; the zero Source is in none.
func TestNothingInGraph(t *testing.T) {
	for _, g := range []*dag.Graph{new(dag.Graph), mustGraph(t), mustGraph(t, nodes("acme.io/a v1.0.0: acme.io/b")...)} {
		zero := meta.Source{}
		checks := map[string]error{}
		_, checks["Trace"] = g.Trace(zero)
		_, checks["Dependencies"] = g.Dependencies(zero)
		_, checks["Dependents"] = g.Dependents(zero)
		_, checks["AllDependents"] = g.AllDependents(zero)
		for name, err := range checks {
			if !errors.As(err, new(*dag.MissingError)) || err.Error() != "a package without a name is not in the graph" {
				t.Errorf("%s of the zero Source: %v", name, err)
			}
		}
		if _, ok := g.Node(zero); ok || g.Path(zero, zero) != nil {
			t.Error("there is a package without a name")
		}
		for r := range g.Why(zero) {
			t.Errorf("a package without a name is there because of %v", r)
		}
		for _, n := range g.Orphans(nil) {
			t.Errorf("where nobody says what was asked for, %s is an orphan", n.Source)
		}
		if _, err := g.Order(); err != nil {
			t.Error(err)
		}
		if _, err := g.Layers(); err != nil {
			t.Error(err)
		}
		if len(g.Cycles())+len(g.Unsatisfied())+len(g.Given()) != 0 || len(g.Sound()) != 0 || len(g.Roots()) != len(g.Nodes()) || len(g.Missing()) != len(g.Spoilt()) {
			t.Error("a graph of next to nothing has something")
		}
		var b bytes.Buffer
		if _, err := json.Marshal(g); err != nil || g.WriteDOT(&b) != nil || g.WriteMermaid(&b) != nil {
			t.Errorf("it cannot be drawn: %v", err)
		}
		if g.WriteDOT(nil) == nil || g.WriteMermaid(nil) == nil {
			t.Error("it was drawn to nobody")
		}
	}
}

// Every error that a caller may make by hand prints.
func TestNothingInErrors(t *testing.T) {
	for _, err := range []error{
		&dag.AnswerError{}, &dag.CatalogError{}, &dag.ConstraintError{}, &dag.CrossplaneError{}, &dag.CycleError{},
		&dag.DependencyError{}, &dag.DuplicateError{}, &dag.EdgeError{}, &dag.HeldError{}, &dag.KindError{},
		&dag.MissingError{}, &dag.NodeError{}, &dag.NoSolutionError{}, &dag.StaleProjectLockError{},
		&dag.NoSolutionError{Conflicts: []dag.Conflict{{Packages: []dag.PackageConflict{{Candidates: []dag.Rejected{{}}}}, Relax: &dag.Requirement{}}}},
		&dag.DuplicateError{Nodes: make([]dag.Node, 3)},
	} {
		if err.Error() == "" || strings.Contains(err.Error(), "nil") || strings.Contains(err.Error(), "\n\n") {
			t.Errorf("%T prints as %q", err, err)
		}
		if _, jerr := json.Marshal(err); jerr != nil {
			t.Errorf("%T: %v", err, jerr)
		}
	}
}

// A mute catalog answers with nothing at all.
type mute struct{}

func (mute) Tags(context.Context, meta.Source) ([]string, error) { return []string{"v1.0.0"}, nil }
func (mute) Release(context.Context, meta.Source, meta.Version) (*meta.Release, error) {
	return nil, nil
}

func TestMuteCatalog(t *testing.T) {
	if _, err := resolve(deps("acme.io/a"), mute{}, nil); !errors.As(err, new(*dag.NoSolutionError)) {
		t.Errorf("Resolve: %v", err)
	}
	if _, err := dag.ClosureOf(t.Context(), deps("acme.io/a"), mute{}, nil); !errors.As(err, new(*dag.EdgeError)) {
		t.Errorf("ClosureOf: %v", err)
	}
	if _, err := resolve(deps("acme.io/a"), dag.ByKind(mute{}, nil), nil); !errors.As(err, new(*dag.NoSolutionError)) {
		t.Errorf("ByKind: %v", err)
	}
}
