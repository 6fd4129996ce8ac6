package parser_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

func TestCollect(t *testing.T) {
	second := "apiVersion: meta.pkg.crossplane.io/v1alpha1\nkind: Configuration\nmetadata:\n  name: other\n"
	options := "apiVersion: meta.pkg.crossplane.io/v1\nkind: ListOptions\nmetadata:\n  name: strange\n"
	cases := map[string]struct {
		reason  string
		text    string
		header  string
		objects []string
		errs    []string // the beginnings of their texts
	}{
		"Package":    {"a metadata object and an object", metaDoc + "---\n" + crdA, "demo", []string{"a.example.org"}, nil},
		"HeaderLast": {"the metadata object may be last", crdA + "---\n" + metaDoc, "demo", []string{"a.example.org"}, nil},
		"None": {
			"no metadata object", crdA + "---\n" + crdB, "", []string{"a.example.org", "b.example.org"},
			[]string{"f: metadata-missing: no metadata object (Configuration, Provider or Function in meta.pkg.crossplane.io) found; searched 2 documents in 1 file"},
		},
		"NoneReadable": {
			"the syntax error is told before what follows from it", "kind: Provider\n\tx\n---\n" + crdA, "", []string{"a.example.org"},
			[]string{
				"f:2:1: yaml-syntax: a tab cannot be used for indentation; use spaces (document 1)",
				"f: metadata-missing: no metadata object (Configuration, Provider or Function in meta.pkg.crossplane.io) found; searched 2 documents in 1 file, of which 1 could not be read",
			},
		},
		"OnlyComments": {
			"nothing but comments", "# c\n", "", nil,
			[]string{"metadata-missing: no crossplane.yaml and no metadata object (Configuration, Provider or Function in meta.pkg.crossplane.io) found; there is no document at all"},
		},
		"Empty": {
			"an empty stream is both", "", "", nil,
			[]string{"f:1:1: empty-file: there is nothing in it", "f: metadata-missing: no metadata object (Configuration, Provider or Function in meta.pkg.crossplane.io) found; searched 0 documents in 1 file"},
		},
		"Two": {
			"two metadata objects, and the places of both", metaDoc + "---\n" + crdA + "---\n" + second, "demo", []string{"a.example.org", "other"},
			[]string{`f:11:1: metadata-multiple: Configuration "other" is a second metadata object beside Provider "demo" at f:1:1 (document 3)`},
		},
		"Three": {
			"each beyond the first is told", metaDoc + "---\n" + second + "---\n" + second, "demo", []string{"other", "other"},
			[]string{"f:6:1: metadata-multiple: ", "f:11:1: metadata-multiple: "},
		},
		"ListOptions": {
			"an unknown kind of the metadata group", options, "strange", nil,
			[]string{`f:2:7: metadata-invalid: "ListOptions" is not a kind of group meta.pkg.crossplane.io`},
		},
		"ListOptionsBeside": {
			"it is no metadata object where there is one", options + "---\n" + metaDoc, "demo", []string{"strange"},
			[]string{`f:2:7: metadata-invalid: "ListOptions" is not a kind of group`},
		},
		"Status": {
			"an object of a foreign kind is kept, and is the linter's business", metaDoc + "---\napiVersion: v1\nkind: Status\nmetadata: {name: s}\n", "demo", []string{"s"}, nil,
		},
		"Fields": {
			"every fault of the metadata object, at its place",
			metaDoc + "spec:\n  crossplane:\n    version: 1.10\n  dependsOn:\n  - provider: example.org/a\n    version: '>= v'\n",
			"demo", nil,
			[]string{"f:7:14: metadata-invalid: ", `f:10:14: constraint-syntax: ">= v" is not a version range`},
		},
		"MissingField": {
			"a field that is not there: at the nearest that is", metaDoc + "spec:\n  dependsOn:\n  - version: v1.0.0\n", "demo", nil,
			[]string{"f:7:5: metadata-invalid: "},
		},
		"Repeated": {
			"a repeated field, and the package all the same", metaDoc + "spec: {}\nspec: {}\n", "demo", nil,
			[]string{"f:6:1: duplicate-key: "},
		},
		"Infinite": {
			"a metadata object that has no JSON form", metaDoc + "spec: {x: .nan}\n", "demo", nil,
			[]string{"f:5:11: yaml-syntax: "},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := parser.Collect(parser.Bytes("f", []byte(tc.text), nil))
			header := ""
			if p.Header != nil {
				header = p.Header.Name
			}
			var objects []string
			for _, d := range p.Objects {
				objects = append(objects, d.Name)
			}
			if header != tc.header {
				t.Errorf("%s: header %q, want %q", tc.reason, header, tc.header)
			}
			if diff := cmp.Diff(tc.objects, objects); diff != "" {
				t.Errorf("%s: objects (-want +got):\n%s", tc.reason, diff)
			}
			errs := list(err)
			if len(errs) != len(tc.errs) {
				t.Fatalf("%s: errors\n%v\nwant %q", tc.reason, err, tc.errs)
			}
			for i, e := range errs {
				if !strings.HasPrefix(e.Error(), tc.errs[i]) {
					t.Errorf("%s: error %d is\n%s\nwant\n%s", tc.reason, i, e, tc.errs[i])
				}
			}
			if len(tc.errs) == 0 && (err != nil || p.Meta == nil || string(p.Meta.Kind) != p.Header.Kind) {
				t.Errorf("%s: Meta %v, error %v", tc.reason, p.Meta, err)
			}
			last := -1
			for d := range p.Documents() {
				if d.Index <= last {
					t.Errorf("Documents yields %d behind %d", d.Index, last)
				}
				last = d.Index
			}
		})
	}
}

