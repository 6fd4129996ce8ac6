package legacy

import (
	"github.com/xpkg-go/sdk/linter"
	v1 "github.com/xpkg-go/sdk/meta/legacy"
)

// deployment is a file install.yaml.
func deployment(apiVersion, image string) string {
	return "-- .registry/install.yaml --\napiVersion: " + apiVersion + "\nkind: Deployment\nmetadata: {name: sample}\nspec:\n  template:\n    spec:\n      containers:\n      - {name: sample" + image + "}\n"
}

func layout() rule {
	return rule{linter.Rule{
		ID: "legacy-layout",
		Doc: "Crossplane v1.0 and later read no directory .registry: a package of today is a file package.yaml, of a metadata object and of the " +
			"objects that it installs.",
		Bad:      goodApp,
		Good:     "-- crossplane.yaml --\napiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: sample}\n",
		URL:      "https://github.com/crossplane/crossplane/blob/main/contributing/specifications/xpkg.md",
		Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		if p.App != nil {
			f.value(p.App.Document, nil, "Crossplane v1.0 and later do not read this format")
		}
	}}
}

func packageType() rule {
	return rule{linter.Rule{
		ID: "legacy-package-type",
		Doc: "The packages of today are Providers, Configurations and Functions. A package of type Provider is the first; a Stack, an Application " +
			"and an Addon have become Configurations, or Providers where they have a controller.",
		Bad: but("Provider", "Stack"), Good: goodApp, Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		if p.App == nil {
			return
		}
		switch t := p.App.PackageType; t {
		case v1.TypeStack, v1.TypeApplication, v1.TypeAddon:
			f.value(p.App.Document, []any{"packageType"}, "there is no %s today (Provider or Configuration takes its place)", t)
		}
	}}
}

func permissionScope() rule {
	return rule{linter.Rule{
		ID:  "legacy-permission-scope",
		Doc: "A package of today is installed for the cluster. One for a namespace, with permissions there alone, does not exist any more.",
		Bad: but("permissionScope: Cluster", "permissionScope: Namespaced"), Good: goodApp, Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		if p.App != nil && p.App.PermissionScope == v1.ScopeNamespaced {
			f.value(p.App.Document, []any{"permissionScope"}, "no package is installed for a namespace today")
		}
	}}
}

func dependsOnKind() rule {
	return rule{linter.Rule{
		ID: "legacy-depends-on-kind",
		Doc: "Packages of today depend on packages, with ranges of versions, and get no permissions on what these bring. Which package brings a kind " +
			"the registry of the v1 era knew.",
		Bad: goodApp + "dependsOn:\n- crd: '*.example.org/v1'\n", Good: goodApp, Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		if p.App == nil {
			return
		}
		for i, d := range p.App.DependsOn {
			if d.CRD != "" {
				f.value(p.App.Document, []any{"dependsOn", i, "crd"}, "a package depends on packages today, not on kinds: the one that brings %s has to be named", quote(d.CRD))
			}
		}
	}}
}

func crdV1beta1() rule {
	return rule{linter.Rule{
		ID:  "legacy-crd-v1beta1",
		Doc: "CustomResourceDefinitions of apiextensions.k8s.io/v1beta1 are taken by no API server since Kubernetes v1.22.",
		Bad: goodApp + "-- .registry/resources/crd.yaml --\napiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: samples.example.org}\n" +
			"spec: {group: example.org, names: {kind: Sample, plural: samples}, version: v1}\n",
		Good:     goodApp + crdOf("Sample", "v1"),
		URL:      "https://kubernetes.io/docs/reference/using-api/deprecation-guide/#customresourcedefinition-v122",
		Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		for _, c := range p.CRDs {
			if c.Document.APIVersion != "apiextensions.k8s.io/v1" {
				f.value(c.Document, []any{"apiVersion"}, "no API server since Kubernetes v1.22 takes %s (apiextensions.k8s.io/v1 is expected)", quote(c.Document.APIVersion))
			}
		}
	}}
}

func deploymentVersion() rule {
	return rule{linter.Rule{
		ID: "legacy-deployment-version", Doc: "Deployments of another group or version than apps/v1 are taken by no API server since Kubernetes v1.16.",
		Bad: goodApp + deployment("extensions/v1beta1", ""), Good: goodApp + deployment("apps/v1", ""),
		URL: "https://kubernetes.io/docs/reference/using-api/deprecation-guide/#deployment-v116", Severity: linter.Warning,
	}, func(f *findings, p *v1.Package) {
		if i := p.Install; i != nil && i.Document.APIVersion != "apps/v1" {
			f.value(i.Document, []any{"apiVersion"}, "no API server since Kubernetes v1.16 takes Deployments of %s (apps/v1 is expected)", quote(i.Document.APIVersion))
		}
	}}
}

func noHome() rule {
	return rule{linter.Rule{
		ID: "legacy-no-home",
		Doc: "What ui-schema.yaml says is shown by nothing today, and templates of a behavior.yaml are applied by nothing: a Composition does what " +
			"they did.",
		Bad: goodApp + "-- .registry/ui-schema.yaml --\nversion: 0.5\n", Good: goodApp, Severity: linter.Info,
	}, func(f *findings, p *v1.Package) {
		for _, u := range p.UISchemas {
			f.value(u.Documents[0], nil, "nothing shows what this says today")
		}
		if p.Behavior != nil {
			f.value(p.Behavior.Document, nil, "nothing applies these templates today (a Composition takes their place)")
		}
	}}
}
