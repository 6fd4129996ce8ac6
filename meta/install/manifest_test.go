package install_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func ptr[T any](v T) *T { return &v }

// texts returns the text of every fault, in order.
func texts(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var faults meta.FieldErrors
	if !errors.As(err, &faults) {
		t.Fatalf("error is %T (%v), want meta.FieldErrors", err, err)
	}
	if !errors.Is(err, meta.ErrInvalid) {
		t.Errorf("errors.Is(%v, meta.ErrInvalid) is false", err)
	}
	var all []string
	for _, f := range faults {
		all = append(all, f.Error())
	}
	return all
}

func diff(t *testing.T, what string, want, got any) {
	if reflect.DeepEqual(want, got) {
		return // cmp takes a hundred times as long
	}
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("%s: -want +got:\n%s", what, d)
	}
}

// value reads JSON for comparison.
func value(t *testing.T, data []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

func TestNew(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		kind   meta.Kind
		ref    string
		want   string
		errs   []string
	}{
		"Provider": {
			reason: "packages guide, Installing a Package: the Provider that install provider creates, with the reference that was asked for (the guide prints another tag)",
			kind:   meta.Provider,
			ref:    "crossplane/provider-gcp:v0.12.0",
			want: `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"provider-gcp"},` +
				`"spec":{"package":"crossplane/provider-gcp:v0.12.0","packagePullPolicy":"IfNotPresent",` +
				`"revisionActivationPolicy":"Automatic","revisionHistoryLimit":1}}`,
		},
		"Configuration": {
			reason: "packages guide, Installing a Package: the Configuration that install configuration creates",
			kind:   meta.Configuration,
			ref:    "crossplane/my-org-infra:v0.1.0",
			want: `{"apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"my-org-infra"},` +
				`"spec":{"package":"crossplane/my-org-infra:v0.1.0","packagePullPolicy":"IfNotPresent",` +
				`"revisionActivationPolicy":"Automatic","revisionHistoryLimit":1}}`,
		},
		"Function": {
			reason: "xpkg specification 2026, Function Package Requirements: functions are installed like the others, by digest too",
			kind:   meta.Function,
			ref:    "xpkg.upbound.io:443/a/b/function-patch@" + digest,
			want: `{"apiVersion":"pkg.crossplane.io/v1","kind":"Function","metadata":{"name":"function-patch"},` +
				`"spec":{"package":"xpkg.upbound.io:443/a/b/function-patch@` + digest + `","packagePullPolicy":"IfNotPresent",` +
				`"revisionActivationPolicy":"Automatic","revisionHistoryLimit":1}}`,
		},
		"NeitherKindNorReference": {
			reason: "all faults come at once",
			kind:   "Stack",
			ref:    "Crossplane/Provider",
			errs: []string{
				`apiVersion: "pkg.crossplane.io/v1 Stack" is not a Provider, Configuration or Function of pkg.crossplane.io`,
				`spec.package: "Crossplane/Provider" is not an image reference (its path may hold lower case letters, digits and _ - . / only)`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := install.New(tc.kind, tc.ref)
			diff(t, tc.reason, tc.errs, texts(t, err))
			if err != nil {
				return
			}
			got, err := m.Encode()
			if err != nil {
				t.Fatal(err)
			}
			diff(t, tc.reason, tc.want, string(got))
			diff(t, "a new manifest is valid", nil, m.Validate())
		})
	}
}

func TestDefault(t *testing.T) {
	const reason = "packages guide, spec.packagePullPolicy to spec.ignoreCrossplaneConstraints: the default of each field"
	m := &install.Manifest{}
	m.Default()
	diff(t, reason, install.ManifestSpec{
		PackagePullPolicy:           install.PullIfNotPresent,
		RevisionActivationPolicy:    install.ActivateAutomatic,
		RevisionHistoryLimit:        ptr(int64(1)),
		SkipDependencyResolution:    ptr(false),
		IgnoreCrossplaneConstraints: ptr(false),
	}, m.Spec)

	set := install.ManifestSpec{
		PackagePullPolicy:           install.PullNever,
		RevisionActivationPolicy:    install.ActivateManual,
		RevisionHistoryLimit:        ptr(int64(0)),
		SkipDependencyResolution:    ptr(true),
		IgnoreCrossplaneConstraints: ptr(true),
	}
	m.Spec = set
	m.Default()
	diff(t, "what is set stays, zero limits too", set, m.Spec)

	design := &install.Package{}
	design.Default()
	diff(t, "packages v2 design, Package API: the two defaults that it names", install.PackageSpec{
		RevisionActivationPolicy: ptr(install.ActivateAutomatic),
		RevisionHistoryLimit:     ptr(int64(1)),
	}, design.Spec)
}

