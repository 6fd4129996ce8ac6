package meta_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
)

func TestIsMeta(t *testing.T) {
	for apiVersion, want := range map[string]bool{
		"meta.pkg.crossplane.io/v1":           true,
		"meta.pkg.crossplane.io/v9":           true,
		"meta.pkg.ibm.crossplane.io/v1alpha1": true,
		"meta.pkg.crossplane.io/":             false,
		"meta.pkg.crossplane.io":              false,
		"pkg.crossplane.io/v1":                false,
		"v1":                                  false,
		"":                                    false,
	} {
		if got := meta.IsMeta(apiVersion); got != want {
			t.Errorf("IsMeta(%q) = %v, want %v", apiVersion, got, want)
		}
	}
}

func TestVersions(t *testing.T) {
	for _, tt := range []struct {
		group string
		kind  meta.Kind
		want  []string
	}{
		{meta.Group, meta.Provider, []string{"v1", "v1beta1", "v1alpha1"}},
		{meta.Group, meta.Configuration, []string{"v1", "v1beta1", "v1alpha1"}},
		{meta.Group, meta.Function, []string{"v1", "v1beta1"}},
		{meta.GroupIBM, meta.Provider, []string{"v1alpha1"}},
		{meta.GroupIBM, meta.Function, nil},
		{meta.Group, "ListOptions", nil},
		{"pkg.crossplane.io", meta.Provider, nil},
	} {
		if got := meta.Versions(tt.group, tt.kind); !slices.Equal(got, tt.want) {
			t.Errorf("Versions(%s, %s) = %v, want %v", tt.group, tt.kind, got, tt.want)
		}
	}
}

func TestHasCapability(t *testing.T) {
	for _, tt := range []struct {
		reason, claimed, asked string
		want                   bool
	}{
		{"spelled alike", "safe-start", meta.CapabilitySafeStart, true},
		{"in camel case", "SafeStart", meta.CapabilitySafeStart, true},
		{"with other separators", "SAFE_START", meta.CapabilitySafeStart, true},
		{"separators of other scripts", "safe→start", meta.CapabilitySafeStart, true},
		{"digits count", "v1-composition", "v1composition", true},
		{"digits differ", "v2-composition", "v1-composition", false},
		{"another one", "composition", meta.CapabilityOperation, false},
		{"nothing asked, and nothing claimed", "", "", false},
		{"separators asked and claimed", "--", "-", false},
		{"neither letters nor digits that count", "é", "é", false},
		{"the beginning of one", "safe", meta.CapabilitySafeStart, false},
	} {
		p := meta.Package{Capabilities: []string{"other", tt.claimed}}
		if got := p.HasCapability(tt.asked); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.reason, got, tt.want)
		}
	}
	if (&meta.Package{}).HasCapability(meta.CapabilitySafeStart) {
		t.Error("a package that claims nothing has a capability")
	}
}

