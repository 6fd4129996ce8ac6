package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// header is a metadata object; doc is any other document; both take lines of YAML
// that follow what they begin with.
func header(apiVersion, kind string, spec ...string) string {
	return doc("meta.pkg.crossplane.io/"+apiVersion, kind, "demo", spec...)
}

func doc(apiVersion, kind, name string, more ...string) string {
	lines := append([]string{"apiVersion: " + apiVersion, "kind: " + kind, "metadata:", "  name: " + name}, more...)
	return strings.Join(lines, "\n") + "\n"
}

func stream(docs ...string) string { return strings.Join(docs, "---\n") }

func crdDoc(name string, spec ...string) string {
	base := []string{"spec:", "  group: example.org", "  names: {kind: Bucket, plural: buckets}", "  scope: Cluster", "  versions: [{name: v1, served: true, storage: true}]"}
	if len(spec) > 0 {
		base = append([]string{"spec:"}, spec...)
	}
	return doc("apiextensions.k8s.io/v1", "CustomResourceDefinition", name, base...)
}

func xrdDoc(spec ...string) string {
	return doc("apiextensions.crossplane.io/v1", "CompositeResourceDefinition", "xbuckets.example.org",
		append([]string{"spec:", "  group: example.org", "  names: {kind: XBucket, plural: xbuckets}"}, spec...)...)
}

func compositionDoc(spec ...string) string {
	return doc("apiextensions.crossplane.io/v1", "Composition", "demo",
		append([]string{"spec:", "  compositeTypeRef: {apiVersion: example.org/v1, kind: XBucket}"}, spec...)...)
}

func dependsOn(entries ...string) string {
	return header("v1", "Configuration", append([]string{"spec:", "  dependsOn:"}, entries...)...)
}

const bucket = "buckets.example.org"

