package install_test

import (
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

func TestNewPackageRevision(t *testing.T) {
	const design = "packages v2 design, PackageRevision API, spec.dependsOn: "
	p := &install.Package{APIVersion: install.DesignAPIVersion, Kind: install.KindPackage, Metadata: install.Metadata{Name: "p"}}
	r := install.Revision{Name: "r", Number: 1, Desired: install.Active}
	for name, tc := range map[string]struct {
		reason     string
		apiVersion string
		spec       string
		want       []install.Dependency
	}{
		"Crossplane": {
			reason: design + "the crossplane field indicates the versions of Crossplane", apiVersion: "v1",
			spec: `{"crossplane":{"version":">=v1.0.0"},"dependsOn":[{"crossplane":"<v2"}]}`,
			want: []install.Dependency{{Crossplane: ">=v1.0.0"}, {Crossplane: "<v2"}},
		},
		"CrossplaneVersion": {
			reason: "issue: spec.crossplane as a plain string is that exact version", apiVersion: "v1",
			spec: `{"crossplane":"v1.2.3"}`,
			want: []install.Dependency{{Crossplane: "v1.2.3"}},
		},
		"CRD": {
			reason: design + "the crd field is a GVK, or the glob of the packages of before", apiVersion: "v1",
			spec: `{"dependsOn":[{"crd":"foo.example.org/v1"},{"crd":"*.example.org/v1alpha1"},{"crd":{"apiVersion":"example.org/v1","kind":"Foo"}}]}`,
			want: []install.Dependency{{CRD: "foo.example.org/v1"}, {CRD: "*.example.org/v1alpha1"}, {CRD: "Foo.example.org/v1"}},
		},
		"Tags": {
			reason: "package format v2, The Packaged Format: a version is a specific tag, and stays one", apiVersion: "v1alpha1",
			spec: `{"dependsOn":[{"provider":"a/b","version":"master"},{"provider":"a/c","version":"v1"},{"provider":"a/d","version":">=v1"}]}`,
			want: []install.Dependency{{Package: "a/b", Version: "master"}, {Package: "a/c", Version: "v1"}, {Package: "a/d", Version: ">=v1"}},
		},
		"Ranges": {
			reason: "packages guide, Provider Packages: a version is a range, and does not become a tag", apiVersion: "v1",
			spec: `{"dependsOn":[{"provider":"a/b","version":"v1"},{"provider":"a/c","version":"v1.0.0"},{"provider":"a/d","version":"v1.x"},{"provider":"a/e","version":"x"}]}`,
			want: []install.Dependency{{Package: "a/b", Version: "=v1"}, {Package: "a/c", Version: "v1.0.0"}, {Package: "a/d", Version: "v1.x"}, {Package: "a/e", Version: "=x"}},
		},
		"Digest": {
			reason: "a digest is one in either place", apiVersion: "v1",
			spec: `{"dependsOn":[{"provider":"a/b","version":"` + digest + `"}]}`,
			want: []install.Dependency{{Package: "a/b", Version: digest}},
		},
		"Permissions": {
			reason: "a rule that Kubernetes would take is one that Validate takes", apiVersion: "v1",
			spec: `{"controller":{"image":"a/b:v1","permissionRequests":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]},{"nonResourceURLs":["/x"],"verbs":["get"]}]}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			pkg, err := meta.Decode([]byte(`{"apiVersion":"meta.pkg.crossplane.io/` + tc.apiVersion + `","kind":"Provider","metadata":{"name":"p"},"spec":` + tc.spec + `}`))
			if err != nil {
				t.Fatal(err)
			}
			got := install.NewPackageRevision(p, r, pkg)
			diff(t, tc.reason, tc.want, got.Spec.DependsOn)
			diff(t, "the revision of a valid package is valid", nil, got.Validate())
		})
	}
	diff(t, "metadata that nobody knows asks for nothing", install.PackageRevisionSpec{DesiredState: install.Active, Revision: 1},
		install.NewPackageRevision(p, r, nil).Spec)

	rng, err := meta.ParseConstraint(">=v1")
	if err != nil {
		t.Fatal(err)
	}
	faulty := &meta.Package{DependsOn: []meta.Dependency{{CRD: meta.CRDRef{Name: "foo", Group: "example.org", Version: "v1"}, Constraint: rng}}}
	diff(t, design+"a version beside a crd is not dropped in silence", []string{`spec.dependsOn[0].version: a version belongs to a package`},
		texts(t, install.NewPackageRevision(p, r, faulty).Validate()))
}
