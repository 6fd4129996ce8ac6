package rules

// Beginnings of examples.
const (
	headConfiguration = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
`
	headProvider = `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: provider-demo
`
	headXRD = `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xbuckets.example.org
` + goodXRDSpec
	headDependency = headConfiguration + `spec:
  dependsOn:
  - provider: example.org/provider-demo
`
	headComposition = `---
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: demo
`
	examplePolicy = `---
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceActivationPolicy
metadata:
  name: demo
`
	goodAnnotations = `  annotations:
    meta.crossplane.io/maintainer: Jane Doe <jane@example.org>
    meta.crossplane.io/source: https://example.org/jane/demo
    meta.crossplane.io/license: Apache-2.0
    meta.crossplane.io/description: Buckets for everyone.
    meta.crossplane.io/readme: See https://example.org/jane/demo.
`
	goodCrossplane = `spec:
  crossplane:
    version: ">=v1.14.0-0"
`
	// goodMetadata is a metadata object that no rule has anything to say about.
	goodMetadata = headConfiguration + goodAnnotations + goodCrossplane
)
