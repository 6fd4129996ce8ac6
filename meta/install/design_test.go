package install_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// Every field of the listings in the packages v2 design, with a value in each.
const (
	everyPackageField = `{"apiVersion":"packages.crossplane.io/v1beta1","kind":"Package",` +
		`"metadata":{"name":"p","uid":"u","labels":{"l":"1"},"annotations":{"a":"2"},"resourceVersion":"7","finalizers":["f"],` +
		`"ownerReferences":[{"apiVersion":"v1","kind":"K","name":"n","uid":"u","controller":true,"blockOwnerDeletion":false}]},` +
		`"spec":{"imagePullSecrets":[{"name":"s"}],"imagePullPolicy":"Always","serviceAccount":{"annotations":{"role":"arn"}},` +
		`"package":"crossplane/p:v1.0.0","revisionActivationPolicy":"Manual","revisionHistoryLimit":3},` +
		`"status":{"conditionedStatus":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2020-08-01T00:00:00Z","reason":"R","message":"M"}]},` +
		`"currentRevision":"c"}}`

	everyRevisionField = `{"apiVersion":"packages.crossplane.io/v1beta1","kind":"PackageRevision","metadata":{"name":"r"},` +
		`"spec":{"customResourceDefinitions":[{"apiVersion":"example.org/v1","kind":"Bucket"}],` +
		`"infrastructureDefinitions":[{"apiVersion":"example.org/v1","kind":"Net"}],` +
		`"infrastructurePublications":[{"apiVersion":"example.org/v1","kind":"NetRequirement"}],` +
		`"compositions":[{"apiVersion":"apiextensions.crossplane.io/v1alpha1","kind":"Composition"}],` +
		`"controller":{"serviceAccount":{"annotations":{"role":"arn"}},"deployment":{"name":"d","spec":{"replicas":1,"template":{}}}},` +
		`"installJobRef":{"apiVersion":"batch/v1","kind":"Job","namespace":"crossplane-system","name":"j","uid":"u","resourceVersion":"1","fieldPath":"spec"},` +
		`"permissions":{"rules":[{"verbs":["get"],"apiGroups":["apps"],"resources":["deployments"],"resourceNames":["x"]},{"verbs":["get"],"nonResourceURLs":["/healthz"]}]},` +
		`"dependsOn":[{"package":"crossplane/a","version":">=v1.0.0"},{"crd":"bucket.s3.example.org/v1beta1"},{"crossplane":">=v0.13.0"}],` +
		`"desiredState":"Inactive","revision":4},` +
		`"status":{"conditionedStatus":{"conditions":[]},"controllerRef":{"kind":"Deployment","name":"d"}}}`

	everyLockField = `{"apiVersion":"packages.crossplane.io/v1beta1","kind":"PackageLock","metadata":{"name":"packages"},` +
		`"spec":{"packages":[{"name":"a","image":"crossplane/a:v1.0.0","dependencies":["crossplane/b"]}],` +
		`"compositions":{"c":"a"},"customResourceDefinitions":{"x.example.org":"a"}},"status":{}}`

	everyClusterLockField = `{"apiVersion":"pkg.crossplane.io/v1beta1","kind":"Lock","metadata":{"name":"lock","resourceVersion":"7"},` +
		`"packages":[{"name":"c-0a1b","apiVersion":"pkg.crossplane.io/v1","kind":"Configuration","type":"Configuration","source":"xpkg.example.org/acme/c","version":"v1.0.0",` +
		`"dependencies":[{"package":"xpkg.example.org/acme/p","apiVersion":"pkg.crossplane.io/v1","kind":"Provider","constraints":">=v1.0.0"},` +
		`{"package":"xpkg.example.org/acme/f","type":"Function","constraints":"","skipDependencyResolution":true}]},` +
		`{"name":"p-2c3d","type":"Provider","source":"xpkg.example.org/acme/p","version":"v1.1.0@sha256:` + digits64 + `","dependencies":[]}],` +
		`"status":{"conditions":[{"type":"Resolved","status":"True"}]}}`

	digits64 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

	everyConfigField = `{"apiVersion":"pkg.crossplane.io/v1alpha1","kind":"ControllerConfig","metadata":{"name":"c"},` +
		`"spec":{"metadata":{"labels":{"l":"1"},"annotations":{"a":"2"}},"replicas":2,"image":"i","imagePullPolicy":"Never","imagePullSecrets":[{"name":"s"}],` +
		`"serviceAccountName":"sa","nodeName":"n","nodeSelector":{"disk":"ssd"},"priorityClassName":"p","runtimeClassName":"r","args":["--debug"],` +
		`"affinity":{},"tolerations":[],"podSecurityContext":{"fsGroup":2000},"securityContext":{},"resources":{},"env":[],"envFrom":[],"ports":[],"volumes":[],"volumeMounts":[]}}`

	everyRevisionManifestField = `{"apiVersion":"pkg.crossplane.io/v1","kind":"FunctionRevision","metadata":{"name":"r"},` +
		`"spec":{"desiredState":"Active","image":"crossplane/f:v1","revision":1}}`
)

