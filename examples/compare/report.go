package main

import (
	"fmt"
	"io"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/compare"
	"github.com/xpkg-go/sdk/linter/report"
)

// answer is what compare prints with -o json.
type answer struct {
	Old     string   `json:"old"`
	New     string   `json:"new"`
	Changes []change `json:"changes"`
}

type change struct {
	Rule     string        `json:"rule"`
	Severity string        `json:"severity"`
	Message  string        `json:"message"`
	Object   report.Object `json:"object"`
	API      api           `json:"api"`
	Field    string        `json:"field"`
	Old      place         `json:"old"`
	New      place         `json:"new"`

	text string
}

// api is the API kind that a change is about; empty when it is about none.
type api struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

type place struct {
	Source    string `json:"source"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Path      string `json:"path"`
}

func newReport(old, new *source.Package, changes []compare.Change) *answer {
	r := &answer{Old: old.Source, New: new.Source, Changes: []change{}}
	for _, c := range changes {
		r.Changes = append(r.Changes, change{
			Rule: c.Rule, Severity: c.Severity.String(), Message: c.Message,
			Object: report.Object{APIVersion: c.Object.APIVersion, Kind: c.Object.Kind, Name: c.Object.Name},
			API:    api{c.API.APIVersion, c.API.Kind},
			Field:  c.Field, Old: placeOf(old, c.Old), New: placeOf(new, c.New),
			text: cli.Printable(c.String()),
		})
	}
	return r
}

func placeOf(p *source.Package, at compare.Place) place {
	return place{
		Source: p.Source, File: at.Range.File, Path: at.Path,
		Line: at.Range.Start.Line, Column: at.Range.Start.Column, EndLine: at.Range.End.Line, EndColumn: at.Range.End.Column,
	}
}

// text writes a line for each change and one that counts them.
func (r *answer) text(w io.Writer) error {
	counts := map[string]int{}
	for _, c := range r.Changes {
		counts[c.Severity]++
		if _, err := fmt.Fprintf(w, "%s: %s\n", c.Severity, c.text); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s: %d breaking, %d that may break, %d to know\n", cli.Count(len(r.Changes), "change"),
		counts[linter.Error.String()], counts[linter.Warning.String()], counts[linter.Info.String()])
	return err
}
