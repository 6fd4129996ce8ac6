package dag_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

// A puzzle is a small catalog, roots and what is installed, with all that the order
// of solutions speaks of: pre-releases, pins, policies. Its model tries everything
// and reads constraints with meta.Constraint alone.
type puzzle struct {
	catalog   *memory
	names     []string
	roots     []meta.Dependency
	installed []dag.Node
	options   dag.ResolveOptions
}

func newPuzzle(pick func(n int) int) *puzzle {
	p := &puzzle{catalog: newMemory()}
	versions := []string{"v1.0.0", "v1.1.0", "v1.2.0-rc.1", "v1.2.0", "v2.0.0"}
	content := func(name, v string) string {
		return fmt.Sprintf("sha256:%064x", int(name[len(name)-1])*10+slices.Index(versions, v))
	}
	for i := range 2 + pick(4) {
		p.names = append(p.names, fmt.Sprintf("acme.io/p%d", i))
	}
	demand := func() meta.Dependency {
		name := p.names[pick(len(p.names))]
		ranges := []string{"", "", ">=v1.1.0", ">=v1.1.0-0", "<v1.2.0", "=v1.1.0", "<v2.0.0", ">=v1.0.0-0", ">=v2.0.0", "~v1.1.0 || v2.0.0"}
		text := ranges[pick(len(ranges))]
		switch pick(14) {
		case 0:
			text = content(name, versions[pick(len(versions))])
		case 1:
			v := versions[pick(len(versions))]
			text = v + "@" + content(name, v)
		}
		return dep(strings.TrimSpace(name + " " + text))
	}
	for _, name := range p.names {
		for _, v := range versions {
			if pick(3) == 0 && v != "v1.0.0" {
				continue
			}
			r := &meta.Release{Source: src(name), Version: ver(v), Digest: content(name, v)}
			for range pick(3) {
				r.DependsOn = append(r.DependsOn, demand())
			}
			p.catalog.add(r)
		}
	}
	for range 1 + pick(2) {
		p.roots = append(p.roots, demand())
	}
	for _, name := range p.names {
		if tags := p.catalog.tags[name]; pick(2) == 0 {
			r := p.catalog.releases[name+" "+tags[pick(len(tags))]]
			n := dag.NodeOf(r)
			switch pick(6) {
			case 0:
				n.Version = ver(r.Digest)
			case 1:
				n.Version = r.Version.WithDigest(r.Digest)
			}
			p.installed = append(p.installed, n)
		}
	}
	p.options = dag.ResolveOptions{
		Installed: p.installed,
		Upgrade:   pick(5) == 0, NoUpgrades: pick(6) == 0, NoDowngrades: pick(6) == 0, NoPrereleases: pick(6) == 0,
	}
	return p
}

func (p *puzzle) String() string {
	var b strings.Builder
	for _, name := range p.names {
		for _, tag := range p.catalog.tags[name] {
			r := p.catalog.releases[name+" "+tag]
			fmt.Fprintf(&b, "%s %s@%s: %v\n", name, tag, r.Digest[68:], r.DependsOn)
		}
	}
	for _, n := range p.installed {
		fmt.Fprintf(&b, "installed %s %s\n", n.Source, n.Version)
	}
	o := p.options
	fmt.Fprintf(&b, "roots %v, upgrade %v, no upgrades %v, no downgrades %v, no pre-releases %v\n",
		p.roots, o.Upgrade, o.NoUpgrades, o.NoDowngrades, o.NoPrereleases)
	return b.String()
}

// node is what is installed of a package.
func (p *puzzle) node(name string) (meta.Version, bool) {
	for _, n := range p.installed {
		if n.Source.String() == name {
			return n.Version, true
		}
	}
	return meta.Version{}, false
}

// candidates are the versions of a package that the options leave, pins that anybody
// names among them.
func (p *puzzle) candidates(name string) []meta.Version {
	var vs []meta.Version
	installed, there := p.node(name)
	add := func(v meta.Version) {
		if !slices.ContainsFunc(vs, func(w meta.Version) bool { return w == v || v.Digest() != "" && v.Digest() == w.Digest() }) {
			vs = append(vs, v)
		}
	}
	for _, tag := range p.catalog.tags[name] {
		if tag != installed.Tag() {
			add(ver(tag))
		}
	}
	if there {
		add(installed)
	}
	pin := func(d meta.Dependency) {
		if d.Package.String() == name && d.Constraint.Digest() != "" {
			v, _ := d.Constraint.Exact()
			add(v)
		}
	}
	for _, d := range p.roots {
		pin(d)
	}
	for _, other := range p.names {
		for _, tag := range p.catalog.tags[other] {
			for _, d := range p.catalog.releases[other+" "+tag].DependsOn {
				pin(d)
			}
		}
	}
	root := slices.ContainsFunc(p.roots, func(d meta.Dependency) bool { return d.Package.String() == name })
	return slices.DeleteFunc(vs, func(v meta.Version) bool {
		o := p.options
		same := v == installed || v.Digest() != "" && v.Digest() == installed.Digest()
		switch {
		case there && same:
			return false
		case o.NoPrereleases && v.Class() == meta.ClassPrerelease && v.Digest() == "":
			return true
		case !there:
			return false
		case !installed.IsFull() && (!root || o.NoUpgrades || o.NoDowngrades):
			return true
		}
		c := p.tagged(name, v).Compare(installed.WithDigest(""))
		return installed.IsFull() && (o.NoUpgrades && c > 0 || o.NoDowngrades && c < 0)
	})
}

