package meta_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
)

func TestPath(t *testing.T) {
	for _, tt := range []struct {
		reason string
		path   meta.Path
		want   string
	}{
		{"the document", nil, ""},
		{"keys and positions", meta.Path{"spec", "dependsOn", 0, "version"}, "spec.dependsOn[0].version"},
		{"a key that is no identifier", meta.Path{"metadata", "annotations", "a.b/c"}, `metadata.annotations["a.b/c"]`},
		{"a key that looks like a position", meta.Path{"a", "0"}, `a["0"]`},
		{"an empty key", meta.Path{"a", ""}, `a[""]`},
		{"a key with a quotation mark", meta.Path{`a"]`, "b"}, `["a\"]"].b`},
		{"a position first", meta.Path{3, "a"}, "[3].a"},
		{"positions in positions", meta.Path{"a", 1, 2}, "a[1][2]"},
	} {
		if got := tt.path.String(); got != tt.want {
			t.Errorf("%s: String() = %s, want %s", tt.reason, got, tt.want)
		}
		got, err := meta.ParsePath(tt.want)
		if err != nil || !reflect.DeepEqual(got, tt.path) {
			t.Errorf("%s: ParsePath(%s) = %#v, %v", tt.reason, tt.want, got, err)
		}
	}
}

func TestParsePathFailure(t *testing.T) {
	for _, s := range []string{".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[1", `a["x]`, "a[`x`]", "a b", "a[-1]", "a[99999999999999999999]", "a]"} {
		if p, err := meta.ParsePath(s); err == nil {
			t.Errorf("ParsePath(%q) = %#v, want an error", s, p)
		}
	}
}

func TestPathCompare(t *testing.T) {
	sorted := []meta.Path{
		nil, {"a"}, {"a", 2}, {"a", 2, "x"}, {"a", 10}, {"a", "10"}, {"a", "b"}, {"b"},
	}
	for i, p := range sorted {
		for j, q := range sorted {
			if got, want := p.Compare(q), slices.Compare([]int{i}, []int{j}); got != want {
				t.Errorf("%v.Compare(%v) = %d, want %d", p, q, got, want)
			}
		}
	}
}

// FuzzPath has the inverse as its oracle, in both directions.
func FuzzPath(f *testing.F) {
	f.Add("spec.dependsOn[0].version", "a", 1)
	f.Add(`metadata.annotations["a\u0000.b/c"]`, "", 0)
	f.Fuzz(executions.Many(func(t *testing.T, s, key string, i int) {
		if p, err := meta.ParsePath(s); err == nil {
			q, err := meta.ParsePath(p.String())
			if err != nil || p.Compare(q) != 0 {
				t.Errorf("ParsePath(%q) = %v, which reads as %v, %v", s, p, q, err)
			}
		}
		if i < 0 {
			return
		}
		p := meta.Path{key, i, "x", key}
		if q, err := meta.ParsePath(p.String()); err != nil || p.Compare(q) != 0 {
			t.Errorf("%#v reads as %#v, %v", p, q, err)
		}
	}))
}
