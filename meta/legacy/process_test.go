package legacy_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

// full is a package that says all there is.
const full = `-- .registry/app.yaml --
apiVersion: 0.1.0
title: app title
-- .registry/resources/group.yaml --
title: group title
overview: group overview
overviewShort: group short
readme: group readme
-- .registry/resources/resource.yaml --
id: MySQL
title: resource title
titlePlural: resource titles
category: resource category
overview: resource overview
shortOverview: resource short
readme: resource readme
-- .registry/resources/icon.svg --
<svg/>
-- .registry/resources/ui-schema.yaml --
# first
version: 0.5
---
additionalSpec: example
-- .registry/resources/mysql.ui-schema.yaml --
version: 0.4
-- .registry/resources/crd.yaml --
`

func process(t *testing.T, archive string, o *legacy.ProcessOptions) *legacy.Processed {
	t.Helper()
	p, faults := read(t, archive, nil)
	if faults != nil {
		t.Fatal(faults)
	}
	out, err := p.Process(o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func metadataOf(t *testing.T, out *legacy.Processed) legacy.ObjectMeta {
	t.Helper()
	b, err := json.Marshal(out.CRDs[0].Object["metadata"])
	if err != nil {
		t.Fatal(err)
	}
	var m legacy.ObjectMeta
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// The tables of labels and of annotations, a row each. (packages v1, Package CRD Labels and
// Package CRD Annotations)
func TestAnnotationTable(t *testing.T) {
	rows := []struct{ key, source, value string }{
		{legacy.AnnotationPackageTitle, "title of app.yaml", "app title"},
		{legacy.AnnotationGroupTitle, "title of group.yaml", "group title"},
		{legacy.AnnotationGroupOverview, "overview of group.yaml", "group overview"},
		{legacy.AnnotationGroupOverviewShort, "overviewShort of group.yaml", "group short"},
		{legacy.AnnotationGroupReadme, "readme of group.yaml", "group readme"},
		{legacy.AnnotationResourceCategory, "category of resource.yaml", "resource category"},
		{legacy.AnnotationResourceTitle, "title of resource.yaml", "resource title"},
		{legacy.AnnotationResourceTitlePlural, "titlePlural of resource.yaml", "resource titles"},
		{legacy.AnnotationResourceOverview, "overview of resource.yaml", "resource overview"},
		{legacy.AnnotationResourceOverviewShort, "shortOverview of resource.yaml", "resource short"},
		{legacy.AnnotationResourceReadme, "readme of resource.yaml", "resource readme"},
		{legacy.AnnotationUISchema, "all documents of ui-schema.yaml", "version: 0.4\n---\n# first\nversion: 0.5\n---\nadditionalSpec: example"},
		{legacy.AnnotationIcon, "icon.svg as data URI", "data:image/svg+xml;base64,PHN2Zy8+Cg=="},
	}
	got := metadataOf(t, process(t, full+crd("MySQL", "v1"), nil))
	for _, r := range rows {
		if got.Annotations[r.key] != r.value {
			t.Errorf("%s is %q, want %s: %q", r.key, got.Annotations[r.key], r.source, r.value)
		}
		if !strings.HasPrefix(r.key, "packages.crossplane.io/") {
			t.Errorf("%s is of another group", r.key)
		}
	}
	if len(got.Annotations) != len(rows) {
		t.Errorf("there are %d annotations, want %d", len(got.Annotations), len(rows))
	}
	if diff := gocmp.Diff(map[string]string{"app.kubernetes.io/managed-by": "package-manager"}, got.Labels); diff != "" {
		t.Error(diff)
	}
}

// What files do not say is not annotated, and what a definition says itself is kept.
// (packages v1, Package Files and Package CRD Labels)
func TestAnnotationsAreKept(t *testing.T) {
	bare := metadataOf(t, process(t, "-- .registry/app.yaml --\nversion: v1\n-- .registry/resources/crd.yaml --\n"+crd("MySQL", "v1"), nil))
	if len(bare.Annotations) != 0 {
		t.Errorf("got %v", bare.Annotations)
	}
	annotated := strings.Replace(crd("MySQL", "v1"), "metadata: {", "metadata: {labels: {controller-tools.k8s.io: '1.0', app.kubernetes.io/managed-by: me}, annotations: {own: a, "+
		legacy.AnnotationUISchema+": b, "+legacy.AnnotationResourceTitle+": c, "+legacy.AnnotationIcon+": ''}, ", 1)
	got := metadataOf(t, process(t, full+annotated, nil))
	for key, want := range map[string]string{"own": "a", legacy.AnnotationUISchema: "b", legacy.AnnotationResourceTitle: "c", legacy.AnnotationIcon: "", legacy.AnnotationGroupTitle: "group title"} {
		if v, ok := got.Annotations[key]; v != want || !ok {
			t.Errorf("%s is %q, want %q", key, v, want)
		}
	}
	if got.Labels["controller-tools.k8s.io"] != "1.0" || got.Labels[legacy.LabelManagedBy] != "me" {
		t.Errorf("labels are %v", got.Labels)
	}
}

// The definition itself stays as it is.
func TestDefinitionIsKept(t *testing.T) {
	out := process(t, full+crd("MySQL", "v1")+"  extra: 12345678901234567890.10\n", nil)
	spec, _ := out.CRDs[0].Object["spec"].(map[string]any)
	if spec["extra"] != json.Number("12345678901234567890.10") || spec["version"] != "v1" {
		t.Errorf("spec is %v", spec)
	}
}

func TestMetadataOfWrongTypes(t *testing.T) {
	cases := map[string]struct{ reason, metadata, want string }{
		"Labels":      {"labels are an object", "{labels: [a]}", "metadata.labels"},
		"Annotations": {"so are annotations", "{annotations: a}", "metadata.annotations"},
		"Owners":      {"owner references are a list", "{ownerReferences: a}", "metadata.ownerReferences"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, _ := read(t, full+strings.Replace(crd("MySQL", "v1"), "{name: mysqls.example.org}", c.metadata, 1), nil)
			out, err := p.Process(&legacy.ProcessOptions{Install: install("PackageInstall", "package: a/b:v1")})
			faults := faultsOf(t, err)
			if len(faults) != 1 || faults[0].Path.String() != c.want || faults[0].Range.Start.Line == 0 || len(out.CRDs) != 1 {
				t.Errorf("%s: got %v", c.reason, err)
			}
		})
	}
}

// install is an object that asks for a package.
func install(kind, spec string) *legacy.PackageInstall {
	i, err := decodeInstall("apiVersion: packages.crossplane.io/v1alpha1\nkind: " + kind + "\nmetadata: {name: wanted, namespace: here, uid: '1'}\nspec:\n  " + strings.ReplaceAll(spec, "\n", "\n  ") + "\n")
	if err != nil {
		panic(err)
	}
	return i
}

func decodeInstall(text string) (*legacy.PackageInstall, error) {
	for doc := range parser.Bytes("install.yaml", []byte(text), nil) {
		if doc != nil {
			return legacy.DecodePackageInstall(doc)
		}
	}
	return nil, errors.New("there is no document")
}

// The record has every field. (packages v1, Package CRD)
func TestRecord(t *testing.T) {
	out := process(t, `-- .registry/app.yaml --
apiVersion: 0.1.0
version: 0.1.0
title: Redis
overviewShort: short
overview: long
readme: "# R"
category: Database
company: Acme
license: MIT
source: https://git.example.org
website: https://example.org
packageType: Provider
permissionScope: Cluster
keywords: [a]
maintainers: [{name: Rick, email: rick@foo.io}]
owners: [{name: Chandler, email: chandler@bar.io}]
dependsOn: [{crd: "*.cache.crossplane.io/v1alpha1"}, {crd: Mytype.samples.example.org/v1}]
-- .registry/icon.gif --
GIF89a
-- .registry/icon.svg --
<svg/>
`+deployment+"-- .registry/resources/crd.yaml --\n"+crd("MySQL", "v1")+"  subresources: {status: {}, scale: {}}\n---\n"+crd("MySQL", "v2")+"---\n"+crd("Redis", "v1"),
		&legacy.ProcessOptions{Install: install("ClusterPackageInstall", "package: acme/redis:v1")})
	b, err := json.MarshalIndent(out.Record, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "record", string(b)+"\n")
}

// What a PackageInstall changes. (packages v1, Modifying the Package via PackageInstall, and
// Example install.yaml)
func TestModified(t *testing.T) {
	container := func(line string) string {
		return app + strings.Replace(deployment, "        env: []\n", line, 1)
	}
	cases := map[string]struct {
		reason, archive, spec string
		want                  string // pod spec and service account as JSON
	}{
		"Filled": {"an image that is left out is the package's", container(""), "package: a/b:v1",
			`{"containers":[{"image":"registry.crossplane.io/a/b:v1","name":"sample"}]} null`},
		"FilledFromSource": {"in the registry that is asked for", container(""), "source: private.example.com\npackage: a/b",
			`{"containers":[{"image":"private.example.com/a/b","name":"sample"}]} null`},
		"Kept": {"an image that is there stays, without a source", container("        image: c/d:v2\n"), "package: a/b:v1",
			`{"containers":[{"image":"c/d:v2","name":"sample"}]} null`},
		"Injected": {"a source is put before an image without a registry", container("        image: c/d:v2\n"), "source: private.example.com/x/\npackage: a/b:v1",
			`{"containers":[{"image":"private.example.com/x/c/d:v2","name":"sample"}]} null`},
		"HasRegistry": {"and not before one with a registry", container("        image: quay.io/c/d:v2\n"), "source: private.example.com\npackage: quay.io/a/b:v1",
			`{"containers":[{"image":"quay.io/c/d:v2","name":"sample"}]} null`},
		"PackageRegistry": {"a package with a registry keeps it", container(""), "source: private.example.com\npackage: quay.io/a/b:v1",
			`{"containers":[{"image":"quay.io/a/b:v1","name":"sample"}]} null`},
		"Policy": {"the pull policy stands on all containers", strings.Replace(container(""), "      containers:", "      initContainers: [{name: i, image: x/y}]\n      containers:", 1), "package: a/b:v1\nimagePullPolicy: Always",
			`{"containers":[{"image":"registry.crossplane.io/a/b:v1","imagePullPolicy":"Always","name":"sample"}],"initContainers":[{"image":"x/y","imagePullPolicy":"Always","name":"i"}]} null`},
		"Secrets": {"the pull secrets stand in the pod", strings.Replace(container("        image: quay.io/c/d\n"), "      containers:", "      imagePullSecrets: [{name: own}, {name: b}]\n      containers:", 1), "package: a/b:v1\nimagePullSecrets: [{name: b}, {name: c}]",
			`{"containers":[{"image":"quay.io/c/d","name":"sample"}],"imagePullSecrets":[{"name":"own"},{"name":"b"},{"name":"c"}]} null`},
		"ServiceAccount": {"annotations of the service account", container("        image: quay.io/c/d\n"), "package: a/b:v1\nserviceAccount: {annotations: {iam: special}}",
			`{"containers":[{"image":"quay.io/c/d","name":"sample"}]} {"annotations":{"iam":"special"}}`},
		"DataOnly": {"a package without a controller has none", app, "source: private.example.com\npackage: a/b:v1\nimagePullPolicy: Always", `none null`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := process(t, c.archive, &legacy.ProcessOptions{Install: install("PackageInstall", c.spec)}).Record
			pod := []byte("none")
			if d := r.Spec.Controller.Deployment; d != nil {
				var err error
				if pod, err = json.Marshal(d.Spec["template"].(map[string]any)["spec"]); err != nil {
					t.Fatal(err)
				}
			}
			account, err := json.Marshal(r.Spec.Controller.ServiceAccount)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(pod) + " " + string(account); got != c.want {
				t.Errorf("%s: got\n%s\nwant\n%s", c.reason, got, c.want)
			}
		})
	}
}

// Nothing is changed in the package, and without an install object nothing is filled in.
func TestProcessLeavesThePackage(t *testing.T) {
	p, _ := read(t, full+crd("MySQL", "v1")+strings.Replace(deployment, "        env: []\n", "", 1), nil)
	before, err := p.Process(nil)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := json.Marshal(before)
	if _, err := p.Process(&legacy.ProcessOptions{Install: install("PackageInstall", "source: x.io\npackage: a/b:v1\nimagePullPolicy: Always")}); err != nil {
		t.Fatal(err)
	}
	after, _ := p.Process(nil)
	if second, _ := json.Marshal(after); string(first) != string(second) || strings.Contains(string(first), `"image"`) {
		t.Errorf("got\n%s\nand\n%s", first, second)
	}
}

// A package whose controller is made of templates becomes a StackDefinition, whose images come
// from the same source. (packages v1, Modifying the Package via PackageInstall)
func TestStackDefinition(t *testing.T) {
	cases := map[string]struct{ reason, behavior, spec, image, engine string }{
		"Filled":   {"what is left out is the package's image and the generic controller", "source: {path: x}", "package: a/b:v1", "registry.crossplane.io/a/b:v1", "crossplane/templating-controller:v0.2.1"},
		"Source":   {"all from the source", "source: {path: x, image: c/d}", "source: p.example.com\npackage: a/b:v1", "p.example.com/c/d", "p.example.com/crossplane/templating-controller:v0.2.1"},
		"Named":    {"an engine of its own too", "engine: {type: helm2, controllerImage: e/f:v1}", "source: p.example.com\npackage: a/b:v1", "p.example.com/a/b:v1", "p.example.com/e/f:v1"},
		"Registry": {"what has a registry keeps it", "source: {image: quay.io/c/d}\nengine: {controllerImage: quay.io/e/f}", "source: p.example.com\npackage: a/b:v1", "quay.io/c/d", "quay.io/e/f"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out := process(t, app+"-- .registry/behavior.yaml --\n"+c.behavior+"\n", &legacy.ProcessOptions{
				Install: install("PackageInstall", c.spec), TemplatingController: "crossplane/templating-controller:v0.2.1",
			})
			b := out.StackDefinition.Spec.Behavior
			if b.Source.Image != c.image || b.Engine.ControllerImage != c.engine || out.Record != nil || out.StackDefinition.Spec.Title != "Sample" {
				t.Errorf("%s: got %+v", c.reason, out.StackDefinition)
			}
		})
	}
}

