package meta_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
)

func TestDecodeEveryVersion(t *testing.T) {
	for _, group := range []string{meta.Group, meta.GroupIBM} {
		for _, k := range meta.Kinds() {
			for _, version := range meta.Versions(group, k) {
				controller := ""
				if k == meta.Provider {
					controller = ", controller: {image: 'a/b-controller:v1'}"
				}
				data := spec(t, group+"/"+version, string(k), "{crossplane: {version: '>=v1.0.0'}, dependsOn: [{provider: a/b, version: v1.0.0}]"+controller+"}")
				p := decode(t, data)
				if p.APIVersion != group+"/"+version || p.Kind != k || p.Name != "x" || p.Group() != group ||
					p.Crossplane.String() != ">=v1.0.0" || len(p.DependsOn) != 1 || len(p.Unknown) != 0 {
					t.Errorf("%s/%s %s is read as %+v", group, version, k, p)
				}
				checkRoundTrip(t, data, p)
			}
		}
	}
}

// TestDecodeFormatV2 reads the exhaustive examples of package format v2, "The
// Packaged Format".
func TestDecodeFormatV2(t *testing.T) {
	data := fromYAML(t, `
apiVersion: meta.pkg.ibm.crossplane.io/v1alpha1
kind: Provider
metadata:
  name: provider-example
  labels: {tier: gold}
  annotations:
    company: Upbound
    maintainer: Nic Cope <negz@upbound.io>
    license: Apache-2.0
spec:
  controller:
    image: example/provider-example:v0.1.0
  crossplane: v0.13.0
  dependsOn:
  - provider: example/provider-uncommon
    version: v0.1.0
  - configuration: example/some-dependency
    version: v0.2.0
  permissionRequests:
  - apiGroups:
    - otherpackage.example.com
    resources:
    - otherresource
    - otherresource/status
    verbs:
    - "*"
`)
	p := decode(t, data)
	checkRoundTrip(t, data, p)
	if v, ok := p.Crossplane.Exact(); !ok || v.Tag() != "v0.13.0" {
		t.Errorf("a plain string at spec.crossplane is %v, %v, want that exact version", v, ok)
	}
	if p.Controller == nil || p.Controller.Image != "example/provider-example:v0.1.0" {
		t.Errorf("spec.controller is %+v", p.Controller)
	}
	if diff := cmp.Diff([]meta.PermissionRequest{{
		APIGroups: []string{"otherpackage.example.com"},
		Resources: []string{"otherresource", "otherresource/status"},
		Verbs:     []string{"*"},
	}}, p.Permissions()); diff != "" {
		t.Errorf("permission requests (-want +got):\n%s", diff)
	}
	if d := p.DependsOn[0]; d.APIVersion != "pkg.ibm.crossplane.io/v1" || d.Kind != "Provider" || d.Package.String() != "example/provider-uncommon" {
		t.Errorf("the first dependency is %+v", d)
	}
	if d := p.DependsOn[1]; d.Kind != "Configuration" || d.Index != 1 || d.Path("version").String() != "spec.dependsOn[1].version" {
		t.Errorf("the second dependency is %+v", d)
	}
	if p.Labels["tier"] != "gold" || p.Annotations["company"] != "Upbound" {
		t.Errorf("labels %v, annotations %v", p.Labels, p.Annotations)
	}
}