func TestEffective(t *testing.T) {
	for name, tc := range map[string]struct {
		reason  string
		spec    install.ManifestSpec
		limit   int64
		all     bool
		resolve bool
		ignore  bool
	}{
		"Absent": {
			reason:  "packages guide, spec.revisionHistoryLimit (default 1), spec.skipDependencyResolution and spec.ignoreCrossplaneConstraints (default false)",
			limit:   1,
			resolve: true,
		},
		"Zero": {
			reason:  "packages guide, spec.revisionHistoryLimit: disabled by explicitly setting to 0",
			spec:    install.ManifestSpec{RevisionHistoryLimit: ptr(int64(0)), SkipDependencyResolution: ptr(false)},
			all:     true,
			resolve: true,
		},
		"Set": {
			reason: "packages guide, spec.skipDependencyResolution and spec.ignoreCrossplaneConstraints",
			spec: install.ManifestSpec{
				RevisionHistoryLimit: ptr(int64(3)), SkipDependencyResolution: ptr(true), IgnoreCrossplaneConstraints: ptr(true),
			},
			limit:  3,
			ignore: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			limit, all := tc.spec.HistoryLimit()
			diff(t, tc.reason, tc.limit, limit)
			diff(t, tc.reason, tc.all, all)
			diff(t, tc.reason, tc.resolve, tc.spec.ResolvesDependencies())
			diff(t, tc.reason, tc.ignore, tc.spec.IgnoresCrossplane())
		})
	}
}

