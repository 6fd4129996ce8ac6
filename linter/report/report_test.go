package report_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/parser"
)

var update = flag.Bool("update", false, "write testdata/golden.txtar")

const text = "\uFEFFapiVersion: meta.pkg.crossplane.io/v1\n" +
	"kind: Configuration\n" +
	"metadata:\n" +
	"  name: demo\n" +
	"  annotations: {a: \"😀é\", b: \"\\e[2J\", c: bad}\n" +
	"---\n" +
	"# a comment\n" +
	"apiVersion: v1\n" +
	"kind: Secret\n" +
	"metadata: {name: token}\n" +
	"data:\n" +
	"  a: b\n" +
	"  c: d\n"

// someRules find something in text, as rules of a linter do.
func someRules() []*linter.Rule {
	return []*linter.Rule{
		{
			ID: "plain-annotation", Severity: linter.Error, URL: "https://example.org/annotations",
			Doc: "An annotation is plain. Others are not.", Bad: "c: bad\n", Good: "c: good\n",
			Run: func(_ context.Context, p *linter.Pass) error {
				d := linter.At(p.Package.Header, "metadata", "annotations", "c")
				d.Message = `"bad" is not plain, see [this](https://example.org)`
				d.Related = []linter.Related{{Range: p.Package.Header.At("kind").Value, Message: "of this package"}, {Message: "nowhere"}}
				d.Fixes = []linter.Fix{
					{Message: "write good", Edits: []linter.Edit{{Range: d.Range, New: "good"}}},
					{Message: "remove it", Edits: []linter.Edit{{Range: d.Range}}},
				}
				p.Report(d)
				p.Reportf(linter.At(p.Package.Header, "metadata", "annotations", "b"), "\x1b[31mred\nforged: 100%%")
				return nil
			},
		},
		{
			ID: "no-secret", Severity: linter.Warning,
			Run: func(_ context.Context, p *linter.Pass) error {
				for _, d := range p.Package.Objects {
					p.Reportf(linter.At(d), "a secret")
					p.Report(linter.Diagnostic{Range: d.At("data").Value, Severity: linter.Info, Message: "two lines"})
				}
				return nil
			},
		},
		{ID: "quiet", Severity: linter.Info, Doc: "Nothing.", Run: func(context.Context, *linter.Pass) error { return nil }},
	}
}

func sources(t testing.TB) []report.Source {
	t.Helper()
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(text), nil))
	if err != nil {
		t.Fatal(err)
	}
	found, err := linter.Run(t.Context(), pkg, &linter.Options{Rules: someRules()})
	if err != nil {
		t.Fatal(err)
	}
	ignored := []linter.Ignored{{
		Diagnostic: linter.Diagnostic{Rule: "quiet", Severity: linter.Info, Range: pkg.Header.At("kind").Value, Message: "is loud"},
		Reason:     "it is wanted", Comment: pkg.Header.At("metadata").Key,
	}, {Diagnostic: linter.Diagnostic{Rule: "whole-package", Severity: linter.Info, Message: "is odd"}, Reason: "so be it"}}
	other := []linter.Diagnostic{
		{Rule: "yaml-syntax", Severity: linter.Error, Range: parser.Range{File: "a:b/ü.yaml", Start: parser.Position{Line: 3, Column: 7, Offset: 30}}, Message: "is no YAML"},
		{Rule: "whole-file", Severity: linter.Warning, Range: parser.Range{File: "c.yaml"}, Message: "is odd"},
		{Rule: "whole-package", Severity: linter.Info, Message: "is odd"},
	}
	return []report.Source{
		{Name: "./my, pkg", Dir: "my, pkg", Findings: found, Ignored: ignored, Line: report.Lines(pkg)},
		{Name: "registry.example.org:5000/a/b:v1", Dir: "registry.example.org:5000/a/b:v1", Findings: other},
	}
}

func write(t testing.TB, f func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func formats(t testing.TB, ss []report.Source) []txtar.File {
	t.Helper()
	out := []txtar.File{}
	for _, f := range []struct {
		name string
		f    func(io.Writer) error
	}{
		{"text", func(w io.Writer) error { return report.Text(w, ss, nil) }},
		{"text of one source", func(w io.Writer) error { return report.Text(w, ss[:1], nil) }},
		{"excerpt", func(w io.Writer) error { return report.Text(w, ss, &report.TextOptions{Excerpt: true}) }},
		{"json", func(w io.Writer) error { return report.JSON(w, ss) }},
		{"sarif", func(w io.Writer) error {
			return report.SARIF(w, ss, &report.SARIFOptions{Rules: someRules(), Version: "v1"})
		}},
		{"github", func(w io.Writer) error { return report.GitHub(w, ss) }},
		{"junit", func(w io.Writer) error { return report.JUnit(w, ss, &report.JUnitOptions{Rules: someRules()}) }},
	} {
		out = append(out, txtar.File{Name: f.name, Data: []byte(write(t, f.f))})
	}
	return out
}

// Every format says the same findings in the same bytes.
func TestGolden(t *testing.T) {
	const file = "testdata/golden.txtar"
	got := txtar.Format(&txtar.Archive{Comment: []byte("What each format makes of the findings of the test.\n\n"), Files: formats(t, sources(t))})
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("-want +got (go test -update writes the file anew):\n%s", diff)
	}
}

