package dag_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/dag"
)

// distances is the model: the length of the shortest way from a package to each that
// it needs, by trying every edge again until nothing gets shorter. That to itself is the
// shortest circle.
func distances(edges map[string][]string, from string) map[string]int {
	d := make(map[string]int)
	for changed := true; changed; {
		changed = false
		for at, to := range edges {
			base, ok := d[at]
			if !ok && at != from {
				continue
			}
			if at == from {
				base = 0
			}
			for _, t := range to {
				if old, ok := d[t]; !ok || base+1 < old {
					d[t], changed = base+1, true
				}
			}
		}
	}
	return d
}

func TestAnswersAgainstModel(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		ns, edges := randomGraph(r)
		checkAnswers(t, r, ns, edges)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func checkAnswers(t *testing.T, r *rand.Rand, ns []dag.Node, edges map[string][]string) {
	t.Helper()
	shuffled := slices.Clone(ns)
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	g, _ := dag.NewGraph(shuffled...)
	all := slices.Sorted(maps.Keys(edges))
	away := make(map[string]map[string]int)
	for _, n := range all {
		away[n] = distances(edges, n)
	}
	checkCycles(t, g, all, away)
	checkLayers(t, g, all, edges, away)
	checkWays(t, g, all, edges, away)
	checkSpoilt(t, g, all, edges, away)

	asked := all[r.IntN(len(all))]
	got := names(g.Orphans(func(n dag.Node) bool { return n.Source.String() == asked }))
	for _, n := range all {
		_, needed := away[asked][n]
		if slices.Contains(got, n) != (n != asked && !needed) {
			t.Errorf("%s is asked for, and %s is an orphan or not: %v", asked, n, got)
		}
	}
}

func checkCycles(t *testing.T, g *dag.Graph, all []string, away map[string]map[string]int) {
	t.Helper()
	var got []string
	for _, e := range g.Cycles() {
		got = append(got, fmt.Sprintf("%s %d", e.Path[0], len(e.Path)-1))
	}
	var want []string
	done := make(map[string]bool)
	for _, n := range all {
		if _, cyclic := away[n][n]; !cyclic || done[n] {
			continue
		}
		best := ""
		shortest := 0
		for _, m := range all {
			_, to := away[n][m]
			_, back := away[m][n]
			if !to || !back {
				continue
			}
			done[m] = true
			if l := away[m][m]; best == "" || l < shortest {
				best, shortest = m, l
			}
		}
		want = append(want, fmt.Sprintf("%s %d", best, shortest))
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("cycles by first package and length are %v, want %v", got, want)
	}
}

func checkLayers(t *testing.T, g *dag.Graph, all []string, edges map[string][]string, away map[string]map[string]int) {
	t.Helper()
	// The layer of a package is the longest way down from it; none on or above a circle.
	var layer func(string) int
	layer = func(n string) int {
		deepest := 0
		for _, to := range edges[n] {
			if _, there := edges[to]; there {
				deepest = max(deepest, layer(to)+1)
			}
		}
		return deepest
	}
	var want [][]string
	for _, n := range all {
		if onOrAboveCycle(away, n) {
			continue
		}
		k := layer(n)
		for len(want) <= k {
			want = append(want, nil)
		}
		want[k] = append(want[k], n)
	}
	layers, _ := g.Layers()
	var got [][]string
	for _, l := range layers {
		got = append(got, names(l))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("layers are %v, want %v", got, want)
	}
}

func onOrAboveCycle(away map[string]map[string]int, n string) bool {
	if _, cyclic := away[n][n]; cyclic {
		return true
	}
	for to := range away[n] {
		if _, cyclic := away[to][to]; cyclic {
			return true
		}
	}
	return false
}

func checkWays(t *testing.T, g *dag.Graph, all []string, edges map[string][]string, away map[string]map[string]int) {
	t.Helper()
	roots := names(g.Roots())
	for _, to := range all {
		required := false
		for _, from := range all {
			required = required || from != to && slices.Contains(edges[from], to)
			path := names(g.Path(src(from), src(to)))
			distance, ok := away[from][to]
			if from == to {
				distance, ok = 0, true
			}
			if ok != (len(path) > 0) || ok && len(path) != distance+1 {
				t.Errorf("path from %s to %s is %v, the distance %d", from, to, path, distance)
			}
			for i := range max(0, len(path)-1) {
				if !slices.Contains(edges[path[i]], path[i+1]) {
					t.Errorf("%v: %s does not require %s", path, path[i], path[i+1])
				}
			}
		}
		if slices.Contains(roots, to) == required {
			t.Errorf("%s: required %v, roots %v", to, required, roots)
		}
		dependents, err := g.AllDependents(src(to))
		got := names(dependents)
		for _, from := range all {
			if _, needs := away[from][to]; slices.Contains(got, from) != (needs && from != to) || err != nil {
				t.Errorf("dependents of %s are %v, error %v", to, got, err)
			}
		}
		last := 0
		for r := range g.Why(src(to)) {
			from := r.Path[len(r.Path)-1].Source.String()
			if len(r.Path) != away[from][to] || len(r.Path) < last {
				t.Errorf("why %s: %s, the distance is %d", to, r.Origin(), away[from][to])
			}
			last = len(r.Path)
			for n := range away {
				if _, above := away[n][from]; above && away[from][n] == 0 && n != from {
					t.Errorf("why %s: %s is no root, %s needs it", to, from, n)
				}
			}
		}
	}
}

func checkSpoilt(t *testing.T, g *dag.Graph, all []string, edges map[string][]string, away map[string]map[string]int) {
	t.Helper()
	own := func(n string) bool {
		_, cyclic := away[n][n]
		return cyclic || slices.ContainsFunc(edges[n], func(to string) bool { _, there := edges[to]; return !there })
	}
	var want []string
	for _, n := range all {
		spoilt := own(n)
		for to := range away[n] {
			spoilt = spoilt || own(to)
		}
		if spoilt {
			want = append(want, n)
		}
	}
	var got []string
	for _, s := range g.Spoilt() {
		n := s.Node.Source.String()
		got = append(got, n)
		if (s.Err != nil) != own(n) || s.Err == nil && len(s.Needs) == 0 {
			t.Errorf("%s is spoilt by %v and needs %v", n, s.Err, names(s.Needs))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("spoilt are %v, want %v", got, want)
	}
	if sound := len(g.Sound()); sound+len(got) != len(all) {
		t.Errorf("%d sound and %d spoilt packages of %d", sound, len(got), len(all))
	}
}

// The pictures are the same for the same packages, in whatever order they come.
func TestPicturesOfShuffledNodes(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 9))
		ns, _ := randomGraph(r)
		var first string
		for range 5 {
			r.Shuffle(len(ns), func(i, j int) { ns[i], ns[j] = ns[j], ns[i] })
			g, _ := dag.NewGraph(ns...)
			var b strings.Builder
			if err := g.WriteDOT(&b); err != nil {
				t.Fatal(err)
			}
			if err := g.WriteMermaid(&b); err != nil {
				t.Fatal(err)
			}
			data, err := g.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			b.Write(data)
			if first == "" {
				first = b.String()
			}
			if b.String() != first {
				t.Fatalf("seed %d: two pictures of one graph:\n%s\n%s", seed, first, b.String())
			}
		}
	}
}
