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

func annotationPlain() *linter.Rule {
	return &linter.Rule{
		ID: "annotation-plain",
		Doc: "The annotations that the specification defines have the prefix meta.crossplane.io/ and are honored over competing " +
			"ones, such as the plain keys of package format v2: what a plain key says beside the other one is not heard, and alone " +
			"it is heard by those only who know the older format.",
		Bad: headConfiguration + `  annotations:
    license: Apache-2.0
`,
		Good: headConfiguration + `  annotations:
    meta.crossplane.io/license: Apache-2.0
`,
		URL:      objectAnnotationsURL,
		Severity: linter.Info,
		Profile:  linter.Publish,
		Run: func(_ context.Context, p *linter.Pass) error {
			m := p.Package.Meta
			if m == nil || p.Package.Header == nil || m.Group() == meta.GroupIBM {
				return nil
			}
			for _, told := range toldProperties {
				if winner, ok := m.Property(told.property); ok {
					reportPlain(p, told.property.Keys(), winner)
				}
			}
			return nil
		},
	}
}

// reportPlain reports the keys that lose to the winner, and the winner itself if it is
// plain.
func reportPlain(p *linter.Pass, keys []string, winner meta.Annotation) {
	d := p.Package.Header
	for _, key := range keys {
		text, ok := p.Package.Meta.Annotations[key]
		if !ok {
			continue
		}
		at := linter.AtKey(d, annotationPath(key)...)
		switch {
		case key == winner.Key && key != keys[0]:
			at.Fixes = linter.Rename(d, keys[0], annotationPath(key)...)
			p.Reportf(at, "the annotation %s is called %s in the specification", key, keys[0])
		case key != winner.Key && key != keys[0]:
			at.Related = []linter.Related{{Range: linter.At(d, annotationPath(winner.Key)...).Range, Message: "this one is heard"}}
			says := "says something else"
			if strings.TrimSpace(text) == winner.Value {
				says = "says the same"
				at.Fixes = linter.Remove(d, annotationPath(key)...)
			}
			p.Reportf(at, "the annotation %s is not heard beside %s, which %s", key, winner.Key, says)
		}
	}
}

func metadataLabels() *linter.Rule {
	return &linter.Rule{
		ID: "metadata-labels",
		Doc: "What is to be known about a package is told in annotations of its metadata object, which its revision gets. " +
			"Labels stay in the package, where nobody looks for them.",
		Bad: headConfiguration + `  labels:
    team: storage
`,
		Good: headConfiguration + `  annotations:
    example.org/team: storage
`,
		URL:      formatURL + "#additional-metadata",
		Severity: linter.Info,
		Profile:  linter.Publish,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta != nil && len(p.Package.Meta.Labels) > 0 {
				p.Reportf(linter.AtKey(p.Package.Header, "metadata", "labels"), "labels do not reach the revision of the package (annotations do)")
			}
			return nil
		},
	}
}
