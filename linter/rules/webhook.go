package rules

import (
	"context"
	"strconv"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

func webhookIncomplete() *linter.Rule {
	return &linter.Rule{
		ID: "webhook-incomplete",
		Doc: "Each webhook of a ValidatingWebhookConfiguration or MutatingWebhookConfiguration has a name, its side effects and " +
			"the review versions that it takes; the API server refuses it otherwise. Where it is called and for what may be " +
			"left out, which is a warning: Crossplane fills in the service of the provider, if it gave it a certificate, " +
			"and without rules a webhook is never called.",
		Bad:      webhooksHead + "- name: buckets.example.org\n",
		Good:     webhooksHead + goodWebhook,
		URL:      "https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/validating-webhook-configuration-v1/",
		Severity: linter.Error,
		Run:      runWebhookIncomplete,
	}
}

// webhooksShape is that of admissionregistration.k8s.io/v1.
func webhooksShape(mutates bool) *shape {
	webhook := map[string]*shape{
		"name": aText, "sideEffects": aText, "failurePolicy": aText, "matchPolicy": aText,
		"admissionReviewVersions": listOf(aText), "timeoutSeconds": aNumber,
		"namespaceSelector": selectorShape, "objectSelector": selectorShape,
		"matchConditions": listOf(fields(map[string]*shape{"name": aText, "expression": aText})),
		"clientConfig": fields(map[string]*shape{
			"url": aText, "caBundle": aText,
			"service": fields(map[string]*shape{"name": aText, "namespace": aText, "path": aText, "port": aNumber}),
		}),
		"rules": listOf(fields(map[string]*shape{
			"apiGroups": listOf(aText), "apiVersions": listOf(aText), "resources": listOf(aText),
			"operations": listOf(aText), "scope": aText,
		})),
	}
	if mutates {
		webhook["reinvocationPolicy"] = aText
	}
	return fields(map[string]*shape{
		"apiVersion": anything, "kind": anything, "metadata": objectMetaShape, "webhooks": listOf(fields(webhook)),
	})
}

func runWebhookIncomplete(ctx context.Context, p *linter.Pass) error {
	return eachTyped(ctx, p, func(t *typed) {
		reportMismatches(p, t.doc, &t.comparison)
		more := 0
		for i, w := range t.webhooks() {
			switch {
			case w.form != mapping:
			case i < maxPlaced:
				reportWebhook(p, t.doc, i, w)
			default:
				more++
			}
		}
		if more > 0 {
			p.Reportf(linter.At(t.doc, "webhooks"), "there are %d more webhooks, which were not looked at", more)
		}
	}, validating, mutating)
}

func (t *typed) webhooks() []*value {
	list, _ := t.body.get("webhooks").asList()
	return list
}

// webhookName names a webhook in a message.
func webhookName(i int, w *value) string {
	if s, _ := w.get("name").asText(); s != "" {
		return "webhook " + quote(s)
	}
	return "webhook " + strconv.Itoa(i)
}

func reportWebhook(p *linter.Pass, d *parser.Document, i int, w *value) {
	name := webhookName(i, w)
	missing := func(field string) bool {
		v := w.get(field)
		return v.isAbsent() || v.form == text && v.text == "" || v.form == list && len(v.items) == 0
	}
	report := func(severity linter.Severity, field, message string) {
		if missing(field) {
			at := linter.At(d, "webhooks", i, field)
			at.Severity = severity
			p.Reportf(at, "%s %s", name, message)
		}
	}
	report(linter.Error, "name", "has no name")
	report(linter.Error, "sideEffects", "does not say what side effects it has (None or NoneOnDryRun is expected)")
	report(linter.Error, "admissionReviewVersions", "does not say which review versions it takes (such as v1)")
	report(linter.Warning, "clientConfig", "does not say where it is called; only Crossplane fills in the service of the provider")
	report(linter.Warning, "rules", "has no rules, so that it is never called")
}