// release is what a version declares; nil when there is no such content.
func (p *puzzle) release(name string, v meta.Version) *meta.Release {
	if v.Digest() != "" {
		if r := p.catalog.releases[name+" "+v.Digest()]; r != nil {
			return r
		}
		return nil
	}
	return p.catalog.releases[name+" "+v.Tag()]
}

// tagged is the tag of a version: of a digest that whose content is the same.
func (p *puzzle) tagged(name string, v meta.Version) meta.Version {
	for _, tag := range p.catalog.tags[name] {
		if v.Digest() != "" && p.catalog.releases[name+" "+tag].Digest == v.Digest() {
			return ver(tag)
		}
	}
	return v.WithDigest("")
}

// allows says whether a version meets a demand: by the constraint, or because a
// tag that the constraint allows is the same content.
func (p *puzzle) allows(d meta.Dependency, v meta.Version) bool {
	if d.Constraint.Digest() == "" && !d.Constraint.IsZero() {
		v = p.tagged(d.Package.String(), v)
	}
	return d.Constraint.Allows(v)
}

// A choice is the version of each package that is needed.
type choice map[string]meta.Version

// demands are those of the roots and of what was chosen, with who makes them; "" for a
// root.
func (p *puzzle) demands(c choice) map[string][]meta.Dependency {
	all := map[string][]meta.Dependency{"": p.roots}
	for name, v := range c {
		all[name] = p.release(name, v).DependsOn
	}
	return all
}

// solutions calls yield for every choice that meets every demand and holds nothing that
// is not needed.
func (p *puzzle) solutions(c choice, yield func(choice)) {
	edges := make(map[string][]string)
	next := ""
	for _, from := range append([]string{""}, p.names...) {
		ds := p.roots
		if from != "" {
			v, ok := c[from]
			if !ok {
				continue
			}
			ds = p.release(from, v).DependsOn
		}
		for _, d := range ds {
			to := d.Package.String()
			if v, ok := c[to]; ok && !p.allows(d, v) {
				return
			} else if !ok && next == "" {
				next = to
			}
			edges[from] = append(edges[from], to)
		}
	}
	for name := range c {
		if reach(edges, name)[name] {
			return
		}
	}
	if next == "" {
		yield(c)
		return
	}
	for _, v := range p.candidates(next) {
		if p.release(next, v) != nil {
			c[next] = v
			p.solutions(c, yield)
			delete(c, next)
		}
	}
}

func (p *puzzle) pinsAreNamed(c choice) bool {
	for name, v := range c {
		if v.Digest() == "" {
			continue
		}
		installed, _ := p.node(name)
		named := v.Digest() == installed.Digest()
		for _, ds := range p.demands(c) {
			for _, d := range ds {
				named = named || d.Package.String() == name && d.Constraint.Digest() == v.Digest()
			}
		}
		if !named {
			return false
		}
	}
	return true
}

// changes counts the installed packages that a choice has at another version.
func (p *puzzle) changes(c choice) int {
	n := 0
	for _, x := range p.installed {
		if v, ok := c[x.Source.String()]; ok && v != x.Version && (v.Digest() == "" || v.Digest() != x.Version.Digest()) {
			n++
		}
	}
	return n
}

// levels are the packages of a choice by their distance from the roots, each sorted.
func (p *puzzle) levels(c choice) [][]string {
	var levels [][]string
	met := make(map[string]bool)
	for from := []string{""}; len(from) > 0; {
		var level []string
		for _, f := range from {
			for _, d := range p.demands(c)[f] {
				if to := d.Package.String(); !met[to] {
					met[to] = true
					level = append(level, to)
				}
			}
		}
		slices.Sort(level)
		levels, from = append(levels, level), level
	}
	return levels
}

