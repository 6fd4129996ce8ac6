package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"

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

// rules find something in text, as rules of a linter do.
func rules() []*linter.Rule {
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
	found, err := linter.Run(t.Context(), pkg, &linter.Options{Rules: rules()})
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
			return report.SARIF(w, ss, &report.SARIFOptions{Rules: rules(), Version: "v1"})
		}},
		{"github", func(w io.Writer) error { return report.GitHub(w, ss) }},
		{"junit", func(w io.Writer) error { return report.JUnit(w, ss, &report.JUnitOptions{Rules: rules()}) }},
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
	tests := write(t, func(w io.Writer) error { return report.JUnit(w, ss, &report.JUnitOptions{Rules: rules()}) })
	if !strings.Contains(tests, `tests="3" failures="0"`) {
		t.Errorf("got %s, want three tests that pass", tests)
	}
}

// The schema is that of the standard.
func TestSARIFSchema(t *testing.T) {
	s, ss := schema(t), sources(t)
	validate(t, s, write(t, func(w io.Writer) error { return report.SARIF(w, ss, &report.SARIFOptions{Rules: rules()}) }))
	validate(t, s, write(t, func(w io.Writer) error { return report.SARIF(w, ss, nil) }))
	validate(t, s, write(t, func(w io.Writer) error { return report.SARIF(w, nil, nil) }))
}

// Columns count UTF-16 code units: of the line
//
//	"  annotations: {a: "😀é", b: "\e[2J", c: bad}"
//
// 40 characters stand before that of bad, one of which takes two units and four
// bytes, and another one unit and two bytes.
func TestColumns(t *testing.T) {
	s := sources(t)[0]
	var log struct {
		Runs []struct {
			Results []struct {
				Locations []struct {
					PhysicalLocation struct {
						Region struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(write(t, func(w io.Writer) error { return report.SARIF(w, []report.Source{s}, nil) })), &log); err != nil {
		t.Fatal(err)
	}
	const bad = 1 // the second finding, in the order of the file
	if got := s.Findings[bad].Range.Start.Column; got != 45 {
		t.Fatalf("the byte column is %d, want 45", got)
	}
	region := log.Runs[0].Results[bad].Locations[0].PhysicalLocation.Region
	if region.StartLine != 5 || region.StartColumn != 42 || region.EndLine != 5 || region.EndColumn != 45 {
		t.Errorf("got %+v, want 5:42 to 5:45", region)
	}
	if got := write(t, func(w io.Writer) error { return report.GitHub(w, []report.Source{s}) }); !strings.Contains(got, "line=5,col=42,endLine=5,endColumn=45,") {
		t.Errorf("got %s", got)
	}
	// Where the line is not known nothing is claimed.
	s.Line = nil
	got := write(t, func(w io.Writer) error { return report.GitHub(w, []report.Source{s}) })
	if !strings.Contains(got, "line=5,title=") {
		t.Errorf("got %s, want no column", got)
	}
	log.Runs = nil
	if err := json.Unmarshal([]byte(write(t, func(w io.Writer) error { return report.SARIF(w, []report.Source{s}, nil) })), &log); err != nil {
		t.Fatal(err)
	}
	if region := log.Runs[0].Results[bad].Locations[0].PhysicalLocation.Region; region.StartColumn != 0 || region.EndColumn != 0 {
		t.Errorf("got %+v, want no columns", region)
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

func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	const file = "testdata/sarif-schema-2.1.0.json"
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(file, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t testing.TB, s *jsonschema.Schema, log string) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%v\nin %s", err, log)
	}
}

func wellFormed(t testing.TB, document string) {
	t.Helper()
	for dec := xml.NewDecoder(strings.NewReader(document)); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in %q", err, document)
		}
	}
}

// Whatever a package says of itself, each finding is one line of text and one
// command, and every document stays valid and says it whole.
func FuzzHostile(f *testing.F) {
	f.Add("a\x1b[2J", "b\r\n::error::c", "d\x00\xff\uFFFE", "](x)", int8(3), int8(9))
	f.Add("..", "", "%0A,:", "\u202E", int8(0), int8(-1))
	s := schema(f)
	f.Fuzz(func(t *testing.T, file, message, name, path string, line, column int8) {
		start := parser.Position{Line: int(line), Column: int(column), Offset: 5}
		d := linter.Diagnostic{
			Rule: "a-rule", Severity: linter.Error, Message: message, Path: path, Object: linter.ObjectRef{Kind: name, Name: name},
			Range:   parser.Range{File: file, Start: start, End: parser.Position{Line: 4, Column: 8, Offset: 9}},
			Related: []linter.Related{{Range: parser.Range{File: name}, Message: name}},
			Fixes:   []linter.Fix{{Message: name, Edits: []linter.Edit{{Range: parser.Range{File: file, Start: start, End: start}, New: message}}}},
		}
		ss := []report.Source{{Name: name, Dir: path, Findings: []linter.Diagnostic{d}, Line: func(string, int) []byte { return []byte(message) }}}
		for _, o := range []*report.TextOptions{nil, {Excerpt: true}} {
			got := write(t, func(w io.Writer) error { return report.Text(w, ss, o) })
			for _, l := range strings.SplitAfter(got, "\n") {
				if printed := strings.TrimSuffix(l, "\n"); report.Printable(printed) != printed {
					t.Errorf("%q reaches the terminal", l)
				}
			}
		}
		if got := write(t, func(w io.Writer) error { return report.GitHub(w, ss) }); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "::error ") || strings.Contains(got, "\r") {
			t.Errorf("%q is not one command", got)
		}
		wellFormed(t, write(t, func(w io.Writer) error { return report.JUnit(w, ss, nil) }))
		validate(t, s, write(t, func(w io.Writer) error { return report.SARIF(w, ss, nil) }))
		var all struct{ Diagnostics []report.Finding }
		if err := json.Unmarshal([]byte(write(t, func(w io.Writer) error { return report.JSON(w, ss) })), &all); err != nil {
			t.Fatal(err)
		}
		if got, want := all.Diagnostics[0].Message, strings.ToValidUTF8(message, "\uFFFD"); len(all.Diagnostics) != 1 || strings.ToValidUTF8(message, "") == message && got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
