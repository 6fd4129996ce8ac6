package meta

import (
	"cmp"
	"slices"
)

// Provides is what a package brings, and what it calls. Package parser fills it
// from the documents of a package, in their order.
type Provides struct {
	// Kinds are the API kinds: those of custom resource definitions and of managed
	// resource definitions, and those of the definitions that a composite resource
	// definition makes.
	Kinds []ProvidedKind

	// Compositions are the ways in which composite resources are composed.
	Compositions []ProvidedComposition

	// Webhooks are the admission webhooks.
	Webhooks []ProvidedWebhook

	// Functions are the calls of functions, from the pipelines of compositions and
	// operations.
	Functions []FunctionCall

	// Images are the container images that the package runs: that of its
	// controller, if the metadata names one, and those that its documents name.
	Images []ImageCall
}

// The kinds of definitions that an API kind comes from.
const (
	DefinitionCRD = "CustomResourceDefinition"
	DefinitionMRD = "ManagedResourceDefinition"
	DefinitionXRD = "CompositeResourceDefinition"
)

// The scopes of API kinds.
const (
	ScopeCluster    = "Cluster"
	ScopeNamespaced = "Namespaced"
)

// A ProvidedKind is an API kind that a package brings.
type ProvidedKind struct {
	Group, Kind, ListKind string
	Plural, Singular      string
	Scope                 string // ScopeCluster or ScopeNamespaced; of a faulty definition, what it declares
	Versions              []ProvidedVersion

	// Definition is the kind of the object that defines it, such as
	// [DefinitionXRD], and Name is that object's name.
	Definition, Name string

	// Claim is set for the claim kind of a composite resource definition.
	Claim bool
}

// A ProvidedVersion is an API version of a kind.
type ProvidedVersion struct {
	Name       string
	Served     bool
	Storage    bool // for a composite resource definition: referenceable
	Deprecated bool
}

// CRDName is the name of the custom resource definition that the kind has in a
// cluster, PLURAL.GROUP. Only one package can bring it.
func (k ProvidedKind) CRDName() string { return k.Plural + "." + k.Group }

// APIVersions are the apiVersions of the kind that are served, in the order of
// its versions.
func (k ProvidedKind) APIVersions() []string {
	var out []string
	for _, v := range k.Versions {
		if v.Served {
			out = append(out, k.Group+"/"+v.Name)
		}
	}
	return out
}

// A ProvidedComposition is a composition: its name, and the kind that it
// composes.
type ProvidedComposition struct {
	Name             string
	APIVersion, Kind string
	Mode             string // Pipeline or Resources
}

// A ProvidedWebhook is an admission webhook: the kind and name of the
// configuration that has it, and its own name.
type ProvidedWebhook struct {
	Kind, Configuration, Name string
}

// A FunctionCall is a step of a pipeline: which function is called by which
// object.
type FunctionCall struct {
	// Function is the name of the installed Function, as the step refers to it.
	Function string

	// Step is the name of the step.
	Step string

	// Kind and Name are those of the object that has the pipeline.
	Kind, Name string
}

// An ImageCall is a container image that is named somewhere in a package.
type ImageCall struct {
	// Image is the reference as it is written.
	Image string

	// Kind and Name are those of the object that names it, and Path leads to the
	// field.
	Kind, Name string
	Path       Path
}

// CRDNames are the names of the custom resource definitions that the package
// leads to in a cluster, sorted, each once.
func (p *Provides) CRDNames() []string {
	var out []string
	if p != nil {
		for _, k := range p.Kinds {
			out = append(out, k.CRDName())
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// FunctionNames are the functions that are called, sorted, each once.
func (p *Provides) FunctionNames() []string {
	var out []string
	if p != nil {
		for _, c := range p.Functions {
			out = append(out, c.Function)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Find gives the kinds that ref names.
func (p *Provides) Find(ref CRDRef) []ProvidedKind {
	var out []ProvidedKind
	if p != nil {
		for _, k := range p.Kinds {
			if ref.Matches(k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// A Conflict is an object that two packages both bring, so that only one of them
// can control it.
type Conflict struct {
	Kind, Name string // CustomResourceDefinition or Composition, and its name
}

// Conflicts are the objects that p and q both bring, sorted. Definitions count by
// what they lead to: a composite resource definition of one package conflicts
// with a custom resource definition of another if it makes that very one.
func (p *Provides) Conflicts(q *Provides) []Conflict {
	if p == nil || q == nil {
		return nil
	}
	have := map[Conflict]bool{}
	for _, k := range p.Kinds {
		have[Conflict{DefinitionCRD, k.CRDName()}] = true
	}
	for _, c := range p.Compositions {
		have[Conflict{"Composition", c.Name}] = true
	}
	var out []Conflict
	add := func(c Conflict) {
		if have[c] {
			out = append(out, c)
			have[c] = false
		}
	}
	for _, k := range q.Kinds {
		add(Conflict{DefinitionCRD, k.CRDName()})
	}
	for _, c := range q.Compositions {
		add(Conflict{"Composition", c.Name})
	}
	slices.SortFunc(out, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return out
}
