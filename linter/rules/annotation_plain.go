package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func annotationPlain() *linter.Rule {
	return &linter.Rule{
		ID: "annotation-plain",
		Doc: "The annotations that the specification defines have the prefix meta.crossplane.io/ and are honored over competing " +
			"ones: the plain keys of package format v2, and those of the OCI image specification, which are for the manifests of " +
			"images. What such a key says beside the other one is not heard, and alone it is heard by few.",
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
			for _, property := range meta.Properties() {
				for _, key := range competing(property) {
					reportCompeting(p, property, key)
				}
			}
			return nil
		},
	}
}

// competing are the annotations that tell a property and are not those of the
// specification: the plain keys of package format v2, and that of the OCI image
// specification, which is for the manifests of images.
func competing(property meta.Property) []string {
	keys := slices.Clone(property.Keys()[1:])
	if name := map[meta.Property]string{
		meta.PropertyMaintainer: "authors", meta.PropertySource: "source", meta.PropertyLicense: "licenses",
		meta.PropertyDescription: "description", meta.PropertyReadme: "documentation", meta.PropertyFriendlyName: "title",
	}[property]; name != "" {
		keys = append(keys, ociPrefix+name)
	}
	return keys
}

const ociPrefix = "org.opencontainers.image."

func reportCompeting(p *linter.Pass, property meta.Property, key string) {
	d, m := p.Package.Header, p.Package.Meta
	value := strings.TrimSpace(m.Annotations[key])
	if value == "" {
		return
	}
	at, defined := linter.AtKey(d, annotationPath(key)...), property.Keys()[0]
	if winner, told := m.Property(property); told && key != winner.Key {
		at.Related = []linter.Related{{Range: linter.At(d, annotationPath(winner.Key)...).Range, Message: "this one is heard"}}
		says := "says something else"
		if value == winner.Value {
			says = "says the same"
			at.Fixes = linter.Remove(d, annotationPath(key)...)
		}
		p.Reportf(at, "the annotation %s is not heard beside %s, which %s", key, winner.Key, says)
		return
	}
	oci := strings.HasPrefix(key, ociPrefix)
	if !oci && property != meta.PropertyDescription || !isFaulty(property, value) {
		at.Fixes = linter.Rename(d, defined, annotationPath(key)...)
	}
	if oci {
		p.Reportf(at, "the annotation %s is for manifests of images, and is called %s in the metadata of a package", key, defined)
		return
	}
	p.Reportf(at, "the annotation %s is called %s in the specification", key, defined)
}

// isFaulty reports whether another rule has something against what the annotation of the
// specification would say, which it does not look at under the other key.
func isFaulty(property meta.Property, value string) bool {
	switch property {
	case meta.PropertyLicense:
		spelled, err := checkLicense(value)
		return err != nil || !sameWords(spelled, value)
	case meta.PropertySource:
		return !isURL(value)
	case meta.PropertyDescription:
		return hasSentences(value)
	}
	return false
}
