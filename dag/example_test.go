package dag_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// shelf is a catalog of a few releases. A program would use a registry instead,
// with xpkg.Client.
type shelf []meta.Release

func (s shelf) Tags(_ context.Context, source meta.Source) ([]string, error) {
	var tags []string
	for _, r := range s {
		if r.Source.Equal(source) {
			tags = append(tags, r.Version.Tag())
		}
	}
	if len(tags) == 0 {
		return nil, fmt.Errorf("repository %s: %w", source, meta.ErrNotFound)
	}
	return tags, nil
}

func (s shelf) Release(_ context.Context, source meta.Source, version meta.Version) (*meta.Release, error) {
	for _, r := range s {
		if r.Source.Equal(source) && r.Version.Tag() == version.Tag() {
			return &r, nil
		}
	}
	return nil, fmt.Errorf("%s %s: %w", source, version, meta.ErrNotFound)
}

// on is a dependency on a package.
func on(source, constraint string) meta.Dependency {
	s, err := meta.ParseSource(source)
	if err != nil {
		panic(err)
	}
	c, err := meta.ParseConstraint(constraint)
	if err != nil {
		panic(err)
	}
	return meta.Dependency{Package: s, Constraint: c}
}

// release is one version of a package and what it depends on.
func release(ref string, dependsOn ...meta.Dependency) meta.Release {
	r, err := meta.ParseReference(ref)
	if err != nil {
		panic(err)
	}
	return meta.Release{Source: r.Source, Version: r.Version(), DependsOn: dependsOn}
}

