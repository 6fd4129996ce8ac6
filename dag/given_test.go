package dag_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// givenLock is a lock whose app takes its provider as given, and one package more that
// is not installed.
const givenLock = `{"apiVersion": "pkg.crossplane.io/v1beta1", "kind": "Lock", "metadata": {"name": "lock", "resourceVersion": "7"}, "packages": [
	{"name": "app-1", "type": "Configuration", "source": "acme.io/app", "version": "v1.0.0", "dependencies": [
		{"package": "index.docker.io/acme/provider", "type": "Provider", "constraints": ">=v1.0.0", "skipDependencyResolution": true},
		{"package": "acme.io/extra", "type": "Provider", "constraints": ">=v1.0.0", "skipDependencyResolution": true}]},
	{"name": "provider-1", "type": "Provider", "source": "acme/provider", "version": "v1.0.0", "dependencies": [
		{"package": "acme.io/family", "type": "Provider", "constraints": ">=v9.0.0"},
		{"package": "acme.io/gone", "type": "Provider", "constraints": ">= v"}]},
	{"name": "family-1", "type": "Provider", "source": "acme.io/family", "version": "v1.0.0", "dependencies": [
		{"package": "acme.io/base", "type": "Provider", "constraints": ""}]},
	{"name": "base-1", "type": "Provider", "source": "acme.io/base", "version": "v1.0.0", "dependencies": []},
	{"name": "other-1", "type": "Provider", "source": "acme.io/other", "version": "v1.0.0", "dependencies": [], "more": 1}]}`

func readGivenLock(t *testing.T) *install.Lock {
	t.Helper()
	l := new(install.Lock)
	if err := json.Unmarshal([]byte(givenLock), l); err != nil {
		t.Fatal(err)
	}
	return l
}

// What a package depends on that a lock takes as given is no part of the graph: not
// missing, not unsatisfied, no fault though it cannot be read.
func TestGraphGiven(t *testing.T) {
	g, err := dag.NewGraph(dag.NodesOf(readGivenLock(t))...)
	if err != nil {
		t.Errorf("a demand that nobody makes is a fault: %v", err)
	}
	var missing []string
	for _, m := range g.Missing() {
		missing = append(missing, m.Error())
	}
	if diff := cmp.Diff([]string{"acme.io/extra is not in the graph; required by acme.io/app v1.0.0 (>=v1.0.0)"}, missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	if u := g.Unsatisfied(); len(u) != 0 {
		t.Errorf("unsatisfied: %v", u)
	}
	if diff := cmp.Diff([]string{"acme/provider"}, names(g.Given())); diff != "" {
		t.Errorf("given (-want +got):\n%s", diff)
	}
	if got := names(mustGraph(t, nodes("acme.io/a v1.0.0")...).Given()); got != nil && len(got) != 0 {
		t.Errorf("given without a mark: %v", got)
	}
	var dot strings.Builder
	if err := g.WriteDOT(&dot); err != nil || !strings.Contains(dot.String(), `acme/provider\nv1.0.0\ntaken as given`) {
		t.Errorf("the picture does not say it (%v):\n%s", err, &dot)
	}
	data, err := json.Marshal(g)
	if err != nil || !strings.Contains(string(data), `"source":"acme/provider","version":"v1.0.0","kind":"Provider","owners":["provider-1"],"given":true`) {
		t.Errorf("the data does not say it (%v):\n%s", err, data)
	}
}

// Two nodes of one package are equal though one of them says more about what to take
// as given, and both count.
func TestGraphGivenMerged(t *testing.T) {
	a := node("acme.io/a v1.0.0: acme.io/b")
	b := a
	b.SkipDependencies = []meta.Source{src("acme.io/b")}
	g := mustGraph(t, a, b, node("acme.io/b v1.0.0: acme.io/c"))
	if len(g.Missing()) != 0 || len(g.Nodes()) != 2 || len(g.Nodes()[0].SkipDependencies) != 1 {
		t.Errorf("nodes %v, missing %v", g.Nodes(), g.Missing())
	}
}

// A plan follows the marks of a lock, those on packages that are not installed yet too,
// says so, and removes nothing that such a package may need.
func TestResolveGiven(t *testing.T) {
	lock := readGivenLock(t)
	m := catalog(`acme.io/app v1.0.0: acme/provider >=v1.0.0; acme.io/extra >=v1.0.0
		acme/provider v1.0.0: acme.io/family >=v9.0.0
		acme.io/extra v1.0.0: acme.io/nowhere
		acme.io/family v1.0.0: acme.io/base
		acme.io/base v1.0.0
		acme.io/other v1.0.0`)
	o := &dag.ResolveOptions{Installed: dag.NodesOf(lock), ResourceVersion: lock.Metadata.ResourceVersion}
	plan, err := resolve(deps("acme.io/app"), m, o)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"install acme.io/extra v1.0.0: acme.io/app v1.0.0 (root) requires >=v1.0.0",
		"keep acme/provider v1.0.0: it meets every requirement",
		"keep acme.io/app v1.0.0: it meets every requirement",
		"remove acme.io/other v1.0.0: nothing that is asked for needs it",
		"warning acme.io/extra v1.0.0: it is taken as given: its dependencies are neither followed nor demanded",
		"warning acme/provider v1.0.0: it is taken as given: its dependencies are neither followed nor demanded",
	}
	if diff := cmp.Diff(want, actions(plan)); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if n := m.asked["acme.io/nowhere"] + m.asked["acme.io/family"]; n != 0 {
		t.Errorf("the catalog was asked %d times about what a given package depends on", n)
	}

	c, err := dag.ClosureOf(t.Context(), deps("acme.io/app; acme.io/lost"), m, o)
	if err == nil {
		t.Fatal("acme.io/lost was found")
	}
	for _, p := range c.Packages {
		if p.Source.Equal(src("acme.io/nowhere")) || p.Source.Equal(src("acme.io/family")) {
			t.Errorf("the closure holds %s", p.Source)
		}
	}
	if strings.Contains(err.Error(), "nowhere") {
		t.Errorf("the closure follows what is given: %v", err)
	}
}

// A plan is for the lock that it was made by.
func TestPlanCheck(t *testing.T) {
	lock := readGivenLock(t)
	plan, err := resolve(deps("acme.io/other"), catalog("acme.io/other v1.0.0"),
		&dag.ResolveOptions{Installed: dag.NodesOf(lock), ResourceVersion: lock.Metadata.ResourceVersion})
	if err != nil || plan.ResourceVersion != "7" {
		t.Fatalf("plan for %q, error %v", plan.ResourceVersion, err)
	}
	if err := plan.Check(lock); err != nil {
		t.Errorf("the lock is as it was: %v", err)
	}
	lock.Metadata.ResourceVersion = "8"
	err = plan.Check(lock)
	stale, ok := err.(*install.StaleLockError)
	if !ok || stale.Planned != "7" || stale.Current != "8" {
		t.Errorf("error is %v, want a *StaleLockError", err)
	}
	if err := plan.Check(nil); err == nil {
		t.Error("a lock that is gone is not the one that was planned by")
	}
	if err := new(dag.Plan).Check(nil); err != nil {
		t.Errorf("a plan without a lock is for none: %v", err)
	}
	// Written and read again, the lock still has it.
	again, err := lock.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := install.DecodeLock(again)
	if read == nil || read.Metadata.ResourceVersion != "8" {
		t.Errorf("read again: %v, %v", read, err)
	}
}
