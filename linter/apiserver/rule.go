package apiserver

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// Rules returns the rules of this package. The values are the caller's own.
func Rules() []*linter.Rule {
	return []*linter.Rule{crdRefused(), crdDroppedField()}
}

func crdRefused() *linter.Rule {
	return &linter.Rule{
		ID: "crd-refused",
		Doc: "A CustomResourceDefinition is one that the Kubernetes API server accepts. It is judged by the API server's own " +
			"code for decoding, defaulting and validation.",
		Bad: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.example.org
spec:
  group: example.org
  names: {kind: Bucket, plural: buckets}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              name: {type: string, pattern: "["}
`,
		Good: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.example.org
spec:
  group: example.org
  names: {kind: Bucket, plural: buckets}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              name: {type: string, pattern: "^[a-z]+$"}
`,
		URL:      "https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/",
		Severity: linter.Error,
		// Of definitions of apiextensions.k8s.io/v1beta1, which no API server takes any
		// more, crd-v1beta1 says all that there is to say.
		Supersedes: []string{"crd-wrong-type", "crd-name", "crd-scope", "crd-versions", "crd-storage"},
		Run:        run,
	}
}

func run(ctx context.Context, p *linter.Pass) error {
	server := newServer()
	for d := range definitions(p.Package) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := judge(ctx, p, server, d); err != nil {
			return fmt.Errorf("%s: %w", d.Ref(), err)
		}
	}
	return ctx.Err()
}

// definitions yields the documents that an API server takes as definitions.
func definitions(p *parser.Package) iter.Seq[*parser.Document] {
	return func(yield func(*parser.Document) bool) {
		for _, d := range p.Objects {
			if d.APIVersion == "apiextensions.k8s.io/v1" && d.Kind == "CustomResourceDefinition" && !yield(d) {
				return
			}
		}
	}
}

// judge reports what the server has against one document.
func judge(ctx context.Context, p *linter.Pass, s *server, d *parser.Document) error {
	raw, err := d.JSON()
	if err != nil {
		return nil // a fault of reading, which has told of it
	}
	mistyped, _, err := misfits(raw)
	if err != nil {
		return err
	}
	for i, m := range mistyped {
		if i == maxPlaced {
			p.Reportf(linter.At(d), "the API server cannot decode it for %d more values", len(mistyped)-i)
			break
		}
		p.Reportf(linter.At(d, m.path...), "found %s, expected %s", m.found, m.want)
	}
	if len(mistyped) > 0 {
		return nil // the API server comes no further either
	}
	faults, err := s.create(ctx, raw)
	if undecodable := (*decodeError)(nil); errors.As(err, &undecodable) {
		// What is left are texts of a form of their own: a time, base64.
		p.Reportf(linter.At(d), "the API server cannot decode it: a text in it is not of the form that its field has")
		return nil
	}
	if err != nil {
		return err
	}
	if len(faults) == 0 {
		return nil
	}
	w, err := newWalker(raw)
	if err != nil {
		return err
	}
	for i, f := range faults {
		if i == maxPlaced {
			p.Reportf(linter.At(d), "the API server refuses it for %d more faults", len(faults)-i)
			break
		}
		p.Reportf(linter.At(d, w.path(f.Field)...), "%s", message(f))
	}
	return nil
}

// maxPlaced is how many faults of one definition get a place of their own; the
// rest are counted. Each place is looked up in the document, so that a hostile one
// with a fault in every line would take the square of its length.
const maxPlaced = 1000

// Lengths, in bytes, that a message quotes at most: of a value, and of the API
// server's explanation.
const (
	valueLength  = 80
	detailLength = 240
)

// message is the text of a field error in the form of linter.Diagnostic.Message.
func message(f *field.Error) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(f.Type.String()))
	if v := value(f.BadValue); v != "" && f.Type != field.ErrorTypeRequired && f.Type != field.ErrorTypeForbidden {
		b.WriteString(" " + v)
	}
	if detail := clip(oneLine(f.Detail), detailLength); detail != "" {
		b.WriteString(": " + detail)
	}
	return strings.TrimRight(b.String(), ".")
}

// value prints a scalar; a structure is at the place of the finding anyway.
func value(v any) string {
	r := reflect.ValueOf(v)
	for r.Kind() == reflect.Pointer && !r.IsNil() {
		r = r.Elem()
	}
	switch r.Kind() {
	case reflect.String:
		return strconv.Quote(clip(r.String(), valueLength))
	case reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		return fmt.Sprint(r.Interface())
	default:
		return ""
	}
}

// oneLine joins the lines of a text, such as a CEL error with its caret.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