// A CRD belongs to what asked for the package. (packages v1, Example CRD with Package metadata)
func TestOwnerReference(t *testing.T) {
	owner := []legacy.OwnerReference{{APIVersion: legacy.APIVersion, Kind: "PackageInstall", Name: "wanted", UID: "1"}}
	o := &legacy.ProcessOptions{Install: install("PackageInstall", "package: a/b:v1")}
	out := process(t, full+crd("MySQL", "v1"), o)
	if diff := gocmp.Diff(owner, metadataOf(t, out).OwnerReferences); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(legacy.ObjectMeta{Name: "wanted", Namespace: "here", OwnerReferences: owner}, out.Record.Meta); diff != "" {
		t.Error(diff)
	}
	again := process(t, full+strings.Replace(crd("MySQL", "v1"), "metadata: {", "metadata: {ownerReferences: [{kind: PackageInstall, name: wanted, uid: '1'}, {kind: A}], ", 1), o)
	if n := len(metadataOf(t, again).OwnerReferences); n != 2 {
		t.Errorf("there are %d references, want the two that were there", n)
	}
}

// Cluster and namespace are asked for by different kinds. (packages v1, ClusterPackageInstall and
// PackageInstall CRDs)
func TestScope(t *testing.T) {
	for scope, c := range map[string]struct {
		kind string
		ok   bool
	}{
		"Cluster":    {"ClusterPackageInstall", true},
		"Namespaced": {"PackageInstall", true},
		"":           {"PackageInstall", true},
	} {
		p, _ := read(t, "-- .registry/app.yaml --\ntitle: A\npermissionScope: "+scope+"\n", nil)
		for _, kind := range []string{"PackageInstall", "ClusterPackageInstall"} {
			_, err := p.Process(&legacy.ProcessOptions{Install: install(kind, "package: a/b:v1")})
			if ok := kind == c.kind || scope == ""; ok != (err == nil) {
				t.Errorf("%q with a %s: %v", scope, kind, err)
			}
			var f *meta.FieldError
			if err != nil && (!errors.As(err, &f) || f.Fault != legacy.FaultScope || !strings.HasPrefix(err.Error(), ".registry/app.yaml:2:18: ")) {
				t.Errorf("got %v", err)
			}
		}
	}
}

