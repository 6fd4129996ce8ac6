package rules

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// TestSchemasOfProviders holds the check of schemas against those of real
// CustomResourceDefinitions, which API servers have taken: none is an error.
func TestSchemasOfProviders(t *testing.T) {
	root := os.Getenv("XPKG_CORPUS")
	if root == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	dirs, err := filepath.Glob(filepath.Join(root, "packages", "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no packages: %v", err)
	}
	looked := 0
	rule := &linter.Rule{ID: "schemas", Severity: linter.Error, Run: func(_ context.Context, p *linter.Pass) error {
		for _, d := range p.Package.Objects {
			if d.Kind != crd || d.APIVersion != crdV1 {
				continue
			}
			body := readDocument(d, whole)
			versions, _ := body.get("spec", "versions").asList()
			for i, v := range versions {
				c := schemaCheck{findings: findings{pass: p, doc: d}}
				schema := v.get("schema", "openAPIV3Schema")
				c.schema(meta.Path{"spec", "versions", i, "schema", "openAPIV3Schema"}, schema)
				looked++
			}
		}
		return nil
	}}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		r, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		pkg, _ := parser.Collect(parser.Dir(t.Context(), r, nil))
		_ = r.Close()
		found, err := linter.Run(t.Context(), pkg, &linter.Options{Rules: []*linter.Rule{rule}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if f.Severity == linter.Error {
				t.Errorf("%s: %s", filepath.Base(dir), f)
			}
		}
	}
	t.Logf("%d schemas", looked)
}
