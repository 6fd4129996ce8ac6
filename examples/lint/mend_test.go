package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

const demo = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: demo\n"

// stubborn finds something in every package, and its fix, which puts a letter before the
// name, does not help.
func stubborn() *linter.Rule {
	return &linter.Rule{ID: "stubborn", Severity: linter.Error, Run: func(_ context.Context, p *linter.Pass) error {
		d := linter.At(p.Package.Header, "metadata", "name")
		start := p.Package.Header.At("metadata", "name").Value.Start
		d.Message = "is not good enough"
		d.Fixes = []linter.Fix{{Message: "try", Edits: []linter.Edit{{Range: parser.Range{File: d.Range.File, Start: start, End: start}, New: "x"}}}}
		p.Report(d)
		return nil
	}}
}

// misplaced finds something in every package, and the place of its fix is not in the file.
func misplaced() *linter.Rule {
	return &linter.Rule{ID: "misplaced", Severity: linter.Error, Run: func(_ context.Context, p *linter.Pass) error {
		d := linter.At(p.Package.Header, "kind")
		d.Message = "is not good enough either"
		nowhere := parser.Position{Line: 99, Column: 99, Offset: 99}
		d.Fixes = []linter.Fix{{Message: "try", Edits: []linter.Edit{{Range: parser.Range{File: d.Range.File, Start: nowhere, End: nowhere}, New: "x"}}}}
		p.Report(d)
		return nil
	}}
}

// mend reads, judges and mends the package in a directory with the rules.
func mend(t *testing.T, dir string, rules ...*linter.Rule) (told string, found *linter.Result) {
	t.Helper()
	var stderr bytes.Buffer
	j := &job{env: &cli.Env{Stderr: &stderr}, fix: true}
	o := &linter.Options{Rules: rules}
	p, err := j.read(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	found, err = p.Lint(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, found, err = j.mend(t.Context(), p, found, o); err != nil {
		t.Fatal(err)
	}
	return stderr.String(), found
}

// What a fix does not mend stays a finding, and is not tried a second time; the file keeps
// its permissions.
func TestMendOnce(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "crossplane.yaml")
	if err := os.WriteFile(file, []byte(demo), 0o640); err != nil {
		t.Fatal(err)
	}
	told, found := mend(t, dir, stubborn())
	if strings.Count(told, "mended: ") != 1 || len(found.Diagnostics) != 1 {
		t.Errorf("told %q, found %v", told, found.Diagnostics)
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != strings.Replace(demo, "demo", "xdemo", 1) {
		t.Errorf("the file is %q (%v)", text, err)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); runtime.GOOS != "windows" && got != 0o640 {
		t.Errorf("the permissions are %o", got)
	}
}

// A fix that is for no place of the file is told, once, and keeps no other from being made.
func TestMendMisplaced(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "crossplane.yaml")
	if err := os.WriteFile(file, []byte(demo), 0o666); err != nil {
		t.Fatal(err)
	}
	told, found := mend(t, dir, misplaced(), stubborn())
	if strings.Count(told, "not mended: crossplane.yaml:99:99: the fix of misplaced is for another text") != 1 || strings.Count(told, "\n") != 2 || len(found.Diagnostics) != 2 {
		t.Errorf("told %q, found %v", told, found.Diagnostics)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != strings.Replace(demo, "demo", "xdemo", 1) {
		t.Errorf("the file is %q (%v)", text, err)
	}
}

// A text whose bytes are not those of the places is left as it is, and that is told.
func TestMendUTF16(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "crossplane.yaml")
	text := "\xff\xfe"
	for _, c := range demo {
		text += string([]byte{byte(c), 0})
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	told, found := mend(t, dir, stubborn())
	if !strings.HasPrefix(told, "not mended: ") || strings.Contains(told, "\nmended") || len(found.Diagnostics) != 1 {
		t.Errorf("told %q, found %v", told, found.Diagnostics)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != text {
		t.Errorf("the file is %q (%v)", after, err)
	}
}

// Nothing is left beside a file that cannot be replaced.
func TestMendBesideOther(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"crossplane.yaml": demo, "crossplane.yaml.mended": "mine"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := source.Read(t.Context(), dir, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	j := &job{env: &cli.Env{Stderr: &bytes.Buffer{}}, fix: true}
	o := &linter.Options{Rules: []*linter.Rule{stubborn()}}
	found, err := p.Lint(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := j.mend(t.Context(), p, found, o); err == nil || !strings.Contains(err.Error(), "crossplane.yaml.mended") {
		t.Errorf("got %v, want the file that is in the way", err)
	}
	for name, want := range map[string]string{"crossplane.yaml": demo, "crossplane.yaml.mended": "mine"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s is %q (%v)", name, got, err)
		}
	}
}

// What each rule with a fix finds in its bad example is gone once it is mended, and there
// is no error instead. An object that now is metadata may well have no description.
func TestMendRules(t *testing.T) {
	mended := 0
	for _, r := range append(allRules(), linter.Builtin()...) {
		t.Run(r.ID, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "package.yaml")
			if err := os.WriteFile(file, []byte(r.Bad), 0o666); err != nil {
				t.Fatal(err)
			}
			before := findings(t, file)
			if !slices.ContainsFunc(before, func(d linter.Diagnostic) bool { return d.Rule == r.ID && len(d.Fixes) > 0 }) {
				return
			}
			mended++
			code, _, stderr := lint(t, "-fix", file)
			if code == cli.Failed || !strings.Contains(stderr, "mended: ") {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			counts := map[string]int{r.ID: 1} // one at least is to be lost
			for _, d := range findings(t, file) {
				if d.Severity == linter.Error || d.Rule == r.ID {
					counts[d.Rule]++
				}
			}
			for _, d := range before {
				counts[d.Rule]--
			}
			for rule, n := range counts {
				if n > 0 {
					t.Errorf("%d findings of %s too many after\n%s", n, rule, stderr)
				}
			}
		})
	}
	if mended == 0 {
		t.Error("no rule has a fix")
	}
}

func findings(t *testing.T, file string) []linter.Diagnostic {
	t.Helper()
	p, err := source.Read(t.Context(), file, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := p.Lint(t.Context(), &linter.Options{Rules: allRules()})
	if err != nil {
		t.Fatal(err)
	}
	return result.Diagnostics
}