// TestFormatV2Required has what package format v2 says "Required" of. Of the
// other group, which knows more ways, nothing is required.
func TestFormatV2Required(t *testing.T) {
	for _, tt := range []struct{ reason, kind, rest, want string }{
		{"metadata", "Configuration", "spec: {}", "metadata: missing, want the metadata of the package (package format v2 requires it)"},
		{"spec", "Configuration", "metadata: {name: x}", "spec: missing, want the spec of the package (package format v2 requires it)"},
		{"the controller", "Provider", "metadata: {name: x}, spec: {}", "spec.controller: missing, want the controller of the provider (package format v2 requires it)"},
		{"its image", "Provider", "metadata: {name: x}, spec: {controller: {image: ''}}", "spec.controller.image: missing, want the image of the controller (package format v2 requires it)"},
		{"the version of a dependency", "Configuration", "metadata: {name: x}, spec: {dependsOn: [{provider: a/b}, {configuration: a/c, version: v1}]}",
			"spec.dependsOn[0].version: missing, want the tag of the dependency (package format v2 requires it)"},
		{"the name", "Configuration", "metadata: {}, spec: {}", "metadata.name: missing, want the name of the package (package format v2 requires it)"},
		{"the version of a dependency on nothing", "Configuration", "metadata: {name: x}, spec: {dependsOn: [{}]}",
			"spec.dependsOn[0]: missing, want one of provider, configuration, function, or apiVersion, kind and package (it does not say what it depends on); " +
				"spec.dependsOn[0].version: missing, want the tag of the dependency (package format v2 requires it)"},
		{"nothing else", "Configuration", "metadata: {name: x}, spec: {}", ""},
		{"a fault of another sort is reported once", "Provider", "metadata: {name: x}, spec: {controller: 1}", "spec.controller: the number 1 is not an object"},
		{"and so is one of the spec", "Provider", "metadata: {name: x}, spec: 1", "spec: the number 1 is not an object"},
	} {
		data := fromYAML(t, "{apiVersion: meta.pkg.ibm.crossplane.io/v1alpha1, kind: "+tt.kind+", "+tt.rest+"}")
		p, err := meta.Decode(data)
		if got := errorText(err); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
		checkRoundTrip(t, data, p)

		data = fromYAML(t, "{apiVersion: meta.pkg.crossplane.io/v1alpha1, kind: "+tt.kind+", "+tt.rest+"}")
		if _, err := meta.Decode(data); strings.Contains(errorText(err), "package format v2") {
			t.Errorf("%s is required of %s: %v", tt.reason, meta.Group, err)
		}
	}
}

// TestFormatV2Spellings: "This key may be either 'provider' or 'configuration'".
func TestFormatV2Spellings(t *testing.T) {
	const required = "spec.dependsOn[0].version: missing, want the tag of the dependency (package format v2 requires it)"
	for _, tt := range []struct{ reason, entry, key, more string }{
		{"a configuration", "{configuration: a/b, version: v1}", "", ""},
		{"functions came later", "{function: a/b, version: v1}", "function", ""},
		{"so did packages of any kind, which need a version as well", "{package: a/b}", "package", required},
		{"with their apiVersion and kind", "{package: a/b, apiVersion: a/v1, kind: B, version: v1}", "package", ""},
		{"kinds are of another design", "{crd: a.b/v1}", "crd", ""},
		{"so is Crossplane", "{crossplane: '>=v1'}", "crossplane", ""},
	} {
		data := fromYAML(t, "{apiVersion: meta.pkg.ibm.crossplane.io/v1alpha1, kind: Configuration, metadata: {name: x}, spec: {dependsOn: ["+tt.entry+"]}}")
		p, err := meta.Decode(data)
		var want []string
		if tt.key != "" {
			want = append(want, "spec.dependsOn[0]."+tt.key+": package format v2 has no such field: a dependency has provider or configuration")
		}
		if tt.more != "" {
			want = append(want, tt.more)
		}
		if got := errorText(err); got != strings.Join(want, "; ") {
			t.Errorf("%s: got %q, want %q", tt.reason, got, want)
		}
		checkRoundTrip(t, data, p)
	}
}

