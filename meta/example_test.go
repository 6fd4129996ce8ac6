package meta_test

import (
	"errors"
	"fmt"

	"github.com/xpkg-go/sdk/meta"
)

func ExampleDecode() {
	p, err := meta.Decode([]byte(`{
		"apiVersion": "meta.pkg.crossplane.io/v1",
		"kind": "Configuration",
		"metadata": {
			"name": "my-org-infra",
			"annotations": {"meta.crossplane.io/license": "Apache-2.0"}
		},
		"spec": {
			"crossplane": {"version": ">=v1.0.0"},
			"dependsOn": [
				{"provider": "crossplane/provider-gcp", "version": ">=v0.14.0"},
				{"apiVersion": "pkg.crossplane.io/v1", "kind": "Function", "package": "xpkg.upbound.io/crossplane-contrib/function-auto-ready", "version": "v0.4.1"}
			]
		}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	license, _ := p.Property(meta.PropertyLicense)
	fmt.Println(p.Kind, p.Name, "for Crossplane", p.Crossplane)
	fmt.Println(license.Value, "by", license.Key)
	for _, d := range p.DependsOn {
		fmt.Println(d.Kind, d.Package, d.Constraint)
	}
	// Output:
	// Configuration my-org-infra for Crossplane >=v1.0.0
	// Apache-2.0 by meta.crossplane.io/license
	// Provider crossplane/provider-gcp >=v0.14.0
	// Function xpkg.upbound.io/crossplane-contrib/function-auto-ready v0.4.1
}

// Every fault is reported, with the field that it is in, and what could be read
// is there.
func ExampleDecode_failure() {
	p, err := meta.Decode([]byte(`{
		"apiVersion": "meta.pkg.crossplane.io/v1",
		"kind": "Provider",
		"metadata": {"name": "provider-gcp"},
		"spec": {
			"crossplane": {"version": 1.10},
			"dependsOn": [
				{"version": "v1.0.0"},
				{"provider": "example.org/provider:v1.0.0", "version": ">= v"}
			]
		}
	}`))
	var faults meta.FieldErrors
	if errors.As(err, &faults) {
		for _, f := range faults {
			fmt.Println(f)
		}
	}
	fmt.Println("it is", p.Name, "all the same")
	// Output:
	// spec.crossplane.version: the number 1.10 is not a string (write it in quotes: "1.10")
	// spec.dependsOn[0]: missing, want one of provider, configuration, function, or apiVersion, kind and package (it does not say what it depends on)
	// spec.dependsOn[1].provider: "example.org/provider:v1.0.0" is not an image repository (the tag or digest belongs in the version)
	// spec.dependsOn[1].version: ">= v" is not a version range
	// it is provider-gcp all the same
}

func ExamplePackage_Encode() {
	src, err := meta.ParseSource("xpkg.upbound.io/crossplane-contrib/provider-nop")
	if err != nil {
		fmt.Println(err)
		return
	}
	versions, err := meta.ParseConstraint(">=v0.3.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &meta.Package{
		APIVersion: "meta.pkg.crossplane.io/v1",
		Kind:       meta.Configuration,
		Name:       "quickstart",
		DependsOn:  []meta.Dependency{{Kind: "Provider", Package: src, Constraint: versions}},
	}
	data, err := p.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(data))
	// Output:
	// {"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"quickstart"},"spec":{"dependsOn":[{"provider":"xpkg.upbound.io/crossplane-contrib/provider-nop","version":">=v0.3.0"}]}}
}

func ExampleParseReference() {
	r, err := meta.ParseReference("crossplane/provider-gcp:v0.14.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Source, "at", r.Version())
	fmt.Println(r.Name())
	// Output:
	// crossplane/provider-gcp at v0.14.0
	// index.docker.io/crossplane/provider-gcp:v0.14.0
}

func ExampleParseReference_failure() {
	_, err := meta.ParseReference("Hello World")
	fmt.Println(err)
	fmt.Println(errors.Is(err, meta.ErrInvalid), meta.Code(err))
	// Output:
	// "Hello World" is not an image reference (its path may hold lower case letters, digits and _ - . / only)
	// true invalid
}

// The tag of an image is no part of the identity of a package.
func ExampleParseSource_failure() {
	_, err := meta.ParseSource("crossplane/provider-gcp:v0.14.0")
	var e *meta.ReferenceError
	if errors.As(err, &e) && e.Tagged {
		fmt.Println(err)
	}
	// Output:
	// "crossplane/provider-gcp:v0.14.0" is not an image repository (the tag or digest belongs in the version)
}

func ExampleSource_Equal() {
	a, _ := meta.ParseSource("crossplane/provider-gcp")
	b, _ := meta.ParseSource("docker.io/crossplane/provider-gcp")
	fmt.Println(a.Equal(b), a, b)
	// Output:
	// true crossplane/provider-gcp docker.io/crossplane/provider-gcp
}

func ExampleRegistries_Resolve() {
	company := meta.Registries{
		Default:  "xpkg.upbound.io",
		Rewrites: []meta.Rewrite{{From: "xpkg.upbound.io/", To: "mirror.example.org/upbound/"}},
	}
	src, _ := meta.ParseSource("crossplane-contrib/provider-aws")
	r, err := company.Resolve(src)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Declared)
	fmt.Println(r.Defaulted)
	fmt.Println(r.Rewritten)
	// Output:
	// crossplane-contrib/provider-aws
	// xpkg.upbound.io/crossplane-contrib/provider-aws
	// mirror.example.org/upbound/crossplane-contrib/provider-aws
}

func ExampleClassify() {
	for _, tag := range []string{"v1.2.3", "v1.2.3-rc.1", "v1", "latest"} {
		fmt.Println(tag, meta.Classify(tag))
	}
	// Output:
	// v1.2.3 release
	// v1.2.3-rc.1 prerelease
	// v1 partial
	// latest other
}

func ExampleNewest() {
	var published []meta.Version
	for _, tag := range []string{"v1", "v1.0.0", "v1.2.0", "v1.3.0-rc.1", "v2.0.0", "latest"} {
		published = append(published, meta.FromOCITag(tag))
	}
	c, err := meta.ParseConstraint("^v1.0.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(meta.Newest(c, published))
	// Output:
	// v1.2.0 true
}

func ExampleConstraint_Explain() {
	c, err := meta.ParseConstraint(">=v0.14.36")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tag := range []string{"v0.15.0", "v0.14.0", "v0.16.0-feat.0", "v1", "latest"} {
		e := c.Explain(meta.FromOCITag(tag))
		fmt.Printf("%t %s\n", e.Candidate, e.Message)
	}
	// Output:
	// true v0.15.0 is in >=v0.14.36
	// false v0.14.0 is not in >=v0.14.36 (0.14.0 is less than v0.14.36)
	// false v0.16.0-feat.0 is a pre-release: write >=v0.14.36-0 to admit it
	// false v1 is not a full version: name one such as v1.0.0, or a digest
	// false latest is not a version: name one such as v1.2.3, or a digest
}

func ExampleParseConstraint_failure() {
	_, err := meta.ParseConstraint(">=one.two")
	fmt.Println(err)
	// Output:
	// ">=one.two" is not a version range (improper constraint)
}

func ExampleCompatible() {
	c, err := meta.ParseConstraint(">=v2.0.0-0")
	if err != nil {
		fmt.Println(err)
		return
	}
	v, _ := meta.ParseVersion("v1.20.0")
	fmt.Println(meta.Compatible(v, false, c).Message)
	fmt.Println(meta.Compatible(v, true, c).Allowed)
	// Output:
	// v1.20.0 is not in >=v2.0.0-0 (1.20.0 is less than v2.0.0-0)
	// true
}

func ExampleRevisionName() {
	name, err := meta.RevisionName("provider-gcp", "sha256:ecc25c121431dfc7058754427f97c034ecde26d4aafa0da16d258090e0443904")
	fmt.Println(name, err)
	_, err = meta.RevisionName("provider-gcp", "v0.14.0")
	fmt.Println(err)
	// Output:
	// provider-gcp-ecc25c121431 <nil>
	// "v0.14.0" is not a version (it is not "sha256:" and 64 hexadecimal digits)
}

func ExampleXRD_Kinds() {
	xrd := meta.XRD{
		APIVersion: "apiextensions.crossplane.io/v1",
		Name:       "xdatabases.example.org",
		Group:      "example.org",
		Names:      meta.XRDNames{Kind: "XDatabase", Plural: "xdatabases"},
		ClaimNames: &meta.XRDNames{Kind: "Database", Plural: "databases"},
	}
	for _, k := range xrd.Kinds() {
		fmt.Println(k.CRDName(), k.Scope)
	}
	// Output:
	// xdatabases.example.org Cluster
	// databases.example.org Namespaced
}