func Example() {
	catalog := shelf{
		release("xpkg.example.org/acme/platform:v1.2.0",
			on("xpkg.example.org/acme/provider-aws", ">=v1.0.0, <v2.0.0"),
			on("xpkg.example.org/acme/function-auto", ">=v0.5.0")),
		release("xpkg.example.org/acme/provider-aws:v1.0.0"),
		release("xpkg.example.org/acme/provider-aws:v1.9.0"),
		release("xpkg.example.org/acme/provider-aws:v2.0.0"),
		release("xpkg.example.org/acme/function-auto:v0.6.0"),
	}
	roots := []meta.Dependency{on("xpkg.example.org/acme/platform", "v1.2.0")}
	plan, err := dag.Resolve(context.Background(), roots, catalog, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range plan.Packages {
		fmt.Println(p.Source, p.Version)
	}
	// Output:
	// xpkg.example.org/acme/function-auto v0.6.0
	// xpkg.example.org/acme/provider-aws v1.9.0
	// xpkg.example.org/acme/platform v1.2.0
}

func ExampleResolve_noSolution() {
	catalog := shelf{
		release("acme.io/network:v1.0.0", on("acme.io/provider-aws", ">=v2.0.0")),
		release("acme.io/database:v0.9.0", on("acme.io/provider-aws", "<v2.0.0")),
		release("acme.io/provider-aws:v1.9.0"),
		release("acme.io/provider-aws:v2.0.0"),
		release("acme.io/provider-aws:v2"),
		release("acme.io/dashboards:v1.0.0"),
	}
	roots := []meta.Dependency{
		on("acme.io/network", "v1.0.0"), on("acme.io/database", "v0.9.0"), on("acme.io/dashboards", ""),
	}
	plan, err := dag.Resolve(context.Background(), roots, catalog, nil)
	var none *dag.NoSolutionError
	if errors.As(err, &none) {
		fmt.Println(none)
	}
	fmt.Println("still to be installed:", plan.Packages[0].Source)
	// Output:
	// no version of acme.io/provider-aws satisfies all requirements:
	//   1  <v2.0.0   from acme.io/database v0.9.0 (root)
	//   2  >=v2.0.0  from acme.io/network v1.0.0 (root)
	//   candidates: v2.0.0 (fails 1), v1.9.0 (fails 2); 1 tag ignored: v2 (partial, moved along with newer versions)
	// and no version of acme.io/database avoids that:
	//   3  v0.9.0  from the request
	//   candidates: v0.9.0 (brings 1)
	// and no version of acme.io/network avoids that:
	//   4  v1.0.0  from the request
	//   candidates: v1.0.0 (brings 2)
	// smallest change: relax "<v2.0.0" in acme.io/database v0.9.0
	// still to be installed: acme.io/dashboards
}

func ExampleGraph_Order() {
	app := release("acme.io/app:v1.0.0", on("acme.io/lib", ">=v1.0.0"))
	lib := release("acme.io/lib:v1.4.0")
	graph, err := dag.NewGraph(dag.NodeOf(&app), dag.NodeOf(&lib))
	if err != nil {
		fmt.Println(err)
		return
	}
	order, err := graph.Order()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range order {
		fmt.Println(n.Source, n.Version)
	}
	// Output:
	// acme.io/lib v1.4.0
	// acme.io/app v1.0.0
}

func ExampleGraph_Order_cycle() {
	a := release("acme.io/a:v1.0.0", on("acme.io/b", ""))
	b := release("acme.io/b:v1.0.0", on("acme.io/c", ""))
	c := release("acme.io/c:v1.0.0", on("acme.io/a", ""))
	fine := release("acme.io/fine:v1.0.0")
	graph, err := dag.NewGraph(dag.NodeOf(&c), dag.NodeOf(&fine), dag.NodeOf(&b), dag.NodeOf(&a))
	if err != nil {
		fmt.Println(err)
		return
	}
	order, err := graph.Order()
	var cycle *dag.CycleError
	if errors.As(err, &cycle) {
		fmt.Println(cycle)
	}
	fmt.Println("not touched by it:", order[0].Source)
	// Output:
	// dependency cycle: acme.io/a -> acme.io/b -> acme.io/c -> acme.io/a
	// not touched by it: acme.io/fine
}

func ExampleGraph_Missing() {
	a := release("acme.io/a:v1.0.0", on("acme.io/provider-aws", ">=v2.0.0"))
	b := release("acme.io/b:v1.0.0", on("acme.io/provider-aws", "<v3.0.0"))
	graph, err := dag.NewGraph(dag.NodeOf(&a), dag.NodeOf(&b))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range graph.Missing() {
		fmt.Println(m)
	}
	// Output:
	// acme.io/provider-aws is not in the graph; required by acme.io/a v1.0.0 (>=v2.0.0), acme.io/b v1.0.0 (<v3.0.0)
}

func ExampleGraph_Unsatisfied() {
	app := release("acme.io/app:v1.0.0", on("acme.io/lib", ">=v2.0.0"))
	lib := release("acme.io/lib:v1.4.0")
	graph, err := dag.NewGraph(dag.NodeOf(&app), dag.NodeOf(&lib))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, u := range graph.Unsatisfied() {
		fmt.Println(u)
	}
	// Output:
	// acme.io/lib: v1.4.0 is not in >=v2.0.0 (1.4.0 is less than v2.0.0), required by acme.io/app v1.0.0
}

// A tool reads the lock of a cluster, and tells why a package is there, what can be
// installed at the same time, and what is wrong.
func ExampleNodesOf() {
	lock, err := install.DecodeLock([]byte(`{
		"apiVersion": "pkg.crossplane.io/v1beta1", "kind": "Lock",
		"metadata": {"name": "lock", "resourceVersion": "7"},
		"packages": [
			{"name": "platform-1", "type": "Configuration", "source": "acme.io/platform", "version": "v1.2.0", "dependencies": [
				{"package": "acme.io/provider-net", "type": "Provider", "constraints": ">=v1.0.0"}]},
			{"name": "net-1", "type": "Provider", "source": "acme.io/provider-net", "version": "v1.1.0", "dependencies": [
				{"package": "acme.io/provider-family", "type": "Provider", "constraints": ">=v2.0.0"}]},
			{"name": "family-1", "type": "Provider", "source": "acme.io/provider-family", "version": "v1.9.0", "dependencies": []}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	graph, err := dag.NewGraph(dag.NodesOf(lock)...)
	if err != nil {
		fmt.Println(err) // the graph is there all the same
	}
	family, _ := meta.ParseSource("acme.io/provider-family")
	for r := range graph.Why(family) {
		fmt.Println(r.Constraint, "from", r.Origin())
	}
	for _, s := range graph.Spoilt() {
		fmt.Println(s.Node.Source, "is spoilt:", s.Err, len(s.Needs))
	}
	// What was planned by the lock at version 7 is not for the lock at version 8.
	lock.Metadata.ResourceVersion = "8"
	fmt.Println(lock.Unchanged("7"))
	// Output:
	// >=v2.0.0 from acme.io/provider-net v1.1.0 <- acme.io/platform v1.2.0 (root)
	// acme.io/platform is spoilt: <nil> 1
	// acme.io/provider-net is spoilt: acme.io/provider-family: v1.9.0 is not in >=v2.0.0 (1.9.0 is less than v2.0.0), required by acme.io/provider-net v1.1.0 0
	// the lock "lock" has changed: the plan is for resource version "7", and it is at "8"
}
