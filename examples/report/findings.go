package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// maxFindings is how many findings of one rule are shown.
const maxFindings = 200

// findings are what the rules have to say, by rule, what is worst first.
type findings struct {
	Groups                 []*group
	Total                  int
	Errors, Warnings, Info int
	Ignored                int    // by the author's comments and settings
	Judged                 string // for what, where it was asked for
}

// A group is the findings of one rule of one severity.
type group struct {
	Rule, Doc, URL string
	Severity       string
	Total          int
	List           []finding
	Open           bool
}

// A finding is what a rule says of a place.
type finding struct {
	Place, Message, Path string
	Object               *object // nil where it is of none that is shown
}

// newFindings sorts findings, which come in the order of the package, by rule.
func newFindings(result *linter.Result, o *linter.Options, objects map[parser.ObjectRef]*object) *findings {
	f := &findings{Total: len(result.Diagnostics), Ignored: len(result.Ignored), Judged: judged(o)}
	doc := map[string]*linter.Rule{}
	for _, r := range slices.Concat(o.Rules, linter.Builtin()) {
		doc[r.ID] = r
	}
	type key struct {
		rule     string
		severity linter.Severity
	}
	groups := map[key]*group{}
	var keys []key
	for _, d := range result.Diagnostics {
		k := key{d.Rule, d.Severity}
		g := groups[k]
		if g == nil {
			g = &group{Rule: d.Rule, Severity: d.Severity.String()}
			if r := doc[d.Rule]; r != nil {
				g.Doc, g.URL = r.Doc, safeLink(r.URL)
			}
			groups[k] = g
			keys = append(keys, k)
		}
		switch d.Severity {
		case linter.Error:
			f.Errors++
		case linter.Warning:
			f.Warnings++
		default:
			f.Info++
		}
		of := objects[d.Object]
		if of != nil {
			of.Findings++
			of.severity = max(of.severity, d.Severity)
		}
		if g.Total++; g.Total <= maxFindings {
			g.List = append(g.List, finding{d.Range.String(), strings.TrimSpace(cut(d.Message, 2*maxName)), printable(d.Path), of})
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(-cmp.Compare(a.severity, b.severity), cmp.Compare(a.rule, b.rule))
	})
	for _, k := range keys {
		g := groups[k]
		g.Open = len(keys) <= 8 && f.Total <= 30
		f.Groups = append(f.Groups, g)
	}
	return f
}

// judged is what the options ask for, as the page has it.
func judged(o *linter.Options) string {
	var parts []string
	if o.Target != "" {
		parts = append(parts, "Crossplane "+o.Target)
	}
	if o.Profile != "" {
		parts = append(parts, "profile "+string(o.Profile))
	}
	return strings.Join(parts, ", ")
}

// More is how many are not shown.
func (g *group) More() int { return g.Total - len(g.List) }
