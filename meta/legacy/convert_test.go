package legacy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
)

// TestConvert holds what becomes of definitions, and what is said about it, against
// testdata/convert: the comment of an archive says what it is about.
func TestConvert(t *testing.T) {
	files, err := filepath.Glob("testdata/convert/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d archives (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in := fromYAML(t, a.Files[0].Data)
			out, notes := convert(t, in, strings.Contains(string(a.Comment), "It is published."))
			var b strings.Builder
			for _, n := range notes {
				fmt.Fprintln(&b, n)
			}
			got := &txtar.Archive{Comment: a.Comment, Files: []txtar.File{a.Files[0], {Name: "out.yaml", Data: out}, {Name: "notes", Data: []byte(b.String())}}}
			if *update {
				if err := writeFile(file, txtar.Format(got)); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(txtar.Format(a)), string(txtar.Format(got))); diff != "" && !*update {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// convert converts a definition of whichever kind, and returns it as YAML.
func convert(t *testing.T, in []byte, published bool) ([]byte, []legacy.Note) {
	t.Helper()
	var head struct{ Kind string }
	if err := json.Unmarshal(in, &head); err != nil {
		t.Fatal(err)
	}
	if head.Kind != "CustomResourceDefinition" {
		out, notes, err := legacy.ConvertInfrastructureDefinition(in, published)
		if err != nil {
			t.Fatal(err)
		}
		return asYAML(t, out), notes
	}
	v1, notes, err := legacy.ConvertCRD(in)
	if err != nil {
		t.Fatal(err)
	}
	out, more, err := legacy.AdmitCRD(v1)
	if err != nil {
		t.Fatal(err)
	}
	return asYAML(t, out), append(notes, more...)
}

func TestConvertFaults(t *testing.T) {
	const crd = `"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition"`
	for _, c := range []struct{ reason, in, want string }{
		{"only v1beta1 is converted", `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"}`, `apiVersion: "CustomResourceDefinition" of "apiextensions.k8s.io/v1" is not CustomResourceDefinition of apiextensions.k8s.io/v1beta1`},
		{"it is an object", `[]`, "an array is not an object"},
		{"every field that has to be moved is of its type", `{` + crd + `,"spec":{"versions":{},"conversion":7}}`, "spec.versions: an object is not an array; spec.conversion: the number 7 is not an object"},
		{"a version is an object", `{` + crd + `,"spec":{"versions":["v1"]}}`, `spec.versions[0]: "v1" is not an object`},
		{"columns are a list", `{` + crd + `,"spec":{"version":"v1","additionalPrinterColumns":{}}}`, "spec.versions[0].additionalPrinterColumns: an object is not an array"},
		{"control characters of input are quoted", `{` + crd + `,"spec":"\u001b"}`, `spec: "\x1b" is not an object`},
		{"it is JSON", `{`, "this is not a JSON value (EOF)"},
		{"and nothing else", `{} {}`, "this is not a JSON value (there is more behind it)"},
	} {
		_, _, err := legacy.ConvertCRD([]byte(c.in))
		if err == nil || err.Error() != c.want || !errors.Is(err, meta.ErrInvalid) {
			t.Errorf("%s: got %v, want %s", c.reason, err, c.want)
		}
	}
	deep := strings.Repeat("[", 2000) + strings.Repeat("]", 2000)
	if _, _, err := legacy.ConvertCRD([]byte(deep)); !errors.Is(err, meta.ErrLimit) {
		t.Errorf("nesting is bounded: got %v", err)
	}
	if _, _, err := legacy.AdmitCRD([]byte(`{`)); !errors.Is(err, meta.ErrInvalid) {
		t.Errorf("got %v", err)
	}
	for in, want := range map[string]string{
		`{"apiVersion":"apiextensions.crossplane.io/v1alpha1","kind":"InfrastructureDefinition"}`:                                        "spec.crdSpecTemplate: missing, want the definition of the kind",
		`{"apiVersion":"apiextensions.crossplane.io/v1alpha1","kind":"InfrastructureDefinition","spec":{"crdSpecTemplate":{"names":1}}}`: "spec.crdSpecTemplate.names: the number 1 is not an object",
		`{"apiVersion":"v1","kind":"InfrastructureDefinition"}`:                                                                          `apiVersion: "InfrastructureDefinition" of "v1" is not InfrastructureDefinition of apiextensions.crossplane.io/v1alpha1`,
	} {
		if _, _, err := legacy.ConvertInfrastructureDefinition([]byte(in), false); err == nil || err.Error() != want || !errors.Is(err, meta.ErrInvalid) {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
	const publication = `"apiVersion":"apiextensions.crossplane.io/v1alpha1","kind":"InfrastructurePublication"`
	if name, err := legacy.PublishedDefinition([]byte(`{` + publication + `,"spec":{"infrastructureDefinitionRef":{"name":"a.b"}}}`)); name != "a.b" || err != nil {
		t.Errorf("got %q, %v", name, err)
	}
	if _, err := legacy.PublishedDefinition([]byte(`{` + publication + `}`)); err == nil || !errors.Is(err, meta.ErrInvalid) {
		t.Errorf("got %v", err)
	}
}
