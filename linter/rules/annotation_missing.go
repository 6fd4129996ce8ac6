package rules

import (
	"context"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// toldProperties are what the specification has annotations for, and how bad it is when
// a package does not tell.
var toldProperties = []struct {
	property meta.Property
	what     string
	severity linter.Severity
}{
	{meta.PropertyMaintainer, "who maintains the package", linter.Info},
	{meta.PropertySource, "where its source is", linter.Warning},
	{meta.PropertyLicense, "under which licence it is", linter.Warning},
	{meta.PropertyDescription, "what it is, in one sentence", linter.Warning},
	{meta.PropertyReadme, "how it is used", linter.Info},
}

func annotationMissing() *linter.Rule {
	return &linter.Rule{
		ID: "annotation-missing",
		Doc: "A package that others are to use tells, in annotations of its metadata object, what it is, how it is used, who " +
			"maintains it, where its source is and under which licence. None of it is needed to install it.",
		Bad:      headConfiguration + goodCrossplane,
		Good:     goodMetadata,
		URL:      objectAnnotationsURL,
		Severity: linter.Warning,
		Profile:  linter.Publish,
		Run: func(_ context.Context, p *linter.Pass) error {
			m := p.Package.Meta
			if m == nil || p.Package.Header == nil {
				return nil
			}
			at := linter.AtKey(p.Package.Header, "metadata", "annotations")
			var missing []string
			for _, told := range toldProperties {
				key := told.property.Keys()[0]
				if _, ok := m.Property(told.property); ok {
					continue
				}
				if _, blank := m.Annotations[key]; blank {
					at := linter.At(p.Package.Header, annotationPath(key)...)
					at.Severity = told.severity
					p.Reportf(at, "the annotation is empty, and is to tell %s", told.what)
					continue
				}
				at.Severity = max(at.Severity, told.severity)
				missing = append(missing, told.what+" ("+key+")")
			}
			if len(missing) > 0 {
				p.Reportf(at, "no annotation tells %s", strings.Join(missing, ", "))
			}
			return nil
		},
	}
}
