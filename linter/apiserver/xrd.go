package apiserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

func xrdRefused() *linter.Rule {
	const head = `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xbuckets.example.org
spec:
  group: example.org
  names: {kind: XBucket, plural: xbuckets}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
`
	return &linter.Rule{
		ID: "xrd-refused",
		Doc: "Crossplane makes a CustomResourceDefinition of a CompositeResourceDefinition, and another one of its claim. Both are " +
			"such that the Kubernetes API server accepts them; they are judged by the API server's own code. What the author " +
			"writes outside of spec and status of a schema, and fields there that Crossplane defines, do not come into them.",
		Bad:        head + "              size: {type: integer, default: small}\n",
		Good:       head + "              size: {type: integer, default: 1}\n",
		URL:        "https://docs.crossplane.io/latest/composition/composite-resource-definitions/",
		Severity:   linter.Error,
		Supersedes: []string{"xrd-schema"},
		Run: func(ctx context.Context, p *linter.Pass) error {
			all, err := judgeEach(ctx, p, isComposite, judgeComposite)
			report(p, all)
			return err
		},
	}
}

func isComposite(d *parser.Document) bool {
	return d.Kind == "CompositeResourceDefinition" && (d.APIVersion == xrdV1 || d.APIVersion == xrdV2)
}

// judgeComposite returns what the server has against the definitions that a composite
// resource definition makes.
func judgeComposite(ctx context.Context, d *parser.Document) (*verdict, error) {
	raw, err := d.JSON()
	if err != nil {
		return nil, nil // a fault of reading, which has told of it
	}
	root, err := decode(raw)
	if err != nil {
		return nil, err
	}
	xrd, _ := root.(map[string]any)
	v := &verdict{doc: d, refused: misfitSchemas(xrd)}
	if len(v.refused) > 0 { // or else Crossplane makes no definition
		return v, nil
	}
	made := []making{forComposite(xrd)}
	if names, ok := valueAt(xrd, "spec", "claimNames").(map[string]any); ok {
		made = append(made, forClaim(xrd, names))
	}
	for _, m := range made {
		faults, err := m.refused(ctx)
		if err != nil {
			return nil, err
		}
		v.refused = append(v.refused, faults...)
	}
	if v.refused = once(v.refused); len(v.refused) == 0 {
		return nil, nil
	}
	return v, nil
}

// misfitSchemas returns the values in the schemas of a definition's versions that the API
// server cannot decode.
func misfitSchemas(def map[string]any) []finding {
	var all []finding
	for i, version := range listAt(def, "spec", "versions") {
		schema := valueAt(version, "schema", "openAPIV3Schema")
		f := &fitting{fields: map[reflect.Type]map[string]reflect.Type{}}
		f.fit([]any{"spec", "versions", i, "schema", "openAPIV3Schema"}, schema, reflect.TypeFor[apiextensionsv1.JSONSchemaProps]())
		all = append(all, mistypes(f.mistyped)...)
	}
	return all
}

// refused returns what the server has against a definition that was made, at the fields
// that it was made of.
func (m *making) refused(ctx context.Context) ([]finding, error) {
	raw, err := json.Marshal(m.definition)
	if err != nil {
		return nil, err
	}
	if clean(ctx, nil, raw) {
		return nil, nil
	}
	mistyped, _, err := misfits(raw)
	if err != nil || len(mistyped) > 0 {
		return nil, err // of the rest of the definition, which other rules look at
	}
	faults, err := create(ctx, raw)
	if undecodable := (*decodeError)(nil); errors.As(err, &undecodable) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	w := &walker{root: m.definition}
	faults = slices.DeleteFunc(faults, func(f *field.Error) bool { return !m.concerns(w.of(f), f) })
	return findings(faults, "the API server refuses what it makes for %d more faults", func(f *field.Error) finding {
		return finding{m.source(w.of(f)), message(f)}
	}), nil
}

func mistypes(all []misfit) []finding {
	return findings(all, "the API server cannot decode it for %d more values", func(m misfit) finding {
		return finding{m.path, fmt.Sprintf("found %s, expected %s", m.found, m.want)}
	})
}
