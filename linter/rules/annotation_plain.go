package rules

import (
	"context"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

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
