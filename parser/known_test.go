package parser_test

import (
	"testing"

	"github.com/xpkg-go/sdk/parser"
)

func TestKnown(t *testing.T) {
	for _, tc := range []struct {
		reason           string
		apiVersion, kind string
		want             bool
	}{
		{"a metadata object", "meta.pkg.crossplane.io/v1", "Provider", true},
		{"of the other group", "meta.pkg.ibm.crossplane.io/v1alpha1", "Configuration", true},
		{"an unknown kind of the metadata group", "meta.pkg.crossplane.io/v1", "ListOptions", false},
		{"a definition", "apiextensions.k8s.io/v1", "CustomResourceDefinition", true},
		{"an unknown version of it", "apiextensions.k8s.io/v1gamma9", "CustomResourceDefinition", false},
		{"a list of it", "apiextensions.k8s.io/v1", "CustomResourceDefinitionList", false},
		{"a later kind", "apiextensions.crossplane.io/v1alpha1", "ManagedResourceActivationPolicy", true},
		{"a list of anything", "v1", "List", false},
		{"an answer of an API server", "v1", "Status", false},
		{"nothing", "", "", false},
		{"a kind without an apiVersion", "", "Composition", false},
	} {
		d := &parser.Document{APIVersion: tc.apiVersion, Kind: tc.kind}
		if d.Known() != tc.want {
			t.Errorf("%s: %s is known: %t, want %t", tc.reason, d.Ref(), d.Known(), tc.want)
		}
	}
}

// TestUnknownKinds keeps what it does not know, with all that can be asked of it.
func TestUnknownKinds(t *testing.T) {
	text := metaDoc + "---\n" + crdA + "---\napiVersion: v1\nkind: List\nitems: [{a: 9007199254740993}]\n---\napiVersion: a.io/v9\nkind: Thing\nmetadata: {name: t}\n"
	pkg, err := parser.Collect(parser.Bytes("f", []byte(text), nil))
	if err != nil {
		t.Fatal(err)
	}
	var unknown []string
	for d := range pkg.Documents() {
		if !d.Known() {
			unknown = append(unknown, d.Ref().String())
		}
	}
	if len(pkg.Objects) != 3 || len(unknown) != 2 || unknown[0] != "v1 List" || unknown[1] != `a.io/v9 Thing "t"` {
		t.Errorf("%d objects, unknown are %q", len(pkg.Objects), unknown)
	}
	list := pkg.Objects[1]
	if json, err := list.JSON(); err != nil || string(json) != `{"apiVersion":"v1","kind":"List","items":[{"a":9007199254740993}]}` {
		t.Errorf("the list is %s, %v", json, err)
	}
}