// TestFieldsOfOtherKinds: a field that the kind, or the format, does not have is
// unknown there.
func TestFieldsOfOtherKinds(t *testing.T) {
	for _, tt := range []struct{ reason, apiVersion, kind, spec, unknown string }{
		{"a Configuration has no controller", "meta.pkg.crossplane.io/v1", "Configuration", "{controller: {image: a}}", "spec.controller"},
		{"nor has a Function", "meta.pkg.crossplane.io/v1", "Function", "{controller: {image: a}}", "spec.controller"},
		{"a Configuration requests no permissions", "meta.pkg.ibm.crossplane.io/v1alpha1", "Configuration", "{permissionRequests: []}", "spec.permissionRequests"},
		{"a Function has an image", "meta.pkg.crossplane.io/v1", "Function", "{image: 'a/b:v1'}", ""},
		{"a Provider has none besides its controller's", "meta.pkg.crossplane.io/v1", "Provider", "{image: 'a/b:v1'}", "spec.image"},
		{"every kind has capabilities", "meta.pkg.crossplane.io/v1", "Configuration", "{capabilities: [a]}", ""},
		{"but none in package format v2", "meta.pkg.ibm.crossplane.io/v1alpha1", "Configuration", "{capabilities: [a]}", "spec.capabilities"},
		{"the field ignore is gone since format 2.1", "meta.pkg.ibm.crossplane.io/v1alpha1", "Configuration", "{ignore: [a]}", "spec.ignore"},
		{"dependencies have no options of installing", "meta.pkg.crossplane.io/v1", "Configuration", "{dependsOn: [{package: a/b, imagePullSecrets: []}]}", "spec.dependsOn[0].imagePullSecrets"},
	} {
		data := spec(t, tt.apiVersion, tt.kind, tt.spec)
		p := decode(t, data)
		var got []string
		for _, u := range p.Unknown {
			got = append(got, u.Path.String())
		}
		if strings.Join(got, " ") != tt.unknown {
			t.Errorf("%s: unknown are %v, want %s", tt.reason, got, tt.unknown)
		}
		checkRoundTrip(t, data, p)
	}
}

// TestDecodeGuide reads the examples of the packages guide, "Provider Packages"
// and "Configuration Packages".
func TestDecodeGuide(t *testing.T) {
	data := fromYAML(t, `
apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: provider-gcp
spec:
  crossplane:
    version: ">=v1.0.0"
  controller:
    image: crossplane/provider-gcp-controller:v0.14.0
    permissionRequests:
    - apiGroups: [apiextensions.crossplane.io]
      resources: [compositions]
      verbs: [get, list, create, update, patch, watch]
    - apiGroups: [""]
      resources: [secrets]
      resourceNames: [token]
      verbs: [get]
    - nonResourceURLs: [/metrics]
      verbs: [get]
`)
	p := decode(t, data)
	checkRoundTrip(t, data, p)
	if _, exact := p.Crossplane.Exact(); exact || p.Crossplane.String() != ">=v1.0.0" {
		t.Errorf("spec.crossplane is %v", p.Crossplane)
	}
	r := p.Permissions()
	if len(r) != 3 || r[1].ResourceNames[0] != "token" || r[2].NonResourceURLs[0] != "/metrics" || p.PermissionRequests != nil {
		t.Errorf("permission requests are %+v", r)
	}

	data = fromYAML(t, `
apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata: {name: my-org-infra}
spec:
  crossplane: {version: ">=v1.0.0"}
  dependsOn:
  - {provider: crossplane/provider-gcp, version: ">=v0.14.0"}
`)
	p = decode(t, data)
	checkRoundTrip(t, data, p)
	if d := p.DependsOn[0]; d.Kind != "Provider" || d.APIVersion != "pkg.crossplane.io/v1" || d.Constraint.String() != ">=v0.14.0" || d.Spelling != meta.SpellingProvider {
		t.Errorf("the dependency is %+v", d)
	}
}

