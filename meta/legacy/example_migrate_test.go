package legacy_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/xpkg-go/sdk/meta/legacy"
)

// A package of the v1 era becomes a package directory of today, and a report says what has no
// home there.
func ExampleMigrate() {
	fsys := fstest.MapFS{
		"app.yaml": {Data: []byte("title: Sample\nlicense: Apache-2.0\ncategory: Database\n")},
		"install.yaml": {Data: []byte(`apiVersion: apps/v1
kind: Deployment
metadata: {name: sample}
spec: {template: {spec: {containers: [{name: sample, image: "example.org/sample:v1.0.0"}]}}}
`)},
	}
	p, err := legacy.Read(context.Background(), fsys, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := legacy.Migrate(context.Background(), p, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range m.Report {
		fmt.Println(line)
	}
	for _, f := range m.Files {
		fmt.Printf("-- %s --\n%s", f.Name, f.Data)
	}
	// Output:
	// app.yaml:3:1: packages have no category today (category)
	// install.yaml:1:1: of the Deployment a package names the image of the controller only: how its pod is run belongs in a DeploymentRuntimeConfig of the cluster
	// -- crossplane.yaml --
	// apiVersion: meta.pkg.crossplane.io/v1
	// kind: Provider
	// metadata:
	//   name: sample
	//   annotations:
	//     friendly-name.meta.crossplane.io: Sample
	//     meta.crossplane.io/license: Apache-2.0
	// spec:
	//   controller:
	//     image: example.org/sample:v1.0.0
}

// A definition of v1beta1 that says one thing for all its versions says it for each of them in
// v1, with what an API server demands besides.
func ExampleConvertCRD() {
	v1, _, err := legacy.ConvertCRD([]byte(`{
		"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition", "metadata": {"name": "buckets.example.org"},
		"spec": {"group": "example.org", "names": {"kind": "Bucket", "plural": "buckets"}, "version": "v1"}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(v1))
	_, notes, err := legacy.AdmitCRD(v1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range notes {
		fmt.Println(n)
	}
	// Output:
	// {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"buckets.example.org"},"spec":{"group":"example.org","names":{"kind":"Bucket","plural":"buckets"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true}],"preserveUnknownFields":true}}
	// spec.preserveUnknownFields: version v1 cannot keep unknown fields everywhere: those that the schema does not name are dropped
	// spec.versions[0].schema.openAPIV3Schema: there is no schema and version v1 demands one: it has got one that takes everything (x-kubernetes-preserve-unknown-fields)
}
