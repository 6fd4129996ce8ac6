package dag

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Sets of numbers behave as maps do.
func TestBitset(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 63, 64, 65, 200} {
		a, b := newBitset(n), newBitset(n)
		inA, inB := make([]bool, n), make([]bool, n)
		for i := range n {
			if r.IntN(2) == 0 {
				a.add(i)
				inA[i] = true
			}
			if r.IntN(2) == 0 {
				b.add(i)
				inB[i] = true
			}
		}
		count, within, meets := 0, true, false
		for i := range n {
			if a.and(b).has(i) != (inA[i] && inB[i]) || a.or(b).has(i) != (inA[i] || inB[i]) ||
				a.without(b).has(i) != (inA[i] && !inB[i]) || !a.with(i).has(i) || !fullBitset(n).has(i) {
				t.Fatalf("n %d, number %d", n, i)
			}
			if inA[i] {
				count++
			}
			within = within && (!inA[i] || inB[i])
			meets = meets || inA[i] && inB[i]
		}
		if a.count() != count || a.empty() != (count == 0) || a.within(b) != within || a.meets(b) != meets || fullBitset(n).count() != n {
			t.Fatalf("n %d: counts differ", n)
		}
		var got []int
		for i := a.next(0); i >= 0; i = a.next(i + 1) {
			got = append(got, i)
		}
		if len(got) != count || !slices.IsSorted(got) {
			t.Fatalf("n %d: next gives %v", n, got)
		}
	}
}

func TestReverse(t *testing.T) {
	d := digraph{start: []int32{0, 2, 3, 3}, to: []int32{1, 2, 2}}
	r := d.reverse()
	if !slices.Equal(r.start, []int32{0, 0, 1, 3}) || !slices.Equal(r.to, []int32{0, 0, 1}) {
		t.Errorf("reverse is %+v", r)
	}
}

// The search for a shortest cycle that runs out of steps has that through the first
// member at least.
func TestCycleFinderSteps(t *testing.T) {
	// 0 -> 1 -> 2 -> 0, and 1 <-> 2.
	d := digraph{start: []int32{0, 1, 2, 4}, to: []int32{1, 2, 0, 1}}
	for _, tc := range []struct {
		reason string
		steps  int
		want   []int32
	}{
		{"with steps the shortest of all", maxCycleSteps, []int32{1, 2, 1}},
		{"without steps the shortest through the first", 0, []int32{0, 1, 2, 0}},
	} {
		f := newCycleFinder(d)
		f.steps = tc.steps
		if got := f.shortest([]int32{2, 0, 1}); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.reason, got, tc.want)
		}
	}
}
