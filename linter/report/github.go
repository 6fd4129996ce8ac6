package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/xpkg-go/sdk/parser"
)

// GitHub writes a workflow command for each finding, from which GitHub Actions makes
// an annotation in the file:
//
//	::error file=crossplane.yaml,line=7,col=14,endLine=7,endColumn=20,title=constraint-syntax::">= v" is not a version range (spec.dependsOn[0].version)
//
// Files are named from the root of the repository (Source.Dir). Columns are left
// out of findings that end on another line, for which the commands have none, and
// where they are not known. Info becomes a notice. GitHub shows ten annotations of each
// severity and step at most; the log shows all.
func GitHub(w io.Writer, sources []Source) error {
	b := bufio.NewWriter(w)
	for i := range sources {
		s := &sources[i]
		for j := range s.Findings {
			d := &s.Findings[j]
			fmt.Fprintf(b, "::%s %stitle=%s::%s\n", level(d.Severity, "notice"), s.properties(d.Range), property(d.Rule), data(said(d)))
		}
	}
	return b.Flush()
}

// properties returns the place of a finding, each property with a comma behind it.
func (s *Source) properties(r parser.Range) string {
	var b strings.Builder
	if file := s.file(r.File); file != "" {
		fmt.Fprintf(&b, "file=%s,", property(file))
	}
	if !r.Start.IsValid() {
		return b.String()
	}
	region, whole := s.region(r)
	fmt.Fprintf(&b, "line=%d,", region.StartLine)
	switch oneLine := !whole || region.EndLine == region.StartLine; {
	case oneLine && region.StartColumn > 0:
		fmt.Fprintf(&b, "col=%d,", region.StartColumn)
		if whole {
			fmt.Fprintf(&b, "endLine=%d,endColumn=%d,", region.EndLine, region.EndColumn)
		}
	case whole:
		fmt.Fprintf(&b, "endLine=%d,", region.EndLine)
	}
	return b.String()
}

// data returns a text as the message of a workflow command.
func data(text string) string {
	return Printable(strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text))
}

// property returns a text as the value of a property of a workflow command.
func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}
