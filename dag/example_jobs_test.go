package dag_test

import (
	"context"
	"fmt"
	"os"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// A tool plans what to do with a cluster, and before it does anything looks whether the
// cluster is still as it was. What a lock takes as given is left alone.
func ExamplePlan() {
	lock, err := install.DecodeLock([]byte(`{
		"apiVersion": "pkg.crossplane.io/v1beta1", "kind": "Lock",
		"metadata": {"name": "lock", "resourceVersion": "7"},
		"packages": [
			{"name": "app-1", "type": "Configuration", "source": "acme.io/app", "version": "v1.0.0", "dependencies": [
				{"package": "acme.io/lib", "type": "Provider", "constraints": ">=v1.0.0"},
				{"package": "acme.io/own", "type": "Provider", "constraints": "", "skipDependencyResolution": true}]},
			{"name": "lib-1", "type": "Provider", "source": "acme.io/lib", "version": "v1.0.0", "dependencies": []},
			{"name": "own-1", "type": "Provider", "source": "acme.io/own", "version": "v1.0.0", "dependencies": [
				{"package": "acme.io/nowhere", "type": "Provider", "constraints": ">=v9.0.0"}]},
			{"name": "old-1", "type": "Provider", "source": "acme.io/old", "version": "v0.1.0", "dependencies": []}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	catalog := shelf{
		release("acme.io/app:v1.0.0", on("acme.io/lib", ">=v1.0.0"), on("acme.io/own", "")),
		release("acme.io/app:v2.0.0", on("acme.io/lib", ">=v1.2.0"), on("acme.io/own", "")),
		release("acme.io/lib:v1.0.0"), release("acme.io/lib:v1.1.0"), release("acme.io/lib:v1.2.0"),
		release("acme.io/own:v1.0.0", on("acme.io/nowhere", ">=v9.0.0")),
	}
	plan, err := dag.Resolve(context.Background(), []meta.Dependency{on("acme.io/app", "v2.0.0")}, catalog, &dag.ResolveOptions{
		Installed: dag.NodesOf(lock), ResourceVersion: lock.Metadata.ResourceVersion, Stepwise: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range plan.Packages {
		fmt.Println(p.Action, p.Source, p.Version, p.Via)
	}
	for _, p := range plan.Removed {
		fmt.Println(p.Action, p.Source, p.Version)
	}
	for _, w := range plan.Warnings {
		fmt.Println("warning:", w)
	}
	fmt.Println(plan.Check(lock))
	lock.Metadata.ResourceVersion = "8" // somebody else was faster
	fmt.Println(plan.Check(lock))
	// Output:
	// upgrade acme.io/lib v1.2.0 [v1.1.0]
	// keep acme.io/own v1.0.0 []
	// upgrade acme.io/app v2.0.0 []
	// remove acme.io/old v0.1.0
	// warning: acme.io/own v1.0.0: it is taken as given: its dependencies are neither followed nor demanded
	// <nil>
	// the lock "lock" has changed: the plan is for resource version "7", and it is at "8"
}

func ExampleOutdated() {
	app, lib := release("acme.io/app:v1.0.0", on("acme.io/lib", "<v2.0.0")), release("acme.io/lib:v1.0.0")
	catalog := shelf{app, lib, release("acme.io/lib:v1.5.0"), release("acme.io/lib:v2.0.0")}
	updates, err := dag.Outdated(context.Background(), []dag.Node{dag.NodeOf(&app), dag.NodeOf(&lib)}, catalog)
	if err != nil {
		fmt.Println(err) // the updates that could be found are there all the same
	}
	for _, u := range updates {
		fmt.Println(u.Installed.Source, u.Installed.Version, "can be", u.Allowed, "and there is", u.Newest)
		for _, r := range u.Requirements {
			fmt.Println("held by", r.Origin())
		}
	}
	// Output:
	// acme.io/lib v1.0.0 can be v1.5.0 and there is v2.0.0
	// held by acme.io/app v1.0.0
}

func ExampleGraph_Layers() {
	app := release("acme.io/app:v1.0.0", on("acme.io/net", ""), on("acme.io/db", ""))
	net, db := release("acme.io/net:v1.0.0", on("acme.io/lib", "")), release("acme.io/db:v1.0.0")
	lib := release("acme.io/lib:v1.0.0")
	graph, err := dag.NewGraph(dag.NodeOf(&app), dag.NodeOf(&net), dag.NodeOf(&db), dag.NodeOf(&lib))
	if err != nil {
		fmt.Println(err)
		return
	}
	layers, err := graph.Layers()
	if err != nil {
		fmt.Println(err)
	}
	for i, layer := range layers {
		for _, n := range layer {
			fmt.Println(i+1, n.Source)
		}
	}
	// Output:
	// 1 acme.io/db
	// 1 acme.io/lib
	// 2 acme.io/net
	// 3 acme.io/app
}

// What was asked for once may be needed no more.
func ExampleGraph_Orphans() {
	app, lib := release("acme.io/app:v1.0.0", on("acme.io/lib", "")), release("acme.io/lib:v1.0.0")
	old, older := release("acme.io/old:v1.0.0", on("acme.io/older", "")), release("acme.io/older:v1.0.0")
	graph, err := dag.NewGraph(dag.NodeOf(&app), dag.NodeOf(&lib), dag.NodeOf(&old), dag.NodeOf(&older))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range graph.Orphans(func(n dag.Node) bool { return n.Source.Equal(app.Source) }) {
		fmt.Println(n.Source)
	}
	// Output:
	// acme.io/old
	// acme.io/older
}

func ExampleGraph_WriteMermaid() {
	app := release("acme.io/app:v1.0.0", on("acme.io/lib", ">=v2.0.0"), on("acme.io/gone", ""))
	lib := release("acme.io/lib:v1.0.0")
	graph, err := dag.NewGraph(dag.NodeOf(&app), dag.NodeOf(&lib))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := graph.WriteMermaid(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// flowchart TD
	//     n0["acme.io/app<br/>v1.0.0"]
	//     n1["acme.io/lib<br/>v1.0.0"]
	//     n2["acme.io/gone<br/>missing"]:::missing
	//     n0 --x|"#62;=v2.0.0"| n1
	//     n0 -.-> n2
	//     classDef missing stroke-dasharray: 4
}
