package compare_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/xpkg-go/sdk/linter/compare"
	"github.com/xpkg-go/sdk/parser"
)

var update = flag.Bool("update", false, "write what is wanted from what is found")

// TestCases compares the packages of the archives in testdata. A case is a folder
// of an archive with old.yaml, new.yaml and want; schemas are put as those of spec into
// a definition. Its reason is the comment that old.yaml begins with.
func TestCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cases := map[string]map[string]int{} // case -> file -> index
		var order []string
		for i, f := range archive.Files {
			name, base := filepath.Split(f.Name)
			if cases[name] == nil {
				cases[name] = map[string]int{}
				order = append(order, name)
			}
			cases[name][base] = i
		}
		for _, name := range order {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+strings.Trim(name, "/"), func(t *testing.T) {
				part := func(base string) []byte {
					i, ok := cases[name][base]
					if !ok {
						t.Fatalf("there is no %s", base)
					}
					return archive.Files[i].Data
				}
				read := func(base string) *parser.Package {
					if _, ok := cases[name][base+".schema.yaml"]; ok {
						return collect(t, base+".yaml", define(part(base+".schema.yaml")))
					}
					return collect(t, base+".yaml", part(base+".yaml"))
				}
				old, new := read("old"), read("new")
				got := write(packages(t, old, new))
				if *update {
					archive.Files[cases[name]["want"]].Data = []byte(got)
				} else if want := string(part("want")); got != want {
					t.Errorf("got:\n%s\nwant:\n%s", got, want)
				}
				for _, p := range []*parser.Package{old, new} {
					if same := packages(t, p, p); len(same) > 0 {
						t.Errorf("a package differs from itself:\n%s", write(same))
					}
				}
			})
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func packages(t *testing.T, old, new *parser.Package) []compare.Change {
	t.Helper()
	changes, err := compare.Packages(t.Context(), old, new)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		checkForm(t, c)
	}
	return changes
}

// checkForm holds changes to what is promised of them.
func checkForm(t *testing.T, c compare.Change) {
	t.Helper()
	switch {
	case c.Message == "" || strings.HasSuffix(c.Message, ".") || strings.ContainsAny(c.Message, "\r\n"):
		t.Errorf("the message is not of the house's form: %s", c)
	case c.Severity == 0 || c.Rule == "" || c.Object == (parser.ObjectRef{}):
		t.Errorf("something is missing: %+v", c)
	case !c.Old.Range.Start.IsValid() && !c.New.Range.Start.IsValid():
		t.Errorf("there is no place: %s", c)
	}
}

func write(changes []compare.Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintln(&b, c.Severity, c)
	}
	return b.String()
}

// collect reads a package; one without metadata gets some.
func collect(t *testing.T, name string, text []byte) *parser.Package {
	t.Helper()
	if !bytes.Contains(text, []byte("meta.pkg.")) {
		text = append([]byte("apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: demo\n---\n"), text...)
	}
	p, err := parser.Collect(parser.Bytes(name, text, nil))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// define makes a definition whose schema of spec this is.
func define(schema []byte) []byte {
	const indent = "              "
	text := strings.ReplaceAll(strings.TrimSuffix(string(schema), "\n"), "\n", "\n"+indent)
	return []byte(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.example.org
spec:
  group: example.org
  scope: Cluster
  names: {kind: Bucket, plural: buckets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            ` + "  " + text + "\n")
}