func TestDecodeDependencies(t *testing.T) {
	type want struct {
		apiVersion, kind, pkg, constraint string
		spelling                          meta.Spelling
		crd                               meta.CRDRef
	}
	for _, tt := range []struct {
		reason string
		entry  string
		want   want
	}{
		{"the sugar for a provider", "{provider: a/b, version: '>=v1'}",
			want{"pkg.crossplane.io/v1", "Provider", "a/b", ">=v1", meta.SpellingProvider, meta.CRDRef{}}},
		{"the sugar for a configuration", "{configuration: a/b, version: v1.2.3}",
			want{"pkg.crossplane.io/v1", "Configuration", "a/b", "v1.2.3", meta.SpellingConfiguration, meta.CRDRef{}}},
		{"the sugar for a function", "{function: a/b, version: '*'}",
			want{"pkg.crossplane.io/v1", "Function", "a/b", "*", meta.SpellingFunction, meta.CRDRef{}}},
		{"everything spelled out", "{apiVersion: pkg.crossplane.io/v1beta1, kind: Function, package: a/b, version: ^1.2}",
			want{"pkg.crossplane.io/v1beta1", "Function", "a/b", "^1.2", meta.SpellingPackage, meta.CRDRef{}}},
		{"a kind that this library has never heard of", "{apiVersion: pkg.upbound.io/v1beta1, kind: AddOn, package: x.io/a/b, version: v1}",
			want{"pkg.upbound.io/v1beta1", "AddOn", "x.io/a/b", "v1", meta.SpellingPackage, meta.CRDRef{}}},
		{"the package alone, of the packages v2 design", "{package: a/b, version: '>=v1'}",
			want{"", "", "a/b", ">=v1", meta.SpellingPackage, meta.CRDRef{}}},
		{"a kind, of the packages v2 design", "{crd: mytype.mygroup.example.org/v1alpha1}",
			want{spelling: meta.SpellingCRD, crd: meta.CRDRef{Name: "mytype", Group: "mygroup.example.org", Version: "v1alpha1"}}},
		{"all kinds of a group, as in packages v1", "{crd: '*.yourstack.example.org/v1alpha1'}",
			want{spelling: meta.SpellingCRD, crd: meta.CRDRef{Name: "*", Group: "yourstack.example.org", Version: "v1alpha1"}}},
		{"Crossplane, of the packages v2 design", "{crossplane: '>=v0.13.0'}",
			want{constraint: ">=v0.13.0", spelling: meta.SpellingCrossplane}},
		{"a digest is a version", "{provider: a/b, version: '" + digest + "'}",
			want{"pkg.crossplane.io/v1", "Provider", "a/b", digest, meta.SpellingProvider, meta.CRDRef{}}},
		{"no version is any version", "{provider: a/b}",
			want{"pkg.crossplane.io/v1", "Provider", "a/b", "", meta.SpellingProvider, meta.CRDRef{}}},
		{"an empty version is any version", "{provider: a/b, version: ''}",
			want{"pkg.crossplane.io/v1", "Provider", "a/b", "", meta.SpellingProvider, meta.CRDRef{}}},
		{"a version that is null is any version", "{provider: a/b, version: null}",
			want{"pkg.crossplane.io/v1", "Provider", "a/b", "", meta.SpellingProvider, meta.CRDRef{}}},
		{"a name that is null is absent", "{provider: null, function: a/b}",
			want{"pkg.crossplane.io/v1", "Function", "a/b", "", meta.SpellingFunction, meta.CRDRef{}}},
	} {
		data := spec(t, "meta.pkg.crossplane.io/v1", "Configuration", "{dependsOn: ["+tt.entry+"]}")
		p, err := meta.Decode(data)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		d := p.DependsOn[0]
		got := want{d.APIVersion, d.Kind, d.Package.String(), d.Constraint.String(), d.Spelling, d.CRD}
		if got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.reason, got, tt.want)
		}
		checkRoundTrip(t, data, p)
	}
}

func TestDecodeCRDObject(t *testing.T) {
	data := spec(t, "meta.pkg.crossplane.io/v1", "Configuration", "{dependsOn: [{crd: {apiVersion: a.example.org/v1, kind: Thing}}]}")
	p := decode(t, data)
	if got := p.DependsOn[0].CRD.String(); got != "Thing.a.example.org/v1" {
		t.Errorf("the kind is %s", got)
	}
	checkRoundTrip(t, data, p)
}

