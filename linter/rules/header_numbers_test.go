package rules_test

import (
	"fmt"
	"testing"
)

// TestNumbersOfTheHeader puts a number that loses its last digit into all fields of
// a metadata object: it is a fault of reading or told by number-changed.
func TestNumbersOfTheHeader(t *testing.T) {
	fields := []string{
		"metadata: 1.10",
		"metadata: {name: 1.10}",
		"metadata: {name: x, namespace: 1.10}",
		"metadata: {name: x, generation: 1.10}",
		"metadata: {name: x, labels: {a: 1.10}}",
		"metadata: {name: x, annotations: {a: 1.10}}",
		"metadata: {name: x, ownerReferences: [{a: 1.10}]}",
		"status: {a: 1.10}",
		"spec: 1.10",
		"spec: {image: 1.10}",
		"spec: {capabilities: [1.10]}",
		"spec: {crossplane: 1.10}",
		"spec: {crossplane: {version: 1.10}}",
		"spec: {crossplane: {version: '>=v1', x: 1.10}}",
		"spec: {controller: {image: 1.10}}",
		"spec: {controller: {image: x, y: 1.10}}",
		"spec: {controller: {image: x, permissionRequests: [{apiGroups: [1.10]}]}}",
		"spec: {dependsOn: 1.10}",
		"spec: {dependsOn: [{provider: example.org/x, version: 1.10}]}",
		"spec: {dependsOn: [{apiVersion: 1.10, kind: Provider, package: example.org/x, version: v1.0.0}]}",
	}
	for _, kind := range []string{"v1\nkind: Provider", "v1\nkind: Configuration", "v1\nkind: Function", "v1alpha1\nkind: Provider"} {
		for _, field := range fields {
			told := false
			found := lint(t, fmt.Sprintf("apiVersion: meta.pkg.crossplane.io/%s\n%s\n", kind, field))
			for _, d := range found {
				told = told || d.Rule == "number-changed" || d.Rule == "metadata-invalid" || d.Rule == "constraint-syntax"
			}
			if !told {
				t.Errorf("%s of %q changes in silence; told are %v", field, kind, found)
			}
		}
	}
}
