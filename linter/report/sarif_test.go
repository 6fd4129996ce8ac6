package report_test

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/xpkg-go/sdk/linter/report"
)

// The schema is that of the standard.
func TestSARIFSchema(t *testing.T) {
	s, ss := schema(t), sources(t)
	validate(t, s, write(t, func(w io.Writer) error { return report.SARIF(w, ss, &report.SARIFOptions{Rules: someRules()}) }))
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
