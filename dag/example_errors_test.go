package dag_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// Two entries of a lock for one package spoil it and what needs it. Everything else is
// answered.
func ExampleDuplicateError() {
	one, other := release("acme.io/family:v2.6.1"), release("acme.io/family:v2.6.0")
	app, fine := release("acme.io/app:v1.0.0", on("acme.io/family", "")), release("acme.io/fine:v1.0.0")
	a, b := dag.NodeOf(&one), dag.NodeOf(&other)
	a.Owners, b.Owners = []string{"provider-family"}, []string{"upbound-provider-family"}
	graph, err := dag.NewGraph(a, b, dag.NodeOf(&app), dag.NodeOf(&fine))
	var duplicate *dag.DuplicateError
	if errors.As(err, &duplicate) {
		fmt.Println(duplicate)
	}
	for _, n := range graph.Sound() {
		fmt.Println("sound:", n.Source)
	}
	// Output:
	// acme.io/family is provided twice: by "provider-family" (v2.6.1) and "upbound-provider-family" (v2.6.0)
	// sound: acme.io/fine
}

func ExampleDependencyError() {
	broken, _ := meta.ParseConstraint("banana") // says what is wrong, too
	lib, _ := meta.ParseSource("acme.io/lib")
	app := release("acme.io/app:v1.0.0", meta.Dependency{Package: lib, Constraint: broken})
	_, err := dag.NewGraph(dag.NodeOf(&app))
	var fault *dag.DependencyError
	if errors.As(err, &fault) {
		fmt.Println(fault)
		fmt.Println("of", fault.Source, "at", fault.Index)
	}
	// Output:
	// acme.io/app v1.0.0: dependsOn[0] acme.io/lib: "banana" is not a version range (improper constraint)
	// of acme.io/app at 0
}

func ExampleNodeError() {
	graph, err := dag.NewGraph(dag.Node{Owners: []string{"provider-x"}})
	var fault *dag.NodeError
	fmt.Println(errors.As(err, &fault), err)
	fmt.Println(len(graph.Nodes()))
	// Output:
	// true the node of "provider-x" names no package
	// 0
}

func ExampleMissingError() {
	app := release("acme.io/app:v1.0.0", on("acme.io/lib", ">=v1.0.0"))
	graph, _ := dag.NewGraph(dag.NodeOf(&app))
	needed, err := graph.Trace(app.Source)
	var missing *dag.MissingError
	if errors.As(err, &missing) {
		fmt.Println(missing)
	}
	fmt.Println(len(needed), errors.Is(err, meta.ErrNotFound))
	// Output:
	// acme.io/lib is not in the graph; required by acme.io/app v1.0.0 (>=v1.0.0)
	// 1 true
}

// What cannot be installed into a Crossplane is no candidate, and its reason is data.
func ExampleCrossplaneError() {
	app := release("acme.io/app:v1.0.0")
	app.Crossplane, _ = meta.ParseConstraint(">=v2.0.0")
	old, _ := meta.ParseVersion("v1.20.0")
	_, err := dag.Resolve(context.Background(), []meta.Dependency{on("acme.io/app", "")}, shelf{app}, &dag.ResolveOptions{Crossplane: old})
	var none *dag.NoSolutionError
	if errors.As(err, &none) {
		var unfit *dag.CrossplaneError
		candidate := none.Conflicts[0].Packages[0].Candidates[0]
		fmt.Println(errors.As(candidate.Err, &unfit), unfit)
	}
	// Output:
	// true acme.io/app v1.0.0 needs Crossplane >=v2.0.0, not v1.20.0
}

// What is installed may stand in the way where upgrades are ruled out.
func ExampleHeldError() {
	old, newer := release("acme.io/lib:v1.0.0"), release("acme.io/lib:v2.0.0")
	o := &dag.ResolveOptions{Installed: []dag.Node{dag.NodeOf(&old)}, NoUpgrades: true}
	plan, err := dag.Resolve(context.Background(), []meta.Dependency{on("acme.io/lib", ">=v2.0.0")}, shelf{old, newer}, o)
	var none *dag.NoSolutionError
	if errors.As(err, &none) {
		var held *dag.HeldError
		fmt.Println(errors.As(none.Conflicts[0].Packages[0].Candidates[0].Err, &held), held)
	}
	fmt.Println(plan.Packages[0].Action, plan.Packages[0].Source, plan.Packages[0].Version)
	fmt.Println("blocked:", plan.Blocked[0].Reason)
	// Output:
	// true acme.io/lib v2.0.0: v1.0.0 is installed, and upgrades are not allowed
	// keep acme.io/lib v1.0.0
	// blocked: the request for >=v2.0.0 cannot be met
}

// A flaky catalog cannot be reached for one package.
type flaky struct{ shelf }

func (f flaky) Tags(ctx context.Context, source meta.Source) ([]string, error) {
	if source.Name() == "acme.io/down" {
		return nil, fmt.Errorf("dial tcp: connection refused: %w", meta.ErrUnavailable)
	}
	return f.shelf.Tags(ctx, source)
}