func TestCollectDir(t *testing.T) {
	const wants = "(Configuration, Provider or Function in meta.pkg.crossplane.io) found; "
	install := "apiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: p\n"
	upper := "apiVersion: Meta.pkg.crossplane.io/v1\nkind: Function\n"
	cases := map[string]struct {
		reason string
		files  map[string]string
		header string // its place
		errs   []string
	}{
		"RootFirst": {
			"the metadata object is that of the root's crossplane.yaml, wherever that sorts",
			map[string]string{"a/crossplane.yaml": metaDoc, "b.yaml": metaDoc, "crossplane.yaml": metaDoc}, "crossplane.yaml:1:1",
			[]string{
				`a/crossplane.yaml:1:1: metadata-multiple: Provider "demo" is a second metadata object beside Provider "demo" at crossplane.yaml:1:1`,
				`b.yaml:1:1: metadata-multiple: `,
			},
		},
		"NoFile": {
			"without the file, and without anything near", map[string]string{"a.yaml": crdA, "b.yaml": crdB}, "",
			[]string{"metadata-missing: no crossplane.yaml " + wants + "searched 2 documents in 2 files"},
		},
		"OneFile": {
			"one file of a directory is no stream", map[string]string{"a.yaml": crdA}, "",
			[]string{"metadata-missing: no crossplane.yaml " + wants + "searched 1 document in 1 file"},
		},
		"SomethingElse": {
			"the file is there, and holds something else", map[string]string{"crossplane.yaml": crdA}, "",
			[]string{"metadata-missing: no metadata object " + wants + `crossplane.yaml holds apiextensions.k8s.io/v1 CustomResourceDefinition "a.example.org"; searched 1 document in 1 file`},
		},
		"SeveralElse": {
			"and more than one", map[string]string{"crossplane.yaml": crdA + "---\n" + crdB}, "",
			[]string{"metadata-missing: no metadata object " + wants + `crossplane.yaml holds apiextensions.k8s.io/v1 CustomResourceDefinition "a.example.org" and 1 more object; searched 2 documents in 1 file`},
		},
		"Nameless": {
			"an object that says nothing of itself", map[string]string{"crossplane.yaml": "a: 1\n"}, "",
			[]string{"crossplane.yaml:1:1: missing-api-version: ", "crossplane.yaml:1:1: missing-kind: ", "metadata-missing: no metadata object " + wants + "crossplane.yaml holds none; searched 1 document in 1 file"},
		},
		"EmptyMetadata": {
			"the file is there, and empty", map[string]string{"crossplane.yaml": "", "a.yaml": crdA}, "",
			[]string{"crossplane.yaml:1:1: empty-file: there is nothing in it", "metadata-missing: no metadata object " + wants + "crossplane.yaml holds no object; searched 1 document in 2 files"},
		},
		"OnlyComments": {
			"the file is there, and holds comments and null; other files may", map[string]string{"crossplane.yaml": "# to be done\n---\nnull\n", "a.yaml": "# nothing yet\n"}, "",
			[]string{"crossplane.yaml:1:1: empty-file: there is no document in it", "metadata-missing: no metadata object " + wants + "crossplane.yaml holds no object; searched 0 documents in 1 file"},
		},
		"OnlyExamples": {
			"examples are no part of the package", map[string]string{"examples/crossplane.yaml": metaDoc}, "",
			[]string{"metadata-missing: no crossplane.yaml and no metadata object " + wants + "there is no document at all"},
		},
		"Elsewhere": {
			"the file is in a directory, which is accepted: content decides", map[string]string{"package/crossplane.yaml": metaDoc, "a.yaml": crdA}, "package/crossplane.yaml:1:1", nil,
		},
		"Broken": {
			"the file is there, and cannot be read", map[string]string{"a.yaml": crdA, "crossplane.yaml": "a: b: c\n"}, "",
			[]string{
				"crossplane.yaml:1:5: yaml-syntax: ",
				"metadata-missing: no metadata object " + wants + "crossplane.yaml could not be read; searched 2 documents in 2 files, of which 1 could not be read",
			},
		},
		"NearMisses": {
			"what an author may have meant, the first three",
			map[string]string{"a.yaml": install, "b.yaml": upper, "c.yaml": "kind: Configuration\n", "d.yaml": install}, "",
			[]string{
				"c.yaml:1:1: missing-api-version: ",
				"metadata-missing: no crossplane.yaml " + wants + `searched 4 documents in 4 files; near misses are pkg.crossplane.io/v1 Provider "p" at a.yaml:1:1, Meta.pkg.crossplane.io/v1 Function at b.yaml:1:1, Configuration at c.yaml:1:1 (without apiVersion)`,
			},
		},
		"WithoutKind": {
			"a metadata object without a kind is told of once", map[string]string{"crossplane.yaml": "apiVersion: meta.pkg.crossplane.io/v1\nmetadata:\n  name: a\n"}, "crossplane.yaml:1:1",
			[]string{"crossplane.yaml:1:1: missing-kind: "},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := parser.Collect(parser.Dir(t.Context(), tree(t, tc.files), nil))
			header := ""
			if p.Header != nil {
				header = p.Header.Range.String()
			}
			if header != tc.header {
				t.Errorf("%s: header at %q, want %q", tc.reason, header, tc.header)
			}
			errs := list(err)
			if len(errs) != len(tc.errs) {
				t.Fatalf("%s: errors\n%v\nwant %q", tc.reason, err, tc.errs)
			}
			for i, e := range errs {
				if !strings.HasPrefix(e.Error(), tc.errs[i]) {
					t.Errorf("%s: error %d is\n%s\nwant\n%s", tc.reason, i, e, tc.errs[i])
				}
			}
		})
	}
}

