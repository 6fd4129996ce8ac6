package rules_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// FuzzRun lints anything. Whatever the input: no rule fails or panics, findings are
// sorted and well formed, point into the input, and are the same the second time. What is
// mended can still be read: no fix makes of YAML something that is none.
func FuzzRun(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	published, err := filepath.Glob(filepath.Join("testdata", "publish", "*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	files = append(files, published...)
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
	suite := rules.Suite()
	f.Fuzz(executions.Many(func(t *testing.T, data []byte, target string) {
		o := &linter.Options{Rules: suite, Target: target}
		run := func() []linter.Diagnostic {
			r, err := linter.Text(context.Background(), "package.yaml", data, o)
			if r == nil {
				r = &linter.Result{}
			}
			for _, failed := range r.Failed {
				t.Fatalf("a rule failed: %v", failed)
			}
			found := r.Diagnostics
			if err != nil && target == "" {
				t.Fatal(err)
			}
			return found
		}
		first := run()
		if second := run(); !reflect.DeepEqual(first, second) { // cmp takes a hundred times as long
			t.Fatalf("two runs differ:\n%s", cmp.Diff(first, second))
		}
		sorted := slices.Clone(first)
		linter.Sort(sorted)
		if !reflect.DeepEqual(sorted, first) {
			t.Fatalf("findings are not sorted:\n%s", cmp.Diff(sorted, first))
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
		checkReadable(t, data, first)
	}))
}

// checkReadable carries out some of the fixes, each by itself, and compares the documents
// and the faults of syntax.
func checkReadable(t *testing.T, data []byte, found []linter.Diagnostic) {
	t.Helper()
	const most = 5
	tried := 0
	if bytes.IndexByte(data, 0) >= 0 {
		return // a text that is not UTF-8 is not mended
	}
	for _, d := range found {
		if len(d.Fixes) == 0 || tried == most {
			continue
		}
		tried++
		mended, applied, err := linter.Apply(data, d.Range.File, []linter.Diagnostic{d})
		if err != nil || len(applied) != 1 {
			t.Fatalf("%s: the fix cannot be applied: %v", d, err)
		}
		documents, faults := readability(data)
		if n, m := readability(mended); n != documents || m > faults {
			t.Fatalf("%s\nthe fix %+v makes %d documents and %d faults of syntax of %d and %d:\n%s", d, d.Fixes[0], n, m, documents, faults, mended)
		}
	}
}

// readability counts documents and faults of syntax, keys that are there twice among them.
func readability(data []byte) (documents, faults int) {
	for d, err := range parser.Bytes("package.yaml", data, nil) {
		var fault *parser.Error
		if errors.As(err, &fault) && fault.Rule != parser.RuleMissingKind && fault.Rule != parser.RuleMissingAPIVersion {
			faults++
		}
		if d != nil {
			documents++
		}
	}
	return documents, faults
}
