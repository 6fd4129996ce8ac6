package rules_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestHostile gives the rules a fault in each of very many lines: the findings that
// are told one by one are limited, the others are counted, and it takes no time that
// a test would notice.
func TestHostile(t *testing.T) {
	const many = 5_000
	lines := func(format string) string {
		var b strings.Builder
		for i := range many {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	cases := map[string]struct {
		reason string
		stream string
		want   map[string]int // rule -> findings
		more   string         // in one of the messages
	}{
		"UnknownFields": {
			reason: "Every field is unknown.",
			stream: header("v1", "Configuration", "spec:") + lines("  f%d: 1\n"),
			want:   map[string]int{"unknown-field": 1001},
			more:   "there are 4000 more fields",
		},
		"Dependencies": {
			reason: "Every dependency is the same, and has no version.",
			stream: dependsOn() + lines("  - provider: example.org/demo #%d\n"),
			want:   map[string]int{"dependency-duplicate": 1001, "dependency-unversioned": 1001},
			more:   "4000 more dependencies have no version",
		},
		"DefinitionFields": {
			reason: "Every field of a definition is unknown, and every version of a wrong type.",
			stream: stream(header("v1", "Configuration"), xrdDoc()) + lines("  f%d: 1\n") + "  versions:\n" + lines("  - %d\n"),
			want:   map[string]int{"xrd-unknown-field": 1001, "xrd-wrong-type": 1001},
			more:   "4000 more values of wrong types",
		},
		"Referenceable": {
			reason: "Every version is referenceable: that is one fault.",
			stream: stream(header("v1", "Configuration"), xrdDoc("  versions:")) + lines("  - {name: v%d, referenceable: true}\n"),
			want:   map[string]int{"xrd-referenceable": 1},
		},
		"Doubts": {
			reason: "Every value is doubtful.",
			stream: stream(header("v1", "Provider"), crdDoc(bucket)) + "status:\n  x:\n" + lines("  - on #%d\n"),
			want:   map[string]int{"yaml-ambiguous": 1001, "number-changed": 1},
			more:   "only the first 1000 doubtful values",
		},
		"Patches": {
			reason: "Every patch names a patch set that there is not, and there are many.",
			stream: stream(dependsOn("  - {configuration: example.org/a, version: v1.0.0}"), compositionDoc("  patchSets:")) + lines("  - {name: set-%d}\n") +
				"  resources:\n  - patches:\n" + lines("    - {type: PatchSet, patchSetName: sets-%d}\n"),
			want: map[string]int{"composition-patch": 1001, "composition-resources": 1},
			more: "there are 4000 more such faults",
		},
		"PatchPaths": {
			reason: "Every patch takes a field that the schema does not have, which has many.",
			stream: stream(header("v1", "Configuration"), xrdDoc("  versions:", "  - name: v1", "    served: true", "    referenceable: true",
				"    schema:", "      openAPIV3Schema:", "        properties:", "          spec:", "            properties:\n"+
					strings.TrimSuffix(lines("              field-%d: {type: string}\n"), "\n")),
				compositionDoc("  resources:", "  - patches:\n"+strings.TrimSuffix(lines("    - {fromFieldPath: spec.fields-%d}\n"), "\n"))),
			want: map[string]int{"composition-patch-path": 1001, "composition-resources": 1},
			more: "there are 4000 more such faults",
		},
		"Required": {
			reason: "Every field that is required is not there.",
			stream: stream(header("v1", "Configuration"), xrdDoc("  versions:", "  - name: v1", "    served: true", "    referenceable: true",
				"    schema:", "      openAPIV3Schema:", "        properties:", "          spec:", "            required:\n"+
					strings.TrimSuffix(lines("            - field-%d\n"), "\n"))),
			want: map[string]int{"xrd-schema-meaning": 1001},
			more: "there are 4000 more such faults",
		},
		"Steps": {
			reason: "Every step is called alike, and calls nothing.",
			stream: stream(dependsOn("  - {configuration: example.org/a, version: v1.0.0}"), compositionDoc("  mode: Pipeline", "  pipeline:")) +
				lines("  - {step: a, functionRef: {name: a-%d}}\n"),
			want: map[string]int{"pipeline-step": 1001, "pipeline-function": 1001},
			more: "there are 4000 more such faults",
		},
		"Wildcards": {
			reason: "Every resource is covered by a wildcard.",
			stream: stream(header("v1", "Provider"), doc("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "demo", "webhooks:",
				"- name: a.example.org", "  admissionReviewVersions: [v1]", "  sideEffects: None", "  clientConfig: {service: {name: a, namespace: b}}",
				"  rules:", "  - apiGroups: [a]", "    apiVersions: [v1]", "    operations: [CREATE]", "    resources:", "    - '*/a'")) + lines("    - b%d/a\n"),
			want: map[string]int{"webhook-invalid": 1001},
			more: "there are 4000 more such faults",
		},
		"Ranges": {
			reason: "No version is in any of very many long ranges.",
			stream: dependsOn() + lines("  - provider: example.org/demo%d\n    version: \">=v2.0.0, <v1.0.0, !=v1.1.0, !=v1.2.0, !=v1.3.0, !=v1.4.0, !=v1.5.0, !=v1.6.0, !=v1.7.0, !=v1.8.0, !=v1.9.0, !=v1.10.0"+strings.Repeat(", !=v1.2.0", 20)+"\"\n"),
			want:   map[string]int{"range-unsatisfiable": 101},
			more:   "more ranges were not looked at",
		},
		"Partial": {
			reason: "Every version is partial.",
			stream: dependsOn() + lines("  - provider: example.org/demo%d\n    version: v1\n"),
			want:   map[string]int{"range-partial": 1001},
			more:   "4000 more versions are partial",
		},
		"Permissions": {
			reason: "Every permission request lacks all.",
			stream: header("v1", "Provider", "spec:", "  controller:", "    permissionRequests:") + lines("    - resourceNames: [a%d]\n"),
			want:   map[string]int{"permission-invalid": 1001},
			more:   "4500 more permission requests were not looked at",
		},
		"Annotations": {
			reason: "Every key is none.",
			stream: header("v1", "Configuration", "  annotations:") + lines("    a %d: b\n"),
			want:   map[string]int{"annotation-key": 1001},
			more:   "4000 more keys",
		},
		"Itself": {
			reason: "Every dependency is the package itself, of a kind that is none.",
			stream: dependsOn() + lines("  - {apiVersion: v%d, kind: Funtion, package: example.org/demo, version: v1.0.0}\n"),
			want:   map[string]int{"dependency-duplicate": 1001, "dependency-kind": 1000},
		},
		"Objects": {
			reason: "Every object is out of place; each is told, as documents are limited by the parser.",
			stream: header("v1", "Configuration") + lines("---\napiVersion: v1\nkind: Demo\nmetadata: {name: d%d}\n"),
			want:   map[string]int{"object-not-allowed": many},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := map[string]int{}
			found := lint(t, tc.stream)
			more := tc.more == ""
			for _, d := range found {
				got[d.Rule]++
				more = more || strings.Contains(d.Message, tc.more)
			}
			if fmt.Sprint(got) != fmt.Sprint(tc.want) || !more {
				t.Errorf("\n%s\nfindings %v, want %v and %q", tc.reason, got, tc.want, tc.more)
			}
		})
	}
}
