package rules_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/lintinput"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/lintertest"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
)

// TestInputs: every rule has an archive of its own in testdata/inputs, with inputs that are
// bad, good and borderline (lintertest.CheckInputs), and every archive there is of a rule.
// The rules of reading and of linting itself have theirs beside them.
// A rule that install has is run among all others, so that it shows if one of them speaks up
// too; one that only publish has is run alone, as most of the others ask for annotations.
func TestInputs(t *testing.T) {
	ids := map[string]bool{}
	all := rules.Suite()
	for _, r := range linter.Builtin() {
		known := slices.ContainsFunc(all, func(other *linter.Rule) bool { return other.ID == r.ID })
		if _, not := noInput[r.ID]; !not && !known {
			all = append(all, r)
		}
	}
	for _, r := range all {
		ids[r.ID] = true
		t.Run(r.ID, func(t *testing.T) {
			archive, err := os.ReadFile(filepath.Join("testdata", "inputs", r.ID+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range lintertest.CheckInputs(lintinput.Expand(archive), r, inputOptions(r)) {
				t.Error(p)
			}
		})
	}
	files, err := filepath.Glob(filepath.Join("testdata", "inputs", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !ids[strings.TrimSuffix(filepath.Base(file), ".txtar")] {
			t.Errorf("%s is of no rule", file)
		}
	}
}

// noInput are the rules that no package is bad for by itself, with what shows them.
var noInput = map[string]string{
	linter.RuleFailed:     "a rule that fails: linter.TestRulesOfOthers",
	parser.RuleLimit:      "limits of the caller's: parser's tests of each",
	parser.RuleUnreadable: "a failure of the machine: parser.TestDirUnreadable",
}

func inputOptions(r *linter.Rule) *linter.Options {
	o := &linter.Options{Rules: rules.Suite(), Profile: cmp.Or(r.Profile, linter.Install)}
	if r.Profile == linter.Publish {
		o.Rules = slices.DeleteFunc(o.Rules, func(other *linter.Rule) bool { return other.ID != r.ID })
	}
	return o
}
