package meta_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
)

func TestXRDKinds(t *testing.T) {
	versions := []meta.ProvidedVersion{{Name: "v1", Served: true, Storage: true}}
	names := meta.XRDNames{Kind: "XDatabase", Plural: "xdatabases"}
	claim := &meta.XRDNames{Kind: "Database", Plural: "databases"}
	for _, tt := range []struct {
		reason string
		xrd    meta.XRD
		want   []string // scope, name and claim
	}{
		{"version v1 has cluster scope", meta.XRD{APIVersion: "apiextensions.crossplane.io/v1"}, []string{"Cluster xdatabases.a.io"}},
		{"a claim is namespaced", meta.XRD{APIVersion: "apiextensions.crossplane.io/v1", ClaimNames: claim}, []string{"Cluster xdatabases.a.io", "Namespaced databases.a.io claim"}},
		{"version v2 is namespaced", meta.XRD{APIVersion: "apiextensions.crossplane.io/v2"}, []string{"Namespaced xdatabases.a.io"}},
		{"version v1 knows no scope", meta.XRD{APIVersion: "apiextensions.crossplane.io/v1", Scope: "Namespaced"}, []string{"Cluster xdatabases.a.io"}},
		{"nor did its beta", meta.XRD{APIVersion: "apiextensions.crossplane.io/v1beta1", Scope: "Namespaced"}, []string{"Cluster xdatabases.a.io"}},
		{"a scope that there is not is no other", meta.XRD{APIVersion: "apiextensions.crossplane.io/v2", Scope: "Planet"}, []string{"Planet xdatabases.a.io"}},
		{"a later version may have a scope", meta.XRD{APIVersion: "apiextensions.crossplane.io/v3", Scope: "Namespaced"}, []string{"Namespaced xdatabases.a.io"}},
		{"version v2 may have cluster scope", meta.XRD{APIVersion: "apiextensions.crossplane.io/v2", Scope: "Cluster"}, []string{"Cluster xdatabases.a.io"}},
		{"version v2 may be as version v1 was", meta.XRD{APIVersion: "apiextensions.crossplane.io/v2", Scope: "LegacyCluster", ClaimNames: claim}, []string{"Cluster xdatabases.a.io", "Namespaced databases.a.io claim"}},
	} {
		tt.xrd.Name, tt.xrd.Group, tt.xrd.Names, tt.xrd.Versions = "xdatabases.a.io", "a.io", names, versions
		var got []string
		for _, k := range tt.xrd.Kinds() {
			s := k.Scope + " " + k.CRDName()
			if k.Claim {
				s += " claim"
			}
			got = append(got, s)
			if k.Definition != meta.DefinitionXRD || k.Name != "xdatabases.a.io" || len(k.Versions) != 1 {
				t.Errorf("%s: %+v", tt.reason, k)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestProvides(t *testing.T) {
	p := &meta.Provides{
		Kinds: []meta.ProvidedKind{
			{Group: "b.io", Kind: "Y", Plural: "ys", Definition: meta.DefinitionXRD, Versions: []meta.ProvidedVersion{{Name: "v2", Served: true}, {Name: "v1"}}},
			{Group: "a.io", Kind: "X", Plural: "xs", Definition: meta.DefinitionCRD},
		},
		Compositions: []meta.ProvidedComposition{{Name: "c"}},
		Functions:    []meta.FunctionCall{{Function: "g"}, {Function: "f"}, {Function: "g"}},
	}
	q := &meta.Provides{
		Kinds:        []meta.ProvidedKind{{Group: "b.io", Kind: "Y", Plural: "ys", Definition: meta.DefinitionCRD}, {Group: "b.io", Kind: "Y", Plural: "ys"}},
		Compositions: []meta.ProvidedComposition{{Name: "c"}, {Name: "d"}},
	}
	if diff := cmp.Diff([]string{"xs.a.io", "ys.b.io"}, p.CRDNames()); diff != "" {
		t.Errorf("CRDNames (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"f", "g"}, p.FunctionNames()); diff != "" {
		t.Errorf("FunctionNames (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b.io/v2"}, p.Kinds[0].APIVersions()); diff != "" {
		t.Errorf("APIVersions (-want +got):\n%s", diff)
	}
	if got := p.Find(meta.CRDRef{Name: "*", Group: "a.io"}); len(got) != 1 || got[0].Kind != "X" {
		t.Errorf("Find gives %v", got)
	}
	want := []meta.Conflict{{Kind: "Composition", Name: "c"}, {Kind: "CustomResourceDefinition", Name: "ys.b.io"}}
	if diff := cmp.Diff(want, p.Conflicts(q)); diff != "" {
		t.Errorf("a definition by a composite resource definition conflicts with the one that it makes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, q.Conflicts(p)); diff != "" {
		t.Errorf("conflicts are mutual (-want +got):\n%s", diff)
	}
	var none *meta.Provides
	if none.CRDNames() != nil || none.FunctionNames() != nil || none.Find(meta.CRDRef{}) != nil || none.Conflicts(p) != nil || p.Conflicts(none) != nil {
		t.Error("nothing provides something")
	}
}
