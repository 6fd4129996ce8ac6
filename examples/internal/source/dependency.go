package source

import "github.com/xpkg-go/sdk/meta"

// Dependency is what a package depends on, as the programs tell it in JSON.
type Dependency struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Package    string `json:"package"`
	Version    string `json:"version"`
	CRD        string `json:"crd,omitempty"` // the kind that is depended on, instead of a package
}

// Dependencies are those of a package in the order of its metadata; never nil, so that
// a reader finds a list.
func Dependencies(m *meta.Package) []Dependency {
	all := make([]Dependency, len(m.DependsOn))
	for i, d := range m.DependsOn {
		all[i] = Dependency{d.APIVersion, d.Kind, d.Package.String(), d.Constraint.String(), ""}
		if !d.CRD.IsZero() {
			all[i].CRD = d.CRD.String()
		}
	}
	return all
}