// A registry that does not answer fails what needs it; the rest is resolved.
func ExampleCatalogError() {
	catalog := flaky{shelf{release("acme.io/app:v1.0.0", on("acme.io/down", "")), release("acme.io/fine:v1.0.0")}}
	roots := []meta.Dependency{on("acme.io/app", ""), on("acme.io/fine", "")}
	plan, err := dag.Resolve(context.Background(), roots, catalog, nil)
	var failed *dag.CatalogError
	if errors.As(err, &failed) {
		fmt.Println(failed)
	}
	fmt.Println(errors.Is(err, meta.ErrUnavailable), plan.Packages[0].Source)
	for _, b := range plan.Blocked {
		fmt.Println("blocked:", b.Source, b.Reason)
	}
	// Output:
	// cannot list the versions of acme.io/down: dial tcp: connection refused: unavailable; required by acme.io/app v1.0.0 (root) (any version)
	// true acme.io/fine
	// blocked: acme.io/app it needs acme.io/down, which is blocked
	// blocked: acme.io/down the catalog cannot list its versions
}

// A forgetful catalog answers every question with the same release.
type forgetful struct{ shelf }

func (f forgetful) Release(context.Context, meta.Source, meta.Version) (*meta.Release, error) {
	return &f.shelf[0], nil
}

// An answer about another package is not believed.
func ExampleAnswerError() {
	catalog := forgetful{shelf{release("acme.io/app:v1.0.0", on("acme.io/lib", "")), release("acme.io/lib:v3.0.0")}}
	_, err := dag.Resolve(context.Background(), []meta.Dependency{on("acme.io/app", "")}, catalog, nil)
	var wrong *dag.AnswerError
	if errors.As(err, &wrong) {
		fmt.Println(wrong)
	}
	// Output:
	// the catalog was asked for acme.io/lib v3.0.0 and answered with acme.io/app v1.0.0
}

// An edge that cannot be followed does not stop the rest of a closure.
func ExampleEdgeError() {
	catalog := shelf{
		release("acme.io/app:v1.0.0", on("acme.io/gone", ">=v1.0.0"), on("acme.io/lib", "")),
		release("acme.io/lib:v1.0.0"),
	}
	closure, err := dag.ClosureOf(context.Background(), []meta.Dependency{on("acme.io/app", "")}, catalog, nil)
	var edge *dag.EdgeError
	if errors.As(err, &edge) {
		fmt.Println(edge)
	}
	for _, p := range closure.Packages {
		fmt.Println(p.Source, p.Version)
	}
	// Output:
	// acme.io/gone (>=v1.0.0), required by acme.io/app v1.0.0: repository acme.io/gone: not found
	// acme.io/app v1.0.0
	// acme.io/lib v1.0.0
}

// Several packages bring a kind: one of them has to be asked for.
func ExampleKindError() {
	ref, _ := meta.ParseCRDRef("Db.db.acme.io/v1")
	brings := func(ref string) *meta.Release {
		r := release(ref)
		r.Provides = &meta.Provides{Kinds: []meta.ProvidedKind{{Group: "db.acme.io", Kind: "Db", Versions: []meta.ProvidedVersion{{Name: "v1", Served: true}}}}}
		return &r
	}
	index := dag.NewKindIndex(brings("acme.io/postgres:v1.0.0"), brings("acme.io/mysql:v1.0.0"))
	_, err := index.Follow(meta.Dependency{CRD: ref})
	var which *dag.KindError
	if errors.As(err, &which) {
		fmt.Println(which)
		followed, _ := index.Follow(meta.Dependency{CRD: ref}, which.Providers[1].Source)
		fmt.Println(followed.Package)
	}
	// Output:
	// dependsOn[0]: Db.db.acme.io/v1 is brought by acme.io/mysql, acme.io/postgres, and none of them is asked for
	// acme.io/postgres
}

// A project lock that was made for another request is stale.
func ExampleStaleProjectLockError() {
	roots := []meta.Dependency{on("acme.io/app", ">=v1.0.0")}
	plan, err := dag.Resolve(context.Background(), roots, shelf{release("acme.io/app:v1.0.0")}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	data, _ := dag.NewProjectLock(roots, plan).Encode()
	lock, err := dag.DecodeProjectLock(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lock.Check(roots))
	var stale *dag.StaleProjectLockError
	if errors.As(lock.Check([]meta.Dependency{on("acme.io/app", ">=v2.0.0")}), &stale) {
		fmt.Println(stale)
	}
	// Output:
	// <nil>
	// the project lock is stale: the project asks for acme.io/app >=v2.0.0, and no longer asks for acme.io/app >=v1.0.0
}

// What is installed at a version that somebody does not accept is told with the demand
// and with what is wrong about the version.
func ExampleConstraintError() {
	app := release("acme.io/app:v1.0.0", on("acme.io/lib", ">=v2.0.0"))
	lib := release("acme.io/lib:v1.4.0")
	graph, err := dag.NewGraph(dag.NodeOf(&app), dag.NodeOf(&lib))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range graph.Spoilt() {
		var unmet *dag.ConstraintError
		if errors.As(s.Err, &unmet) {
			fmt.Println(s.Node.Source, "needs", unmet.Installed.Source, unmet.Requirement.Constraint, "and has", unmet.Installed.Version)
		}
	}
	// Output:
	// acme.io/app needs acme.io/lib >=v2.0.0 and has v1.4.0
}