// TestDemands goes through packages that a package linter is asked to accept or to
// refuse. Each finding is given by its severity, rule and path; what a message says
// is in the fixtures.
func TestDemands(t *testing.T) {
	const demo = "  - provider: example.org/provider-demo"
	cases := map[string]struct {
		reason string
		stream string
		want   []string
	}{
		"ProviderV1":            {"passes", header("v1", "Provider"), nil},
		"ProviderV1Alpha1":      {"passes", header("v1alpha1", "Provider"), nil},
		"ConfigurationV1":       {"passes", header("v1", "Configuration"), nil},
		"ConfigurationV1Alpha1": {"passes", header("v1alpha1", "Configuration"), nil},
		"FunctionV1":            {"passes", header("v1", "Function"), nil},
		"FunctionV1Alpha1":      {"never existed", header("v1alpha1", "Function"), []string{"error metadata-invalid apiVersion"}},
		"UnknownMetaKind":       {"a kind of the metadata group that is no package", header("v1", "ListOptions"), []string{"error metadata-invalid kind"}},

		"CrossplaneAsText":   {"package format v2 writes the version as a plain string", header("v1alpha1", "Configuration", "spec:", "  crossplane: v0.13.0"), nil},
		"CrossplaneNoRange":  {"names value and field", header("v1", "Configuration", "spec:", "  crossplane:", `    version: "not a version"`), []string{"error constraint-syntax spec.crossplane.version"}},
		"CrossplaneFar":      {"no release that there is will install it", header("v1", "Configuration", "spec:", "  crossplane:", `    version: ">v99"`), []string{"error crossplane-range spec.crossplane.version"}},
		"CrossplaneNext":     {"a release that this library does not know may", header("v1", "Configuration", "spec:", "  crossplane:", `    version: ">=v2.90.0"`), []string{"warning crossplane-range spec.crossplane.version"}},
		"DependencyNoRange":  {"names the dependency and the value", dependsOn(demo, `    version: ">=one.two"`), []string{"error constraint-syntax spec.dependsOn[0].version"}},
		"DependencyNameless": {"an entry with none of provider, configuration, function, package", dependsOn(`  - version: ">=v1.0.0"`), []string{"error dependency-incomplete spec.dependsOn[0]"}},
		"DependencyHalf":     {"an entry with apiVersion and kind but no package", dependsOn("  - apiVersion: pkg.crossplane.io/v1", "    kind: Provider", `    version: ">=v1.0.0"`), []string{"error dependency-incomplete spec.dependsOn[0]"}},
		"DependencyTwice":    {"with contradicting versions", dependsOn(demo, `    version: ">=v2"`, demo, `    version: "<v2"`), []string{"error dependency-duplicate spec.dependsOn[1].provider"}},
		"DependencyNoSource": {"no OCI reference", dependsOn("  - provider: Hello World", `    version: ">=v1.0.0"`), []string{"error dependency-source spec.dependsOn[0].provider"}},
		"DependencyTagged":   {"a tag belongs in the version", dependsOn(demo+":v1.0.0", `    version: ">=v1.0.0"`), []string{"error dependency-source spec.dependsOn[0].provider"}},
		"DependencyAny":      {"without version is any, and a warning", dependsOn(demo), []string{"warning dependency-unversioned spec.dependsOn[0].version"}},

		"BadName":  {"not a DNS-1123 name; the package manager does not mind", doc("meta.pkg.crossplane.io/v1", "Provider", "Bad_Name!"), []string{"warning metadata-name metadata.name"}},
		"NoName":   {"metadata.name missing", "apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\n", []string{"warning metadata-name metadata.name"}},
		"OldField": {"a v1alpha1 field in v1 is kept", header("v1", "Provider", "spec:", "  controller:", "    image: example.org/controller:v1.0.0"), nil},
		"Misspelt": {"a field that nobody reads", header("v1", "Provider", "spec:", "  dependOn: []"), []string{"warning metadata-unknown-field spec.dependOn"}},

		"CRDInConfiguration":    {"names the object", stream(header("v1", "Configuration"), crdDoc(bucket)), []string{"error object-not-allowed "}},
		"XRDInProvider":         {"zero other object types", stream(header("v1", "Provider"), xrdDoc("  versions: [{name: v1, served: true, referenceable: true}]")), []string{"error object-not-allowed "}},
		"CompositionInFunction": {"zero other object types", stream(header("v1", "Function"), doc("apiextensions.crossplane.io/v1", "Composition", "demo")), []string{"error object-not-allowed "}},
		"Webhooks": {"pass in a Provider", stream(header("v1", "Provider"),
			doc("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "demo"),
			doc("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "demo")), nil},
		"ManagedResourceDefinition": {"passes in a Provider", stream(header("v1", "Provider"), doc("apiextensions.crossplane.io/v1alpha1", "ManagedResourceDefinition", bucket)), nil},
		"LaterKinds": {"pass in a Configuration", stream(header("v1", "Configuration"),
			doc("apiextensions.crossplane.io/v1alpha1", "ManagedResourceActivationPolicy", "demo"),
			doc("ops.crossplane.io/v1alpha1", "Operation", "demo"),
			doc("ops.crossplane.io/v1alpha1", "CronOperation", "demo"),
			doc("ops.crossplane.io/v1alpha1", "WatchOperation", "demo")), nil},
		"UnknownVersion": {"names document, object and apiVersion", stream(header("v1", "Provider"), doc("apiextensions.k8s.io/v1gamma9", "CustomResourceDefinition", bucket)), []string{"error object-not-allowed "}},
		"List":           {"lists are not allowed", stream(header("v1", "Provider"), "apiVersion: v1\nkind: List\nitems: []\n"), []string{"error object-not-allowed "}},
		"Status":         {"an unknown kind", stream(header("v1", "Provider"), "apiVersion: v1\nkind: Status\n"), []string{"error object-not-allowed "}},
		"TwoMetadata":    {"is a fault of reading, and told once", stream(header("v1", "Provider"), header("v1", "Configuration")), []string{"error metadata-multiple "}},
		"NoMetadata":     {"is a fault of reading; without a kind, no object is out of place", crdDoc(bucket), []string{"error metadata-missing "}},

		"CRDName":      {"not plural.group", stream(header("v1", "Provider"), crdDoc("bucket")), []string{"error crd-name metadata.name"}},
		"CRDNotServed": {"a warning: the API server accepts it", stream(header("v1", "Provider"), crdDoc(bucket, "  group: example.org", "  names: {kind: Bucket, plural: buckets}", "  scope: Cluster", "  versions: [{name: v1, storage: true}]")), []string{"warning crd-not-served spec.versions"}},
		"CRDNoVersion": {"refused", stream(header("v1", "Provider"), crdDoc(bucket, "  group: example.org", "  names: {kind: Bucket, plural: buckets}", "  scope: Cluster")), []string{"error crd-versions spec.versions"}},
		"CRDScope":     {"Galaxy", stream(header("v1", "Provider"), crdDoc(bucket, "  group: example.org", "  names: {kind: Bucket, plural: buckets}", "  scope: Galaxy", "  versions: [{name: v1, served: true, storage: true}]")), []string{"error crd-scope spec.scope"}},
		"CRDV1Beta1":   {"no API server since 1.22 takes it", stream(header("v1", "Provider"), doc("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", bucket, "spec: {group: example.org, version: v1, names: {kind: Bucket, plural: buckets}}")), []string{"warning crd-v1beta1 apiVersion"}},
		"CRDTwice":     {"names the object", stream(header("v1", "Provider"), crdDoc(bucket), crdDoc(bucket)), []string{"error object-duplicate metadata.name"}},
		"CRDLongName":  {"300 characters", stream(header("v1", "Provider"), crdDoc(strings.Repeat("a", 300))), []string{"error crd-name metadata.name", "error object-name metadata.name"}},

		"XRDNoVersion":        {"refused", stream(header("v1", "Configuration"), xrdDoc()), []string{"error xrd-versions spec.versions"}},
		"XRDTwoReferenceable": {"exactly one is", stream(header("v1", "Configuration"), xrdDoc("  versions: [{name: v1, referenceable: true}, {name: v2, referenceable: true}]")), []string{"error xrd-referenceable spec.versions[1].referenceable"}},

		"CRDNoKind":        {"names its kind", stream(header("v1", "Provider"), crdDoc(bucket, "  group: example.org", "  names: {plural: buckets}", "  scope: Cluster", "  versions: [{name: v1, served: true, storage: true}]")), []string{"error crd-name spec.names.kind"}},
		"CRDTextVersions":  {"a value of another type is not silence", stream(header("v1", "Provider"), crdDoc(bucket, "  group: example.org", "  names: {kind: Bucket, plural: buckets}", "  scope: Cluster", "  versions: text")), []string{"error crd-wrong-type spec.versions"}},
		"CRDNumberGroup":   {"what it is named after is not known", stream(header("v1", "Provider"), crdDoc(bucket, "  group: 5", "  names: {kind: Bucket, plural: buckets}", "  scope: Cluster", "  versions: [{name: v1, served: true, storage: true}]")), []string{"error crd-wrong-type spec.group"}},
		"CRDNumberPlural":  {"likewise", stream(header("v1", "Provider"), crdDoc(bucket, "  group: example.org", "  names: {kind: Bucket, plural: 5}", "  scope: Cluster", "  versions: [{name: v1, served: true, storage: true}]")), []string{"error crd-wrong-type spec.names.plural"}},
		"CRDMisspelt":      {"names the field", stream(header("v1", "Provider"), crdDoc(bucket, "  group: example.org", "  names: {kind: Bucket, plural: buckets, shortName: [b]}", "  scope: Cluster", "  versions: [{name: v1, served: true, storage: true}]")), []string{"warning crd-unknown-field spec.names.shortName"}},
		"CRDOtherPlural":   {"one group and kind, two plurals", stream(header("v1", "Provider"), crdDoc(bucket), crdDoc("pails.example.org", "  group: example.org", "  names: {kind: Bucket, plural: pails}", "  scope: Cluster", "  versions: [{name: v1, served: true, storage: true}]")), []string{"error kind-duplicate spec.names.kind"}},
		"WebhookBare":      {"names the object", stream(header("v1", "Provider"), doc("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "demo", "webhooks:", "- name: a.example.org", "  admissionReviewVersions: [v1]")), []string{"warning webhook-incomplete webhooks[0].clientConfig", "warning webhook-incomplete webhooks[0].rules", "error webhook-incomplete webhooks[0].sideEffects"}},
		"CompositionAlone": {"the type is not here and cannot come from elsewhere", stream(dependsOn("  - {function: example.org/a, version: v1.0.0}"), compositionDoc("  mode: Pipeline", "  pipeline: [{step: a, functionRef: {name: a}}]")), []string{"warning composition-definition spec.compositeTypeRef.kind"}},
		"CompositionBesideUnread": {"a document that cannot be read may have been the definition",
			stream(dependsOn("  - {function: example.org/a, version: v1.0.0}"), "kind: [\n", compositionDoc("  mode: Pipeline", "  pipeline: [{step: a, functionRef: {name: a}}]")), []string{"error yaml-syntax "}},
		"CompositionBare":      {"the API server refuses one of nothing", stream(dependsOn("  - {configuration: example.org/a, version: v1.0.0}"), compositionDoc()), []string{"error composition-mode spec.pipeline"}},
		"CompositionOld":       {"of mode Resources, for the newest release", stream(dependsOn("  - configuration: example.org/a", "    version: v1.0.0"), compositionDoc("  mode: Resources", "  resources: [{name: a}]")), []string{"error composition-resources spec.mode"}},
		"CompositionOldAndNew": {"some releases that are admitted have the mode", stream(header("v1", "Configuration", "spec:", "  crossplane: {version: \">=v1.14.0\"}", "  dependsOn: [{configuration: example.org/a, version: v1.0.0}]"), compositionDoc("  resources: [{name: a}]")), []string{"warning composition-resources spec.resources"}},
		"CompositionForOld":    {"all releases that are admitted have the mode", stream(header("v1", "Configuration", "spec:", "  crossplane: {version: \">=v1.14.0, <v2.0.0-0\"}", "  dependsOn: [{configuration: example.org/a, version: v1.0.0}]"), compositionDoc("  resources: [{name: a}]")), nil},

		"Three": {"independent faults are all reported", stream(header("v1", "Provider", "spec:", "  crossplane:", `    version: ">= v"`),
			xrdDoc("  versions: [{name: v1, served: true, referenceable: true}]"), doc("apiextensions.crossplane.io/v1", "Composition", "demo")),
			[]string{"error constraint-syntax spec.crossplane.version", "error object-not-allowed ", "error object-not-allowed "}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range lint(t, tc.stream) {
				got = append(got, d.Severity.String()+" "+d.Rule+" "+d.Path)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
}