// TestProperty is the section "Object Annotations" of the xpkg specification.
func TestProperty(t *testing.T) {
	for _, tt := range []struct {
		reason      string
		annotations map[string]string
		property    meta.Property
		want        meta.Annotation
	}{
		{"the key of the specification", map[string]string{"meta.crossplane.io/license": "MIT"}, meta.PropertyLicense, meta.Annotation{Key: "meta.crossplane.io/license", Value: "MIT"}},
		{"a plain key of package format v2", map[string]string{"license": "MIT"}, meta.PropertyLicense, meta.Annotation{Key: "license", Value: "MIT"}},
		{"the key of the specification wins", map[string]string{"source": "a", "meta.crossplane.io/source": "b"}, meta.PropertySource, meta.Annotation{Key: "meta.crossplane.io/source", Value: "b"}},
		{"a blank one loses", map[string]string{"maintainer": "a", "meta.crossplane.io/maintainer": " \n"}, meta.PropertyMaintainer, meta.Annotation{Key: "maintainer", Value: "a"}},
		{"white space around it", map[string]string{"meta.crossplane.io/readme": "\na b\n"}, meta.PropertyReadme, meta.Annotation{Key: "meta.crossplane.io/readme", Value: "a b"}},
		{"a short description", map[string]string{"descriptionShort": "a"}, meta.PropertyDescription, meta.Annotation{Key: "descriptionShort", Value: "a"}},
		{"the marketplace's name", map[string]string{"friendly-name.meta.crossplane.io": "A"}, meta.PropertyFriendlyName, meta.Annotation{Key: "friendly-name.meta.crossplane.io", Value: "A"}},
		{"the marketplace's icon", map[string]string{"meta.crossplane.io/iconURI": "data:,"}, meta.PropertyIcon, meta.Annotation{Key: "meta.crossplane.io/iconURI", Value: "data:,"}},
		{"the company of package format v2", map[string]string{"company": "A"}, meta.PropertyCompany, meta.Annotation{Key: "company", Value: "A"}},
		{"the keywords of package format v2", map[string]string{"keywords": "a, b"}, meta.PropertyKeywords, meta.Annotation{Key: "keywords", Value: "a, b"}},
		{"the maintainers are opaque text", map[string]string{"meta.crossplane.io/maintainer": "A <a@example.org>, B"}, meta.PropertyMaintainer, meta.Annotation{Key: "meta.crossplane.io/maintainer", Value: "A <a@example.org>, B"}},
		{"the description of the specification", map[string]string{"meta.crossplane.io/description": "A.", "description": "B."}, meta.PropertyDescription, meta.Annotation{Key: "meta.crossplane.io/description", Value: "A."}},
		{"the plain source", map[string]string{"source": "github.com/a/b"}, meta.PropertySource, meta.Annotation{Key: "source", Value: "github.com/a/b"}},
		{"the plain description, on several lines", map[string]string{"description": "A.\nB.\n"}, meta.PropertyDescription, meta.Annotation{Key: "description", Value: "A.\nB."}},
		{"nothing", map[string]string{"x": "y"}, meta.PropertyLicense, meta.Annotation{}},
		{"no property", map[string]string{"x": "y"}, "x", meta.Annotation{}},
	} {
		for _, kind := range meta.Kinds() {
			p := meta.Package{Kind: kind, Annotations: tt.annotations}
			got, ok := p.Property(tt.property)
			if got != tt.want || ok != (tt.want.Key != "") {
				t.Errorf("%s of a %s: %+v, %v", tt.reason, kind, got, ok)
			}
		}
	}
	for _, property := range meta.Properties() {
		if len(property.Keys()) == 0 {
			t.Errorf("property %s has no key", property)
		}
	}
}

func TestFriendlyNames(t *testing.T) {
	p := meta.Package{Annotations: map[string]string{
		"friendly-group-name.meta.crossplane.io/mysql.sql.crossplane.io":         "MySQL",
		"friendly-kind-name.meta.crossplane.io/database.mysql.sql.crossplane.io": "Database",
	}}
	if got := p.FriendlyGroupName("mysql.sql.crossplane.io"); got != "MySQL" {
		t.Errorf("the group is %q", got)
	}
	if got := p.FriendlyKindName("Database", "mysql.sql.crossplane.io"); got != "Database" {
		t.Errorf("the kind is %q", got)
	}
	if got := p.FriendlyKindName("User", "mysql.sql.crossplane.io"); got != "" {
		t.Errorf("another kind is %q", got)
	}
}

// TestPropagation: all annotations of the package go to its revision, those of an
// object to the object, unmodified.
func TestPropagation(t *testing.T) {
	p := meta.Package{Annotations: map[string]string{"meta.crossplane.io/license": "MIT", "any": "\n"}}
	own := map[string]string{"mine": "1"}
	revision, object := p.RevisionAnnotations(), p.ObjectAnnotations(own)
	if diff := cmp.Diff(p.Annotations, revision); diff != "" {
		t.Errorf("the revision (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(own, object); diff != "" {
		t.Errorf("an object (-want +got):\n%s", diff)
	}
	revision["x"], object["x"] = "y", "y"
	if len(p.Annotations) != 2 || len(own) != 1 {
		t.Error("the maps are not the caller's own")
	}
}

func TestPermissions(t *testing.T) {
	get := meta.PermissionRequest{Verbs: []string{"get"}}
	for _, tt := range []struct {
		reason string
		p      meta.Package
		want   int
	}{
		{"none", meta.Package{}, 0},
		{"at the controller", meta.Package{Controller: &meta.Controller{PermissionRequests: []meta.PermissionRequest{get}}}, 1},
		{"at the spec", meta.Package{Controller: &meta.Controller{}, PermissionRequests: []meta.PermissionRequest{get, get}}, 2},
	} {
		if got := tt.p.Permissions(); len(got) != tt.want {
			t.Errorf("%s: %v", tt.reason, got)
		}
	}
}
