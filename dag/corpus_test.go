package dag_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// corpusCatalog is the catalog of real packages. A few of its versions are tags that
// no registry can have, and some demands are none; nothing else is wrong with it.
func corpusCatalog(tb testing.TB) (*dag.StaticCatalog, []*meta.Release) {
	tb.Helper()
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		tb.Skip("set XPKG_CORPUS to the folder that holds catalog.yaml to resolve real packages")
	}
	text, err := os.ReadFile(filepath.Join(dir, "catalog.yaml"))
	if err != nil {
		tb.Fatal(err)
	}
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		tb.Fatal(err)
	}
	c, err := dag.DecodeCatalog(data)
	var faults meta.FieldErrors
	errors.As(err, &faults)
	for _, f := range faults {
		if f.Fault != meta.FaultConstraint && f.Fault != dag.FaultVersion {
			tb.Error(f)
		}
	}
	return c, c.Releases()
}

// Every published version of the corpus, as a root of its own: the call ends, says
// the same twice, and gives either a plan that meets every demand or an
// explanation.
func TestResolveCorpus(t *testing.T) {
	m, all := corpusCatalog(t)
	var unsolved []explained
	solved, largest := 0, 0
	for _, r := range all {
		root := []meta.Dependency{{Package: r.Source, Constraint: exact(t, r.Version)}}
		plan, err := resolve(root, m, nil)
		again, errAgain := resolve(root, m, nil)
		if !slices.Equal(planned(plan), planned(again)) || errText(err) != errText(errAgain) {
			t.Fatalf("%s %s gives two answers:\n%v\n%v", r.Source, r.Version, err, errAgain)
		}
		if err == nil {
			solved++
			largest = max(largest, len(plan.Packages))
			checkPlan(t, root, plan)
			continue
		}
		var none *dag.NoSolutionError
		if !errors.As(err, &none) || len(plan.Packages) != 0 {
			t.Fatalf("%s %s: plan %v, error %v", r.Source, r.Version, planned(plan), err)
		}
		if !strings.Contains(err.Error(), r.Source.String()) {
			t.Fatalf("%s %s is not in its explanation:\n%v", r.Source, r.Version, err)
		}
		unsolved = append(unsolved, explained{r, none})
	}
	checkUnsolved(t, unsolved)
	t.Logf("%d releases: %d resolved, the largest plan has %d packages; %d have an explanation", len(all), solved, largest, len(all)-solved)
}

// explained is a release and why it cannot be installed.
type explained struct {
	release *meta.Release
	err     *dag.NoSolutionError
}

// checkUnsolved compares the table of the releases that cannot be installed with the
// golden file: a line for each cause, with those that it stops.
func checkUnsolved(t *testing.T, unsolved []explained) {
	t.Helper()
	causes := make(map[string]map[string][]meta.Version)
	for _, x := range unsolved {
		p := x.err.Conflicts[0].Packages[0]
		var cause strings.Builder
		cause.WriteString(p.Source.String() + " | ")
		for i, r := range p.Requirements {
			if i > 0 {
				cause.WriteString(" and ")
			}
			text := "any version"
			if c := r.Constraint.String(); c != "" {
				text = "`" + strings.ReplaceAll(c, "|", "\\|") + "`"
			}
			if len(r.Path) > 0 {
				text += " (by " + r.Path[0].Source.Name() + ")"
			}
			cause.WriteString(text)
		}
		switch {
		case p.Err != nil:
			cause.WriteString(" | there is no such package")
		case len(p.Candidates) == 0:
			cause.WriteString(" | no versions")
		default:
			fmt.Fprintf(&cause, " | %s to %s", p.Candidates[len(p.Candidates)-1].Version, p.Candidates[0].Version)
		}
		if len(x.err.Conflicts[0].Circles) > 0 {
			cause.WriteString(", a circle")
		}
		by := causes[cause.String()]
		if by == nil {
			by = make(map[string][]meta.Version)
			causes[cause.String()] = by
		}
		name := x.release.Source.String()
		by[name] = append(by[name], x.release.Version)
	}
	var table strings.Builder
	table.WriteString("| needed | demanded | there is | stops |\n|---|---|---|---|\n")
	for _, cause := range slices.Sorted(maps.Keys(causes)) {
		var stops []string
		for _, name := range slices.Sorted(maps.Keys(causes[cause])) {
			vs := causes[cause][name]
			slices.SortFunc(vs, meta.Version.Compare)
			text := name + " " + vs[0].String()
			if len(vs) > 1 {
				text += fmt.Sprintf(" to %s (%d)", vs[len(vs)-1], len(vs))
			}
			stops = append(stops, text)
		}
		fmt.Fprintf(&table, "| %s | %s |\n", cause, strings.Join(stops, ", "))
	}
	const golden = "testdata/unsolved.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), table.String()); diff != "" {
		t.Errorf("releases that cannot be installed (-want +got):\n%s", diff)
	}
}

