package report

import (
	"encoding/json"
	"io"

	"github.com/xpkg-go/sdk/linter"
)

// Finding is a finding as JSON has it. Lines and columns count from 1, columns in
// bytes; they are 0 where they are not known, and the end is exclusive.
type Finding struct {
	Rule      string `json:"rule"`
	Severity  string `json:"severity"` // info, warning or error
	Message   string `json:"message"`
	Source    string `json:"source"` // Source.Name
	File      string `json:"file"`   // within the source
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Object    Object `json:"object"`
	Path      string `json:"path"` // such as spec.dependsOn[0].version
}

// Object names the object that a Finding is about; its fields are empty where
// there is none.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

// Findings returns findings as JSON has them; never nil, so that readers find a
// list.
func Findings(source string, ds []linter.Diagnostic) []Finding {
	all := make([]Finding, 0, len(ds))
	for _, d := range ds {
		all = append(all, Finding{
			Rule:      d.Rule,
			Severity:  d.Severity.String(),
			Message:   d.Message,
			Source:    source,
			File:      d.Range.File,
			Line:      d.Range.Start.Line,
			Column:    d.Range.Start.Column,
			EndLine:   d.Range.End.Line,
			EndColumn: d.Range.End.Column,
			Object:    Object{d.Object.APIVersion, d.Object.Kind, d.Object.Name},
			Path:      d.Path,
		})
	}
	return all
}

// JSON writes one object, {"diagnostics": [Finding…]}. The error is the writer's.
func JSON(w io.Writer, sources []Source) error {
	body := struct {
		Diagnostics []Finding `json:"diagnostics"`
	}{Diagnostics: []Finding{}}
	for _, s := range sources {
		body.Diagnostics = append(body.Diagnostics, Findings(s.Name, s.Findings)...)
	}
	return encode(w, body)
}

// encode writes a value as one indented JSON object.
func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