func TestIgnoreCrossplaneConstraints(t *testing.T) {
	const reason = "packages guide, spec.ignoreCrossplaneConstraints: installed without considering the version of Crossplane"
	range1, err := meta.ParseConstraint(">=v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	old, err := meta.ParseVersion("v0.14.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, ignore := range []bool{false, true} {
		m := install.Manifest{Spec: install.ManifestSpec{IgnoreCrossplaneConstraints: &ignore}}
		verdict := meta.Compatible(old, m.Spec.IgnoresCrossplane(), range1)
		diff(t, reason, ignore, verdict.Allowed)
	}
}

func TestValidateManifest(t *testing.T) {
	const pullPolicies = `a pull policy: IfNotPresent, Always or Never`
	for name, tc := range map[string]struct {
		reason string
		json   string
		want   []string
	}{
		"EveryField": {
			reason: "packages guide, Installing a Package: every documented field",
			json: `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"provider-aws"},"spec":{` +
				`"package":"crossplane/provider-aws:v0.15.0","packagePullPolicy":"Always","packagePullSecrets":[{"name":"a"},{"name":"b.c"}],` +
				`"revisionActivationPolicy":"Manual","revisionHistoryLimit":0,"skipDependencyResolution":true,` +
				`"ignoreCrossplaneConstraints":false,"controllerConfigRef":{"name":"aws-config"}}}`,
		},
		"IBM": {
			reason: "package format v2, The Packaged Format: the custom resource is in the group pkg.ibm.crossplane.io",
			json:   `{"apiVersion":"pkg.ibm.crossplane.io/v1alpha1","kind":"Configuration","metadata":{"name":"a"},"spec":{"package":"a/b:v1"}}`,
		},
		"IBMFunction": {
			reason: "package format v2, The Packaged Format: it knows Providers and Configurations",
			json:   `{"apiVersion":"pkg.ibm.crossplane.io/v1","kind":"Function","metadata":{"name":"a"},"spec":{"package":"a/b:v1"}}`,
			want:   []string{`apiVersion: "pkg.ibm.crossplane.io/v1 Function" is not a Provider or Configuration of pkg.ibm.crossplane.io`},
		},
		"MetaGroup": {
			reason: "packages guide, Installing a Package: these types differ from those of meta.pkg.crossplane.io",
			json:   `{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b:v1"}}`,
			want: []string{`apiVersion: "meta.pkg.crossplane.io/v1 Provider" is not a Provider, Configuration or Function of pkg.crossplane.io ` +
				`(this group describes what is in a package; the one that installs it is pkg.crossplane.io)`},
		},
		"UnknownVersion": {
			reason: "a version that does not exist is named beside those that do",
			json:   `{"apiVersion":"pkg.crossplane.io/v2","kind":"Function","metadata":{"name":"a"},"spec":{"package":"a/b:v1"}}`,
			want:   []string{`apiVersion: "pkg.crossplane.io/v2 Function" is not a known version of Function: pkg.crossplane.io/v1, pkg.crossplane.io/v1beta1`},
		},
		"NoKind": {
			reason: "a missing apiVersion and kind is said to be missing",
			json:   `{"metadata":{"name":"a"},"spec":{"package":"a/b:v1"}}`,
			want:   []string{`apiVersion: missing, want a Provider, Configuration or Function of pkg.crossplane.io`},
		},
		"NoPackage": {
			reason: "packages guide, spec.package",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{},"spec":{}}`,
			want:   []string{`metadata.name: missing, want the name of an object`, `spec.package: missing, want an image reference`},
		},
		"AutomaticPullPolicy": {
			reason: "packages guide, spec.revisionActivationPolicy: its packagePullPolicy: Automatic is a slip; spec.packagePullPolicy has the three that are valid",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b:latest","packagePullPolicy":"Automatic"}}`,
			want:   []string{`spec.packagePullPolicy: "Automatic" is not ` + pullPolicies + ` (it is a revisionActivationPolicy)`},
		},
		"PullPolicyCase": {
			reason: "packages guide, spec.packagePullPolicy: values are compared as they are",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b:latest","packagePullPolicy":"always"}}`,
			want:   []string{`spec.packagePullPolicy: "always" is not ` + pullPolicies},
		},
		"ActivationPolicy": {
			reason: "packages guide, spec.revisionActivationPolicy: Automatic or Manual",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b:latest","revisionActivationPolicy":"Never"}}`,
			want:   []string{`spec.revisionActivationPolicy: "Never" is not an activation policy: Automatic or Manual (it is a packagePullPolicy)`},
		},
		"NegativeLimit": {
			reason: "packages guide, spec.revisionHistoryLimit: a number of revisions is not negative; 0 disables it",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b:latest","revisionHistoryLimit":-1}}`,
			want:   []string{`spec.revisionHistoryLimit: the number -1 is not a number of revisions from 0 (0 keeps all)`},
		},
		"ControllerConfigOfConfiguration": {
			reason: "packages guide, spec.controllerConfigRef: only available when installing a Provider",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"a"},"spec":{"package":"a/b:v1","controllerConfigRef":{"name":"x"}}}`,
			want:   []string{`spec.controllerConfigRef: only a Provider has this field, and the object is a Configuration`},
		},
		"ControllerConfigOfFunction": {
			reason: "packages guide, spec.controllerConfigRef: only available when installing a Provider; and its name is a name",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Function","metadata":{"name":"a"},"spec":{"package":"a/b:v1","controllerConfigRef":{}}}`,
			want: []string{
				`spec.controllerConfigRef: only a Provider has this field, and the object is a Function`,
				`spec.controllerConfigRef.name: missing, want the name of an object`,
			},
		},
		"Secrets": {
			reason: "packages guide, spec.packagePullSecrets: a slice of Secret names",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b:v1","packagePullSecrets":[{"name":"ok"},{},{"name":"No_Name"},"plain"]}}`,
			want: []string{
				`spec.packagePullSecrets[1].name: missing, want the name of an object`,
				`spec.packagePullSecrets[2].name: "No_Name" is not the name of an object (it may hold lower case letters, digits, - and ., and begins and ends with a letter or digit)`,
				`spec.packagePullSecrets[3]: "plain" is not an object`,
			},
		},
		"GitSource": {
			reason: "packages v2 design, Package API: \"either an OCI image or a Git source\"; recognised and refused",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"https://github.com/crossplane/provider-gcp.git#main"}}`,
			want: []string{`spec.package: "https://github.com/crossplane/provider-gcp.git#main" is not an image reference ` +
				`(packages cannot be installed from Git sources: push the package to a registry)`},
		},
		"CachedFile": {
			reason: "packages guide, Pre-Populating the Package Cache: the name of the package in the cache",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"my-cool-pkg"},"spec":{"package":"mycoolpkg","packagePullPolicy":"Never"}}`,
		},
		"CachedFileNoReference": {
			reason: "packages guide, Pre-Populating the Package Cache: with Never it need not be an image reference",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"my-cool-pkg"},"spec":{"package":"My_Cool-Pkg.2","packagePullPolicy":"Never"}}`,
		},
		"CachedFileIsNoName": {
			reason: "packages guide, Pre-Populating the Package Cache: the name of the package, which is no sentence",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"a"},"spec":{"package":"my cool pkg!","packagePullPolicy":"Never"}}`,
			want:   []string{`spec.package: "my cool pkg!" is not an image reference or the name of a cached package (its path may hold lower case letters, digits and _ - . / only)`},
		},
		"CachedFileHidden": {
			reason: "packages guide, Pre-Populating the Package Cache: an option or a hidden file is no package",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"a"},"spec":{"package":".Pkg","packagePullPolicy":"Never"}}`,
			want:   []string{`spec.package: ".Pkg" is not an image reference or the name of a cached package (its path may hold lower case letters, digits and _ - . / only)`},
		},
		"CachedReferenceEscapes": {
			reason: "a reference to the cache does not leave the cache, though every letter of it may be in a reference",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"a"},"spec":{"package":"../../etc/passwd","packagePullPolicy":"Never"}}`,
			want:   []string{`spec.package: "../../etc/passwd" is not an image reference or the name of a cached package (it has the path element "..")`},
		},
		"ReferenceIsPath": {
			reason: "no registry has a repository of an absolute path",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"a"},"spec":{"package":"/etc/passwd:v1"}}`,
			want:   []string{`spec.package: "/etc/passwd:v1" is not an image reference (it has the path element "")`},
		},
		"CachedFileEscapes": {
			reason: "a name in the cache does not leave the cache",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","metadata":{"name":"a"},"spec":{"package":"../Secret","packagePullPolicy":"Never"}}`,
			want:   []string{`spec.package: "../Secret" is not an image reference or the name of a cached package (its path may hold lower case letters, digits and _ - . / only)`},
		},
		"AllAtOnce": {
			reason: "all faults of an object come at once, those of types and those of meaning, sorted by path",
			json: `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"-"},"spec":{"revisionHistoryLimit":"three",` +
				`"package":"a/b","packagePullPolicy":"x","skipDependencyResolution":"yes","ignoreCrossplaneConstraints":0,"package":5}}`,
			want: []string{
				`metadata.name: "-" is not the name of an object (it may hold lower case letters, digits, - and ., and begins and ends with a letter or digit)`,
				`spec.ignoreCrossplaneConstraints: the number 0 is not a boolean`,
				`spec.package: the field is there twice`,
				`spec.package: the number 5 is not a string`,
				`spec.packagePullPolicy: "x" is not ` + pullPolicies,
				`spec.revisionHistoryLimit: "three" is not an integer of 64 bits`,
				`spec.skipDependencyResolution: "yes" is not a boolean`,
			},
		},
		"HugeLimit": {
			reason: "numbers that do not fit are faults, not zeros",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b:v1","revisionHistoryLimit":9223372036854775808}}`,
			want:   []string{`spec.revisionHistoryLimit: the number 9223372036854775808 is not an integer of 64 bits`},
		},
		"NotJSON":   {reason: "no JSON", json: `{"a"`, want: []string{`unexpected end of JSON input`}},
		"NotUTF8":   {reason: "no text", json: "{\"a\":\"\xff\"}", want: []string{`the document is not UTF-8`}},
		"NoObject":  {reason: "no object", json: ` [] `, want: []string{`an array is not an object`}},
		"TwoValues": {reason: "one document", json: `{}{}`, want: []string{`invalid character '{' after top-level value`}},
		"LongText": {
			reason: "messages never quote more than a few dozen bytes of the input",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b:v1","packagePullPolicy":"` + strings.Repeat("A", 1<<16) + `"}}`,
			want:   []string{`spec.packagePullPolicy: "` + strings.Repeat("A", 60) + `…" is not ` + pullPolicies},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := install.DecodeManifest([]byte(tc.json))
			diff(t, tc.reason, tc.want, texts(t, err))
		})
	}
}

