package lintertest_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/lintertest"
	"github.com/xpkg-go/sdk/parser"
)

// badNames has a rule that reports, at its name, every object whose name begins with "bad", and the
// package as a whole when it has such an object.
func badNames() *linter.Options {
	return &linter.Options{Rules: []*linter.Rule{{
		ID:       "bad-name",
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			for _, d := range p.Package.Objects {
				switch {
				case strings.HasPrefix(d.Name, "bad"):
					p.Reportf(linter.At(d, "metadata", "name"), "%s is bad", d.Name)
				case d.Name == "whole":
					p.Reportf(linter.Diagnostic{}, "the package is bad")
				case strings.HasPrefix(d.Name, "mend-"):
					mend(p, d)
				case d.Name == "fail":
					return fmt.Errorf("no idea")
				}
			}
			return nil
		},
	}}}
}

// mend reports a name with a fix that does what the name says: mend-well, mend-not,
// mend-worse, mend-elsewhere, mend-lf
// (which mends nothing where line ends are others).
func mend(p *linter.Pass, d *parser.Document) {
	at := linter.At(d, "metadata", "name")
	e := linter.Edit{Range: at.Range, New: map[string]string{"mend-well": "good", "mend-not": "bad", "mend-lf": "bad", "mend-worse": "good, name: good"}[d.Name]}
	switch {
	case d.Name == "mend-elsewhere":
		e.Range.Start.Line++
	case d.Name == "mend-lf" && bytes.IndexByte(d.Text(), '\r') < 0:
		e.New = "good"
	}
	at.Fixes = []linter.Fix{{Message: "mend it", Edits: []linter.Edit{e}}}
	p.Reportf(at, "%s is bad", d.Name)
}

const head = "-- crossplane.yaml --\napiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: demo}\n"

func TestCheck(t *testing.T) {
	object := func(name string) string { return "apiVersion: v1\nkind: Demo\nmetadata:\n  name: " + name + "\n" }
	cases := map[string]struct {
		reason  string
		archive string
		want    []string // the beginnings of the problems
	}{
		"Quiet":       {"A package without findings needs no expectations.", head + "-- a.yaml --\n" + object("good"), nil},
		"Expected":    {"A finding that is expected is no problem.", head + "-- a.yaml --\n" + object("bad # want bad-name `^bad is bad \\(metadata.name\\)$`"), nil},
		"Interpreted": {"Both of Go's string forms will do.", head + "-- a.yaml --\n" + object(`bad # want bad-name "is bad"`), nil},
		"Unexpected": {"A finding that is not expected is a problem.", head + "-- a.yaml --\n" + object("bad"),
			[]string{"unexpected error: a.yaml:4:9: bad-name: bad is bad (metadata.name)"}},
		"Missing": {"An expectation that is not met is a problem.", head + "-- a.yaml --\n" + object("good # want bad-name `is bad`"),
			[]string{`missing: a.yaml:4: bad-name "is bad"`}},
		"OtherRule": {"The rule has to agree.", head + "-- a.yaml --\n" + object("bad # want other-rule `is bad`"),
			[]string{"unexpected error", "missing: a.yaml:4: other-rule"}},
		"OtherMessage": {"The message has to agree.", head + "-- a.yaml --\n" + object("bad # want bad-name `is good`"),
			[]string{"unexpected error", "missing: a.yaml:4: bad-name"}},
		"OtherLine": {"The line has to agree.", head + "-- a.yaml --\n# want bad-name `is bad`\n" + object("bad"),
			[]string{"unexpected error", "missing: a.yaml:1: bad-name"}},
		"Twice": {"One expectation is for one finding.", head + "-- a.yaml --\n" + object("bad # want bad-name `is bad` bad-name `is bad`"),
			[]string{"missing: a.yaml:4: bad-name"}},
		"Text": {"A line that cannot hold a comment is told of before the files; prose there is prose.",
			"We want no mistakes.\na.yaml:4: want bad-name `is bad`\n" + head + "-- a.yaml --\n" + object("bad"), nil},
		"Fixed": {"A fix that mends is no problem, and may be compared with what comes of it.",
			head + "-- a.yaml --\n" + object("mend-well # want bad-name `is bad`") + "-- fixed/a.yaml --\n" + object("good # want bad-name `is bad`"), nil},
		"FixedOtherwise": {"What comes of it has to agree.",
			head + "-- a.yaml --\n" + object("mend-well # want bad-name `is bad`") + "-- fixed/a.yaml --\n" + object("better # want bad-name `is bad`"),
			[]string{"a.yaml: fixed it is\n"}},
		"FixedNot": {"A fix that mends nothing is a problem.", head + "-- a.yaml --\n" + object("mend-not # want bad-name `is bad`"),
			[]string{`fix "mend it" of a.yaml:4:9: bad-name: mend-not is bad (metadata.name): the finding is still there`}},
		"FixedWorse": {"So is one that makes another fault.", head + "-- a.yaml --\napiVersion: v1\nkind: Demo\nmetadata: {name: mend-worse} # want bad-name `is bad`\n",
			[]string{`fix "mend it" of a.yaml:3:18: bad-name: mend-worse is bad (metadata.name): it brings a.yaml:3:`}},
		"FixedLF": {"And one that mends nothing where line ends are others.", head + "-- a.yaml --\n" + object("mend-lf # want bad-name `is bad`"),
			[]string{`fix "mend it" of a.yaml:4:9: bad-name: mend-lf is bad (metadata.name): the finding is still there (CRLF)`}},
		"FixedElsewhere": {"And one whose place is none.", head + "-- a.yaml --\n" + object("mend-elsewhere # want bad-name `is bad`"),
			[]string{`fix "mend it" of a.yaml:4:9: bad-name: mend-elsewhere is bad (metadata.name): a.yaml:5:9: the fix of bad-name is for another text`}},
		"Whole": {"A finding without a place is expected without one.",
			"want bad-name `the package is bad`\n" + head + "-- a.yaml --\n" + object("whole"), nil},
		"Reading": {"Faults of reading are findings too.", head + "-- a.yaml --\n" + object("a: b"),
			[]string{"unexpected error: a.yaml:4:"}},
		"ReadingExpected": {"They are expected like findings.", head + "-- a.yaml --\nkind: Demo # want missing-api-version `no apiVersion`\nmetadata: {name: a}\n", nil},
		"Failure":         {"A rule that fails is a problem.", head + "-- a.yaml --\n" + object("fail"), []string{`lint: rule "bad-name": no idea`}},
		"BadRegexp":       {"An expectation that cannot be read is a problem.", head + "-- a.yaml --\n" + object("good # want bad-name `[`"), []string{"a.yaml:4: bad expectation: "}},
		"BadQuote":        {"So is one without quotes.", head + "-- a.yaml --\n" + object("good # want bad-name is bad"), []string{"a.yaml:4: bad expectation: "}},
		"BadRule":         {"And one without a rule.", head + "-- a.yaml --\n" + object("good # want `is bad`"), []string{"a.yaml:4: bad expectation: "}},
		"Examples":        {"Examples and files that are no YAML are no part of a package.", head + "-- examples/a.yaml --\n" + object("bad") + "-- README.md --\n# want bad\n", nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, problems := lintertest.Check([]byte(tc.archive), badNames())
			if len(problems) != len(tc.want) {
				t.Fatalf("\n%s\nproblems: %q, want %q", tc.reason, problems, tc.want)
			}
			for i, want := range tc.want {
				if !strings.HasPrefix(problems[i], want) {
					t.Errorf("\n%s\nproblem %q, want %q", tc.reason, problems[i], want)
				}
			}
		})
	}
}

