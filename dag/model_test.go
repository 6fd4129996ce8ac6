package dag_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

// A world is a small catalog as the model sees it: version v of package p demands
// of others sets of versions.
type world struct {
	versions []int // of each package
	demands  map[[2]int][]worldDemand
	roots    []worldDemand
}

// A worldDemand allows the versions from..to of a package, both included.
type worldDemand struct{ pkg, from, to int }

func (d worldDemand) text() string {
	return fmt.Sprintf("acme.io/p%d >=v1.%d.0, <=v1.%d.0", d.pkg, d.from, d.to)
}

// newWorld makes a world of a source of numbers below a bound.
func newWorld(pick func(n int) int) *world {
	w := &world{demands: make(map[[2]int][]worldDemand)}
	for range 2 + pick(4) {
		w.versions = append(w.versions, 1+pick(3))
	}
	demand := func() worldDemand {
		from := pick(3)
		return worldDemand{pkg: pick(len(w.versions) + pick(8)/7), from: from, to: from + pick(3)}
	}
	for p, n := range w.versions {
		for v := range n {
			for range pick(4) {
				w.demands[[2]int{p, v}] = append(w.demands[[2]int{p, v}], demand())
			}
		}
	}
	for range 1 + pick(3) {
		w.roots = append(w.roots, demand())
	}
	return w
}

func (w *world) catalog() *memory {
	m := newMemory()
	for p, n := range w.versions {
		for v := range n {
			r := &meta.Release{Source: src(fmt.Sprintf("acme.io/p%d", p)), Version: ver(fmt.Sprintf("v1.%d.0", v))}
			for _, d := range w.demands[[2]int{p, v}] {
				r.DependsOn = append(r.DependsOn, dep(d.text()))
			}
			m.add(r)
		}
	}
	return m
}

func (w *world) rootDeps() []meta.Dependency {
	var ds []meta.Dependency
	for _, d := range w.roots {
		ds = append(ds, dep(d.text()))
	}
	return ds
}

func (w *world) String() string {
	var b strings.Builder
	for p, n := range w.versions {
		for v := range n {
			fmt.Fprintf(&b, "acme.io/p%d v1.%d.0:", p, v)
			for _, d := range w.demands[[2]int{p, v}] {
				b.WriteString(" " + d.text() + ";")
			}
			b.WriteByte('\n')
		}
	}
	for _, d := range w.roots {
		b.WriteString("root " + d.text() + "\n")
	}
	return b.String()
}

// solvable is the model: it tries every choice of a version, or none, for every
// package.
func (w *world) solvable(roots []worldDemand) bool {
	chosen := make([]int, len(w.versions))
	var try func(p int) bool
	try = func(p int) bool {
		if p == len(chosen) {
			return w.holds(roots, chosen)
		}
		for chosen[p] = -1; chosen[p] < w.versions[p]; chosen[p]++ {
			if try(p + 1) {
				return true
			}
		}
		return false
	}
	return try(0)
}

// holds says whether a choice meets everything, without a circle among what is
// needed. -1 is no version.
func (w *world) holds(roots []worldDemand, chosen []int) bool {
	meets := func(d worldDemand) bool {
		return d.pkg < len(chosen) && chosen[d.pkg] >= d.from && chosen[d.pkg] <= d.to
	}
	for _, d := range roots {
		if !meets(d) {
			return false
		}
	}
	edges := make(map[string][]string)
	for p, v := range chosen {
		if v < 0 {
			continue
		}
		for _, d := range w.demands[[2]int{p, v}] {
			if !meets(d) {
				return false
			}
			edges[fmt.Sprint(p)] = append(edges[fmt.Sprint(p)], fmt.Sprint(d.pkg))
		}
	}
	for p := range chosen {
		if reach(edges, fmt.Sprint(p))[fmt.Sprint(p)] {
			return false
		}
	}
	return true
}