// An object is what all objects of the package have in common.
type object interface {
	Encode() ([]byte, error)
	Validate() error
	UnknownFields() []meta.Unknown
	json.Marshaler
	json.Unmarshaler
}

func decodeAny(data []byte) (object, error) {
	var head struct{ Kind string }
	_ = json.Unmarshal(data, &head) // what cannot be read gets its error below
	switch head.Kind {
	case install.KindPackage:
		v, err := install.DecodePackage(data)
		return orNothing(v, err)
	case install.KindPackageRevision:
		v, err := install.DecodePackageRevision(data)
		return orNothing(v, err)
	case install.KindPackageLock:
		v, err := install.DecodePackageLock(data)
		return orNothing(v, err)
	case install.KindLock:
		v, err := install.DecodeLock(data)
		return orNothing(v, err)
	case install.KindControllerConfig:
		v, err := install.DecodeControllerConfig(data)
		return orNothing(v, err)
	case install.KindImageConfig:
		v, err := install.DecodeImageConfig(data)
		return orNothing(v, err)
	case "ProviderRevision", "ConfigurationRevision", "FunctionRevision":
		v := new(install.RevisionManifest)
		if err := v.UnmarshalJSON(data); err != nil {
			return nil, err
		}
		return v, v.Validate()
	default:
		v, err := install.DecodeManifest(data)
		return orNothing(v, err)
	}
}

func orNothing[T any, P interface {
	*T
	object
}](v P, err error) (object, error) {
	if v == nil {
		return nil, err
	}
	return v, err
}

func TestEveryFieldOfTheListings(t *testing.T) {
	for name, tc := range map[string]struct{ reason, data string }{
		"Package":          {"packages v2 design, Package API: the full schema for the Package", everyPackageField},
		"PackageRevision":  {"packages v2 design, PackageRevision API: the full schema for the PackageRevision", everyRevisionField},
		"PackageLock":      {"packages v2 design, PackageLock API", everyLockField},
		"Lock":             {"Crossplane's API pkg.crossplane.io/v1beta1: Lock, in both spellings of a package's kind", everyClusterLockField},
		"ControllerConfig": {"packages guide, spec.controllerConfigRef: ControllerConfig is read", everyConfigField},
		"ImageConfig":      {"Crossplane's API pkg.crossplane.io/v1beta1: ImageConfig", everyImageConfigField},
		"RevisionManifest": {"packages guide, spec.package: ProviderRevision or ConfigurationRevision", everyRevisionManifestField},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := decodeAny([]byte(tc.data))
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			diff(t, tc.reason+": every field has a name", []meta.Unknown(nil), v.UnknownFields())
			got, err := v.Encode()
			if err != nil {
				t.Fatal(err)
			}
			diff(t, tc.reason+": it is written as it was read", tc.data, string(got))
			byJSON, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			diff(t, tc.reason+": encoding/json writes the same", value(t, []byte(tc.data)), value(t, byJSON))
			if err := json.Unmarshal([]byte(`{"zzz":1,"metadata":{"name":"other"}}`), v); err != nil {
				t.Fatal(err)
			}
			diff(t, "encoding/json replaces what was there", []meta.Unknown{{Path: meta.Path{"zzz"}, JSON: []byte("1")}}, v.UnknownFields())
			if err := json.Unmarshal([]byte(`{"metadata":[]}`), v); err == nil {
				t.Error("json.Unmarshal of a wrong type: no error")
			}
		})
	}
}

