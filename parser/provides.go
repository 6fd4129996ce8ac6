package parser

import "github.com/xpkg-go/sdk/meta"

// Provides returns what the package brings and what it calls, in the order of
// its documents:
//
//   - API kinds: of CustomResourceDefinitions and ManagedResourceDefinitions their
//     own, of CompositeResourceDefinitions those of the composite resource and
//     of the claim. Names and versions are those that are declared; a kind that
//     does not say its group, its kind and its plural name is left out, and so is a
//     version without a name;
//   - compositions, with their mode: one that says none has Pipeline, or
//     Resources where it has no pipeline but resources, or is of a version that
//     came before pipelines;
//   - webhooks of ValidatingWebhookConfigurations and
//     MutatingWebhookConfigurations that have a name;
//   - calls of functions in the pipelines of compositions of mode Pipeline, of
//     Operations and of the templates of CronOperations and WatchOperations;
//   - images: spec.controller.image of a Provider and spec.image of a Function,
//     and those of the functions that a composition of Crossplane v1.11 to v1.13
//     runs in containers (spec.functions). Dependencies are packages, not images.
//
// Group and kind say what a document is; its API version need not be one that is
// known. Faults never stop it: what cannot be read, or is of a wrong type, is
// as if it were absent. Whether it is a fault is for errors and rules to say.
//
// The work is done at the first call. Calls may be concurrent; all return the same
// value, which must not be modified.
func (p *Package) Provides() *meta.Provides {
	p.provides.once.Do(func() {
		list := providesList{meta: p.Meta, header: p.Header}
		for d := range p.Documents() {
			list.add(d)
		}
		p.provides.list = &list.Provides
	})
	return p.provides.list
}

// A providesList is a meta.Provides in the making.
type providesList struct {
	meta.Provides
	meta   *meta.Package
	header *Document
}

// Groups and kinds of the documents that provide or call something.
const (
	groupKubernetes = "apiextensions.k8s.io"
	groupCrossplane = "apiextensions.crossplane.io"
	groupAdmission  = "admissionregistration.k8s.io"
	groupOperations = "ops.crossplane.io"

	kindComposition = "Composition"
)

func (l *providesList) add(d *Document) {
	if d == l.header {
		l.addHeader(d)
		return
	}
	group, version := meta.SplitAPIVersion(d.APIVersion)
	switch group + " " + d.Kind {
	case groupKubernetes + " " + meta.DefinitionCRD, groupCrossplane + " " + meta.DefinitionMRD:
		l.addDefinition(d, version)
	case groupCrossplane + " " + meta.DefinitionXRD:
		l.addXRD(d)
	case groupCrossplane + " " + kindComposition:
		l.addComposition(d, version)
	case groupAdmission + " ValidatingWebhookConfiguration", groupAdmission + " MutatingWebhookConfiguration":
		for _, w := range readObject(d).objects("webhooks") {
			if name := w.text("name"); name != "" {
				l.Webhooks = append(l.Webhooks, meta.ProvidedWebhook{Kind: d.Kind, Configuration: d.Name, Name: name})
			}
		}
	case groupOperations + " Operation":
		l.addCalls(d, readObject(d).object("spec"))
	case groupOperations + " CronOperation", groupOperations + " WatchOperation":
		l.addCalls(d, readObject(d).object("spec").object("operationTemplate").object("spec"))
	}
}

func (l *providesList) addHeader(d *Document) {
	if l.meta == nil {
		return
	}
	if c := l.meta.Controller; c != nil {
		l.addImage(d, c.Image, "spec", "controller", "image")
	}
	l.addImage(d, l.meta.Image, "spec", "image")
}

func (l *providesList) addImage(d *Document, image string, path ...any) {
	if image != "" {
		l.Images = append(l.Images, meta.ImageCall{Image: image, Kind: d.Kind, Name: d.Name, Path: path})
	}
}