// A rule that is given twice is one rule.
func TestRuleTwice(t *testing.T) {
	ss, twice := sources(t), append(someRules(), someRules()...)
	for _, tc := range []struct {
		name string
		f    func(io.Writer, []*linter.Rule) error
	}{
		{"sarif", func(w io.Writer, rs []*linter.Rule) error {
			return report.SARIF(w, ss, &report.SARIFOptions{Rules: rs})
		}},
		{"junit", func(w io.Writer, rs []*linter.Rule) error {
			return report.JUnit(w, ss, &report.JUnitOptions{Rules: rs})
		}},
	} {
		want := write(t, func(w io.Writer) error { return tc.f(w, someRules()) })
		if got := write(t, func(w io.Writer) error { return tc.f(w, twice) }); got != want {
			t.Errorf("%s: got %s, want %s", tc.name, got, want)
		}
	}
}

// A package without findings is told as such, and not by silence where a format
// has words for it.
func TestNone(t *testing.T) {
	ss := []report.Source{{Name: "pkg"}}
	for _, tc := range []struct {
		name, want string
		f          func(io.Writer) error
	}{
		{"text", "", func(w io.Writer) error { return report.Text(w, ss, nil) }},
		{"json", "{\n  \"diagnostics\": []\n}\n", func(w io.Writer) error { return report.JSON(w, ss) }},
		{"github", "", func(w io.Writer) error { return report.GitHub(w, ss) }},
	} {
		if got := write(t, tc.f); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
	log := write(t, func(w io.Writer) error { return report.SARIF(w, ss, nil) })
	if !strings.Contains(log, `"results": []`) {
		t.Errorf("got %s, want an empty list of results", log)
	}
	validate(t, schema(t), log)
	tests := write(t, func(w io.Writer) error { return report.JUnit(w, ss, &report.JUnitOptions{Rules: someRules()}) })
	if !strings.Contains(tests, `tests="3" failures="0"`) {
		t.Errorf("got %s, want three tests that pass", tests)
	}
}

// What a superseded rule finds may be told by another one, so that it has not passed.
func TestJUnitSuperseded(t *testing.T) {
	rules := someRules()
	rules[0].Supersedes = []string{rules[1].ID}
	for _, tc := range []struct {
		reason, want string
		ss           []report.Source
	}{
		{"without a finding it is no test", `tests="2" failures="0"`, []report.Source{{Name: "empty"}}},
		{"what it finds all the same is told", `name="no-secret"`, sources(t)},
	} {
		got := write(t, func(w io.Writer) error { return report.JUnit(w, tc.ss, &report.JUnitOptions{Rules: rules}) })
		if !strings.Contains(got, tc.want) {
			t.Errorf("%s: no %s in %s", tc.reason, tc.want, got)
		}
	}
}

// A rule that was not applied has not passed, and none is told to have passed that could
// not be applied; what it found all the same is told.
func TestJUnitSkipped(t *testing.T) {
	skipped := []linter.Skipped{{Rule: "quiet", Reason: "is \x1boff"}, {Rule: "never-heard-of", Reason: "is unknown"}}
	failed := []*linter.RuleError{{Rule: "no-secret", Err: errors.New("boom")}, {Rule: "plain-annotation", Err: errors.New("boom")}}
	s := sources(t)[0]
	s.Skipped, s.Failed = skipped, failed
	got := write(t, func(w io.Writer) error {
		return report.JUnit(w, []report.Source{s, {Name: "other"}}, &report.JUnitOptions{Rules: someRules()})
	})
	for _, want := range []string{
		`<testsuites name="xpkg" tests="6" failures="1" errors="0" skipped="2">`,
		`<testsuite name="./my, pkg" tests="3" failures="1" errors="0" skipped="2">`,
		`<skipped message="could not be applied, see rule-failed"></skipped>` + "\n      <system-out>",
		`<skipped message="is \x1boff"></skipped>`,
		`<testsuite name="other" tests="3" failures="0" errors="0" skipped="0">`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "never-heard-of") {
		t.Errorf("a rule that is none of those to be run is in %s", got)
	}
}

func TestWriterFails(t *testing.T) {
	ss, boom := sources(t), errors.New("boom")
	for name, f := range map[string]func(io.Writer) error{
		"text":   func(w io.Writer) error { return report.Text(w, ss, &report.TextOptions{Excerpt: true, Color: true}) },
		"json":   func(w io.Writer) error { return report.JSON(w, ss) },
		"sarif":  func(w io.Writer) error { return report.SARIF(w, ss, nil) },
		"github": func(w io.Writer) error { return report.GitHub(w, ss) },
		"junit":  func(w io.Writer) error { return report.JUnit(w, ss, nil) },
	} {
		if err := f(failing{boom}); !errors.Is(err, boom) {
			t.Errorf("%s: got %v, want the writer's error", name, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
