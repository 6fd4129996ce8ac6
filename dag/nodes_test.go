package dag_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta/install"
)

func TestNodesOf(t *testing.T) {
	const data = `{"apiVersion":"pkg.crossplane.io/v1beta1","kind":"Lock","metadata":{"name":"lock"},"packages":[
		{"name":"app-1","apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","source":"acme.io/app","version":"v1.0.0","dependencies":[
			{"package":"acme/lib","type":"Provider","constraints":">=v1.0.0"},
			{"package":"acme.io/fn","apiVersion":"pkg.crossplane.io/v1","kind":"Function","constraints":"` + "sha256:" + digits + `"}]},
		{"name":"lib-1","type":"Provider","source":"docker.io/acme/lib","version":"v1.1.0@sha256:` + digits + `","dependencies":[]},
		{"name":"lib-2","type":"Provider","source":"index.docker.io/acme/lib","version":"v0.9.0","dependencies":[]},
		{"name":"bad","type":"Provider","source":"not a source","version":"not a version","dependencies":[]},
		{"name":"worse","type":"Provider","source":"acme.io/worse","version":"","dependencies":[{"package":"","constraints":"banana","type":"Provider"}]}]}`
	l, _ := install.DecodeLock([]byte(data))
	g, err := dag.NewGraph(dag.NodesOf(l)...)
	const want = `the node of "bad" names no package
acme.io/worse: dependsOn[0]: it names no package
docker.io/acme/lib is provided twice: by "lib-1" (v1.1.0@sha256:` + digits + `) and "lib-2" (v0.9.0)`
	if diff := cmp.Diff(sortedLines(want), sortedLines(errText(err))); diff != "" {
		t.Errorf("each fault is told, with the entries that have it (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"acme.io/app", "acme.io/worse", "docker.io/acme/lib"}, names(g.Nodes())); diff != "" {
		t.Errorf("everything else is there (-want +got):\n%s", diff)
	}
	app, _ := g.Node(src("acme.io/app"))
	if app.Kind != "Configuration" || app.DependsOn[0].Kind != "Provider" || app.DependsOn[1].Kind != "Function" || app.DependsOn[1].Index != 1 {
		t.Errorf("the kinds of both spellings are read: %+v", app)
	}
	if got := g.Unsatisfied(); len(got) != 0 {
		t.Errorf("the newest of two entries meets the demand: %v", got)
	}
	if missing := g.Missing(); len(missing) != 1 || missing[0].Source.String() != "acme.io/fn" {
		t.Errorf("missing are %v", missing)
	}
}

func TestNodesOfPackageLock(t *testing.T) {
	l := &install.PackageLock{Spec: install.PackageLockSpec{Packages: []install.PackageDependencies{
		{Name: "app", Image: "acme.io/app:v1.0.0", Dependencies: []string{"acme.io/lib", "acme.io/gone"}},
		{Name: "lib", Image: "acme.io/lib@sha256:" + digits},
		{Name: "cached", Image: "Cached File"},
	}}}
	g, err := dag.NewGraph(dag.NodesOfPackageLock(l)...)
	if errText(err) != `the node of "cached" names no package` {
		t.Errorf("error is %v", err)
	}
	order, err := g.Order()
	if diff := cmp.Diff([]string{"acme.io/lib", "acme.io/app"}, names(order)); diff != "" || err != nil {
		t.Errorf("order (-want +got), error %v:\n%s", err, diff)
	}
	if len(g.Unsatisfied()) != 0 || len(g.Missing()) != 1 {
		t.Errorf("any version of a source that is there meets this lock's dependencies: %v, missing %v", g.Unsatisfied(), g.Missing())
	}
}

// Entries that differ in nothing but the spelling of kinds and sources are one package.
func TestNodesOfBothSpellings(t *testing.T) {
	entry := func(name, source, kind string) install.LockPackage {
		p := install.LockPackage{Name: name, Type: "Configuration", Source: source, Version: "v1.0.0"}
		p.Dependencies = []install.LockDependency{{Package: "acme.io/lib", Type: kind}}
		if kind == "" {
			p.Dependencies[0].APIVersion, p.Dependencies[0].Kind = "pkg.crossplane.io/v1", "Provider"
		}
		return p
	}
	l := &install.Lock{Packages: []install.LockPackage{entry("old", "acme/app", "Provider"), entry("new", "docker.io/acme/app", "")}}
	g, err := dag.NewGraph(dag.NodesOf(l)...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"new", "old"}, g.Nodes()[0].Owners); diff != "" {
		t.Errorf("owners (-want +got):\n%s", diff)
	}
}
