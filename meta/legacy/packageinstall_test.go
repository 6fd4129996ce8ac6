package legacy_test

import (
	"errors"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
)

// The two examples of the document, and all fields. (packages v1, ClusterPackageInstall and
// PackageInstall CRDs)
func TestDecodePackageInstall(t *testing.T) {
	i, err := decodeInstall(`apiVersion: packages.crossplane.io/v1alpha1
kind: ClusterPackageInstall
metadata:
  name: gcp-from-package
spec:
  source: registry.crossplane.io
  package: crossplane/provider-gcp:v0.1.0
  imagePullSecrets:
  - name: private-registry-secret
  imagePullPolicy: Always
  serviceAccount:
    annotations:
      iam-service-annotation: "special-value"
status:
  conditions:
  - type: Ready
    status: "True"
  conditionedStatus: {conditions: [{type: Ready, status: "False", reason: a, message: b, lastTransitionTime: "2020-01-01T00:00:00Z"}]}
  installJob: {apiVersion: batch/v1, kind: Job, name: j, namespace: n, uid: "1"}
  packageRecord: {kind: Package, name: r}
`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(&legacy.PackageInstall{
		APIVersion: "packages.crossplane.io/v1alpha1", Kind: "ClusterPackageInstall", Meta: legacy.ObjectMeta{Name: "gcp-from-package"},
		Spec: legacy.PackageInstallSpec{
			Source: "registry.crossplane.io", Package: "crossplane/provider-gcp:v0.1.0",
			ImagePullSecrets: []legacy.SecretReference{{Name: "private-registry-secret"}}, ImagePullPolicy: "Always",
			ServiceAccount: &legacy.ServiceAccount{Annotations: map[string]string{"iam-service-annotation": "special-value"}},
		},
		Status: legacy.PackageInstallStatus{
			Conditions: []legacy.Condition{{Type: "Ready", Status: "True"}},
			ConditionedStatus: &legacy.ConditionedStatus{Conditions: []legacy.Condition{
				{Type: "Ready", Status: "False", Reason: "a", Message: "b", LastTransitionTime: "2020-01-01T00:00:00Z"},
			}},
			InstallJob:    &legacy.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Name: "j", Namespace: "n", UID: "1"},
			PackageRecord: &legacy.ObjectReference{Kind: "Package", Name: "r"},
		},
	}, i); diff != "" {
		t.Error(diff)
	}
	if got := i.Image(""); got != "registry.crossplane.io/crossplane/provider-gcp:v0.1.0" {
		t.Errorf("the image is %s", got)
	}
}

func TestPackageInstallFaults(t *testing.T) {
	const head = "apiVersion: packages.crossplane.io/v1alpha1\nkind: PackageInstall\n"
	cases := map[string]struct {
		reason, text string
		want         []string
	}{
		"Package": {"a package is enough", head + "spec: {package: a/b:v1}\n", nil},
		"CRD":     {"so is a kind", head + "spec: {crd: wordpressinstances.wordpress.samples.packages.crossplane.io/v1alpha1}\n", nil},
		"Neither": {"one of them is needed", head + "spec: {source: a.io}\n", []string{"install.yaml:3:7: metadata-invalid: missing, want one of package and crd (spec)"}},
		"NoSpec":  {"also without a spec", head, []string{"install.yaml:1:1: metadata-invalid: missing, want one of package and crd (spec)"}},
		"Both":    {"both are too many", head + "spec: {package: a/b, crd: a.b.c/v1}\n", []string{"install.yaml:3:27: metadata-invalid: package is there as well, and exactly one of the two may be (spec.crd)"}},
		"Names": {"names are held against their grammars", head + "spec:\n  source: https://a.io\n  package: A B\n  crd: a\n", []string{
			"install.yaml:4:11: metadata-invalid: \"https://a.io\" is not a registry", "install.yaml:5:12: metadata-invalid: \"A B\" is not an image", "install.yaml:6:8: metadata-invalid: \"a\" is not the name of a kind", "install.yaml:6:8: metadata-invalid: package is there",
		}},
		"Words": {"so are the pull policy and the names of secrets", head + "spec: {package: a/b, imagePullPolicy: always, imagePullSecrets: [{name: ''}]}\n", []string{
			`install.yaml:3:39: metadata-invalid: "always" is not a pull policy`, `install.yaml:3:73: metadata-invalid: missing, want the name of a Secret`,
		}},
		"Unknown":  {"a field that there is not", head + "spec: {package: a/b, packages: c}\n", []string{`install.yaml:3:22: unknown-field: unknown field "packages"`}},
		"Other":    {"another kind", "apiVersion: v1\nkind: Pod\nspec: {package: a/b}\n", []string{`install.yaml:1:13: metadata-invalid: "v1" is not packages.crossplane.io/v1alpha1`, `install.yaml:2:7: metadata-invalid: "Pod" is not PackageInstall or`}},
		"Registry": {"a source with a port and a path", head + "spec: {package: a/b, source: 'localhost:5000/x'}\n", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			i, err := decodeInstall(c.text)
			if len(c.want) == 0 {
				if err != nil || i.Validate() != nil {
					t.Errorf("%s: got %v", c.reason, err)
				}
				return
			}
			faults := faultsOf(t, err)
			if len(faults) != len(c.want) || !errors.Is(err, meta.ErrInvalid) {
				t.Fatalf("%s: got\n%v", c.reason, err)
			}
			for n, f := range faults {
				if !strings.HasPrefix(f.Error(), c.want[n]) {
					t.Errorf("%s: got\n%v\nwant\n%s", c.reason, f, c.want[n])
				}
			}
		})
	}
}

