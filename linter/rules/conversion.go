package rules

import (
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func crdConversion() *linter.Rule {
	return &linter.Rule{
		ID: "crd-conversion",
		Doc: "A definition converts its versions with the strategy None, or by a webhook, for which it says where it is called " +
			"and which review versions it takes. The API server refuses anything else.",
		Bad: exampleCRD + goodCRDSpec + `  conversion:
    strategy: Webhook
`,
		Good: exampleCRD + goodCRDSpec + `  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service:
          name: demo
          namespace: demo
          path: /convert
      conversionReviewVersions: [v1]
`,
		URL:      crdURL,
		Severity: linter.Error,
		Run: eachDefinition(isCRD, func(p *linter.Pass, def *definition) {
			if def.doc.APIVersion == crdV1 {
				reportConversion(p, def)
			}
		}),
	}
}

func xrdConversion() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-conversion",
		Doc: "A composite resource is converted from version to version as a CustomResourceDefinition has it: with the strategy " +
			"None, or by a webhook, for which is said where it is called and which review versions it takes.",
		Bad: exampleXRD + goodXRDSpec + `  conversion:
    strategy: Webhook
`,
		Good: exampleXRD + goodXRDSpec + `  conversion:
    strategy: None
`,
		URL:      xrdURL,
		Severity: linter.Error,
		Run: eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
			if def.hasVersionList() {
				reportConversion(p, def)
			}
		}),
	}
}

func reportConversion(p *linter.Pass, def *definition) {
	f := &findings{pass: p, doc: def.doc}
	conversion := def.body.get("spec", "conversion")
	path := meta.Path{"spec", "conversion"}
	strategy, ok := conversion.get("strategy").asText()
	switch {
	case conversion.form != mapping || !ok:
	case strategy == "":
		f.addf(below(path, "strategy"), "there is no strategy of conversion (None or Webhook)")
	case strategy != "None" && strategy != "Webhook":
		f.addf(below(path, "strategy"), "%s is not a strategy of conversion (None or Webhook)", quote(strategy))
	case strategy == "None" && !conversion.get("webhook").isAbsent():
		f.add(fault{path: below(path, "webhook"), key: true}, "there is a webhook, and the strategy None does not call it")
	case strategy == "Webhook":
		reportConversionWebhook(f, path, conversion)
	}
}

func reportConversionWebhook(f *findings, path meta.Path, conversion *value) {
	webhook := conversion.get("webhook")
	if webhook.isAbsent() {
		f.addf(below(path, "webhook"), "the strategy is Webhook, and there is no webhook to call")
		return
	}
	if webhook.get("clientConfig").isAbsent() {
		f.addf(below(path, "webhook", "clientConfig"), "the webhook does not say where it is called (clientConfig is expected)")
	}
	versions, ok := webhook.get("conversionReviewVersions").asList()
	if ok && len(versions) == 0 {
		f.addf(below(path, "webhook", "conversionReviewVersions"), "the webhook does not say which review versions it takes (such as v1)")
	}
}
