package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

func objectName() *linter.Rule {
	return &linter.Rule{
		ID: "object-name",
		Doc: "Every object has a name, and the name is one that the API server takes for all kinds that a package may hold: " +
			"a DNS-1123 subdomain of at most 253 bytes.",
		Bad:      headConfiguration + but(headComposition, "demo", "My_Composition"),
		Good:     headConfiguration + but(headComposition, "demo", "my-composition"),
		URL:      "https://kubernetes.io/docs/concepts/overview/working-with-objects/names/",
		Severity: linter.Error,
		Run:      runObjectName,
	}
}

func runObjectName(_ context.Context, p *linter.Pass) error {
	var table []allowance
	if p.Package.Meta != nil {
		table = tableFor(p.Package.Meta)
	}
	for _, d := range p.Package.Objects {
		if !judged(d) {
			continue
		}
		// An object that must leave the package needs no name for it.
		if v, _ := judge(table, p.Releases, d); v == refused && len(table) > 0 {
			continue
		}
		reportName(p, d, d.Name, linter.Error)
	}
	return nil
}

// reportName reports a name that is missing or improper, but not one that is of
// another type than text.
func reportName(p *linter.Pass, d *parser.Document, name string, severity linter.Severity) {
	err := meta.CheckName(name)
	if err == nil || name == "" && hasOddName(d) {
		return
	}
	at := linter.At(d, "metadata", "name")
	at.Severity = severity
	if name == "" {
		p.Reportf(at, "%s has no name", d.Ref())
	} else {
		p.Reportf(at, "%v", err)
	}
}

// hasOddName reports whether metadata.name is there and is not a text.
func hasOddName(d *parser.Document) bool {
	var body struct {
		Metadata struct {
			Name any `json:"name"`
		} `json:"metadata"`
	}
	if err := d.DecodeLax(&body); err != nil {
		return true
	}
	_, text := body.Metadata.Name.(string)
	return !text && body.Metadata.Name != nil
}
