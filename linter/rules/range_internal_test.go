package rules

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
)

// TestSatisfiable compares the few versions that are looked at with all of a grid: a
// range of small numbers holds a version of the grid if it holds any.
func TestSatisfiable(t *testing.T) {
	var grid []meta.Version
	for major := range 6 {
		for minor := range 6 {
			for patch := range 6 {
				for _, suffix := range []string{"", "-0", "-rc.1", "-rc.1.0", "-rc.2"} {
					v, err := meta.ParseVersion(fmt.Sprintf("v%d.%d.%d%s", major, minor, patch, suffix))
					if err != nil {
						t.Fatal(err)
					}
					grid = append(grid, v)
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	bound := func() string {
		parts := []string{}
		for range 1 + r.IntN(3) {
			parts = append(parts, pick("0", "1", "2", "3", "x"))
		}
		suffix := ""
		if len(parts) == 3 && !strings.Contains(strings.Join(parts, ""), "x") {
			suffix = pick("", "", "", "-0", "-rc.1")
		}
		return pick("", "v") + strings.Join(parts, ".") + suffix
	}
	term := func() string { return pick(">=", ">", "<", "<=", "=", "!=", "^", "~", "") + bound() }
	text := func() string {
		out := term()
		for range r.IntN(4) {
			out += pick(", ", " ", ", ", " || ") + term()
		}
		return out
	}
	const many = 1000
	empty := 0
	for range many {
		list := make([]meta.Constraint, 0, 2)
		for range 1 + r.IntN(2) {
			if c, err := meta.ParseConstraint(text()); err == nil {
				list = append(list, c)
			}
		}
		if len(list) == 0 {
			continue
		}
		want := false
		for _, v := range grid {
			if allow(list, v) {
				want = true
				break
			}
		}
		if !want {
			empty++
		}
		if got := satisfiable(list...); got != want {
			t.Errorf("%q: satisfiable is %t, and the grid says %t", list, got, want)
		}
	}
	if empty < many/100 {
		t.Errorf("only %d of %d ranges are empty", empty, many)
	}
}

func TestMeantRange(t *testing.T) {
	for text, want := range map[string]string{
		"v1": ">=v1.0.0, <v2.0.0", "1": ">=1.0.0, <2.0.0", "v0": ">=v0.0.0, <v1.0.0", "v1.2": ">=v1.2.0, <v1.3.0",
		"v1.2.3": "", "v1.x": "", ">=v1": "", "v": "", "": "", "v99999999999999999999": "", "latest": "",
	} {
		got, ok := meantRange(text)
		if got != want || ok != (want != "") {
			t.Errorf("%q stands for %q, %t; want %q", text, got, ok, want)
		}
		if !ok {
			continue
		}
		a, errA := meta.ParseConstraint(text)
		b, errB := meta.ParseConstraint(got)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for v := range probes(boundsOf(a, b)) {
			if a.Allows(v) != b.Allows(v) && !strings.Contains(v.String(), "-") {
				t.Errorf("%q and %q differ about %s", text, got, v)
			}
		}
	}
}

func TestExcluded(t *testing.T) {
	for text, want := range map[string]string{
		">=v1.2.0": "v1.2.1-rc.1", ">=v1.2.0-0": "", "v1.2.0": "", "=1.2.0": "", "^1.2": "v1.2.1-rc.1", "v1.x": "v1.0.1-rc.1",
		">=v1.2.0, <v1.2.1": "", "<v1.0.0": "", "sha256:" + strings.Repeat("a", 64): "", "*": "v0.0.1-rc.1",
	} {
		c, err := meta.ParseConstraint(text)
		if err != nil {
			t.Fatal(err)
		}
		v, ok := excluded(c)
		if ok != (want != "") || ok && v.String() != want {
			t.Errorf("%q is without %q, %t; want %q", text, v, ok, want)
		}
	}
}