// chosen is a plan as the model has it. Every package must be there once.
func (w *world) chosen(t *testing.T, plan *dag.Plan) []int {
	t.Helper()
	chosen := make([]int, len(w.versions))
	for i := range chosen {
		chosen[i] = -1
	}
	for _, x := range plan.Packages {
		var p, v int
		if _, err := fmt.Sscanf(x.Source.String()+" "+x.Version.String(), "acme.io/p%d v1.%d.0", &p, &v); err != nil {
			t.Fatal(err)
		}
		if chosen[p] >= 0 {
			t.Fatalf("p%d is planned twice", p)
		}
		chosen[p] = v
	}
	return chosen
}

// checkWorld compares the resolver with the model.
func checkWorld(t *testing.T, w *world) {
	t.Helper()
	m := w.catalog()
	plan, err := resolve(w.rootDeps(), m, nil)
	if want := w.solvable(w.roots); want != (err == nil) {
		t.Fatalf("solvable: %v, error: %v\n%s", want, err, w)
	}
	for question, times := range m.asked {
		if times > 1 {
			t.Fatalf("%s was asked %d times\n%s", question, times, w)
		}
	}

	// Whatever happened to some roots, the plan meets those that are not blocked.
	blocked := make(map[string]bool)
	for _, b := range plan.Blocked {
		blocked[b.Source.String()] = true
	}
	var kept []worldDemand
	for _, d := range w.roots {
		if !blocked[fmt.Sprintf("acme.io/p%d", d.pkg)] {
			kept = append(kept, d)
		}
	}
	chosen := w.chosen(t, plan)
	if !w.holds(kept, chosen) {
		t.Fatalf("plan %v does not meet its demands\n%s", planned(plan), w)
	}
	order := planned(plan)
	for _, x := range plan.Packages {
		for _, d := range x.Release.DependsOn {
			needs := slices.IndexFunc(order, func(s string) bool { return strings.HasPrefix(s, d.Package.String()+" ") })
			self := slices.Index(order, x.Source.String()+" "+x.Version.String())
			if needs < 0 || needs >= self {
				t.Fatalf("%s is not before %s in %v", d.Package, x.Source, order)
			}
		}
		if len(x.Requirements) == 0 {
			t.Fatalf("nobody needs %s\n%s", x.Source, w)
		}
	}

	roots := w.rootDeps()
	slices.Reverse(roots)
	again, errAgain := resolve(roots, m, nil)
	if !slices.Equal(order, planned(again)) || errText(err) != errText(errAgain) {
		t.Fatalf("another order of the roots gives another answer:\n%v\n%v\n%v\n%v", order, planned(again), err, errAgain)
	}
	if err != nil {
		checkExplanation(t, w, err)
	}
}

// checkExplanation checks a NoSolutionError against the model: every requirement
// is real and there once, every reason is true, and the change that it
// proposes helps.
func checkExplanation(t *testing.T, w *world, err error) {
	t.Helper()
	var none *dag.NoSolutionError
	if !errors.As(err, &none) {
		t.Fatalf("error is %T: %v", err, err)
	}
	for _, c := range none.Conflicts {
		told := make(map[string]bool)
		numbers := make(map[int]dag.NumberedRequirement)
		for _, p := range c.Packages {
			for _, r := range p.Requirements {
				from := "root"
				if len(r.Path) > 0 {
					from = r.Path[0].Source.String()
				}
				key := from + " " + r.Source.String() + " " + r.Constraint.String()
				if told[key] || numbers[r.Number].Number != 0 {
					t.Fatalf("%s is told twice\n%v\n%s", key, err, w)
				}
				told[key] = true
				numbers[r.Number] = r
				if !r.Rooted {
					t.Fatalf("%s has no path to a root\n%v\n%s", key, err, w)
				}
				checkRequirement(t, w, r, err)
			}
		}
		for _, p := range c.Packages {
			for _, v := range p.Candidates {
				for _, f := range v.Fails {
					if r := numbers[f.Number]; !r.Source.Equal(p.Source) || r.Constraint.Allows(v.Version) {
						t.Fatalf("%s %s does not fail %d\n%v\n%s", p.Source, v.Version, f.Number, err, w)
					}
				}
				if len(v.Fails) == 0 && len(v.Brings) == 0 {
					t.Fatalf("%s %s has no reason\n%v\n%s", p.Source, v.Version, err, w)
				}
			}
		}
		checkRelax(t, w, c, err)
	}
}

