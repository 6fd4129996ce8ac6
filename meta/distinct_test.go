package meta

import (
	"slices"
	"testing"
)

// TestDistinct has functions that give all sources one name, as hashes could.
func TestDistinct(t *testing.T) {
	var sources []Source
	for _, s := range []string{"a/x", "b/x", "docker.io/a/x", "c/y"} {
		src, err := ParseSource(s)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, src)
	}
	same := func(Source) string { return "x" + mark + "0" }
	names := distinct(sources, []func(Source) string{same, same})
	if names[0] == names[1] || names[0] != names[2] || names[3] == names[0] || names[3] == names[1] {
		t.Errorf("the names are %v", names)
	}
	for _, name := range names {
		if !isLabel(name) || len(name) > maxBase {
			t.Errorf("%s is no label of up to %d characters", name, maxBase)
		}
	}
	slices.Reverse(sources)
	again := distinct(sources, []func(Source) string{same, same})
	slices.Reverse(again)
	if !slices.Equal(names, again) {
		t.Errorf("in another order the names are %v, want %v", again, names)
	}
}
