package rules

import (
	"context"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func webhookInvalid() *linter.Rule {
	return &linter.Rule{
		ID: "webhook-invalid",
		Doc: "What a webhook configuration says is what the API server takes: names of three parts, each there once; either a " +
			"service or a URL with https; policies, side effects and scopes that there are; a timeout from 1 to 30 seconds; rules " +
			"that say for which groups, versions, operations and resources; label selectors. Expressions in CEL are not looked at.",
		Bad:      but(webhooksHead+goodWebhook, "sideEffects: None", "sideEffects: Some"),
		Good:     webhooksHead + goodWebhook,
		URL:      "https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/validating-webhook-configuration-v1/",
		Severity: linter.Error,
		Run: func(ctx context.Context, p *linter.Pass) error {
			return eachTyped(ctx, p, func(t *typed) {
				f := &findings{pass: p, doc: t.doc}
				first := map[string]int{}
				for i, w := range t.webhooks() {
					if i == maxPlaced {
						break // the rule webhook-incomplete tells
					}
					if w.form == mapping {
						reportWebhookName(f, i, w, first)
						reportWebhookValues(f, meta.Path{"webhooks", i}, w)
					}
				}
				f.done()
			}, validating, mutating)
		},
	}
}

func reportWebhookName(f *findings, i int, w *value, first map[string]int) {
	name, _ := w.get("name").asText()
	at := fault{path: meta.Path{"webhooks", i, "name"}}
	switch before, again := first[name]; {
	case name == "":
	case meta.CheckName(name) != nil || strings.Count(name, ".") < 2:
		f.add(at, "%s is not a name for a webhook (a DNS-1123 subdomain of at least three parts is expected)", quote(name))
	case again:
		at.first = meta.Path{"webhooks", before, "name"}
		f.add(at, "webhook %s is there twice", quote(name))
	default:
		first[name] = i
	}
}

func reportWebhookValues(f *findings, at meta.Path, w *value) {
	choice := func(field, what string, choices ...string) {
		if v := w.get(field); !v.isAbsent() && v.text != "" {
			reportChoice(f, below(at, field), v, what, false, choices...)
		}
	}
	choice("sideEffects", "one of the side effects", "None", "NoneOnDryRun")
	choice("failurePolicy", "a failure policy", "Fail", "Ignore")
	choice("matchPolicy", "a match policy", "Equivalent", "Exact")
	choice("reinvocationPolicy", "a reinvocation policy", "IfNeeded", "Never")
	if t := w.get("timeoutSeconds"); t.form == number {
		if n, err := strconv.Atoi(t.text); err != nil || n < 1 || n > 30 {
			f.addf(below(at, "timeoutSeconds"), "%s is not a timeout (1 to 30 seconds)", clip(t.text))
		}
	}
	reportReviewVersions(f, below(at, "admissionReviewVersions"), w.get("admissionReviewVersions"))
	reportClient(f, below(at, "clientConfig"), w.get("clientConfig"))
	reportBundle(f, below(at, "clientConfig", "caBundle"), w.get("clientConfig", "caBundle"))
	for _, selector := range []string{"namespaceSelector", "objectSelector"} {
		reportSelector(f, below(at, selector), w.get(selector))
	}
	rules, _ := w.get("rules").asList()
	for i, r := range rules {
		if r.form == mapping {
			reportWebhookRule(f, below(at, "rules", i), r)
		}
	}
	conditions, _ := w.get("matchConditions").asList()
	reportUnique(f, below(at, "matchConditions"), conditions, "name", "condition")
	for i, c := range conditions {
		if c.form == mapping {
			reportRequired(f, below(at, "matchConditions", i, "expression"), c.get("expression"), "expression to match")
		}
	}
}

func reportReviewVersions(f *findings, at meta.Path, v *value) {
	versions, _ := v.asList()
	known := len(versions) == 0
	seen := map[string]bool{}
	for i, item := range versions {
		s, ok := item.itemText()
		switch known = known || !ok || s == "v1" || s == "v1beta1"; {
		case !ok:
		case !isLabel1035(s):
			f.addf(below(at, i), "%s is not a name for a version (%s)", quote(s), labelForm)
		case seen[s]:
			f.addf(below(at, i), "version %s is there twice", quote(s))
		}
		seen[s] = true
	}
	if !known {
		f.addf(at, "there is none of the review versions that API servers send (v1 or v1beta1)")
	}
}

func reportClient(f *findings, at meta.Path, client *value) {
	service, link := client.get("service"), client.get("url")
	if client.form != mapping {
		return
	}
	switch text, ok := link.asText(); {
	case link.isAbsent() && service.isAbsent():
		f.add(fault{path: at, severity: linter.Warning}, "there is neither a service nor a URL to call; only Crossplane fills in the service of the provider")
	case !link.isAbsent() && !service.isAbsent():
		f.add(fault{path: below(at, "url"), key: true}, "there are a URL and a service to call (one of them is expected)")
	case !link.isAbsent() && ok:
		reportURL(f, below(at, "url"), text)
	}
	if service.form != mapping {
		return
	}
	if p, _ := service.get("path").asText(); p != "" && (!strings.HasPrefix(p, "/") || p != "/" && path.Clean(p) != strings.TrimSuffix(p, "/")) {
		f.addf(below(at, "service", "path"), "%s is not a path (such as /validate)", quote(p))
	}
	if port := service.get("port"); port.form == number {
		if n, err := strconv.Atoi(port.text); err != nil || n < 1 || n > 65535 {
			f.addf(below(at, "service", "port"), "%s is not a port (1 to 65535)", clip(port.text))
		}
	}
}

func reportURL(f *findings, at meta.Path, text string) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		f.addf(at, "%s is not a URL", quote(text))
	case u.Scheme != "https":
		f.addf(at, "%s is not called with https", quote(text))
	case u.Host == "":
		f.addf(at, "there is no host in %s", quote(text))
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		f.addf(at, "a URL to call has no user, query or fragment")
	}
}