// checkRequirement says whether the package at the start of a path really states
// the requirement.
func checkRequirement(t *testing.T, w *world, r dag.NumberedRequirement, err error) {
	t.Helper()
	var stated [][]worldDemand
	if len(r.Path) == 0 {
		stated = append(stated, w.roots)
	} else {
		for _, v := range r.Path[0].Versions {
			var p, n int
			if _, err := fmt.Sscanf(r.Path[0].Source.String()+" "+v.String(), "acme.io/p%d v1.%d.0", &p, &n); err != nil {
				t.Fatal(err)
			}
			stated = append(stated, w.demands[[2]int{p, n}])
		}
	}
	for _, ds := range stated {
		if !slices.ContainsFunc(ds, func(d worldDemand) bool {
			return d.text() == r.Source.String()+" "+r.Constraint.String()
		}) {
			t.Fatalf("%v does not come from %s\n%v\n%s", r.Constraint, r.Origin(), err, w)
		}
	}
}

// checkRelax applies the change that an explanation proposes and asks the model
// whether the roots of the conflict can be met then.
func checkRelax(t *testing.T, w *world, c dag.Conflict, err error) {
	t.Helper()
	if c.Relax == nil {
		return
	}
	relax := func(ds []worldDemand) []worldDemand {
		out := slices.Clone(ds)
		for i, d := range out {
			if d.text() == c.Relax.Source.String()+" "+c.Relax.Constraint.String() {
				out[i].from, out[i].to = 0, 99
			}
		}
		return out
	}
	var roots []worldDemand
	for _, d := range w.roots {
		for _, p := range c.Packages {
			for _, r := range p.Requirements {
				if r.Core && len(r.Path) == 0 && d.text() == r.Source.String()+" "+r.Constraint.String() {
					roots = append(roots, d)
				}
			}
		}
	}
	changed := &world{versions: w.versions, demands: make(map[[2]int][]worldDemand)}
	for k, ds := range w.demands {
		changed.demands[k] = ds
	}
	if len(c.Relax.Path) == 0 {
		roots = relax(roots)
	} else {
		var p int
		if _, err := fmt.Sscanf(c.Relax.Path[0].Source.String(), "acme.io/p%d", &p); err != nil {
			t.Fatal(err)
		}
		for v := range w.versions[p] {
			changed.demands[[2]int{p, v}] = relax(w.demands[[2]int{p, v}])
		}
	}
	if !changed.solvable(roots) {
		t.Fatalf("the change does not help\n%v\n%s", err, w)
	}
}

func TestResolveAgainstModel(t *testing.T) {
	worlds := 1500
	if testing.Short() {
		worlds = 150
	}
	solved, failed := 0, 0
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 3))
		w := newWorld(r.IntN)
		checkWorld(t, w)
		if w.solvable(w.roots) {
			solved++
		} else {
			failed++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if solved < worlds/15 || failed < worlds/15 {
		t.Errorf("%d worlds have a solution and %d have none: too few of one sort to show anything", solved, failed)
	}
}

func FuzzResolve(f *testing.F) {
	f.Add([]byte{1, 2, 2, 2, 1, 0, 1, 2, 1, 1, 2, 0, 1, 1, 0})
	f.Add([]byte("two packages that cannot agree on a third"))
	f.Fuzz(executions.Many(func(t *testing.T, data []byte) {
		checkWorld(t, newWorld(func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return int(b) % n
		}))
	}))
}
