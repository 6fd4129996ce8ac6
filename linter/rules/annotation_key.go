package rules

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

const annotationURL = "https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/#syntax-and-character-set"

func annotationKey() *linter.Rule {
	return &linter.Rule{
		ID: "annotation-key",
		Doc: "The key of an annotation is a qualified name: up to 63 letters, digits and - _ . characters, and, before a slash, " +
			"an optional DNS subdomain. The annotations of a package go to its revision, and those of an object to the object: " +
			"the API server refuses any other. What a key means is nobody's business.",
		Bad: headConfiguration + `  annotations:
    my annotation: a value
`,
		Good: headConfiguration + `  annotations:
    example.org/my-annotation: a value
`,
		URL:      annotationURL,
		Severity: linter.Error,
		Run:      eachAnnotated(reportKeys),
	}
}

func reportKeys(p *linter.Pass, d *parser.Document, annotations map[string]string) {
	f := &findings{pass: p, doc: d, around: meta.Path{"metadata", "annotations"}}
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		if wrong := wrongKey(key); wrong != "" {
			f.add(fault{path: annotationPath(key), key: true}, "%s is not the key of an annotation (%s)", quote(key), wrong)
		}
	}
	f.done()
}

var keyName = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$`)

// wrongKey says what keeps a key from being a qualified name, "" if nothing does.
// Annotations, unlike labels, may have upper case in the prefix.
func wrongKey(key string) string {
	const longest = 63
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		name = key
	}
	switch {
	case prefixed && meta.CheckName(strings.ToLower(prefix)) != nil:
		return "what is before the slash is not a DNS subdomain"
	case name == "":
		return "it has no name"
	case len(name) > longest:
		return "its name has more than 63 characters"
	case !keyName.MatchString(name):
		return "a name is letters and digits, with - _ . between them"
	default:
		return ""
	}
}

func annotationSize() *linter.Rule {
	return &linter.Rule{
		ID: "annotation-size",
		Doc: "The annotations of an object have 256 KiB together at most, keys and values: the API server refuses more, in the " +
			"object and in the revision of the package, which gets those of the metadata object. A long readme belongs elsewhere.",
		Bad: headConfiguration + `  annotations:
    meta.crossplane.io/readme: This is the whole manual. # and goes on for 300 KiB
`,
		Good: headConfiguration + `  annotations:
    meta.crossplane.io/readme: See https://example.org/demo.
`,
		URL:      annotationURL,
		Severity: linter.Error,
		Run:      eachAnnotated(reportSize),
	}
}

// maxAnnotations is how many bytes the annotations of an object may have.
const maxAnnotations = 256 << 10

func reportSize(p *linter.Pass, d *parser.Document, annotations map[string]string) {
	size := 0
	for key, value := range annotations {
		size += len(key) + len(value)
	}
	if size > maxAnnotations {
		p.Reportf(linter.AtKey(d, "metadata", "annotations"), "the annotations have %d bytes (at most %d are allowed)", size, maxAnnotations)
	}
}

// eachAnnotated makes the Run function of a rule that looks at the annotations of the
// metadata object and of all objects that the package may hold.
func eachAnnotated(look func(*linter.Pass, *parser.Document, map[string]string)) func(context.Context, *linter.Pass) error {
	return func(ctx context.Context, p *linter.Pass) error {
		if m := p.Package.Meta; m != nil && p.Package.Header != nil {
			look(p, p.Package.Header, m.Annotations)
		}
		list, err := objectMetas.Of(ctx, p)
		for _, o := range list {
			if m := textsOf(o.meta.get("annotations")); len(m) > 0 {
				look(p, o.doc, m)
			}
		}
		return err
	}
}

// textsOf returns the texts of a mapping; values of other types are another rule's.
func textsOf(v *value) map[string]string {
	m := make(map[string]string, len(v.fields))
	for key, v := range v.fields {
		if s, ok := v.asText(); ok {
			m[key] = s
		}
	}
	return m
}