func TestValidateDesign(t *testing.T) {
	const pkg = `"apiVersion":"packages.crossplane.io/v1beta1","kind":"Package","metadata":{"name":"p"}`
	const revision = `"apiVersion":"packages.crossplane.io/v1beta1","kind":"PackageRevision","metadata":{"name":"r"}`
	const lock = `"apiVersion":"packages.crossplane.io/v1beta1","kind":"PackageLock","metadata":{"name":"l"}`
	const names = ` is not the name of an object (it may hold lower case letters, digits, - and ., and begins and ends with a letter or digit)`
	dependsOn := func(entries string) string {
		return `{` + revision + `,"spec":{"desiredState":"Active","revision":1,"dependsOn":[` + entries + `]}}`
	}
	for name, tc := range map[string]struct {
		reason string
		json   string
		want   []string
	}{
		"PackageWithoutPackage": {
			reason: "packages v2 design, Package API: spec.package has no omitempty, so it is required",
			json:   `{` + pkg + `,"spec":{}}`,
			want:   []string{`spec.package: missing, want an image reference`},
		},
		"PackageWrong": {
			reason: "packages v2 design, Package API: every field that can be wrong, at once",
			json: `{` + pkg + `,"spec":{"package":"UPPER","imagePullPolicy":"Automatic","imagePullSecrets":[{"name":"A"}],` +
				`"revisionActivationPolicy":"auto","revisionHistoryLimit":-3}}`,
			want: []string{
				`spec.imagePullPolicy: "Automatic" is not a pull policy: IfNotPresent, Always or Never (it is a revisionActivationPolicy)`,
				`spec.imagePullSecrets[0].name: "A"` + names,
				`spec.package: "UPPER" is not an image reference (its path may hold lower case letters, digits and _ - . / only)`,
				`spec.revisionActivationPolicy: "auto" is not an activation policy: Automatic or Manual`,
				`spec.revisionHistoryLimit: the number -3 is not a number of revisions from 0 (0 keeps all)`,
			},
		},
		"PackageGit": {
			reason: "packages v2 design, Package API, spec.package: a Git source is recognised and refused",
			json:   `{` + pkg + `,"spec":{"package":"git@github.com:crossplane/provider-gcp.git"}}`,
			want: []string{`spec.package: "git@github.com:crossplane/provider-gcp.git" is not an image reference ` +
				`(packages cannot be installed from Git sources: push the package to a registry)`},
		},
		"PackageRemovedFields": {
			reason: "packages v2 design, Package API, Fields to be removed: they are unknown, and harm nobody",
			json:   `{` + pkg + `,"spec":{"package":"a/b","source":"registry.crossplane.io","crd":"x"},"status":{"installJob":{},"packageRecord":{}}}`,
		},
		"PackageVersion": {
			reason: "packages v2 design, Package API: introduced at version v1beta1",
			json:   `{"apiVersion":"packages.crossplane.io/v1alpha1","kind":"Package","metadata":{"name":"p"},"spec":{"package":"a/b"}}`,
			want:   []string{`apiVersion: "packages.crossplane.io/v1alpha1 Package" is not packages.crossplane.io/v1beta1 Package`},
		},
		"RevisionEmpty": {
			reason: "packages v2 design, PackageRevision API: desiredState and revision are required",
			json:   `{` + revision + `}`,
			want: []string{
				`spec.desiredState: missing, want a state: Active or Inactive`,
				`spec.revision: the number 0 is not the number of a revision, from 1`,
			},
		},
		"RevisionState": {
			reason: "packages v2 design, PackageRevision API: the constants are Active and Inactive; the text once writes active",
			json:   `{` + revision + `,"spec":{"desiredState":"active","revision":1}}`,
			want:   []string{`spec.desiredState: "active" is not a state: Active or Inactive`},
		},
		"RevisionLists": {
			reason: "packages v2 design, PackageRevision API: lists name types",
			json: `{` + revision + `,"spec":{"desiredState":"Active","revision":1,"customResourceDefinitions":[{"kind":"X"}],` +
				`"infrastructureDefinitions":[{"apiVersion":"v1"}],"infrastructurePublications":[{}],"compositions":[{"apiVersion":"v1","kind":"Y"}]}}`,
			want: []string{
				`spec.customResourceDefinitions[0].apiVersion: missing, want an apiVersion`,
				`spec.infrastructureDefinitions[0].kind: missing, want a kind`,
				`spec.infrastructurePublications[0].apiVersion: missing, want an apiVersion`,
				`spec.infrastructurePublications[0].kind: missing, want a kind`,
			},
		},
		"RevisionRules": {
			reason: "packages v2 design, PackageRevision API, spec.permissions: RBAC policy rules",
			json: `{` + revision + `,"spec":{"desiredState":"Active","revision":1,"permissions":{"rules":[{},{"verbs":["get"],"nonResourceURLs":["/x"],"resources":["y"]},` +
				`{"verbs":["get"],"nonResourceURLs":["/x"]}]}}}`,
			want: []string{
				`spec.permissions.rules[0].apiGroups: missing, want one API group at least, "" for that of Secrets`,
				`spec.permissions.rules[0].resources: missing, want one resource at least`,
				`spec.permissions.rules[0].verbs: missing, want one verb at least`,
				`spec.permissions.rules[1].nonResourceURLs: a rule is about resources or about URLs, and this one names both`,
			},
		},
		"DependencyNone": {
			reason: "packages v2 design, PackageRevision API, spec.dependsOn: one of package, crd and crossplane",
			json:   dependsOn(`{},{"version":"v1"}`),
			want: []string{
				`spec.dependsOn[0]: missing, want one of package, crd and crossplane`,
				`spec.dependsOn[1]: missing, want one of package, crd and crossplane`,
			},
		},
		"DependencyTwo": {
			reason: "packages v2 design, PackageRevision API, spec.dependsOn: the fields are mutually exclusive",
			json:   dependsOn(`{"package":"a/b","crd":"x.example.org/v1"},{"crossplane":"v1","crd":"x.example.org/v1","version":"v1"}`),
			want: []string{
				`spec.dependsOn[0]: package and crd exclude each other: a dependency is on one thing`,
				`spec.dependsOn[1]: crd and crossplane exclude each other: a dependency is on one thing`,
				`spec.dependsOn[1].version: a version belongs to a package`,
			},
		},
		"DependencyTag": {
			reason: "package format v2, The Packaged Format: a package of the design's time depends on a specific version tag, which may be any word",
			json:   dependsOn(`{"package":"a/b","version":"master"},{"package":"a/b","version":"=v1"}`),
		},
		"DependencyForms": {
			reason: "packages v2 design, PackageRevision API, spec.dependsOn: crd is always a GVK, package an image with a semver range, crossplane a semver range",
			json: dependsOn(`{"crd":"buckets"},{"crd":"bucket.example.org"},{"crd":"*.example.org"},{"crd":"*.example.org/v1"},{"package":"a/b:v1"},{"package":"A"},` +
				`{"package":"a/b","version":">= v"},{"crossplane":"new"}`),
			want: []string{
				`spec.dependsOn[0].crd: "buckets" is not a group, version and kind: KIND.GROUP/VERSION or *.GROUP/VERSION`,
				`spec.dependsOn[1].crd: "bucket.example.org" is not a group, version and kind: KIND.GROUP/VERSION or *.GROUP/VERSION`,
				`spec.dependsOn[2].crd: "*.example.org" is not a group, version and kind: KIND.GROUP/VERSION or *.GROUP/VERSION`,
				`spec.dependsOn[4].package: "a/b:v1" is not an image repository (the tag or digest belongs in the version)`,
				`spec.dependsOn[5].package: "A" is not an image repository (its path may hold lower case letters, digits and _ - . / only)`,
				`spec.dependsOn[6].version: ">= v" is not a version range (improper constraint)`,
				`spec.dependsOn[7].crossplane: "new" is not a version range (improper constraint)`,
			},
		},
		"Lock": {
			reason: "packages v2 design, PackageLock API: owners are packages of the lock",
			json: `{` + lock + `,"spec":{"packages":[{"name":"a","image":"a"},{"name":"a","image":""},{"image":"a:v1","dependencies":["B"]}],` +
				`"compositions":{"c":"gone"},"customResourceDefinitions":{"x.example.org":"a","y.example.org":"","z/":"a"}}}`,
			want: []string{
				`spec.compositions.c: "gone" is not the name of a package in spec.packages`,
				`spec.customResourceDefinitions["y.example.org"]: "" is not the name of a package in spec.packages`,
				`spec.customResourceDefinitions["z/"]: "z/"` + names,
				`spec.packages[1].image: missing, want an image reference`,
				`spec.packages[1].name: the package "a" is recorded already`,
				`spec.packages[2].dependencies[0]: "B" is not an image repository (its path may hold lower case letters, digits and _ - . / only)`,
				`spec.packages[2].name: missing, want the name of an object`,
			},
		},
		"ControllerConfig": {
			reason: "packages guide, spec.controllerConfigRef: ControllerConfig of pkg.crossplane.io/v1alpha1",
			json:   `{"apiVersion":"pkg.crossplane.io/v1","kind":"ControllerConfig","metadata":{"name":"c"},"spec":{"replicas":-1,"imagePullPolicy":"x","imagePullSecrets":[{}]}}`,
			want: []string{
				`apiVersion: "pkg.crossplane.io/v1 ControllerConfig" is not pkg.crossplane.io/v1alpha1 ControllerConfig`,
				`spec.imagePullPolicy: "x" is not a pull policy: IfNotPresent, Always or Never`,
				`spec.imagePullSecrets[0].name: missing, want the name of an object`,
				`spec.replicas: the number -1 is not a number of Pods from 0`,
			},
		},
		"RevisionManifest": {
			reason: "packages guide, spec.revisionHistoryLimit: revisions have a state and a number",
			json:   `{"apiVersion":"pkg.crossplane.io/v7","kind":"ProviderRevision","metadata":{},"spec":{"desiredState":"On","revision":0}}`,
			want: []string{
				`apiVersion: "pkg.crossplane.io/v7 ProviderRevision" is not a revision of a package`,
				`metadata.name: missing, want the name of an object`,
				`spec.desiredState: "On" is not a state: Active or Inactive`,
				`spec.revision: the number 0 is not the number of a revision, from 1`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeAny([]byte(tc.json))
			diff(t, tc.reason, tc.want, texts(t, err))
		})
	}
}