func TestCollectIsBounded(t *testing.T) {
	for _, text := range []string{"a\n---\n", "kind: [\n---\n", metaDoc + "---\n", "apiVersion: meta.pkg.crossplane.io/v1\nkind: X\n---\n"} {
		_, err := parser.Collect(parser.Bytes("f", []byte(strings.Repeat(text, parser.MaxFaults+100)), nil))
		errs := list(err)
		if len(errs) != parser.MaxFaults+1 {
			t.Fatalf("%q: %d errors", text, len(errs))
		}
		last := errs[len(errs)-1]
		var limit *meta.LimitError
		if last.Rule != parser.RuleLimit || !errors.As(last, &limit) || limit.Limit != parser.MaxFaults || !strings.Contains(last.Message, " more faults") {
			t.Errorf("%q: the last error is %v", text, last)
		}
		for _, e := range errs[:len(errs)-1] {
			if e.Rule == parser.RuleLimit {
				t.Fatalf("%q: %v", text, e)
			}
		}
	}
}

func TestCollectCategories(t *testing.T) {
	_, err := parser.Collect(parser.Bytes("f", []byte(crdA), nil))
	if !errors.Is(err, meta.ErrNotPackage) || errors.Is(err, meta.ErrInvalid) {
		t.Errorf("without metadata it is %v", meta.Code(err))
	}
	_, err = parser.Collect(parser.Bytes("f", []byte(metaDoc+"spec: {crossplane: {version: '>= v'}}"), nil))
	var field *meta.FieldError
	var one *parser.Error
	if !errors.As(err, &field) || !errors.As(err, &one) || field.Fault != meta.FaultConstraint || one.Rule != parser.RuleConstraint {
		t.Errorf("errors.As does not reach the field: %v", err)
	}
	if one.Path.String() != "spec.crossplane.version" || one.Object.Name != "demo" || one.Index != 0 || one.Document != 1 {
		t.Errorf("the error knows too little: %+v", one)
	}
}

func TestCollectForeignSequence(t *testing.T) {
	// A sequence of somebody else's may yield errors of its own.
	broken := errors.New(strings.Repeat("the blob has another digest ", 100))
	p, err := parser.Collect(func(yield func(*parser.Document, error) bool) {
		for d, err := range parser.Bytes("f", []byte(crdA), nil) {
			if !yield(d, err) {
				return
			}
		}
		yield(nil, broken)
	})
	if len(p.Objects) != 1 || !errors.Is(err, broken) || len(err.Error()) > 400 {
		t.Errorf("%d objects, error %v", len(p.Objects), err)
	}
}

func TestErrorListIsSorted(t *testing.T) {
	root := tree(t, map[string]string{
		"b.yaml": "a:\n\tb\n---\nkind: A\nkind: A\n", "a.yaml": "", "c.yaml": "- 1\n",
	})
	_, err := parser.Collect(parser.Dir(context.Background(), root, nil))
	var got []string
	for _, e := range list(err) {
		got = append(got, e.Range.String()+" "+e.Rule)
	}
	want := []string{
		"a.yaml:1:1 empty-file", "b.yaml:2:1 yaml-syntax", "b.yaml:4:1 missing-api-version", "b.yaml:5:1 duplicate-key",
		"c.yaml:1:1 not-an-object", " metadata-missing",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestErrorListText(t *testing.T) {
	var l parser.ErrorList
	for i := range 12 {
		l = append(l, &parser.Error{Rule: "r", Message: fmt.Sprint(i)})
	}
	if got := l.Error(); strings.Count(got, "\n") != 10 || !strings.HasSuffix(got, "9\nand 2 more") {
		t.Errorf("%q", got)
	}
}