// Rules see the documents as parser.Dir gives them: in the order of the files,
// counted through all of them.
func TestCheckKeepsTheOrder(t *testing.T) {
	object := func(name string) string { return "apiVersion: v1\nkind: Demo\nmetadata: {name: " + name + "}\n" }
	archive := "-- a.yaml --\n" + object("a") + "---\nkind: [\n" + head + "-- z.yaml --\n" + object("y") + "---\n" + object("z")
	var got []string
	_, _ = lintertest.Check([]byte(archive), &linter.Options{Rules: []*linter.Rule{{
		ID: "order", Severity: linter.Info,
		Run: func(_ context.Context, p *linter.Pass) error {
			for d := range p.Package.Documents() {
				got = append(got, fmt.Sprint(d.Name, d.Index))
			}
			return nil
		},
	}}})
	if diff := cmp.Diff([]string{"a0", "demo2", "y3", "z4"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// recorder is a testing.TB that keeps errors to itself.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.txtar")
	archive := head + "-- a.yaml --\napiVersion: v1\nkind: Demo\nmetadata: {name: bad}\n"
	if err := os.WriteFile(file, []byte(archive), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &recorder{TB: t}
	found := lintertest.Run(r, file, badNames())
	if len(found) != 1 || found[0].Rule != "bad-name" {
		t.Errorf("found %v", found)
	}
	want := []string{file + ": unexpected error: a.yaml:3:18: bad-name: bad is bad (metadata.name)"}
	if diff := cmp.Diff(want, r.errors); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestCheckRule(t *testing.T) {
	o := badNames()
	name := func(name string) string {
		return "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: demo}\n---\napiVersion: v1\nkind: Demo\nmetadata: {name: " + name + "}\n"
	}
	cases := map[string]struct {
		reason         string
		doc, bad, good string
		want           []string
	}{
		"Fine":      {"A rule that does what it says.", "Names are good.", name("bad"), name("good"), nil},
		"Undone":    {"Nothing is said.", "", "", "", []string{"the documentation is not", "there is no bad example"}},
		"Words":     {"Not a sentence.", "names are good", name("bad"), name("good"), []string{"the documentation is not"}},
		"Exchanged": {"The examples are the wrong way round.", "Names are good.", name("good"), name("bad"), []string{"the bad example is not reported", "the good example has a fault: package.yaml:7:"}},
		"Broken":    {"The good example has another fault.", "Names are good.", name("bad"), name("["), []string{"the good example has a fault: package.yaml:7:"}},
	}
	for name, tc := range cases {
		r := o.Rules[0]
		r.Doc, r.Bad, r.Good = tc.doc, tc.bad, tc.good
		problems := lintertest.CheckRule(r, o)
		if len(problems) != len(tc.want) {
			t.Errorf("%s: %s problems %q, want %q", name, tc.reason, problems, tc.want)
			continue
		}
		for i, want := range tc.want {
			if !strings.HasPrefix(problems[i], want) {
				t.Errorf("%s: %s problem %q, want %q", name, tc.reason, problems[i], want)
			}
		}
	}
}

func ExampleCheck() {
	const archive = `A package with one expectation that is met and one that is not.
-- crossplane.yaml --
apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
-- objects.yaml --
apiVersion: v1
kind: Demo
metadata:
  name: bad-one # want bad-name "bad-one is bad"
---
apiVersion: v1
kind: Demo
metadata:
  name: good-one # want bad-name "good-one is bad"
`
	_, problems := lintertest.Check([]byte(archive), badNames())
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// missing: objects.yaml:9: bad-name "good-one is bad"
}
