package ignore

import (
	"strings"
	"testing"
)

// Most patterns are no longer of interest at the first letter of a path, and cost no
// memory: a tree may have a million files, and the largest file of patterns ten thousand.
func TestMatchStopsEarly(t *testing.T) {
	list := Parse(strings.Repeat("/vendor-of-something/"+strings.Repeat("a-long-name/", 9)+"x\n", 3000))
	path := strings.Repeat("crds/", 20) + "a.yaml"
	if n := testing.AllocsPerRun(10, func() {
		if list.Match(path, false) {
			t.Error("it is left out")
		}
	}); n > 0 {
		t.Errorf("%v allocations for a path that no pattern is near", n)
	}
}