func TestDecodeRefusesOtherKinds(t *testing.T) {
	for name, decode := range map[string]func([]byte) (object, error){
		"Package":          func(b []byte) (object, error) { v, err := install.DecodePackage(b); return orNothing(v, err) },
		"PackageRevision":  func(b []byte) (object, error) { v, err := install.DecodePackageRevision(b); return orNothing(v, err) },
		"PackageLock":      func(b []byte) (object, error) { v, err := install.DecodePackageLock(b); return orNothing(v, err) },
		"ControllerConfig": func(b []byte) (object, error) { v, err := install.DecodeControllerConfig(b); return orNothing(v, err) },
	} {
		for _, data := range []string{``, `[]`, `{"apiVersion":"v1","kind":"` + name + `"}`, `{"apiVersion":"packages.crossplane.io/v1beta1","kind":"X"}`} {
			if v, err := decode([]byte(data)); v != nil || err == nil {
				t.Errorf("%s from %q: %v, %v, want nil and an error", name, data, v, err)
			}
		}
	}
	for _, data := range []string{``, `{"apiVersion":"v1","kind":"PackageRevision"}`, everyPackageField} {
		if _, err := install.DecodeRevision([]byte(data)); err == nil {
			t.Errorf("DecodeRevision(%q): no error", data)
		}
	}
}

