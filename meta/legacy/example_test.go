package legacy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing/fstest"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

func exampleFiles() fstest.MapFS {
	return fstest.MapFS{
		".registry/app.yaml":                          {Data: []byte("apiVersion: 0.1.0\ntitle: Sample Stack\npackageType: Stack\ndependsOn:\n- crd: '*.cache.crossplane.io/v1alpha1'\n")},
		".registry/icon.svg":                          {Data: []byte("<svg viewBox='0 0 1 1'/>")},
		".registry/rbac.yaml":                         {Data: []byte("rules: []\n")},
		".registry/resources/mysql.resource.yaml":     {Data: []byte("id: mysql\ntitle: MySQL\n")},
		".registry/resources/mysql.v1alpha1.crd.yaml": {Data: []byte(crd("MySQL", "v1alpha1"))},
	}
}

func ExampleRead() {
	p, err := legacy.Read(context.Background(), exampleFiles(), &legacy.Options{Tag: "v0.1.0"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.App.Title, p.Version())
	for _, c := range p.CRDs {
		fmt.Println(c.Provides.Kind, c.APIVersion(), c.Resource.Title, c.Icon.File)
	}
	for _, u := range p.UnknownFiles {
		fmt.Println("unknown:", u.File)
	}
	// Output:
	// Sample Stack v0.1.0
	// MySQL example.org/v1alpha1 MySQL .registry/icon.svg
	// unknown: .registry/rbac.yaml
}

// Every fault comes back with its place, beside what could be read.
func ExampleRead_faults() {
	p, err := legacy.Read(context.Background(), fstest.MapFS{
		".registry/app.yaml": {Data: []byte("title: Sample\npackageType: stack\nversion: 0.5\n")},
	}, nil)
	fmt.Println(p.App.Title)
	var faults parser.ErrorList
	if errors.As(err, &faults) {
		for _, f := range faults {
			fmt.Println(f)
		}
	}
	fmt.Println(errors.Is(err, meta.ErrInvalid))
	// Output:
	// Sample
	// .registry/app.yaml:2:14: metadata-invalid: "stack" is not a type of package (want Provider, Stack, Application, Addon) (packageType)
	// .registry/app.yaml:3:10: metadata-invalid: the number 0.5 is not a text (write it in quotes) (version)
	// true
}

func ExamplePackage_Process() {
	p, err := legacy.Read(context.Background(), exampleFiles(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := p.Process(&legacy.ProcessOptions{Install: &legacy.PackageInstall{
		APIVersion: legacy.APIVersion, Kind: legacy.KindClusterPackageInstall,
		Meta: legacy.ObjectMeta{Name: "sample"},
		Spec: legacy.PackageInstallSpec{Package: "acme/sample:v0.1.0"},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	crds, err := json.Marshal(out.Record.Spec.CRDs)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Record.Kind, out.Record.Meta.Name, out.Record.Spec.Version, string(crds))
	labels, err := json.Marshal(out.CRDs[0].Object["metadata"].(map[string]any)["labels"])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(labels))
	// Output:
	// Package sample v0.1.0 [{"kind":"MySQL","apiVersion":"example.org/v1alpha1"}]
	// {"app.kubernetes.io/managed-by":"package-manager"}
}

// A package may be asked for by a kind that it brings.
func ExampleIndex() {
	p, err := legacy.Read(context.Background(), exampleFiles(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var x legacy.Index
	x.Add("acme/sample:v0.1.0", p)
	i := &legacy.PackageInstall{Spec: legacy.PackageInstallSpec{Source: "registry.example.com", CRD: "mysqls.example.org/v1alpha1"}}
	fmt.Println(x.Find(i, ""))
	i.Spec.CRD = "redis.example.org/v1alpha1"
	_, err = x.Find(i, "")
	fmt.Println(err, errors.Is(err, meta.ErrNotFound))
	fmt.Println(x.Kinds("acme/sample:v0.1.0")[0].CRDName())
	// Output:
	// registry.example.com/acme/sample:v0.1.0 <nil>
	// no package of the index brings "redis.example.org/v1alpha1" true
	// mysqls.example.org
}

func ExamplePackage_Permissions() {
	p, err := legacy.Read(context.Background(), exampleFiles(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range p.Permissions().All() {
		fmt.Printf("%q %q %q\n", r.APIGroups, r.Resources, r.Verbs)
	}
	// Output:
	// [""] ["configmaps" "events" "secrets"] ["*"]
	// ["example.org"] ["mysqls" "mysqls/finalizers"] ["*"]
	// ["cache.crossplane.io"] ["*"] ["*"]
}