// The newest version of every package of the corpus at once: conflicts that have
// nothing to do with each other are told apart and the rest is planned.
func TestResolveCorpusTogether(t *testing.T) {
	m, all := corpusCatalog(t)
	var roots []meta.Dependency
	for i, r := range all {
		if i == 0 || !all[i-1].Source.Equal(r.Source) {
			roots = append(roots, meta.Dependency{Package: r.Source})
		}
	}
	plan, err := resolve(roots, m, nil)
	if plan == nil {
		t.Fatal(err)
	}
	slices.Reverse(roots)
	again, errAgain := resolve(roots, m, nil)
	if !slices.Equal(planned(plan), planned(again)) || errText(err) != errText(errAgain) {
		t.Fatal("another order of the roots gives another answer")
	}
	var kept []meta.Dependency
	for _, r := range roots {
		if !slices.ContainsFunc(plan.Blocked, func(b dag.Blocked) bool { return b.Source.Equal(r.Package) }) {
			kept = append(kept, r)
		}
	}
	checkPlan(t, kept, plan)
	t.Logf("%d roots: %d packages planned, %d blocked", len(roots), len(plan.Packages), len(plan.Blocked))
}

// exact is the constraint of one version.
func exact(tb testing.TB, v meta.Version) meta.Constraint {
	tb.Helper()
	c, err := meta.ExactConstraint(v.String())
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// checkPlan checks a plan on its own: every demand is met by what stands before.
func checkPlan(t *testing.T, roots []meta.Dependency, plan *dag.Plan) {
	t.Helper()
	done := make(map[string]meta.Version)
	meets := func(who string, d meta.Dependency) {
		v, ok := done[d.Package.Identity()]
		if !ok || !d.Constraint.Allows(v) {
			t.Fatalf("%s demands %s, and there is %q", who, d, v)
		}
	}
	for _, x := range plan.Packages {
		for _, d := range x.Release.DependsOn {
			meets(x.Source.String(), d)
		}
		if _, twice := done[x.Source.Identity()]; twice {
			t.Fatalf("%s is planned twice", x.Source)
		}
		done[x.Source.Identity()] = x.Version
	}
	for _, d := range roots {
		meets("a root", d)
	}
}

// BenchmarkResolveCorpus resolves every published version of the corpus as a root of its
// own, and those alone that depend on something.
func BenchmarkResolveCorpus(b *testing.B) {
	m, all := corpusCatalog(b)
	var every, dependent [][]meta.Dependency
	for _, r := range all {
		root := []meta.Dependency{{Package: r.Source, Constraint: exact(b, r.Version)}}
		every = append(every, root)
		if len(r.DependsOn) > 0 {
			dependent = append(dependent, root)
		}
	}
	run := func(name string, roots [][]meta.Dependency) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, root := range roots {
					_, _ = resolve(root, m, nil)
				}
			}
			b.ReportMetric(float64(len(roots)), "roots")
		})
	}
	run("all", every)
	run("dependent", dependent)
}