// TestDecodeBareVersion: in package format v2 a version "is currently treated as a
// specific version tag"; later metadata has ranges only.
func TestDecodeBareVersion(t *testing.T) {
	for _, tt := range []struct {
		reason, apiVersion, version string
		exact                       string // "" for a range
	}{
		{"a full version of v1 is a range", "meta.pkg.crossplane.io/v1", "v1.0.0", ""},
		{"a partial version of v1 is a range", "meta.pkg.crossplane.io/v1", "v1", ""},
		{"a full version of v1beta1 is a range", "meta.pkg.crossplane.io/v1beta1", "v1.0.0", ""},
		{"a full version of v1alpha1 is a tag", "meta.pkg.crossplane.io/v1alpha1", "v1.0.0", "v1.0.0"},
		{"a partial version of v1alpha1 is a tag", "meta.pkg.crossplane.io/v1alpha1", "v0", "v0"},
		{"a word of v1alpha1 is a tag", "meta.pkg.crossplane.io/v1alpha1", "latest", "latest"},
		{"a word of the IBM group is a tag", "meta.pkg.ibm.crossplane.io/v1alpha1", "master", "master"},
		{"a date of v1alpha1 is a tag", "meta.pkg.crossplane.io/v1alpha1", "2020-11-03", "2020-11-03"},
		{"a version with build metadata of v1alpha1 is a tag", "meta.pkg.crossplane.io/v1alpha1", "v1.0.0+a.b", "v1.0.0+a.b"},
		{"an operator makes a range of v1alpha1", "meta.pkg.crossplane.io/v1alpha1", ">=v1.0.0", ""},
		{"a caret makes a range of v1alpha1", "meta.pkg.crossplane.io/v1alpha1", "^1", ""},
		{"so does a star", "meta.pkg.crossplane.io/v1alpha1", "*", ""},
		{"so does a wildcard", "meta.pkg.crossplane.io/v1alpha1", "v1.x", ""},
		{"so does a hyphen between spaces", "meta.pkg.ibm.crossplane.io/v1alpha1", "1.0.0 - 2.0.0", ""},
		{"a digest of v1alpha1 is a digest", "meta.pkg.crossplane.io/v1alpha1", digest, digest},
	} {
		data := spec(t, tt.apiVersion, "Configuration", "{dependsOn: [{provider: a/b, version: '"+tt.version+"'}]}")
		p, err := meta.Decode(data)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		v, ok := p.DependsOn[0].Constraint.Exact()
		if ok != (tt.exact != "") || v.String() != tt.exact {
			t.Errorf("%s: Exact() = %v, %v, want %q", tt.reason, v, ok, tt.exact)
		}
		checkRoundTrip(t, data, p)
	}
}

func TestDecodeNothingAskedOfCrossplane(t *testing.T) {
	for _, s := range []string{"{}", "{crossplane: null}", "{crossplane: {}}", "{crossplane: {version: null}}", "{crossplane: {version: ''}}", "{crossplane: ''}", "null"} {
		data := spec(t, "meta.pkg.crossplane.io/v1", "Provider", s)
		p := decode(t, data)
		if !p.Crossplane.IsZero() {
			t.Errorf("spec %s: spec.crossplane is %q, want nothing", s, p.Crossplane)
		}
		checkRoundTrip(t, data, p)
	}
}

func TestDecodeUnknownFields(t *testing.T) {
	data := []byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider",
		"metadata":{"namespace":"n","name":"x","creationTimestamp":null},
		"spec":{"dependOn":[1, 2],"image":"not of a provider","crossplane":{"version":">=v1","Version":9007199254740993},
			"dependsOn":[{"provider":"a/b","version":"v1","optional":true}],
			"controller":{"env":{"A":"1"},"permissionRequests":[{"verbs":["get"],"apiGroup":"x"}]}},
		"status":{"n":12345678901234567890123,"f":1.10e+2}}`)
	p := decode(t, data)
	var got []string
	for _, u := range p.Unknown {
		got = append(got, u.Path.String()+" = "+string(u.JSON))
	}
	want := []string{
		`metadata.namespace = "n"`,
		`metadata.creationTimestamp = null`,
		`spec.dependOn = [1, 2]`,
		`spec.image = "not of a provider"`,
		`spec.crossplane.Version = 9007199254740993`,
		`spec.dependsOn[0].optional = true`,
		`spec.controller.env = {"A":"1"}`,
		`spec.controller.permissionRequests[0].apiGroup = "x"`,
		`status = {"n":12345678901234567890123,"f":1.10e+2}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unknown fields (-want +got):\n%s", diff)
	}
	checkRoundTrip(t, data, p)
}
