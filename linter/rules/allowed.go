package rules

import (
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// allowance is one row of the table of what a package may hold: objects of one
// API version and kind, in one kind of package, installed by some releases of
// Crossplane.
type allowance struct {
	in           meta.Kind
	apiVersion   string
	kind         string
	since, until string // Crossplane releases, as in linter.Rule
}

// allowances is the table for packages of the group meta.pkg.crossplane.io: the
// kinds of the xpkg specification, and those that came after it was written.
// The specification names kinds without versions; the versions are those that
// the releases of Crossplane have served.
//
// It leaves out admissionregistration.k8s.io AdmissionWebhookConfiguration,
// which the specification lists for Providers but which has never existed in any
// Kubernetes release: it means ValidatingWebhookConfiguration (see meant). A
// package that takes the specification at its word gets a warning.
var allowances = []allowance{
	{in: meta.Provider, apiVersion: "apiextensions.k8s.io/v1", kind: crd},
	// Crossplane reads it to this day, though no current API server takes it:
	// that is the rule crd-v1beta1.
	{in: meta.Provider, apiVersion: "apiextensions.k8s.io/v1beta1", kind: crd},
	{in: meta.Provider, apiVersion: "admissionregistration.k8s.io/v1", kind: "MutatingWebhookConfiguration", since: "v1.7"},
	{in: meta.Provider, apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingWebhookConfiguration", since: "v1.7"},
	{in: meta.Provider, apiVersion: "apiextensions.crossplane.io/v1alpha1", kind: "ManagedResourceDefinition", since: "v2.0"},

	{in: meta.Configuration, apiVersion: "apiextensions.crossplane.io/v2", kind: xrd, since: "v2.0"},
	{in: meta.Configuration, apiVersion: "apiextensions.crossplane.io/v1", kind: xrd, since: "v1.0"},
	{in: meta.Configuration, apiVersion: "apiextensions.crossplane.io/v1beta1", kind: xrd, since: "v0.14", until: "v1.6"},
	{in: meta.Configuration, apiVersion: "apiextensions.crossplane.io/v1alpha1", kind: xrd, until: "v0.14"},
	{in: meta.Configuration, apiVersion: "apiextensions.crossplane.io/v1", kind: composition, since: "v1.0"},
	{in: meta.Configuration, apiVersion: "apiextensions.crossplane.io/v1beta1", kind: composition, since: "v0.14", until: "v1.6"},
	{in: meta.Configuration, apiVersion: "apiextensions.crossplane.io/v1alpha1", kind: composition, until: "v0.14"},
	{in: meta.Configuration, apiVersion: "apiextensions.crossplane.io/v1alpha1", kind: "ManagedResourceActivationPolicy", since: "v2.0"},
	{in: meta.Configuration, apiVersion: "ops.crossplane.io/v1alpha1", kind: "Operation", since: "v2.0"},
	{in: meta.Configuration, apiVersion: "ops.crossplane.io/v1alpha1", kind: "CronOperation", since: "v2.0"},
	{in: meta.Configuration, apiVersion: "ops.crossplane.io/v1alpha1", kind: "WatchOperation", since: "v2.0"},

	{in: meta.Function, apiVersion: "apiextensions.k8s.io/v1", kind: crd},
	{in: meta.Function, apiVersion: "apiextensions.k8s.io/v1beta1", kind: crd},
}

// allowancesIBM is the table for packages of the group
// meta.pkg.ibm.crossplane.io, after package-format-v2: both kinds of package may
// hold all three kinds of object. No release of Crossplane bounds it.
var allowancesIBM = []allowance{
	{apiVersion: "apiextensions.k8s.io/v1", kind: crd},
	{apiVersion: "apiextensions.k8s.io/v1beta1", kind: crd},
	{apiVersion: "apiextensions.crossplane.io/v1", kind: xrd},
	{apiVersion: "apiextensions.crossplane.io/v1beta1", kind: xrd},
	{apiVersion: "apiextensions.crossplane.io/v1alpha1", kind: xrd},
	{apiVersion: "apiextensions.crossplane.io/v1", kind: composition},
	{apiVersion: "apiextensions.crossplane.io/v1beta1", kind: composition},
	{apiVersion: "apiextensions.crossplane.io/v1alpha1", kind: composition},
}

// successors are the kinds that documents mean with ones that never were, or are no
// more: that of the xpkg specification, those of the packages v2 design, whose names
// were changed before packages had them, and those of the v1 era that this design removed.
var successors = []struct {
	group, kind string
	real        string // the kind that is meant, and more; or a field of the metadata object
	never       bool   // the kind never existed, so that it is the document's fault
}{
	{"admissionregistration.k8s.io", "AdmissionWebhookConfiguration", "ValidatingWebhookConfiguration", true},
	{"apiextensions.crossplane.io", "InfrastructureDefinition", xrd, false},
	{"apiextensions.crossplane.io", "InfrastructurePublication", xrd + " with spec.claimNames", false},
	{"packages.crossplane.io", "PackageInstall", "spec.dependsOn", false},
	{"packages.crossplane.io", "ClusterPackageInstall", "spec.dependsOn", false},
	{"packages.crossplane.io", "StackDefinition", composition, false},
}

// meant returns what takes the place of a document's kind, if a package of this table
// may hold that, and whether the document's never existed; "" if there is none.
func meant(table []allowance, d *parser.Document) (real string, never bool) {
	group, _ := meta.SplitAPIVersion(d.APIVersion)
	for _, s := range successors {
		kind, _, _ := strings.Cut(s.real, " ")
		isField := strings.HasPrefix(s.real, "spec.")
		if s.group == group && s.kind == d.Kind && (isField || slices.ContainsFunc(table, func(a allowance) bool { return a.kind == kind })) {
			return s.real, s.never
		}
	}
	return "", false
}

// Kinds that several rules know.
const (
	crd         = "CustomResourceDefinition"
	xrd         = "CompositeResourceDefinition"
	composition = "Composition"
)

// tableFor returns the rows for a package, none when nothing is known about its
// kind.
func tableFor(m *meta.Package) []allowance {
	switch {
	case m.Group() != meta.GroupIBM:
		return slices.DeleteFunc(slices.Clone(allowances), func(a allowance) bool { return a.in != m.Kind })
	case m.Kind == meta.Provider || m.Kind == meta.Configuration:
		return allowancesIBM
	default:
		return nil
	}
}

// verdict says whether the releases that a package is judged for take an object.
type verdict int

const (
	refused verdict = iota // none takes it
	partly                 // some take it
	taken                  // they all take it
)

// judge looks an object up; the row is nil when none is for its API version and
// kind.
func judge(table []allowance, r linter.Releases, d *parser.Document) (verdict, *allowance) {
	for i, a := range table {
		if a.apiVersion != d.APIVersion || a.kind != d.Kind {
			continue
		}
		switch {
		case r.Every(a.since, a.until):
			return taken, &table[i]
		case r.Some(a.since, a.until):
			return partly, &table[i]
		default:
			return refused, &table[i]
		}
	}
	return refused, nil
}

// judged reports whether a document is one that the table is about: an object
// with an API version and a kind (a fault in reading, if it lacks one) that is
// not a second metadata object (another such fault).
func judged(d *parser.Document) bool {
	return d.APIVersion != "" && d.Kind != "" && !meta.IsMeta(d.APIVersion)
}
