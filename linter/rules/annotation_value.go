package rules

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

const objectAnnotationsURL = specURL + "#object-annotations"

func annotationLicense() *linter.Rule {
	return &linter.Rule{
		ID: "annotation-license",
		Doc: "The licence of a package is an identifier of the SPDX list, or an expression of several, so that tools can tell " +
			"what it allows. A licence that is not in the list is LicenseRef- and a name.",
		Bad: headConfiguration + `  annotations:
    meta.crossplane.io/license: Apache License 2.0
`,
		Good: headConfiguration + `  annotations:
    meta.crossplane.io/license: Apache-2.0
`,
		URL:      objectAnnotationsURL,
		Severity: linter.Warning,
		Profile:  linter.Publish,
		Run:      eachProperty(meta.PropertyLicense, reportLicense),
	}
}

func reportLicense(p *linter.Pass, a meta.Annotation, path meta.Path) {
	at := linter.At(p.Package.Header, path...)
	spelled, err := checkLicense(a.Value)
	switch {
	case err != nil:
		if id := meantLicense(a.Value); id != "" {
			at.Fixes = linter.Rewrite(p.Package.Header, id, path...)
			p.Reportf(at, "%s is not a licence expression of SPDX (%s is expected)", quote(a.Value), id)
			return
		}
		p.Reportf(at, "%s is not a licence expression of SPDX (%v)", quote(a.Value), err)
	case !sameWords(spelled, a.Value):
		at.Severity = linter.Info
		at.Fixes = linter.Rewrite(p.Package.Header, spelled, path...)
		p.Reportf(at, "%s is spelled %s in the SPDX list", quote(a.Value), quote(spelled))
	}
}

// sameWords reports whether two texts differ in white space only.
func sameWords(a, b string) bool {
	return strings.Join(strings.Fields(a), "") == strings.Join(strings.Fields(b), "")
}

func annotationSource() *linter.Rule {
	return &linter.Rule{
		ID: "annotation-source",
		Doc: "The source of a package is the URL at which its code is found, with its scheme, so that it can be opened. " +
			"Packages of the IBM group, whose format leaves the scheme out, are not looked at.",
		Bad: headConfiguration + `  annotations:
    meta.crossplane.io/source: github.com/example/demo
`,
		Good: headConfiguration + `  annotations:
    meta.crossplane.io/source: https://github.com/example/demo
`,
		URL:      objectAnnotationsURL,
		Severity: linter.Warning,
		Profile:  linter.Publish,
		Run: eachProperty(meta.PropertySource, func(p *linter.Pass, a meta.Annotation, path meta.Path) {
			if p.Package.Meta.Group() == meta.GroupIBM {
				return
			}
			at := linter.At(p.Package.Header, path...)
			switch {
			case isURL(a.Value):
			case hostAndPath.MatchString(a.Value):
				at.Severity = linter.Info
				at.Fixes = linter.Rewrite(p.Package.Header, "https://"+a.Value, path...)
				p.Reportf(at, "%s has no scheme (https://%s is expected)", quote(a.Value), clip(a.Value))
			default:
				p.Reportf(at, "%s is not a URL", quote(a.Value))
			}
		}),
	}
}

// isURL reports whether a text is a URL that can be opened.
func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && u.Host != "" && !strings.ContainsAny(s, " \t\n")
}

// hostAndPath is a URL whose scheme was left out.
var hostAndPath = regexp.MustCompile(`^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::[0-9]+)?/[^\s"'<>]*$`)

func annotationDescription() *linter.Rule {
	return &linter.Rule{
		ID: "annotation-description",
		Doc: "The description of a package is one sentence, which stands beside its name in a list. " +
			"What there is to say beyond that belongs in meta.crossplane.io/readme.",
		Bad: headConfiguration + `  annotations:
    meta.crossplane.io/description: Makes buckets. They are for everyone.
`,
		Good: headConfiguration + `  annotations:
    meta.crossplane.io/description: Makes buckets, which are for everyone.
`,
		URL:      objectAnnotationsURL,
		Severity: linter.Info,
		Profile:  linter.Publish,
		Run: eachProperty(meta.PropertyDescription, func(p *linter.Pass, a meta.Annotation, path meta.Path) {
			// Package format v2 does not ask for one sentence of its plain key.
			if a.Key == meta.PropertyDescription.Keys()[0] && hasSentences(a.Value) {
				p.Reportf(linter.At(p.Package.Header, path...), "the description is more than one sentence (the rest belongs in meta.crossplane.io/readme)")
			}
		}),
	}
}

var (
	// sentenceEnd is the end of a sentence that another one follows. A word before the
	// stop has three letters or more, as most abbreviations have not.
	sentenceEnd = regexp.MustCompile(`[\pL\d)'"”]{3}[.!?]["')”]?\s+["'(“]?\p{Lu}`)
	// paragraph is what separates more than sentences: an empty line, a list, a heading.
	paragraph = regexp.MustCompile(`\n[ \t]*\n|\n[ \t]*[-*#•] `)
	// abbreviation is one that a capital letter may follow.
	abbreviation = regexp.MustCompile(`(?i)\b(?:etc|incl|resp|approx|inc|ltd|corp|dr|vs|no|fig|cf|e\.g|i\.e)\.`)
)

// hasSentences reports whether a text is surely more than one sentence.
func hasSentences(s string) bool {
	s = abbreviation.ReplaceAllString(strings.TrimSpace(s), "")
	return paragraph.MatchString(s) || sentenceEnd.MatchString(s)
}

// eachProperty makes the Run function of a rule that looks at what the annotations tell
// about a package; path leads to the annotation.
func eachProperty(property meta.Property, look func(p *linter.Pass, a meta.Annotation, path meta.Path)) func(context.Context, *linter.Pass) error {
	return func(_ context.Context, p *linter.Pass) error {
		if p.Package.Meta == nil || p.Package.Header == nil {
			return nil
		}
		if a, ok := p.Package.Meta.Property(property); ok {
			look(p, a, annotationPath(a.Key))
		}
		return nil
	}
}

func annotationPath(key string) meta.Path { return meta.Path{"metadata", "annotations", key} }
