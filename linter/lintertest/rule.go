package lintertest

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// CheckRule holds a rule as a value to what its documentation promises. It returns a line
// for each thing that is not so: the rule is documented in sentences; it reports its bad
// example; the good one is YAML that it does not report. The examples are read as streams. What is run are the rules of o, of which the rule is one.
func CheckRule(r *linter.Rule, o *linter.Options) []string {
	var problems []string
	if first, _ := utf8.DecodeRuneInString(r.Doc); !unicode.IsUpper(first) || !strings.HasSuffix(r.Doc, ".") {
		problems = append(problems, "the documentation is not made of sentences: "+r.Doc)
	}
	if r.Bad == "" || r.Good == "" {
		return append(problems, "there is no bad example, or no good one")
	}
	lint := func(text string) []linter.Diagnostic {
		result, err := linter.Text(context.Background(), "package.yaml", []byte(text), o)
		if err != nil {
			problems = append(problems, "lint: "+err.Error())
			return nil
		}
		return result.Diagnostics
	}
	if !slices.ContainsFunc(lint(r.Bad), func(d linter.Diagnostic) bool { return d.Rule == r.ID }) {
		problems = append(problems, "the bad example is not reported")
	}
	for _, d := range lint(r.Good) {
		if d.Rule == r.ID || d.Rule == parser.RuleSyntax {
			problems = append(problems, "the good example has a fault: "+d.String())
		}
	}
	return problems
}
