package apiserver

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xpkg-go/sdk/linter"
)

// Rules returns the rules of this package. The values are the caller's own.
func Rules() []*linter.Rule {
	return []*linter.Rule{crdRefused(), crdDroppedField(), xrdRefused(), mrdRefused(), webhookRefused()}
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
		URL:        "https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/",
		Severity:   linter.Error,
		Supersedes: []string{"crd-wrong-type", "crd-name", "crd-scope", "crd-versions", "crd-storage", "crd-conversion", "object-name", "annotation-key"},
		Run:        run,
	}
}

func run(ctx context.Context, p *linter.Pass) error {
	all, err := verdicts.Of(ctx, p)
	report(p, all)
	return err
}

// report reports what the API server refuses.
func report(p *linter.Pass, all []*verdict) {
	for _, v := range all {
		for _, f := range v.refused {
			p.Reportf(linter.At(v.doc, f.path...), "%s", f.message)
		}
	}
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

// omitted stands for a value that would make a message long.
const omitted = "<value omitted>"

// message is the text of a field error in the form of linter.Diagnostic.Message.
func message(f *field.Error) string {
	var b strings.Builder
	b.WriteString(strings.ToLower(f.Type.String()))
	if strings.HasSuffix(f.Detail, rootDetail) {
		return "forbidden at the root of the schema if the status subresource is enabled"
	}
	if v := value(f.BadValue); v != "" && f.BadValue != omitted && f.Type != field.ErrorTypeRequired && f.Type != field.ErrorTypeForbidden {
		b.WriteString(" " + v)
	}
	detail := oneLine(f.Detail)
	for _, m := range moved { // oldSelf is told with a path
		detail = strings.ReplaceAll(detail, " "+m.internal+".", " "+m.external+".")
	}
	if detail = clip(detail, detailLength); detail != "" {
		b.WriteString(": " + detail)
	}
	text := b.String()
	if path, ok := strings.CutSuffix(text, " ."); ok {
		return path + " a dot"
	}
	return strings.TrimRight(text, ".")
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

// oneLine joins the lines of a text, but for those with which a CEL error shows the
// rule and a caret.
func oneLine(s string) string {
	var kept []string
	for line := range strings.Lines(s) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "|" {
			kept = append(kept, fields...)
		}
	}
	return strings.Join(kept, " ")
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