func (l *providesList) addKinds(kinds ...meta.ProvidedKind) {
	for _, k := range kinds {
		if k.Group != "" && k.Kind != "" && k.Plural != "" {
			l.Kinds = append(l.Kinds, k)
		}
	}
}

func (l *providesList) addDefinition(d *Document, version string) {
	spec := readObject(d).object("spec")
	k := meta.ProvidedKind{
		Group: spec.text("group"), Scope: spec.text("scope"), Versions: versionsOf(spec, "storage"),
		Definition: d.Kind, Name: d.Name,
	}
	names := namesOf(spec.object("names"))
	k.Kind, k.ListKind, k.Plural, k.Singular = names.Kind, names.ListKind, names.Plural, names.Singular
	if k.Scope == "" && d.Kind == meta.DefinitionCRD && version == "v1beta1" {
		k.Scope = meta.ScopeNamespaced // that version had a default
	}
	l.addKinds(k)
}

func (l *providesList) addXRD(d *Document) {
	spec := readObject(d).object("spec")
	own, stored := spec, "referenceable"
	if old := spec.object("crdSpecTemplate"); old != nil { // before Crossplane v0.14
		own, stored = old, "storage"
	}
	x := meta.XRD{
		APIVersion: d.APIVersion, Name: d.Name, Group: own.text("group"), Scope: own.text("scope"),
		Names: namesOf(own.object("names")), Versions: versionsOf(own, stored),
	}
	if claim := spec.object("claimNames"); claim != nil {
		names := namesOf(claim)
		x.ClaimNames = &names
	}
	l.addKinds(x.Kinds()...)
}

func (l *providesList) addComposition(d *Document, version string) {
	spec := readObject(d).object("spec")
	of := spec.object("compositeTypeRef")
	c := meta.ProvidedComposition{
		Name: d.Name, APIVersion: of.text("apiVersion"), Kind: of.text("kind"), Mode: spec.text("mode"),
	}
	if c.Mode == "" {
		c.Mode = modePipeline
		old := version == "v1alpha1" || version == "v1beta1"
		if old || len(spec.objects("pipeline")) == 0 && len(spec.objects("resources")) > 0 {
			c.Mode = modeResources
		}
	}
	l.Compositions = append(l.Compositions, c)
	if c.Mode != modeResources {
		l.addCalls(d, spec)
	}
	for i, f := range spec.objects("functions") {
		l.addImage(d, f.object("container").text("image"), "spec", "functions", i, "container", "image")
	}
}

// Modes of compositions.
const (
	modePipeline  = "Pipeline"
	modeResources = "Resources"
)

// addCalls adds the steps of a spec with a pipeline. A step that names no
// function calls none.
func (l *providesList) addCalls(d *Document, spec object) {
	for _, step := range spec.objects("pipeline") {
		if f := step.object("functionRef").text("name"); f != "" {
			l.Functions = append(l.Functions, meta.FunctionCall{Function: f, Step: step.text("step"), Kind: d.Kind, Name: d.Name})
		}
	}
}

func namesOf(o object) meta.XRDNames {
	return meta.XRDNames{Kind: o.text("kind"), ListKind: o.text("listKind"), Plural: o.text("plural"), Singular: o.text("singular")}
}

// versionsOf returns the versions of a definition. stored is the field that
// marks the one that is stored. Old definitions may name a single version, which
// is served and stored.
func versionsOf(spec object, stored string) []meta.ProvidedVersion {
	var list []meta.ProvidedVersion
	for _, v := range spec.objects("versions") {
		if name := v.text("name"); name != "" {
			list = append(list, meta.ProvidedVersion{
				Name: name, Served: v.truth("served"), Storage: v.truth(stored), Deprecated: v.truth("deprecated"),
			})
		}
	}
	if single := spec.text("version"); list == nil && single != "" {
		list = []meta.ProvidedVersion{{Name: single, Served: true, Storage: true}}
	}
	return list
}
