package meta

import "strings"

// An XRD is what a composite resource definition says of the API kinds that it
// makes. Package parser fills it from the document.
type XRD struct {
	// APIVersion is that of the definition, of group apiextensions.crossplane.io.
	APIVersion string

	// Name is the name of the definition.
	Name string

	// Group is the API group of its kinds.
	Group string

	// Names are those of the composite resource, and ClaimNames those of its
	// claim; nil if there are no claims.
	Names      XRDNames
	ClaimNames *XRDNames

	// Scope is the scope as declared: Namespaced, Cluster or LegacyCluster. It is
	// empty if nothing is said. Version v1 knows no scope: there it means nothing.
	Scope string

	Versions []ProvidedVersion
}

// XRDNames are the names of a kind that a composite resource definition makes.
type XRDNames struct {
	Kind, ListKind   string
	Plural, Singular string
}

// Kinds are the API kinds that the definition makes, each by a custom resource
// definition of its own: the composite resource and, if the definition offers
// claims, the claim. A composite resource of version v1 and its alphas and betas
// has cluster scope, whatever the definition says; one of version v2 is namespaced
// unless the definition says otherwise. A scope that there is not is kept as it
// was declared. A claim is namespaced.
func (x XRD) Kinds() []ProvidedKind {
	kinds := []ProvidedKind{x.kind(x.Names, x.scope())}
	if x.ClaimNames != nil {
		claim := x.kind(*x.ClaimNames, ScopeNamespaced)
		claim.Claim = true
		kinds = append(kinds, claim)
	}
	return kinds
}

// scope is that of the composite resource.
func (x XRD) scope() string {
	_, version := SplitAPIVersion(x.APIVersion)
	switch {
	case version == "v1" || strings.HasPrefix(version, "v1alpha") || strings.HasPrefix(version, "v1beta"):
		return ScopeCluster
	case x.Scope == "LegacyCluster":
		return ScopeCluster
	case x.Scope == "" && version == "v2":
		return ScopeNamespaced
	case x.Scope == "":
		return ScopeCluster
	default:
		return x.Scope
	}
}

func (x XRD) kind(names XRDNames, scope string) ProvidedKind {
	return ProvidedKind{
		Group: x.Group, Kind: names.Kind, ListKind: names.ListKind,
		Plural: names.Plural, Singular: names.Singular,
		Scope: scope, Versions: x.Versions,
		Definition: DefinitionXRD, Name: x.Name,
	}
}
