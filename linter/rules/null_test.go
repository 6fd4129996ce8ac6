package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNullItems: an item of a list that is null is one fault, told once, and nothing is
// said of what it does not have.
func TestNullItems(t *testing.T) {
	webhooks := doc("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "demo", "webhooks: [null]")
	controller := func(lines ...string) string {
		return header("v1", "Provider", append([]string{"spec:", "  controller:"}, lines...)...)
	}
	names := func(more string) string {
		return crdDoc(bucket, "  group: example.org", "  names: {kind: Bucket, plural: buckets"+more+"}", "  scope: Cluster", "  versions: [{name: v1, served: true, storage: true}]")
	}
	cases := map[string]struct {
		stream string
		want   []string
	}{
		"Permission":      {controller("    permissionRequests: [null]"), []string{"metadata-invalid spec.controller.permissionRequests[0]"}},
		"PermissionEmpty": {controller("    permissionRequests: [{}]"), []string{"permission-invalid spec.controller.permissionRequests[0].resources", "permission-invalid spec.controller.permissionRequests[0].verbs"}},
		"PermissionVerbs": {controller(`    permissionRequests: [{apiGroups: [""], resources: [pods], verbs: [null]}]`), []string{"metadata-invalid spec.controller.permissionRequests[0].verbs[0]"}},
		"PermissionText":  {controller(`    permissionRequests: [{apiGroups: [""], resources: [pods], verbs: get}]`), []string{"metadata-invalid spec.controller.permissionRequests[0].verbs"}},
		"PermissionNull":  {controller(`    permissionRequests: [{apiGroups: [""], resources: [pods], verbs: null}]`), []string{"permission-invalid spec.controller.permissionRequests[0].verbs"}},
		"DependsOn":       {dependsOn("  - null"), []string{"metadata-invalid spec.dependsOn[0]"}},
		"DependsOnIBM": {"apiVersion: meta.pkg.ibm.crossplane.io/v1alpha1\nkind: Configuration\nmetadata: {name: demo}\nspec: {dependsOn: [null]}\n",
			[]string{"metadata-invalid spec.dependsOn[0]"}},
		"Capabilities":    {header("v1", "Configuration", "spec: {capabilities: [null]}"), []string{"metadata-invalid spec.capabilities[0]"}},
		"CRDVersions":     {stream(header("v1", "Provider"), crdDoc(bucket, "  group: example.org", "  names: {kind: Bucket, plural: buckets}", "  scope: Cluster", "  versions: [null]")), []string{"crd-wrong-type spec.versions[0]"}},
		"CRDShortNames":   {stream(header("v1", "Provider"), names(", shortNames: [null]")), []string{"crd-wrong-type spec.names.shortNames[0]"}},
		"CRDCategories":   {stream(header("v1", "Provider"), names(", categories: [null]")), []string{"crd-wrong-type spec.names.categories[0]"}},
		"XRDVersions":     {stream(header("v1", "Configuration"), xrdDoc("  versions: [null]")), []string{"xrd-wrong-type spec.versions[0]"}},
		"XRDKeys":         {stream(header("v1", "Configuration"), xrdDoc("  connectionSecretKeys: [null]", "  versions: [{name: v1, served: true, referenceable: true}]")), []string{"xrd-wrong-type spec.connectionSecretKeys[0]"}},
		"Pipeline":        {stream(dependsOn("  - {configuration: example.org/a, version: v1.0.0}"), compositionDoc("  mode: Pipeline", "  pipeline: [null]")), []string{"object-wrong-type spec.pipeline[0]"}},
		"Credentials":     {stream(dependsOn("  - {function: a, version: v1.0.0}", "  - {configuration: b, version: v1.0.0}"), compositionDoc("  mode: Pipeline", "  pipeline: [{step: a, functionRef: {name: a}, credentials: [null]}]")), []string{"object-wrong-type spec.pipeline[0].credentials[0]"}},
		"Activate":        {stream(header("v1", "Configuration"), doc("apiextensions.crossplane.io/v1alpha1", "ManagedResourceActivationPolicy", "demo", "spec: {activate: [null]}")), []string{"object-wrong-type spec.activate[0]"}},
		"Webhooks":        {stream(header("v1", "Provider"), webhooks), []string{"webhook-incomplete webhooks[0]"}},
		"WebhookRules":    {stream(header("v1", "Provider"), webhook("rules: [null]")), []string{"webhook-incomplete webhooks[0].rules[0]"}},
		"WebhookReviews":  {stream(header("v1", "Provider"), webhook("admissionReviewVersions: [null]")), []string{"webhook-incomplete webhooks[0].admissionReviewVersions[0]"}},
		"WebhookGroups":   {stream(header("v1", "Provider"), webhook("rules: [{apiGroups: [null], apiVersions: [v1], operations: [CREATE], resources: [buckets]}]")), []string{"webhook-incomplete webhooks[0].rules[0].apiGroups[0]"}},
		"WebhookOps":      {stream(header("v1", "Provider"), webhook("rules: [{apiGroups: [a], apiVersions: [v1], operations: [null], resources: [buckets]}]")), []string{"webhook-incomplete webhooks[0].rules[0].operations[0]"}},
		"Selector":        {stream(header("v1", "Provider"), webhook("namespaceSelector: {matchExpressions: [null]}")), []string{"webhook-incomplete webhooks[0].namespaceSelector.matchExpressions[0]"}},
		"SelectorValues":  {stream(header("v1", "Provider"), webhook("namespaceSelector: {matchExpressions: [{key: a, operator: In, values: [null]}]}")), []string{"webhook-incomplete webhooks[0].namespaceSelector.matchExpressions[0].values[0]"}},
		"MatchConditions": {stream(header("v1", "Provider"), webhook("matchConditions: [null]")), []string{"webhook-incomplete webhooks[0].matchConditions[0]"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range lint(t, tc.stream) {
				got = append(got, d.Rule+" "+d.Path)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// webhook is a webhook configuration that nothing is wrong with, save for one field, which
// takes the place of the one of its name.
func webhook(field string) string {
	lines := []string{
		"webhooks:", "- name: a.example.org", "  admissionReviewVersions: [v1]", "  sideEffects: None",
		"  clientConfig: {service: {name: a, namespace: b}}",
		"  rules: [{apiGroups: [a], apiVersions: [v1], operations: [CREATE], resources: [buckets]}]",
	}
	key, _, _ := strings.Cut(field, ":")
	changed := false
	for i, l := range lines {
		if name, _, _ := strings.Cut(strings.TrimLeft(l, "- "), ":"); name == key && i > 0 {
			lines[i], changed = l[:2]+field, true
		}
	}
	if !changed {
		lines = append(lines, "  "+field)
	}
	return doc("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "demo", lines...)
}
