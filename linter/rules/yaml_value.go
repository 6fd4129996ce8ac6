package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

func yamlAmbiguous() *linter.Rule {
	return &linter.Rule{
		ID: "yaml-ambiguous",
		Doc: "A word or number without quotes is the same to every reader of YAML. Kubernetes reads YAML as version 1.1 has it, " +
			"where on, yes, no and off are true and false, 0777 is 511 and 1_000 is 1000, and other readers of that version " +
			"take 12:30:45 and 2001-01-01 for numbers and dates. Quotes make each a text.",
		Bad: exampleCRD + goodCRDSpec + `    schema:
      openAPIV3Schema:
        type: string
        default: on
`,
		Good: exampleCRD + goodCRDSpec + `    schema:
      openAPIV3Schema:
        type: string
        default: "on"
`,
		URL:      "https://yaml.org/spec/1.2.2/ext/changes/",
		Severity: linter.Warning,
		Run: eachDoubt("ambiguous words and numbers", func(p *linter.Pass, d *parser.Document, x parser.Doubt, at linter.Diagnostic) {
			at.Fixes = quoteFix(p, d, x)
			switch {
			case x.Key:
				p.Reportf(at, "the key %s is %s to Kubernetes: quote it", clip(x.Text), clip(x.Kubernetes))
			case x.Kind == parser.DoubtOld:
				at.Severity = linter.Info
				p.Reportf(at, "unquoted %s is a text to Kubernetes, and none to other readers of YAML 1.1: quote it", clip(x.Text))
			default:
				p.Reportf(at, "unquoted %s is %s in YAML 1.2, and %s to Kubernetes, which reads YAML 1.1: quote it if it is a text, else write %s",
					clip(x.Text), clip(x.Means), clip(x.Kubernetes), clip(unquoted(x)))
			}
		}, parser.DoubtDiffers, parser.DoubtOld),
	}
}

// quoteFix returns the fix that writes a doubtful value in quotes, where it surely is
// meant as a text: a key, an annotation or label, a default of a schema whose type is
// string, and what Kubernetes reads as a text already.
func quoteFix(p *linter.Pass, d *parser.Document, x parser.Doubt) []linter.Fix {
	isText := x.Key || x.Kind == parser.DoubtOld || d == p.Package.Header && !isUnknown(p.Package.Meta, x.Path)
	if n := len(x.Path); n > 0 && !isText {
		switch key := x.Path[n-1]; {
		case n == 3 && x.Path[0] == "metadata" && (x.Path[1] == "annotations" || x.Path[1] == "labels"):
			isText = true
		case key == "description", key == "title", key == "pattern", key == "format":
			isText = true
		case key == "default", key == "example":
			isText = typeAt(d, x.Path[:n-1]) == "string"
		case n > 1 && x.Path[n-2] == "enum":
			isText = typeAt(d, x.Path[:n-2]) == "string"
		}
	}
	if !isText {
		return nil
	}
	return linter.Quote(d, x.Range)
}

// typeAt returns what the field type of the schema at a path says.
func typeAt(d *parser.Document, path meta.Path) string {
	place := d.At(append(path[:len(path):len(path)], "type")...)
	line := d.Line(place.Value.Start.Line)
	if !place.Found || place.Value.End.Line != place.Value.Start.Line || place.Value.End.Column-1 > len(line) {
		return ""
	}
	return strings.Trim(string(line[place.Value.Start.Column-1:place.Value.End.Column-1]), `"'`)
}

// unquoted returns the value of a doubt as all readers have it, whichever of the two
// is no text.
func unquoted(x parser.Doubt) string {
	if x.Kubernetes[0] == '"' {
		return x.Means
	}
	return x.Kubernetes
}

func numberChanged() *linter.Rule {
	return &linter.Rule{
		ID: "number-changed",
		Doc: "A number without quotes remains what it is. Whoever reads it as a 64 bit floating point number, as Kubernetes does in most " +
			"places, changes one of more than 15 to 17 digits, and makes 1.1 of 1.10, which is another version, and 1000 of 1e3. " +
			"This library keeps the digits. A bound in a schema (minimum, maximum, multipleOf) may be spelled in any way.",
		Bad: exampleCRD + goodCRDSpec + `    schema:
      openAPIV3Schema:
        type: string
        default: 1.10
`,
		Good: exampleCRD + goodCRDSpec + `    schema:
      openAPIV3Schema:
        type: string
        default: "1.10"
`,
		Severity: linter.Warning,
		Run: eachDoubt("numbers that are changed", func(p *linter.Pass, d *parser.Document, x parser.Doubt, at linter.Diagnostic) {
			at.Fixes = quoteFix(p, d, x)
			switch {
			case d == p.Package.Header && !isUnknown(p.Package.Meta, x.Path):
				// Its fields have no place for a number: that is a fault of reading.
			case x.Kind == parser.DoubtInexact:
				p.Reportf(at, "unquoted %s has more digits than a floating point number keeps: readers that use one change it (quote it if it is a text)", clip(x.Text))
			case !isBound(x):
				p.Reportf(at, "unquoted %s is the number %s to its readers: quote it if it is a text, such as a version", clip(x.Text), clip(x.Kubernetes))
			}
		}, parser.DoubtInexact, parser.DoubtRespelled),
	}
}

// isUnknown reports whether a path leads into a field that the metadata does not
// have.
func isUnknown(m *meta.Package, path meta.Path) bool {
	if m == nil {
		return true
	}
	for _, u := range m.Unknown {
		if len(path) >= len(u.Path) && path[:len(u.Path)].Compare(u.Path) == 0 {
			return true
		}
	}
	return false
}

// isBound reports whether a doubt is about a number of a schema that is never a
// text.
func isBound(x parser.Doubt) bool {
	switch x.Path[len(x.Path)-1] {
	case "minimum", "maximum", "multipleOf":
		return true
	}
	return false
}

// eachDoubt makes the Run function of a rule about doubts of some kinds. Of those
// that a document has too many of, only the number is told, by rules that say what they
// look for.
func eachDoubt(what string, report func(*linter.Pass, *parser.Document, parser.Doubt, linter.Diagnostic), kinds ...parser.DoubtKind) func(context.Context, *linter.Pass) error {
	return func(ctx context.Context, p *linter.Pass) error {
		found, err := doubts.Of(ctx, p)
		if err != nil {
			return err
		}
		for _, f := range found {
			for _, x := range f.list {
				if slices.Contains(kinds, x.Kind) {
					report(p, f.doc, x, linter.Diagnostic{Range: x.Range, Object: f.doc.Ref(), Path: x.Path.String()})
				}
			}
			if f.more > 0 && what != "" {
				p.Reportf(linter.At(f.doc), "there may be more %s: only the first %d doubtful values were looked at", what, len(f.list))
			}
		}
		return nil
	}
}

// doubtful is a document with its doubts.
type doubtful struct {
	doc  *parser.Document
	list []parser.Doubt
	more int
}

var doubts = linter.NewFact(func(ctx context.Context, p *linter.Pass) ([]doubtful, error) {
	found, err := linter.EachDocument(ctx, p, func(d *parser.Document) (doubtful, error) {
		list, more := d.Doubts()
		return doubtful{d, list, more}, nil
	})
	return slices.DeleteFunc(found, func(f doubtful) bool { return len(f.list) == 0 }), err
})
