package rules_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// FuzzRun lints anything. Whatever the input: no rule fails or panics, findings are
// sorted and well formed, point into the input, and are the same the second time.
func FuzzRun(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var stream []byte
		for _, file := range txtar.Parse(data).Files {
			stream = append(append(stream, "---\n"...), file.Data...)
		}
		f.Add(stream, "")
		f.Add(stream, "v1.20")
	}
	f.Fuzz(func(t *testing.T, data []byte, target string) {
		o := &linter.Options{Rules: rules.Suite(), Target: target}
		run := func() []linter.Diagnostic {
			pkg, _ := parser.Collect(parser.Bytes("package.yaml", data, nil))
			found, err := linter.Run(context.Background(), pkg, o)
			var rule *linter.RuleError
			if errors.As(err, &rule) {
				t.Fatalf("a rule failed: %v", err)
			}
			if err != nil && target == "" {
				t.Fatal(err)
			}
			return found
		}
		first := run()
		if diff := cmp.Diff(first, run()); diff != "" {
			t.Fatalf("two runs differ:\n%s", diff)
		}
		sorted := slices.Clone(first)
		linter.Sort(sorted)
		if diff := cmp.Diff(sorted, first); diff != "" {
			t.Fatalf("findings are not sorted:\n%s", diff)
		}
		for _, d := range first {
			if d.Severity == 0 || d.Rule == "" || d.Message == "" || len(d.Message) > 2000 {
				t.Fatalf("a finding that says nothing, or too much: %s", d)
			}
			if r := d.Range; r.Start.Offset < 0 || r.End.Offset < r.Start.Offset || r.End.Offset > len(data) {
				t.Fatalf("the range %+v is outside of %d bytes: %s", r, len(data), d)
			}
			if _, err := meta.ParsePath(d.Path); err != nil {
				t.Fatalf("the path does not parse: %s: %v", d, err)
			}
		}
	})
}
