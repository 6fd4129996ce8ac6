package apiserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/lintertest"
	"github.com/xpkg-go/sdk/parser"
)

func options() *linter.Options { return &linter.Options{Rules: apiserver.Rules()} }

func TestArchives(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range files {
		for _, d := range lintertest.Run(t, file, options()) {
			if d.Object.Kind == "" || strings.HasSuffix(d.Message, ".") || strings.ContainsAny(d.Message, "\n\t") {
				t.Errorf("the finding is not of the house's form: %s", d)
			}
		}
	}
}

// TestSame holds the findings to one order: the API server's own walks over maps.
func TestSame(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "refused.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	first, _ := lintertest.Check(data, options())
	for range 5 {
		again, _ := lintertest.Check(data, options())
		if a, b := fmt.Sprint(first), fmt.Sprint(again); a != b {
			t.Fatalf("two runs differ:\n%s\n%s", a, b)
		}
	}
}

func TestDocumentedExamples(t *testing.T) {
	for _, r := range apiserver.Rules() {
		for want, text := range map[bool]string{true: r.Bad, false: r.Good} {
			pkg, _ := parser.Collect(parser.Bytes("package.yaml", []byte(text), nil))
			found, err := linter.Run(t.Context(), pkg, options())
			if err != nil || (len(found) > 0) != want {
				t.Errorf("%s: found %v, %v; want a finding: %t", r.ID, found, err, want)
			}
		}
	}
}

// TestLongMessages holds what a hostile definition can make the findings say to a
// length.
func TestLongMessages(t *testing.T) {
	long := strings.Repeat("Ä", 1<<16)
	crd := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: " + long +
		"}\nspec: {group: " + long + ", scope: " + long + ", names: {kind: " + long + ", plural: " + long + "}, versions: [{name: " + long + "}]}\n"
	pkg, _ := parser.Collect(parser.Bytes("package.yaml", []byte(crd), nil))
	found, err := linter.Run(t.Context(), pkg, options())
	if err != nil || len(found) == 0 {
		t.Fatalf("found %d, %v", len(found), err)
	}
	for _, d := range found {
		if len(d.Message) > 1000 {
			t.Errorf("a message of %d bytes: %.100s…", len(d.Message), d)
		}
	}
}

// TestMany holds the number of findings of a definition to a bound.
func TestMany(t *testing.T) {
	var crd strings.Builder
	before, _, _ := strings.Cut(apiserver.Rules()[0].Good, "              name: ")
	crd.WriteString(before)
	for i := range 1500 {
		fmt.Fprintf(&crd, "              p%d: {type: objekt}\n", i)
	}
	pkg, _ := parser.Collect(parser.Bytes("package.yaml", []byte(crd.String()), nil))
	found, err := linter.Run(t.Context(), pkg, options())
	if err != nil || len(found) != 1001 || !strings.Contains(fmt.Sprint(found), "500 more") {
		t.Errorf("%d findings, %v; want 1001 and the number of the others", len(found), err)
	}
}

// TestUnreadableValue has a definition with a value that has no JSON form, which is
// a fault of reading: the one after it is judged all the same.
func TestUnreadableValue(t *testing.T) {
	bad := apiserver.Rules()[0].Bad
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(bad+"---\n"+strings.Replace(bad, `"["`, ".inf", 1)+"---\n"+bad), nil))
	if !strings.Contains(fmt.Sprint(err), ".inf") {
		t.Errorf("reading says nothing of it: %v", err)
	}
	found, err := linter.Run(t.Context(), pkg, options())
	if err != nil || len(found) != 2 {
		t.Errorf("found %v, %v; want the faults of the first and the last", found, err)
	}
}

// TestCorpus asks the API server's code about every definition of real packages
// that were published, and so accepted by API servers: it has nothing against any,
// but for the ones listed, which never were in a package.
func TestCorpus(t *testing.T) {
	root := os.Getenv("XPKG_CORPUS")
	if root == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	known := map[string]string{
		"provider-upjet-azuread/kustomize/webhook.yaml": "a patch for a definition, and no definition",
	}
	dirs, err := os.ReadDir(filepath.Join(root, "packages"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		if !dir.IsDir() {
			continue
		}
		t.Run(dir.Name(), func(t *testing.T) {
			r, err := os.OpenRoot(filepath.Join(root, "packages", dir.Name()))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			pkg, _ := parser.Collect(parser.Dir(t.Context(), r, nil))
			found, err := linter.Run(t.Context(), pkg, options())
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range found {
				if known[dir.Name()+"/"+d.Range.File] == "" {
					t.Errorf("%s", d)
				}
			}
		})
	}
}
