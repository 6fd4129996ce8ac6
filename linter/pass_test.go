package linter

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/parser"
)

func document(t *testing.T, text string) *parser.Document {
	t.Helper()
	for d, err := range parser.Bytes("a.yaml", []byte(text), nil) {
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	t.Fatal("no document")
	return nil
}

func TestAt(t *testing.T) {
	d := document(t, "# comment\napiVersion: v1\nkind: Demo\nmetadata:\n  name: demo\nspec:\n  list:\n  - a: 1\n  - {}\n")
	type place struct{ Range, Path string }
	cases := map[string]struct {
		reason     string
		path       []any
		value, key place
	}{
		"Document":      {"Without a path, the place is the object, from its first key.", nil, place{"2:1-9:7", ""}, place{"2:1-9:7", ""}},
		"Scalar":        {"A value and its key are told apart.", []any{"metadata", "name"}, place{"5:9-5:13", "metadata.name"}, place{"5:3-5:7", "metadata.name"}},
		"Item":          {"An item of a sequence has no key.", []any{"spec", "list", 0}, place{"8:5-8:9", "spec.list[0]"}, place{"8:5-8:9", "spec.list[0]"}},
		"Missing":       {"What is missing is missing at the key of what is around it.", []any{"spec", "other", "more"}, place{"6:1-6:5", "spec.other.more"}, place{"6:1-6:5", "spec.other.more"}},
		"MissingAtTop":  {"The document has no key; the place is its start, not all of it.", []any{"status"}, place{"2:1-2:1", "status"}, place{"2:1-2:1", "status"}},
		"MissingInItem": {"Nor has an item.", []any{"spec", "list", 1, "a"}, place{"9:5-9:5", "spec.list[1].a"}, place{"9:5-9:5", "spec.list[1].a"}},
		"NoSuchItem":    {"An item that is not there is missing in the sequence.", []any{"spec", "list", 7}, place{"7:3-7:7", "spec.list[7]"}, place{"7:3-7:7", "spec.list[7]"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for what, f := range map[string]func(*parser.Document, ...any) Diagnostic{"At": At, "AtKey": AtKey} {
				want := tc.value
				if what == "AtKey" {
					want = tc.key
				}
				got := f(d, tc.path...)
				if diff := cmp.Diff(want, place{got.Range.Start.String() + "-" + got.Range.End.String(), got.Path}); diff != "" {
					t.Errorf("\n%s\n%s: -want +got:\n%s", tc.reason, what, diff)
				}
				if got.Range.File != "a.yaml" || got.Object != (ObjectRef{APIVersion: "v1", Kind: "Demo", Name: "demo"}) {
					t.Errorf("%s: the file or the object is wrong: %+v", what, got)
				}
			}
		})
	}
	if got := At(nil, "spec"); !got.Range.IsZero() || got.Path != "spec" {
		t.Errorf("without a document: %+v", got)
	}
}