func TestControllerConfig(t *testing.T) {
	c, err := install.DecodeControllerConfig([]byte(`{"apiVersion":"pkg.crossplane.io/v1alpha1","kind":"ControllerConfig",` +
		`"metadata":{"name":"aws-config","annotations":{"eks.amazonaws.com/role-arn":"arn:aws:iam::$AWS_ACCOUNT_ID\\:role/$IAM_ROLE_NAME"}},` +
		`"spec":{"podSecurityContext":{"fsGroup":2000}}}`))
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "packages guide, spec.controllerConfigRef: the example, which annotates the ServiceAccount",
		map[string]string{"eks.amazonaws.com/role-arn": `arn:aws:iam::$AWS_ACCOUNT_ID\:role/$IAM_ROLE_NAME`}, c.ServiceAccountAnnotations())
	diff(t, "packages guide, spec.controllerConfigRef: the example, which sets an fsGroup", `{"fsGroup":2000}`, string(c.Spec.PodSecurityContext))
}

func TestEffectiveOfPackage(t *testing.T) {
	const reason = "packages v2 design, Package API: defaults to Automatic; defaults to 1, 0 disables"
	var s install.PackageSpec
	diff(t, reason, install.ActivateAutomatic, s.ActivationPolicy())
	n, all := s.HistoryLimit()
	diff(t, reason, int64(1), n)
	diff(t, reason, false, all)
	s.RevisionActivationPolicy, s.RevisionHistoryLimit = ptr(install.ActivateManual), ptr(int64(0))
	diff(t, reason, install.ActivateManual, s.ActivationPolicy())
	_, all = s.HistoryLimit()
	diff(t, reason, true, all)
}

func TestManyFaults(t *testing.T) {
	var b strings.Builder
	for range 20 {
		b.WriteString(`{},`)
	}
	_, err := install.DecodeManifest([]byte(`{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"a"},"spec":{"package":"a/b","packagePullSecrets":[` + b.String() + `{}]}}`))
	diff(t, "all faults are there, however many", 21, len(texts(t, err)))
}
