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
		Bad: `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: provider-demo
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: demo
webhooks:
- name: buckets.example.org
`,
		Good: `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: provider-demo
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: demo
webhooks:
- name: buckets.example.org
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig:
    service:
      name: webhook-service
      namespace: system
      path: /validate
  rules:
  - apiGroups: [example.org]
    apiVersions: [v1]
    operations: [CREATE]
    resources: [buckets]
`,
		URL:      "https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/validating-webhook-configuration-v1/",
		Severity: linter.Error,
		Run:      runWebhookIncomplete,
	}
}

var webhooksShape = &shape{form: mapping, fields: map[string]*shape{"metadata": objectMetaShape, "webhooks": listOf(webhookShape)}}

// webhookShape has the fields that the rule asks for. Others, of which it does not
// judge, are strangers to it.
var webhookShape = fields(map[string]*shape{
	"name": aText, "clientConfig": aMapping, "sideEffects": aText,
	"admissionReviewVersions": listOf(aText), "rules": listOf(aMapping),
})

func runWebhookIncomplete(ctx context.Context, p *linter.Pass) error {
	for _, d := range p.Package.Objects {
		if d.APIVersion != "admissionregistration.k8s.io/v1" ||
			d.Kind != "ValidatingWebhookConfiguration" && d.Kind != "MutatingWebhookConfiguration" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		body := readDocument(d, webhooksShape)
		if body == nil {
			continue
		}
		var c comparison
		c.compare(nil, body, webhooksShape)
		reportMismatches(p, d, &c)
		webhooks, _ := body.get("webhooks").asList()
		more := 0
		for i, w := range webhooks {
			switch {
			case w.form != mapping:
			case i < maxPlaced:
				reportWebhook(p, d, i, w)
			default:
				more++
			}
		}
		if more > 0 {
			p.Reportf(linter.At(d, "webhooks"), "there are %d more webhooks, which were not looked at", more)
		}
	}
	return nil
}

func reportWebhook(p *linter.Pass, d *parser.Document, i int, w *value) {
	name := "webhook " + strconv.Itoa(i)
	if s, _ := w.get("name").asText(); s != "" {
		name = "webhook " + quote(s)
	}
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
