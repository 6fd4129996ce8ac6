package install_test

import (
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// Every list that is validated, full of what decoding refuses. Comparing every
// fault with every other one would take minutes.
func TestDecodeManyFaults(t *testing.T) {
	const n = 30_000
	const lock = `{"apiVersion":"packages.crossplane.io/v1beta1","kind":"PackageLock","metadata":{"name":"l"},"spec":`
	const revision = `{"apiVersion":"packages.crossplane.io/v1beta1","kind":"PackageRevision","metadata":{"name":"r"},"spec":{"desiredState":"Active","revision":1,`
	list := func(element string) string {
		return "[" + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + "]"
	}
	for name, tc := range map[string]struct {
		reason string
		json   string
	}{
		"Secrets":   {"numbers for secrets", `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b","packagePullSecrets":` + list("1") + `}}`},
		"Packages":  {"numbers for packages", lock + `{"packages":` + list("1") + `}}`},
		"DependsOn": {"numbers for dependencies", revision + `"dependsOn":` + list("1") + `}}`},
		"Inside":    {"numbers inside of what is an object", revision + `"dependsOn":` + list(`{"package":1}`) + `}}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeAny([]byte(tc.json))
			faults := texts(t, err)
			// What cannot be read inside of a dependency leaves it without a name,
			// which is another fault, of the dependency itself.
			want := n
			if name == "Inside" {
				want = 2 * n
			}
			diff(t, tc.reason+": every fault is told once", want, len(faults))
		})
	}
}

func TestDecodeDuplicates(t *testing.T) {
	const reason = "the last one of a name counts, as in package meta, and every other one is a fault"
	m, err := install.DecodeManifest([]byte(`{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","kind":"Configuration",` +
		`"metadata":{"name":"a","uid":"1","annotations":{"x":"1","y":"2","x":"3"}},` +
		`"spec":{"package":7,"packagePullSecrets":[{"name":"a"},{"name":"b"}],"package":"a/b","zz":{"q":1},"packagePullSecrets":[{"name":"c"}],"zz":2,"package":"a/c","revisionHistoryLimit":4,"revisionHistoryLimit":null}}`))
	diff(t, reason, []string{
		"kind: the field is there twice",
		"metadata.annotations.x: the field is there twice",
		"spec.package: the field is there twice",
		"spec.package: the field is there twice",
		"spec.packagePullSecrets: the field is there twice",
		"spec.revisionHistoryLimit: the field is there twice",
		"spec.zz: the field is there twice",
	}, texts(t, err))
	if m == nil {
		t.Fatal("there is no manifest")
	}
	diff(t, reason, meta.Configuration, m.Kind)
	diff(t, reason, map[string]string{"x": "3", "y": "2"}, m.Metadata.Annotations)
	diff(t, reason, install.ManifestSpec{
		Package: "a/c", PackagePullSecrets: []install.LocalReference{{Name: "c"}}, Unknown: install.Fields{{Name: "zz", JSON: []byte("2")}},
	}, m.Spec)
	if _, err := m.Encode(); err != nil {
		t.Errorf("%s; it can be written: %v", reason, err)
	}
}
