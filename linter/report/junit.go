package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
)

// JUnitOptions says which tests JUnit tells of. Nil and zero fields mean the defaults.
type JUnitOptions struct {
	// Rules are those that were to be run: each is a test of each source, one that
	// passes where it was applied and found nothing, and one that is skipped where it was
	// not (Source.Skipped, Source.Failed). Rules that found something are there anyway,
	// those that another one supersedes only then, as it may tell what they find. Of two
	// with one ID the first counts.
	Rules []*linter.Rule
	// FailOn is the lowest severity that makes a test fail; default linter.Error.
	// Findings below are told in the output of the test.
	FailOn linter.Severity
}

// JUnit writes the XML that test runners write for CI systems: a suite for each
// source and, in it, a test for each rule, so that a test has the same name in
// every run, and a package without findings shows tests that pass. The text of
// a failure is that of Text, one finding a line. The error is the writer's.
func JUnit(w io.Writer, sources []Source, o *JUnitOptions) error {
	if o == nil {
		o = &JUnitOptions{}
	}
	all := junitSuites{Name: "xpkg"}
	for i := range sources {
		suite := sources[i].suite(o.Rules, cmp.Or(o.FailOn, linter.Error))
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Skipped += suite.Skipped
		all.Suites = append(all.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure"`
	Skipped *junitSkipped `xml:"skipped"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"` // the highest severity
	Text    string `xml:",chardata"`
}

// suite returns the tests of a source: rules in their order, then what is no rule
// of the list, as the findings have it.
func (s *Source) suite(rules []*linter.Rule, failOn linter.Severity) junitSuite {
	var ids, superseded []string
	for _, r := range rules {
		superseded = append(superseded, r.Supersedes...)
	}
	for _, r := range rules {
		if !slices.Contains(ids, r.ID) && !slices.Contains(superseded, r.ID) {
			ids = append(ids, r.ID)
		}
	}
	found := map[string][]*linter.Diagnostic{}
	for i := range s.Findings {
		d := &s.Findings[i]
		if found[d.Rule] == nil && !slices.Contains(ids, d.Rule) {
			ids = append(ids, d.Rule)
		}
		found[d.Rule] = append(found[d.Rule], d)
	}
	skipped := s.skipped()
	name := Printable(s.Name)
	out := junitSuite{Name: name, Tests: len(ids)}
	for _, id := range ids {
		c := s.test(found[id], failOn)
		c.Name, c.Class = Printable(id), name
		if reason := skipped[id]; c.Failure != nil {
			out.Failures++
		} else if reason != "" {
			c.Skipped = &junitSkipped{Printable(reason)}
			out.Skipped++
		}
		out.Cases = append(out.Cases, c)
	}
	return out
}

// skipped returns why rules were not applied, or not in full.
func (s *Source) skipped() map[string]string {
	reasons := map[string]string{}
	for _, r := range s.Skipped {
		reasons[r.Rule] = r.Reason
	}
	for _, r := range s.Failed {
		reasons[r.Rule] = "could not be applied, see " + linter.RuleFailed
	}
	return reasons
}

// test returns the test of one rule with its findings.
func (s *Source) test(found []*linter.Diagnostic, failOn linter.Severity) junitCase {
	var failed, told []string
	var highest linter.Severity
	for _, d := range found {
		named := *d
		named.Range.File = s.file(d.Range.File)
		line := Printable(named.String())
		if d.Severity < failOn {
			told = append(told, line+" ["+d.Severity.String()+"]")
			continue
		}
		failed = append(failed, line)
		highest = max(highest, d.Severity)
	}
	c := junitCase{Output: strings.Join(told, "\n")}
	if len(failed) > 0 {
		c.Failure = &junitFailure{Message: failed[0], Type: highest.String(), Text: strings.Join(failed, "\n")}
		if more := len(failed) - 1; more > 0 {
			c.Failure.Message += fmt.Sprintf(" (and %d more)", more)
		}
	}
	return c
}
