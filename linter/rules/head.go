package rules

import "strings"

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
	headXRD        = xrdHead + goodXRDSpec
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

	crdHead = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.example.org
`
	exampleCRD  = headProvider + "---\n" + crdHead
	goodCRDSpec = `spec:
  group: example.org
  names:
    kind: Bucket
    plural: buckets
    shortNames: [bu]
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
`
	xrdHead = `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xbuckets.example.org
`
	exampleXRD  = headConfiguration + "---\n" + xrdHead
	goodXRDSpec = `spec:
  group: example.org
  names:
    kind: XBucket
    plural: xbuckets
    shortNames: [xbu]
  versions:
  - name: v1
    served: true
    referenceable: true
`
	// schemaHead follows the version of goodXRDSpec, up to a field of spec.
	schemaHead = `    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
`
	exampleMRD = headProvider + `---
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceDefinition
metadata:
  name: buckets.example.org
`
	webhooksHead = headProvider + `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: demo
webhooks:
`
	goodWebhook = `- name: buckets.example.org
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
`
	compositionHead = `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: demo
spec:
  compositeTypeRef:
    apiVersion: example.org/v1
    kind: XBucket
`
	goodPipeline = `  mode: Pipeline
  pipeline:
  - step: compose
    functionRef:
      name: functions-function-demo
`
	// exampleConfiguration depends on what defines the type that a Composition is for.
	exampleConfiguration = headConfiguration + `spec:
  dependsOn:
  - configuration: example.org/configuration-demo
    version: ">=v1.0.0"
  - function: example.org/functions/function-demo
    version: ">=v1.0.0"
---
`
	exampleComposition = "---\n" + compositionHead
	// exampleComposed has a definition, and depends on the function of goodPipeline.
	exampleComposed = headConfiguration + `spec:
  dependsOn:
  - function: example.org/functions/function-demo
    version: ">=v1.0.0"
---
` + xrdHead + goodXRDSpec
)

// but is an example in which one thing is another.
func but(example, was, is string) string { return strings.Replace(example, was, is, 1) }

// version2 is an example with a composite resource definition of version v2.
func version2(example string) string { return but(example, xrdV1+"\n", xrdV2+"\n") }
