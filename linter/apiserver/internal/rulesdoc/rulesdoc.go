// Package rulesdoc writes docs/rules.md, the page of all lint rules, from the rules. It is
// in the module of linter/apiserver because that is the one that knows all of them. Its
// test compares the page with the rules, and writes it anew:
//
//	go test ./linter/apiserver/internal/rulesdoc -update
package rulesdoc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/linter/rules/legacy"
	"github.com/xpkg-go/sdk/parser"
)

const introduction = `# Lint rules

Every finding names its rule. This page is made from the rules themselves; a test fails when the two differ.

A rule can be turned off or given another severity in ` + "`" + linter.ConfigFile + "`" + `, for all files or for some, and a finding can be
answered where it is:

    spec:
      crossplane:
        version: ">=v1.14.0" # xpkg:ignore RULE reason

At the end of a line such a comment is for that line; on a line of its own it is for the next one and, where a
key or an item of a sequence begins there, for all that is within; behind the separator --- it is for the whole document. A rule of the profile publish is not run under the profile install.

`

// A group is the rules of one package.
type group struct {
	title, text string
	rules       []*linter.Rule
}

func groups() []group {
	suite := rules.Suite()
	// A fault that reading and a rule may find is described where the rule is.
	reading := slices.DeleteFunc(linter.Builtin(), func(r *linter.Rule) bool {
		return slices.ContainsFunc(suite, func(other *linter.Rule) bool { return other.ID == r.ID })
	})
	return []group{
		{"Reading", "Faults of the text are found by reading it, in `parser`, and become findings in `linter`.", reading},
		{"The Crossplane documents", "The rules of `linter/rules`.", suite},
		{"Packages of the v1 era", "The rules of `linter/rules/legacy`, for packages that `meta/legacy` reads. Examples of several files have a line `-- NAME --` before each.", legacy.Suite(nil)},
		{"The Kubernetes API server", "The rules of `linter/apiserver`, with Kubernetes' own code.", apiserver.Rules()},
	}
}

// Page returns the page.
func Page() string {
	var b strings.Builder
	b.WriteString(introduction)
	b.WriteString("| rule | severity | profile |\n|---|---|---|\n")
	for _, g := range groups() {
		for _, r := range g.rules {
			fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.ID, r.ID, r.Severity, r.Profile)
		}
	}
	for _, g := range groups() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", g.title, g.text)
		for _, r := range g.rules {
			b.WriteString(section(r))
		}
	}
	return b.String()
}

// section describes one rule.
func section(r *linter.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n%s\n\n%s\n", r.ID, r.Doc, strings.Join(facts(r), "; "))
	example(&b, "Bad", r.Bad)
	example(&b, "Good", r.Good)
	return b.String()
}

// facts say when the rule is run, and what follows.
func facts(r *linter.Rule) []string {
	list := []string{"Severity " + r.Severity.String()}
	if r.Profile != "" {
		list = append(list, "profile "+string(r.Profile))
	}
	if r.OfImage {
		list = append(list, "for packages from images")
	}
	if len(r.Kinds) > 0 {
		var kinds []string
		for _, k := range r.Kinds {
			kinds = append(kinds, string(k))
		}
		list = append(list, "for packages of kind "+strings.Join(kinds, ", "))
	}
	if r.Since != "" {
		list = append(list, "from Crossplane "+r.Since+" on")
	}
	if r.Until != "" {
		list = append(list, "before Crossplane "+r.Until)
	}
	if len(r.Supersedes) > 0 {
		list = append(list, "told in place of "+join(r.Supersedes))
	}
	if r.URL != "" {
		list = append(list, "[source]("+r.URL+")")
	}
	return list
}

func example(b *strings.Builder, title, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	language := ""
	for d := range parser.Bytes("", []byte(text), nil) {
		if d != nil {
			language = "yaml"
		}
	}
	text = strings.TrimRight(strings.ToValidUTF8(text, "\uFFFD"), "\n")
	fmt.Fprintf(b, "\n%s:\n\n```%s\n%s\n```\n", title, language, text)
}

// join joins names as prose does.
func join(names []string) string {
	names = slices.Clone(names)
	for i, n := range names {
		names[i] = "[" + n + "](#" + n + ")"
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