// reportWebhookRule looks at one rule. A wildcard stands alone, save that a resource may
// have one for itself or for its subresources.
func reportWebhookRule(f *findings, at meta.Path, r *value) {
	for _, field := range []struct{ name, what string }{
		{"apiGroups", "API groups"}, {"apiVersions", "API versions"}, {"operations", "operations"}, {"resources", "resources"},
	} {
		v := r.get(field.name)
		items, ok := v.asList()
		if ok && len(items) == 0 {
			f.addf(below(at, field.name), "the rule does not say for which %s it is", field.what)
		}
		for i, item := range items {
			s, ok := item.itemText()
			switch {
			case !ok:
			case s == "*" && len(items) > 1 && field.name != "resources":
				f.addf(below(at, field.name, i), "* stands for all %s, so nothing is beside it", field.what)
			case s == "" && field.name != "apiGroups":
				f.addf(below(at, field.name, i), "an empty text is none of the %s", field.what)
			case field.name == "operations":
				reportChoice(f, below(at, field.name, i), item, "an operation", false, "CREATE", "UPDATE", "DELETE", "CONNECT", "*")
			}
		}
	}
	reportChoice(f, below(at, "scope"), r.get("scope"), "a scope", false, "Cluster", "Namespaced", "*")
	reportWildcards(f, below(at, "resources"), r.get("resources"))
}

// reportWildcards reports resources that a wildcard covers which stands beside them, or
// before them where it is for a part.
func reportWildcards(f *findings, at meta.Path, v *value) {
	items, _ := v.asList()
	named := false // a resource, not a part of one
	for _, item := range items {
		named = named || item.text != "*" && !strings.Contains(item.text, "/")
	}
	before := map[string]bool{}
	for i, item := range items {
		s := item.text
		resource, sub, has := strings.Cut(s, "/")
		switch {
		case s == "*" && named:
			f.addf(below(at, i), "* stands for all resources, so no other is beside it")
		case s == "*/*" && len(items) > 1:
			f.addf(below(at, i), "*/* stands for all resources, so nothing is beside it")
		case has && sub != "*" && before[resource+"/*"]:
			f.addf(below(at, i), "%s is covered by %s beside it", quote(s), quote(resource+"/*"))
		case has && resource != "*" && before["*/"+sub]:
			f.addf(below(at, i), "%s is covered by %s beside it", quote(s), quote("*/"+sub))
		}
		before[s] = true
	}
}