// The names of the revision before. (packages v1, Revisions)
func TestEarlierNames(t *testing.T) {
	i, err := decodeInstall("apiVersion: stacks.crossplane.io/v1alpha1\nkind: ClusterStackInstall\nspec: {package: a/b}\n")
	if err != nil || i.Kind != legacy.KindClusterPackageInstall || i.APIVersion != legacy.APIVersion {
		t.Errorf("got %+v, %v", i, err)
	}
	for _, c := range [][4]string{
		{"stacks.crossplane.io/v1alpha1", "StackInstall", legacy.APIVersion, "PackageInstall"},
		{"stacks.crossplane.io/v1alpha1", "Stack", legacy.APIVersion, "Package"},
		{"stacks.crossplane.io/v1alpha1", "StackDefinition", legacy.APIVersion, "StackDefinition"},
		{"stacks.crossplane.io/v1alpha1", "Pod", "stacks.crossplane.io/v1alpha1", "Pod"},
		{legacy.APIVersion, "PackageInstall", legacy.APIVersion, "PackageInstall"},
		{"v1", "Stack", "v1", "Stack"},
		{legacy.APIVersion, "LegacyPackage", legacy.APIVersion, "Package"},
	} {
		if v, k := legacy.Current(c[0], c[1]); v != c[2] || k != c[3] {
			t.Errorf("%s %s is %s %s today", c[0], c[1], v, k)
		}
	}
}

// An index answers both ways, and a package can be asked for by a kind. (packages v1,
// Terminology and Dependency Resolution)
func TestIndex(t *testing.T) {
	var x legacy.Index
	mysql, _ := read(t, full+crd("MySQL", "v1"), nil)
	redis, _ := read(t, full+crd("Redis", "v1")+"---\n"+crd("MySQL", "v2"), nil)
	x.Add("acme/mysql:v1", redis)
	x.Add("acme/mysql:v1", mysql)
	x.Add("acme/all:v1", redis)
	if kinds := x.Kinds("acme/mysql:v1"); len(kinds) != 1 || kinds[0].Kind != "MySQL" || x.Kinds("acme/none") != nil {
		t.Errorf("got %v", kinds)
	}
	cases := map[string]struct {
		reason, crd string
		want        []string
		is          error
	}{
		"Plural":   {"by the plural, as the document has it", "mysqls.example.org/v1", []string{"acme/mysql:v1"}, nil},
		"Kind":     {"by the kind", "Redis.example.org/v1", []string{"acme/all:v1"}, nil},
		"Version":  {"the version counts", "MySQL.example.org/v2", []string{"acme/all:v1"}, nil},
		"Glob":     {"a glob is for all kinds of the group", "*.example.org/v1", []string{"acme/all:v1", "acme/mysql:v1"}, meta.ErrInvalid},
		"Nobody":   {"nobody brings it", "a.example.org/v1", nil, meta.ErrNotFound},
		"OtherGit": {"another group", "mysqls.example.com/v1", nil, meta.ErrNotFound},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			ref, err := meta.ParseCRDRef(c.crd)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(c.want, x.Packages(ref)); diff != "" {
				t.Errorf("%s: %s", c.reason, diff)
			}
			image, err := x.Find(install("PackageInstall", "source: a.io\ncrd: '"+c.crd+"'"), "")
			if c.is != nil {
				var owner *legacy.OwnerError
				if !errors.As(err, &owner) || !errors.Is(err, c.is) || len(owner.Packages) != len(c.want) {
					t.Errorf("%s: got %v", c.reason, err)
				}
				return
			}
			if err != nil || image != "a.io/"+c.want[0] {
				t.Errorf("%s: got %s, %v", c.reason, image, err)
			}
		})
	}
	var none *legacy.Index
	if image, err := none.Find(install("PackageInstall", "package: a/b"), "own.io"); err != nil || image != "own.io/a/b" {
		t.Errorf("got %s, %v", image, err)
	}
}
