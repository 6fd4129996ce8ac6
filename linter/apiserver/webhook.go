package apiserver

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

func webhookRefused() *linter.Rule {
	const head = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: demo
webhooks:
- name: buckets.example.org
  clientConfig: {service: {name: demo, namespace: default}}
  rules: [{apiGroups: [example.org], apiVersions: [v1], operations: [CREATE], resources: [buckets]}]
  sideEffects: None
  admissionReviewVersions: [v1]
  matchConditions:
`
	return &linter.Rule{
		ID: "webhook-refused",
		Doc: "The conditions of a webhook are expressions in CEL that are true or false. They are compiled by the API server's own " +
			"code, with the variables that it has for them: object, oldObject, request and authorizer.",
		Bad:      head + "  - {name: named, expression: object.metadata.name +}\n",
		Good:     head + "  - {name: named, expression: 'object.metadata.name != \"\"'}\n",
		URL:      "https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#matching-requests-matchconditions",
		Severity: linter.Error,
		Run: func(ctx context.Context, p *linter.Pass) error {
			all, err := judgeEach(ctx, p, isWebhooks, judgeConditions)
			report(p, all)
			return err
		},
	}
}

func isWebhooks(d *parser.Document) bool {
	return d.APIVersion == "admissionregistration.k8s.io/v1" &&
		(d.Kind == "ValidatingWebhookConfiguration" || d.Kind == "MutatingWebhookConfiguration")
}

// judgeConditions returns which conditions of webhooks the server does not compile. All
// else about webhooks is for webhook-invalid and webhook-incomplete: the server's code for
// that is in k8s.io/kubernetes, which is no library.
func judgeConditions(ctx context.Context, d *parser.Document) (*verdict, error) {
	raw, err := d.JSON()
	if err != nil {
		return nil, nil // a fault of reading, which has told of it
	}
	root, err := decode(raw)
	if err != nil {
		return nil, err
	}
	v := &verdict{doc: d}
	var compiler cel.Compiler                    // which takes long to make, so only where there is a condition
	for i, w := range listAt(root, "webhooks") { // what has another type is told by others
		for j, c := range listAt(w, "matchConditions") {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			text, _ := valueAt(c, "expression").(string)
			if strings.TrimSpace(text) == "" {
				continue // webhook-invalid tells
			}
			if compiler == nil {
				compiler = cel.NewCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
			}
			result := compiler.CompileCELExpression(&matchconditions.MatchCondition{Expression: text}, cel.OptionalVariableDeclarations{HasAuthorizer: true}, environment.NewExpressions)
			if result.Error != nil {
				v.refused = append(v.refused, finding{
					path:    []any{"webhooks", i, "matchConditions", j, "expression"},
					message: message(field.Invalid(nil, text, result.Error.Detail)),
				})
			}
		}
	}
	if len(v.refused) == 0 {
		return nil, nil
	}
	return v, nil
}
