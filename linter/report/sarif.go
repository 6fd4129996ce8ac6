package report

import (
	"cmp"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// SARIFOptions says what SARIF tells beside the findings. Nil and zero fields mean
// the defaults.
type SARIFOptions struct {
	// Rules are those that were run, and those of linter.Builtin; they are described
	// in the document, so that those who read it see what a rule asks for and why.
	// Of two with one ID the first counts.
	Rules []*linter.Rule
	// Tool is the name of the program; default "xpkg".
	Tool string
	// Version is that of the program; empty leaves it out.
	Version string
}

const (
	sarifSchema    = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	informationURI = "https://github.com/xpkg-go/sdk"
)

// SARIF writes one log of one run in the Static Analysis Results Interchange Format,
// version 2.1.0 with errata 01, with the rules, other places and fixes of the
// findings. Files are relative URIs (Source.Dir). Columns count UTF-16 code units,
// for which Source.Line is needed: without it columns other than the first, and
// with them fixes, are left out. Ignored findings follow the others of their source, as
// suppressed with the author's reason. No findings are a valid log with no results.
func SARIF(w io.Writer, sources []Source, o *SARIFOptions) error {
	if o == nil {
		o = &SARIFOptions{}
	}
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{
			Name: cmp.Or(o.Tool, "xpkg"), Version: o.Version, InformationURI: informationURI, Rules: []sarifRule{},
		}},
		ColumnKind: "utf16CodeUnits",
		Results:    []sarifResult{},
	}
	rules := &run.Tool.Driver.Rules
	index := map[string]int{} // of a rule in that list
	for _, r := range o.Rules {
		if _, ok := index[r.ID]; ok {
			continue
		}
		index[r.ID] = len(*rules)
		*rules = append(*rules, describe(r))
	}
	result := func(s *Source, d *linter.Diagnostic) sarifResult {
		if _, ok := index[d.Rule]; !ok {
			index[d.Rule] = len(*rules)
			*rules = append(*rules, sarifRule{ID: d.Rule})
		}
		return s.result(d, index[d.Rule])
	}
	for i := range sources {
		s := &sources[i]
		for j := range s.Findings {
			run.Results = append(run.Results, result(s, &s.Findings[j]))
		}
		for _, ignored := range s.Ignored {
			r := result(s, &ignored.Diagnostic)
			suppression := sarifSuppression{Kind: "inSource", Justification: ignored.Reason}
			if at := s.physical(ignored.Comment); at != nil {
				suppression.Location = &sarifLocation{Physical: at}
			}
			r.Suppressions = []sarifSuppression{suppression}
			run.Results = append(run.Results, r)
		}
	}
	return encode(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// describe returns a rule as SARIF has it.
func describe(r *linter.Rule) sarifRule {
	out := sarifRule{ID: r.ID, HelpURI: r.URL, Default: &sarifDefault{Level: level(r.Severity, "note")}}
	if r.Doc == "" {
		return out
	}
	first, _, _ := strings.Cut(r.Doc, ". ")
	out.Short = &sarifMessage{Text: strings.TrimSuffix(first, ".") + "."}
	out.Full = &sarifMessage{Text: r.Doc}
	text, markdown := r.Doc, r.Doc
	for _, example := range []struct{ title, yaml string }{{"Bad", r.Bad}, {"Good", r.Good}} {
		if yaml := strings.TrimSpace(example.yaml); yaml != "" {
			text += "\n\n" + example.title + ":\n\n" + yaml
			markdown += "\n\n" + example.title + ":\n\n```yaml\n" + yaml + "\n```"
		}
	}
	out.Help = &sarifMessage{Text: text, Markdown: markdown}
	return out
}

// level returns error, warning, or the format's word for what is less.
func level(s linter.Severity, less string) string {
	if s == linter.Error || s == linter.Warning {
		return s.String()
	}
	return less
}

func (s *Source) result(d *linter.Diagnostic, rule int) sarifResult {
	out := sarifResult{
		RuleID: d.Rule, RuleIndex: rule, Level: level(d.Severity, "note"), Message: message(said(d)),
		Properties: sarifProperties{Source: s.Name, Path: d.Path},
	}
	at := sarifLocation{Physical: s.physical(d.Range)}
	if d.Object != (linter.ObjectRef{}) {
		at.Logical = []sarifLogical{{Name: d.Object.Name, FullName: d.Object.String(), Kind: "object"}}
	}
	if at.Physical != nil || at.Logical != nil {
		out.Locations = []sarifLocation{at}
	}
	for i, r := range d.Related {
		text := message(r.Message)
		out.Related = append(out.Related, sarifLocation{ID: &i, Physical: s.physical(r.Range), Message: &text})
	}
	for _, f := range d.Fixes {
		if fix, ok := s.fix(f); ok {
			out.Fixes = append(out.Fixes, fix)
		}
	}
	return out
}

// message returns a text that no part of which is a link: [text](target) would be
// one (section 3.11.6), and a package may have written it.
func message(text string) sarifMessage {
	return sarifMessage{Text: strings.ReplaceAll(text, "](", "] (")}
}

// physical returns a place in a file, and nil where no file is known.
func (s *Source) physical(r parser.Range) *sarifPhysical {
	file := s.file(r.File)
	if file == "" {
		return nil
	}
	out := &sarifPhysical{Artifact: sarifArtifact{URI: uri(file)}}
	if r.Start.IsValid() {
		region, _ := s.region(r)
		out.Region = &region
	}
	return out
}

// region returns a range, and whether all of it is told.
func (s *Source) region(r parser.Range) (sarifRegion, bool) {
	out := sarifRegion{StartLine: r.Start.Line, StartColumn: s.column(r.File, r.Start)}
	if out.StartColumn == 0 || !r.End.IsValid() || r.End.Offset < r.Start.Offset {
		return out, false
	}
	if out.EndColumn = s.column(r.File, r.End); out.EndColumn == 0 {
		return out, false
	}
	out.EndLine = r.End.Line
	return out, true
}

// fix returns a fix as SARIF has it, and false when one of its places cannot be told.
func (s *Source) fix(f linter.Fix) (sarifFix, bool) {
	out := sarifFix{Description: message(f.Message)}
	changes := map[string]int{} // index of a file's change
	for _, e := range f.Edits {
		region, ok := s.region(e.Range)
		if !ok {
			return sarifFix{}, false
		}
		file := s.file(e.Range.File)
		if _, ok := changes[file]; !ok {
			changes[file] = len(out.Changes)
			out.Changes = append(out.Changes, sarifChange{Artifact: sarifArtifact{URI: uri(file)}})
		}
		r := sarifReplacement{Deleted: region}
		if e.New != "" {
			r.Inserted = &sarifMessage{Text: e.New}
		}
		c := &out.Changes[changes[file]]
		c.Replacements = append(c.Replacements, r)
	}
	return out, len(out.Changes) > 0
}

// uri returns the name of a file as a URI, relative where the name is.
func uri(file string) string {
	u := url.URL{Path: path.Clean(file)}
	if drive := len(file) > 2 && file[1] == ':' && file[2] == '/'; drive {
		u.Path = "/" + u.Path
	}
	if path.IsAbs(u.Path) {
		u.Scheme = "file"
	}
	return u.String()
}