// The version is that of app.yaml, or else the tag. (packages v1, Example app.yaml)
func TestVersion(t *testing.T) {
	cases := []struct{ reason, app, tag, image, want string }{
		{"app.yaml says it", "version: v1", "v1", "a/b:v9", "v1"},
		{"else the tag that the package was read with", "title: A", "v2", "a/b:v9", "v2"},
		{"else that of the image that is asked for", "title: A", "", "a/b:v9", "v9"},
		{"else nobody", "title: A", "", "a/b", ""},
	}
	for _, c := range cases {
		p, _ := read(t, "-- .registry/app.yaml --\n"+c.app+"\n", &legacy.Options{Tag: c.tag})
		out, err := p.Process(&legacy.ProcessOptions{Install: install("PackageInstall", "package: "+c.image)})
		if err != nil || out.Record.Spec.Version != c.want {
			t.Errorf("%s: got %q, %v", c.reason, out.Record.Spec.Version, err)
		}
	}
}

// A user may write the record without a package. (packages v1, Package CRD)
func TestRecordByHand(t *testing.T) {
	const text = `apiVersion: packages.crossplane.io/v1alpha1
kind: Package
metadata:
  name: redis
spec:
  customresourcedefinitions:
  - kind: RedisCluster
    apiVersion: redis.example.org/v1alpha1
  dependsOn: [{crd: a.example.org/v1}, {package: acme/redis:v1, source: example.org}]
  company: Acme
  source: https://git.example.org
  license: MIT
  packageType: Addon
  permissionScope: Namespaced
  title: Redis
  overviewShort: short
  overview: long
  readme: "# Readme"
  category: Database
  version: 0.1.0
  icons:
  - base64data: iVBORw0KGgo=
    mediatype: image/png
  maintainers:
  - {name: Rick, email: rick@example.org}
  owners:
  - {name: Chandler, email: chandler@example.org}
  keywords: [databases]
  website: https://redis.example.org
  controller:
    deployment:
      name: redis-controller
      spec: {replicas: 1}
    serviceAccount:
      annotations: {iam: special}
  permissions:
    rules:
    - {apiGroups: [a], resources: [b], verbs: ["*"]}
status:
  conditionedStatus: {conditions: [{type: Ready, status: "True"}]}
  controllerRef: {kind: Deployment, name: redis-controller}
`
	for doc, err := range parser.Bytes("package.yaml", []byte(text), nil) {
		if err != nil {
			t.Fatal(err)
		}
		var r legacy.Record
		if err := doc.Decode(&r); err != nil {
			t.Fatal(err)
		}
		s := r.Spec
		if r.Meta.Name != "redis" || s.CRDs[0] != (legacy.TypeMeta{Kind: "RedisCluster", APIVersion: "redis.example.org/v1alpha1"}) || s.Category != "Database" ||
			s.Icons[0].MediaType != legacy.MediaPNG || s.Owners[0].Email != "chandler@example.org" || s.Controller.Deployment.Name != "redis-controller" ||
			s.Controller.Deployment.Spec["replicas"] != json.Number("1") || s.Controller.ServiceAccount.Annotations["iam"] != "special" || len(s.Permissions.Rules) != 1 ||
			s.DependsOn[1] != (legacy.Dependency{Package: "acme/redis:v1", Source: "example.org"}) || s.PackageType != legacy.TypeAddon || s.PermissionScope != legacy.ScopeNamespaced ||
			r.Status.ControllerRef.Name != "redis-controller" || r.Status.ConditionedStatus.Conditions[0].Status != "True" {
			t.Errorf("got %+v", r)
		}
	}
}
