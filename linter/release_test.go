package linter

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
)

func TestReleasesOf(t *testing.T) {
	newest := Releases{list: []release{{2, 4}}}
	cases := map[string]struct {
		reason         string
		target         string
		crossplane     string
		oldest, newest string
	}{
		"Silent":     {"A package that says nothing is judged for the newest release.", "", "", newest.Newest(), newest.Newest()},
		"Open":       {"An open range admits every release from there on.", "", ">=v1.14.1-0", "v1.14", newest.Newest()},
		"Closed":     {"A range may end before the newest release.", "", ">=v1.14.0, <v2.0.0", "v1.14", "v1.20"},
		"Exact":      {"A version admits its own release only, whatever its patch number.", "", "v1.15.3", "v1.15", "v1.15"},
		"Prerelease": {"A range that begins with a pre-release admits that release.", "", ">=v2.0.0-preview.1", "v2.0", newest.Newest()},
		"Future":     {"A range that no known release is in says nothing about known ones.", "", ">=2.13.0", newest.Newest(), newest.Newest()},
		"Nonsense":   {"A range that cannot be read is a fault of reading; here it says nothing.", "", "not a version", newest.Newest(), newest.Newest()},
		"Target":     {"The caller's target rules over the package.", "v1.20", ">=v2.0.0", "v1.20", "v1.20"},
		"Patch":      {"The patch number of a target does not matter.", "1.19.3", "", "v1.19", "v1.19"},
		"Unborn":     {"A target may be newer than this library.", "v3.1", "", "v3.1", "v3.1"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c, _ := meta.ParseConstraint(tc.crossplane)
			got, err := releasesOf(tc.target, &meta.Package{Crossplane: c})
			if err != nil {
				t.Fatal(err)
			}
			if got.Oldest() != tc.oldest || got.Newest() != tc.newest {
				t.Errorf("\n%s\ngot %s to %s, want %s to %s", tc.reason, got.Oldest(), got.Newest(), tc.oldest, tc.newest)
			}
		})
	}
}

func TestReleasesOfBadTarget(t *testing.T) {
	for _, target := range []string{"1", "v1", "banana", "v1.x", "v1.20.x y", "-1.2", "v1.-2", "v99999999999.1", "v1.20/", strings.Repeat("9", 1000)} {
		_, err := releasesOf(target, nil)
		if err == nil {
			t.Errorf("%q was taken for a version", clip(target))
		} else if len(err.Error()) > 200 {
			t.Errorf("the error quotes %d bytes", len(err.Error()))
		}
	}
}

func TestReleasesBounds(t *testing.T) {
	r := Releases{list: []release{{1, 20}, {2, 0}, {2, 1}}}
	cases := map[string]struct {
		reason       string
		since, until string
		some, every  bool
	}{
		"Unbounded": {"No bound holds for all.", "", "", true, true},
		"Since":     {"Since is inclusive.", "v2.0", "", true, false},
		"Until":     {"Until is exclusive.", "", "v2.0", true, false},
		"All":       {"Bounds may hold for all.", "v1.20", "v2.2", true, true},
		"None":      {"Bounds may hold for none.", "v2.2", "", false, false},
		"Before":    {"v1.9 is before v1.20: minor versions are numbers.", "v1.9", "", true, true},
		"Nonsense":  {"A bound that cannot be read holds for nothing, rather than for everything.", "soon", "", false, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if some, every := r.Some(tc.since, tc.until), r.Every(tc.since, tc.until); some != tc.some || every != tc.every {
				t.Errorf("\n%s\ngot %t, %t, want %t, %t", tc.reason, some, every, tc.some, tc.every)
			}
		})
	}
}

// TestPatchesFor holds the patch numbers that are tried to all of them, for random ranges
// whose bounds are close to each other.
func TestPatchesFor(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var every []int
	for n := range patches {
		every = append(every, n)
	}
	admitted := 0
	for range 3000 {
		var constraints []meta.Constraint
		for range 1 + random.IntN(2) {
			var text strings.Builder
			for i := range 1 + random.IntN(3) {
				if i > 0 {
					text.WriteString([]string{", ", " ", " || "}[random.IntN(3)])
				}
				text.WriteString([]string{"", "=", "!=", ">", ">=", "<", "<=", "~", "^"}[random.IntN(9)])
				text.WriteString([]string{"", "v"}[random.IntN(2)] + "1." + []string{"14", "15", "x"}[random.IntN(3)])
				text.WriteString([]string{"", ".x", ".0", fmt.Sprint(".", random.IntN(20)), fmt.Sprint(".", random.IntN(20), "-0"), fmt.Sprint(".", random.IntN(20), "+7")}[random.IntN(6)])
			}
			if c, err := meta.ParseConstraint(text.String()); err == nil {
				constraints = append(constraints, c)
			}
		}
		for minor := 13; minor <= 16; minor++ {
			r := release{1, minor}
			want := admit(constraints, r, every)
			if got := admit(constraints, r, patchesFor(constraints)); got != want {
				t.Errorf("%v admit %s: %t, want %t", constraints, r, got, want)
			}
			if want {
				admitted++
			}
		}
	}
	if admitted < 1000 || admitted > 11000 {
		t.Errorf("%d of 12,000 are admitted, which shows too little", admitted)
	}
}
