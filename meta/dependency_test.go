package meta_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
)

func TestDependencyString(t *testing.T) {
	for want, d := range map[string]meta.Dependency{
		"provider a/b >=v1":           {Kind: "Provider", Package: mustSource(t, "a/b"), Constraint: mustConstraint(t, ">=v1")},
		"package a/b":                 {APIVersion: "x/v1", Kind: "Provider", Package: mustSource(t, "a/b")},
		"crd *.x.io/v1":               {CRD: meta.CRDRef{Name: "*", Group: "x.io", Version: "v1"}},
		"crossplane >=v1":             {Spelling: meta.SpellingCrossplane, Constraint: mustConstraint(t, ">=v1")},
		"crossplane":                  {Spelling: meta.SpellingCrossplane},
		"package without a name >=v1": {Constraint: mustConstraint(t, ">=v1")},
		"configuration a/b v1":        {Spelling: meta.SpellingConfiguration, Package: mustSource(t, "a/b"), Constraint: mustConstraint(t, "v1")},
		"package a/c >=v1, <v2":       {Package: mustSource(t, "a/c"), Constraint: mustConstraint(t, ">=v1, <v2")},
	} {
		if got := d.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := (meta.Dependency{Index: 3}).Path("").String(); got != "spec.dependsOn[3]" {
		t.Errorf("the path is %s", got)
	}
}

func TestCRDRef(t *testing.T) {
	kind := meta.ProvidedKind{
		Group: "x.example.org", Kind: "MyType", Plural: "mytypes", Singular: "mytype",
		Versions: []meta.ProvidedVersion{{Name: "v1alpha1"}, {Name: "v1"}},
	}
	for _, tt := range []struct {
		reason, text string
		want         bool
	}{
		{"the kind", "MyType.x.example.org/v1", true},
		{"the kind in lower case", "mytype.x.example.org/v1", true},
		{"the plural", "mytypes.x.example.org/v1", true},
		{"all of a version", "*.x.example.org/v1alpha1", true},
		{"another version", "MyType.x.example.org/v2", false},
		{"another group", "MyType.y.example.org/v1", false},
		{"a group above", "*.example.org/v1", false},
		{"another kind", "Other.x.example.org/v1", false},
	} {
		ref, err := meta.ParseCRDRef(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if ref.String() != tt.text || ref.Matches(kind) != tt.want {
			t.Errorf("%s: %s matches: %v, want %v", tt.reason, ref, !tt.want, tt.want)
		}
	}
	if !(meta.CRDRef{Name: "*", Group: "x.example.org"}).Matches(kind) {
		t.Error("a reference without a version does not match all versions")
	}
	if (meta.CRDRef{}).Matches(meta.ProvidedKind{}) || (meta.CRDRef{}).String() != "" {
		t.Error("a reference to nothing matches something")
	}
	for _, s := range []string{"", "x", "x.", ".x", "x.y/", "x.y/v1/v2", "x y.z/v1", "x.*.z", "v1",
		// No version, wildcards elsewhere, and parts that are no names of Kubernetes.
		"foos.ex.io", "*.ex.io", "*.*/v1", "a*.g/v1", "a..b/v1", "a.-b/v1", "a.B/v1", "a.b/v!", "a.b/V1", "a.b/1", "a.b/*", "a.b/",
		"é.b/v1", "\u212aind.b/v1", "1a.b/v1", "-a.b/v1", "a-.b/v1", strings.Repeat("a", 64) + ".b/v1"} {
		ref, err := meta.ParseCRDRef(s)
		var e *meta.CRDRefError
		if !errors.As(err, &e) || !errors.Is(err, meta.ErrInvalid) || e.Error() == "" {
			t.Errorf("ParseCRDRef(%q) = %v, %v", s, ref, err)
		}
	}
}