func TestDecodeManifestReturnsBoth(t *testing.T) {
	m, err := install.DecodeManifest([]byte(`{"apiVersion":"pkg.crossplane.io/v9","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b:v1","revisionHistoryLimit":true}}`))
	if m == nil || err == nil {
		t.Fatalf("DecodeManifest() = %v, %v, want both", m, err)
	}
	diff(t, "everything that could be read comes with the faults", "a/b:v1", m.Spec.Package)
	if m.Spec.RevisionHistoryLimit != nil {
		t.Error("a limit that could not be read is absent, not 0, which would keep all")
	}
	for reason, data := range map[string]string{
		"another kind":   `{"apiVersion":"pkg.crossplane.io/v1","kind":"Lock"}`,
		"no object":      `[]`,
		"a package's":    `{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider"}`,
		"nothing at all": ``,
	} {
		if m, err := install.DecodeManifest([]byte(data)); m != nil || err == nil {
			t.Errorf("%s: DecodeManifest(%s) = %v, %v, want nil and an error", reason, data, m, err)
		}
	}
}

func TestUnknownFields(t *testing.T) {
	const reason = "unknown fields are kept where they were read, listed with their paths, and written again in their order"
	const data = `{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a","generation":7,"zeta":null},` +
		`"spec":{"package":"a/b:v1","packagePullSecrets":[{"name":"s","new":[1.50]}],"runtimeConfigRef":{"name":"default"},"aaa":1},` +
		`"status":{"conditions":[{"type":"Healthy","status":"True","observedGeneration":3}],"currentRevision":"a-0"},"top":{}}`
	m, err := install.DecodeManifest([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range m.UnknownFields() {
		got = append(got, u.Path.String()+"="+string(u.JSON))
	}
	diff(t, reason, []string{
		"metadata.generation=7", "metadata.zeta=null", "spec.packagePullSecrets[0].new=[1.50]", `spec.runtimeConfigRef={"name":"default"}`,
		"spec.aaa=1", "status.conditions[0].observedGeneration=3", "top={}",
	}, got)
	again, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	diff(t, reason, data, string(again))

	byJSON, err := json.Marshal(struct{ M install.Manifest }{*m})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "encoding/json keeps them too", `{"M":`+data+`}`, string(byJSON))
	var back struct{ M install.Manifest }
	if err := json.Unmarshal(byJSON, &back); err != nil {
		t.Fatal(err)
	}
	diff(t, "encoding/json reads them too", *m, back.M)
	if err := json.Unmarshal([]byte(`{"spec":{"package":1}}`), &back.M); err == nil {
		t.Error("json.Unmarshal of a wrong type: no error")
	}

	m.Spec.Unknown = append(m.Spec.Unknown, install.Field{Name: "package", JSON: []byte(`1`)}, install.Field{Name: "broken", JSON: []byte(`{`)})
	_, err = m.Encode()
	diff(t, "an unknown field cannot hide a known one, nor break the document",
		[]string{"spec.broken: what it holds is not JSON", "spec.package: the field is there twice"}, texts(t, err))
}

func TestManifestKinds(t *testing.T) {
	const reason = "packages guide, Installing a Package; package format v2, The Packaged Format: groups and kinds, newest version first"
	diff(t, reason, "pkg.crossplane.io/v1", install.APIVersions(install.Group, meta.Provider)[0])
	diff(t, reason, "pkg.crossplane.io/v1", install.APIVersions(install.Group, meta.Configuration)[0])
	diff(t, reason, "pkg.crossplane.io/v1", install.APIVersions(install.Group, meta.Function)[0])
	diff(t, reason, "pkg.ibm.crossplane.io/v1", install.APIVersions(install.GroupIBM, meta.Provider)[0])
	diff(t, reason, 0, len(install.APIVersions(install.GroupIBM, meta.Function)))
	diff(t, reason, 0, len(install.APIVersions(meta.Group, meta.Provider)))
	diff(t, "packages guide, spec.package: ProviderRevision or ConfigurationRevision", "ProviderRevision", install.RevisionKind("Provider"))
}
