// Package lintertest tests lint rules with packages that say, in comments, what
// the rules should find in them.
//
// A test is a txtar archive: files that make a package directory. A comment
// beginning with "want" names, for its own line, each finding that starts there:
// the rule, and a regular expression in Go's string syntax that matches the
// message, including the path in parentheses if there is one.
//
//	The text before the first file says what the test shows.
//	-- crossplane.yaml --
//	apiVersion: meta.pkg.crossplane.io/v1
//	kind: Configuration
//	metadata:
//	  name: Bad_Name # want metadata-name "not a DNS-1123 name"
//	spec:
//	  dependsOn: # want a-rule "first" another-rule `second`
//
// A finding that starts on a line that cannot hold a comment is expected by a
// line of its own in the text before the first file, with the place in front:
//
//	crossplane.yaml:3: want empty-file "holds nothing"
//	want a-rule "of the package as a whole, without a place"
//
// Each fix of a finding is carried out alone and the package linted anew: the finding has
// to be gone, and no rule may find more than before. That is done with the files as they
// are, with CRLF line ends, without a line break at the end and with a byte order mark.
// What all of them make of a file is told by a file of its name below fixed/:
//
//	-- fixed/crossplane.yaml --
//	apiVersion: meta.pkg.crossplane.io/v1
//
// The comparison goes both ways: a finding without an expectation fails the test,
// and so does an expectation without a finding. Faults that reading reports are
// findings as well, so a fixture cannot be broken by accident.
//
// [Run] fails a test; [Check], [CheckRule], [CheckInputs] and [Match] return problems as
// texts instead of errors, for tests of other kinds. All may be called by tests that run
// in parallel.
package lintertest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/internal/lintinput"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// Run lints the package in the txtar file and reports every difference between
// findings and expectations, and every error of a rule, as an error of the test.
// It returns the findings, in the order of linter.Sort.
func Run(t testing.TB, file string, o *linter.Options) []linter.Diagnostic {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found, problems := Check(data, o)
	for _, p := range problems {
		t.Errorf("%s: %s", file, p)
	}
	return found
}

// Check lints the package in the txtar archive. It returns the findings, and a
// line for each difference between them and the expectations, for each
// expectation that cannot be read, for each error of a rule and for each fix that
// mends nothing or not as expected; no lines means that the test passes.
func Check(archive []byte, o *linter.Options) (found []linter.Diagnostic, problems []string) {
	a := txtar.Parse(archive)
	wants, problems := lintinput.Wants(a)
	r, err := linter.Lint(context.Background(), documents(a), o)
	if err != nil {
		return nil, append(problems, "lint: "+err.Error())
	}
	for _, failed := range r.Failed {
		problems = append(problems, "lint: "+failed.Error())
	}
	found = slices.DeleteFunc(r.Diagnostics, func(d linter.Diagnostic) bool { return d.Rule == linter.RuleFailed })
	problems = append(problems, match(found, wants)...)
	return found, append(problems, checkFixes(a, found, o)...)
}

// Match compares findings with the expectations in the txtar archive that they were found in,
// for packages that are linted in another way than Check does. It returns a line for each
// difference and for each expectation that cannot be read. Fixes are not carried out.
func Match(archive []byte, found []linter.Diagnostic) []string {
	wants, problems := lintinput.Wants(txtar.Parse(archive))
	return append(problems, match(found, wants)...)
}

// documents reads the files as a package directory is read: the YAML files in
// the order of their names, the examples directory left out.
func documents(a *txtar.Archive) iter.Seq2[*parser.Document, error] {
	files := slices.Clone(a.Files)
	slices.SortStableFunc(files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	return func(yield func(*parser.Document, error) bool) {
		next := 0 // the Index of the file's first document
		for _, f := range files {
			if !lintinput.IsYAML(f.Name) || strings.HasPrefix(f.Name, "examples/") || strings.HasPrefix(f.Name, lintinput.FixedPrefix) {
				continue
			}
			first := next
			for d, err := range parser.Bytes(f.Name, f.Data, nil) {
				var fault *parser.Error
				switch {
				case d != nil:
					d.Index += first
					next = d.Index + 1
				case errors.As(err, &fault) && fault.Index >= 0:
					fault.Index += first
					next = fault.Index + 1
				}
				if !yield(d, err) {
					return
				}
			}
		}
	}
}

// match pairs findings with expectations and describes what is left of both.
func match(found []linter.Diagnostic, wants []lintinput.Want) []string {
	var problems []string
	for _, d := range found {
		i := slices.IndexFunc(wants, func(w lintinput.Want) bool { return isWanted(w, d) })
		if i < 0 {
			problems = append(problems, fmt.Sprintf("unexpected %s: %s", d.Severity, d))
			continue
		}
		wants = slices.Delete(wants, i, i+1)
	}
	for _, w := range wants {
		problems = append(problems, "missing: "+w.String())
	}
	return problems
}
