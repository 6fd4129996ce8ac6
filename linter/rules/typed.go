package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// typed is a document of a kind whose fields are known, and that defines no API.
type typed struct {
	doc  *parser.Document
	body *value
	comparison
}

// typedObjects are all such documents of a package, in stream order, decoded once for
// all rules.
var typedObjects = linter.NewFact(func(ctx context.Context, p *linter.Pass) ([]*typed, error) {
	var list []*typed
	for _, d := range p.Package.Objects {
		s := typedShapes[d.APIVersion+" "+d.Kind]
		if s == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if body := readDocument(d, s); body != nil {
			t := &typed{doc: d, body: body}
			t.compare(nil, body, s)
			t.asKubernetes(d)
			list = append(list, t)
		}
	}
	return list, nil
})

// eachTyped calls look with the documents of the kinds.
func eachTyped(ctx context.Context, p *linter.Pass, look func(*typed), kinds ...string) error {
	list, err := typedObjects.Of(ctx, p)
	if err != nil {
		return err
	}
	for _, t := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, k := range kinds {
			if t.doc.Kind == k {
				look(t)
			}
		}
	}
	return nil
}

// Kinds of typed objects.
const (
	operation        = "Operation"
	cronOperation    = "CronOperation"
	watchOperation   = "WatchOperation"
	activationPolicy = "ManagedResourceActivationPolicy"
	validating       = "ValidatingWebhookConfiguration"
	mutating         = "MutatingWebhookConfiguration"
)

var typedShapes = map[string]*shape{
	"apiextensions.crossplane.io/v1 " + composition:            compositionShape,
	"ops.crossplane.io/v1alpha1 " + operation:                  object(operationShape),
	"ops.crossplane.io/v1alpha1 " + cronOperation:              object(cronOperationShape),
	"ops.crossplane.io/v1alpha1 " + watchOperation:             object(watchOperationShape),
	"apiextensions.crossplane.io/v1alpha1 " + activationPolicy: object(fields(map[string]*shape{"activate": listOf(aText)})),
	"admissionregistration.k8s.io/v1 " + validating:            webhooksShape(false),
	"admissionregistration.k8s.io/v1 " + mutating:              webhooksShape(true),
}

var (
	wholeMapping = &shape{form: mapping, fields: whole.fields, others: whole}

	stepShape = fields(map[string]*shape{
		"step": aText, "functionRef": nameShape, "input": wholeMapping,
		"credentials": listOf(fields(map[string]*shape{
			"name": aText, "source": aText, "secretRef": fields(map[string]*shape{"name": aText, "namespace": aText}),
		})),
		"requirements": fields(map[string]*shape{
			"requiredResources": listOf(fields(map[string]*shape{
				"requirementName": aText, "apiVersion": aText, "kind": aText, "name": aText, "namespace": aText, "matchLabels": texts,
			})),
			"requiredSchemas": listOf(fields(map[string]*shape{"requirementName": aText, "apiVersion": aText, "kind": aText})),
		}),
	})

	// compositionShape is that of apiextensions.crossplane.io/v1, with all fields that
	// releases of Crossplane have had.
	compositionShape = object(fields(map[string]*shape{
		"compositeTypeRef": fields(map[string]*shape{"apiVersion": aText, "kind": aText}),
		"mode":             aText, "pipeline": listOf(stepShape),
		"resources": listOf(wholeMapping), "patchSets": listOf(wholeMapping), "environment": wholeMapping,
		"functions": aList, "writeConnectionSecretsToNamespace": aText,
		"publishConnectionDetailsWithStoreConfigRef": nameShape,
	}))

	operationShape = fields(map[string]*shape{"mode": aText, "pipeline": listOf(stepShape), "retryLimit": aNumber})

	templateShape = fields(map[string]*shape{"metadata": objectMetaShape, "spec": operationShape})

	cronOperationShape = fields(map[string]*shape{
		"schedule": aText, "startingDeadlineSeconds": aNumber, "concurrencyPolicy": aText,
		"successfulHistoryLimit": aNumber, "failedHistoryLimit": aNumber, "operationTemplate": templateShape,
	})

	watchOperationShape = fields(map[string]*shape{
		"watch":             fields(map[string]*shape{"apiVersion": aText, "kind": aText, "namespace": aText, "matchLabels": texts}),
		"concurrencyPolicy": aText, "successfulHistoryLimit": aNumber, "failedHistoryLimit": aNumber,
		"operationTemplate": templateShape,
	})
)

func objectWrongType() *linter.Rule {
	return &linter.Rule{
		ID: "object-wrong-type",
		Doc: "The fields of Compositions, Operations and activation policies hold values of their types: a list of steps, a " +
			"string for a name. The API server refuses the object otherwise.",
		Bad: exampleConfiguration + compositionHead + `  mode: Pipeline
  pipeline:
    step: compose
`,
		Good:     exampleConfiguration + compositionHead + goodPipeline,
		URL:      compositionURL,
		Severity: linter.Error,
		Run: func(ctx context.Context, p *linter.Pass) error {
			return eachTyped(ctx, p, func(t *typed) { reportMismatches(p, t.doc, &t.comparison) },
				composition, operation, cronOperation, watchOperation, activationPolicy)
		},
	}
}

func objectUnknownField() *linter.Rule {
	return &linter.Rule{
		ID: "object-unknown-field",
		Doc: "Compositions, Operations, activation policies and webhook configurations have no field of this name, so the API " +
			"server drops it. Inputs of functions and templates of resources are not looked at.",
		Bad:      exampleConfiguration + compositionHead + goodPipeline + "    inputs: {apiVersion: example.org/v1, kind: Input}\n",
		Good:     exampleConfiguration + compositionHead + goodPipeline,
		URL:      compositionURL,
		Severity: linter.Warning,
		Run: func(ctx context.Context, p *linter.Pass) error {
			return eachTyped(ctx, p, func(t *typed) { reportStrangers(p, t.doc, &t.comparison) },
				composition, operation, cronOperation, watchOperation, activationPolicy, validating, mutating)
		},
	}
}

const compositionURL = "https://docs.crossplane.io/latest/composition/compositions/"

// isIBM reports whether a package is of the group that no release of Crossplane bounds.
func isIBM(p *linter.Pass) bool {
	return p.Package.Meta != nil && p.Package.Meta.Group() == meta.GroupIBM
}
