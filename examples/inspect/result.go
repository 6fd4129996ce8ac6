package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/meta"
)

// result is what inspect prints: with -o json as one object with these keys.
type result struct {
	Source       string              `json:"source"`
	Digest       string              `json:"digest"`
	Platform     string              `json:"platform"`
	Method       string              `json:"method"`
	APIVersion   string              `json:"apiVersion"`
	Kind         string              `json:"kind"`
	Name         string              `json:"name"`
	Annotations  map[string]string   `json:"annotations"`
	Crossplane   string              `json:"crossplane"`
	Capabilities []string            `json:"capabilities"`
	DependsOn    []source.Dependency `json:"dependsOn"`
	Objects      []object            `json:"objects"`
	Counts       map[string]int      `json:"counts"`
	Diagnostics  []report.Finding    `json:"diagnostics"`

	found []linter.Diagnostic // what Diagnostics says, for the text
}

type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	File       string `json:"file"`
	Line       int    `json:"line"`
}

func newResult(p *source.Package, found []linter.Diagnostic) *result {
	r := &result{
		Source:   p.Source,
		Digest:   p.Digest,
		Platform: p.Platform,
		Method:   p.Method,
		// Lists and maps are never null, so that a reader need not ask.
		Annotations:  map[string]string{},
		Capabilities: []string{},
		DependsOn:    []source.Dependency{},
		Objects:      []object{},
		Counts:       map[string]int{},
		Diagnostics:  report.Findings(p.Source, found),
		found:        found,
	}
	if m := p.Meta; m != nil {
		r.describe(m)
	}
	for d := range p.Documents() {
		r.Objects = append(r.Objects, object{d.APIVersion, d.Kind, d.Name, d.Range.File, d.Range.Start.Line})
		r.Counts[d.Kind]++
	}
	return r
}

func (r *result) describe(m *meta.Package) {
	r.APIVersion, r.Kind, r.Name = m.APIVersion, string(m.Kind), m.Name
	maps.Copy(r.Annotations, m.Annotations)
	r.Crossplane = m.Crossplane.String()
	r.Capabilities = append(r.Capabilities, m.Capabilities...)
	r.DependsOn = source.Dependencies(m)
}

// text prints the report for a person.
func (r *result) text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(t, "%s:\t%s\n", name, report.Printable(value))
		}
	}
	field("source", r.Source)
	field("digest", r.Digest)
	field("platform", r.Platform)
	field("method", r.Method)
	field("kind", r.Kind)
	field("name", r.Name)
	field("api version", r.APIVersion)
	field("crossplane", r.Crossplane)
	for _, c := range r.Capabilities {
		field("capability", c)
	}
	for _, key := range slices.Sorted(maps.Keys(r.Annotations)) {
		field("annotation", fmt.Sprintf("%s=%s", key, cli.Line(r.Annotations[key])))
	}
	if len(r.DependsOn) > 0 {
		fmt.Fprintf(t, "\nDEPENDS ON\tVERSION\tKIND\n")
		for _, d := range r.DependsOn {
			fmt.Fprintf(t, "%s\t%s\t%s\n", report.Printable(d.Package), report.Printable(d.Version), report.Printable(d.Kind))
		}
	}
	if len(r.Objects) > 0 {
		fmt.Fprintf(t, "\nOBJECT\tNAME\tPLACE\n")
		for _, o := range r.Objects {
			fmt.Fprintf(t, "%s\t%s\t%s:%d\n", report.Printable(o.Kind), report.Printable(o.Name), report.Printable(o.File), o.Line)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s, %s\n", cli.Count(len(r.Objects), "object"), cli.Count(len(r.Diagnostics), "finding"))
	return report.Text(w, []report.Source{{Name: r.Source, Findings: r.found}}, nil)
}