// compare is negative when choice a is better than b.
func (p *puzzle) compare(a, b choice) int {
	if !p.options.Upgrade {
		if x := cmp.Compare(p.changes(a), p.changes(b)); x != 0 {
			return x
		}
	}
	var nearer []string // the same in both, up to the level that differs
	demands := p.demands(a)
	nearer = append(nearer, "")
	for _, level := range p.levels(a) {
		for _, name := range level {
			if a[name] == b[name] {
				continue
			}
			constrained := false
			for _, from := range nearer {
				for _, d := range demands[from] {
					constrained = constrained || d.Package.String() == name && !d.Constraint.IsZero()
				}
			}
			rank := func(v meta.Version) int {
				installed, _ := p.node(name)
				switch {
				case v.Digest() != "" && (v != installed || !v.IsFull()):
					return 2
				case !constrained && v.Class() == meta.ClassPrerelease:
					return 1
				}
				return 0
			}
			return cmp.Or(cmp.Compare(rank(a[name]), rank(b[name])), b[name].Compare(a[name]))
		}
		nearer = append(nearer, level...)
	}
	return 0
}

// checkPuzzle compares the resolver with the model.
func checkPuzzle(t *testing.T, p *puzzle) (solved bool) {
	t.Helper()
	var best, named choice
	p.solutions(choice{}, func(c choice) {
		if best == nil || p.compare(c, best) < 0 {
			best = maps.Clone(c)
		}
		if p.pinsAreNamed(c) && (named == nil || p.compare(c, named) < 0) {
			named = maps.Clone(c)
		}
	})
	if !maps.Equal(best, named) {
		return false // whether a digest is known that only somebody names who is not needed, the model cannot tell
	}
	plan, err := resolve(p.roots, p.catalog, &p.options)
	if (best != nil) != (err == nil) {
		t.Fatalf("best %v, error: %v\n%s", best, err, p)
	}
	for question, times := range p.catalog.asked {
		if times > 1 {
			t.Fatalf("%s was asked %d times\n%s", question, times, p)
		}
	}
	if err != nil {
		if !errors.As(err, new(*dag.NoSolutionError)) {
			t.Fatalf("error is %v\n%s", err, p)
		}
		return false
	}
	got, want := make(map[string]string), make(map[string]string)
	text := func(v meta.Version) string { return cmp.Or(v.Digest(), v.Tag()) } // a digest is one content, whatever tag stands before it
	for _, x := range plan.Packages {
		got[x.Source.String()] = text(x.Version)
	}
	for name, v := range best {
		want[name] = text(v)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("got  %v\nwant %v\n%s", got, want, p)
	}
	checkActions(t, p, plan)
	return true
}

// checkActions says whether a plan does with every package what its versions say, and
// nothing is left out.
func checkActions(t *testing.T, p *puzzle, plan *dag.Plan) {
	t.Helper()
	told := make(map[string]bool)
	for _, x := range slices.Concat(plan.Packages, plan.Removed) {
		told[x.Source.String()] = true
		installed, there := p.node(x.Source.String())
		if x.Installed != installed || x.Reason == "" {
			t.Fatalf("%s: installed is %q, want %q; reason %q\n%s", x.Source, x.Installed, installed, x.Reason, p)
		}
		var want dag.Action
		switch {
		case slices.ContainsFunc(plan.Removed, func(r dag.Planned) bool { return r.Source.Equal(x.Source) }):
			want = dag.ActionRemove
		case !there:
			want = dag.ActionInstall
		case x.Version == installed || installed.Digest() != "" && x.Version.Digest() == installed.Digest():
			want = dag.ActionKeep
		case !x.Version.IsFull() || !installed.IsFull():
			want = dag.ActionReplace
		case x.Version.Compare(installed) > 0:
			want = dag.ActionUpgrade
		default:
			want = dag.ActionDowngrade
		}
		if x.Action != want {
			t.Fatalf("%s %s: action is %s, want %s\n%s", x.Source, x.Version, x.Action, want, p)
		}
	}
	for _, n := range p.installed {
		if !told[n.Source.String()] {
			t.Fatalf("nothing is said about %s\n%s", n.Source, p)
		}
	}
}

func TestOptimumAgainstModel(t *testing.T) {
	puzzles := 4000
	if testing.Short() {
		puzzles = 400
	}
	solved, failed := 0, 0
	for seed := range uint64(puzzles) {
		r := rand.New(rand.NewPCG(seed, 11))
		t.Logf("seed %d", seed)
		if checkPuzzle(t, newPuzzle(r.IntN)) {
			solved++
		} else {
			failed++
		}
	}
	if solved < puzzles/8 || failed < puzzles/8 {
		t.Errorf("%d puzzles have a solution and %d have none: too few of one sort to show anything", solved, failed)
	}
}

func FuzzOptimum(f *testing.F) {
	f.Add([]byte("what is installed stays if it can"))
	f.Fuzz(executions.Many(func(t *testing.T, data []byte) {
		checkPuzzle(t, newPuzzle(func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return int(b) % n
		}))
	}))
}
