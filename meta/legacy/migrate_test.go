package legacy_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

func migrate(t testing.TB, fsys fs.FS, o *legacy.MigrateOptions) (*legacy.Package, *legacy.Migration) {
	t.Helper()
	p, err := legacy.Read(t.Context(), fsys, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := legacy.Migrate(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return p, m
}

// told writes a migration down: its report and the files that are short.
func told(m *legacy.Migration) string {
	var b strings.Builder
	for _, l := range m.Report {
		fmt.Fprintln(&b, l)
	}
	for _, f := range m.Files {
		fmt.Fprintf(&b, "-- %s --\n", f.Name)
		for line := range strings.Lines(string(f.Data)) {
			line = strings.TrimSuffix(line, "\n")
			if len(line) > 300 {
				line = brief(line)
			}
			fmt.Fprintln(&b, line)
		}
	}
	return b.String()
}

func TestMigrateCorpus(t *testing.T) {
	for name, fsys := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			_, m := migrate(t, fsys, nil)
			short := *m
			short.Files = nil
			for _, f := range m.Files {
				if f.Name != "crossplane.yaml" {
					f.Data = []byte(brief(string(f.Data)) + "\n")
				}
				short.Files = append(short.Files, f)
			}
			golden(t, name+".migrate", told(&short))
			nothingLost(t, fsys, m)
		})
	}
}

// everyField is a package with every field of the format, each with a value that is nowhere else.
const everyField = `-- .registry/app.yaml --
apiVersion: 0.1.0
version: 7.6.5
title: The title
overviewShort: A short overview
overview: |
  A longer overview.
readme: |
  # The readme

  of the package
maintainers:
- name: Maintainer One
  email: one@example.org
- name: Maintainer Two
owners:
- name: Owner Three
  email: three@example.org
company: The company
category: The category
keywords:
- keyword-one
- keyword-two
website: https://example.org/website
source: https://example.org/source
license: Apache-2.0
packageType: Stack
permissionScope: Namespaced
dependsOn:
- crd: "mytype.mygroup.example.org/v1alpha1"
- crd: '*.yourstack.example.org/v1alpha2'
- crd: bucket.own.example.org/v1
unknown:
- field: of mine
-- .registry/install.yaml --
apiVersion: apps/v1
kind: Deployment
metadata:
  name: the-deployment
  labels:
    label: of the deployment
spec:
  replicas: 3
  template:
    spec:
      initContainers:
      - name: init
        image: example.org/init:v1
      containers:
      - name: controller
        image: example.org/controller:v2
        env:
        - name: NAME
          value: the value
      - name: sidecar
        image: example.org/sidecar:v3
-- .registry/icon.svg --
<svg id="package"/>
-- .registry/icon.png --
png of the package
-- .registry/ui-schema.yaml --
version: 0.1
note: schema of nothing
-- .registry/notes.yaml --
some: thing
-- .registry/resources/own/group.yaml --
group: own.example.org
title: The group's title
overviewShort: The group's short overview
overview: The group's overview
readme: The group's readme
-- .registry/resources/own/icon.svg --
<svg id="group"/>
-- .registry/resources/own/bucket.icon.svg --
<svg id="kind"/>
-- .registry/resources/own/bucket.resource.yaml --
id: BUCKET
title: The kind's title
titlePlural: The kind's titles
category: The kind's category
overviewShort: The kind's short overview
overview: The kind's overview
readme: |
  The kind's readme
title-plural: unknown
-- .registry/resources/own/bucket.ui-schema.yaml --
version: 0.5
configSections: [] # the first document
---
additionalSpec: example
-- .registry/resources/own/bucket.crd.yaml --
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: buckets.own.example.org
  annotations:
    packages.crossplane.io/resource-category: annotated before
spec:
  group: own.example.org
  version: v1
  names:
    kind: Bucket
    plural: buckets
  scope: Namespaced
  additionalPrinterColumns:
  - name: SIZE
    type: string
    JSONPath: .spec.size
  validation:
    openAPIV3Schema:
      type: object
      properties:
        spec:
          description: The spec.
          properties:
            size:
              type: string
-- .registry/resources/own/other.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: configuration-of-old
data:
  key: of the map
---
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: InfrastructureDefinition
metadata:
  name: networks.own.example.org
spec:
  crdSpecTemplate:
    group: own.example.org
`

// composite is a package of definitions of composite resources.
const composite = `-- .registry/app.yaml --
title: The Network
packageType: Stack
dependsOn:
- crd: '*.yourstack.example.org/v1alpha2'
-- .registry/resources/definition.yaml --
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: InfrastructureDefinition
metadata:
  name: networks.example.org
spec:
  connectionSecretKeys:
  - address
  crdSpecTemplate:
    group: example.org
    version: v1alpha1
    names:
      kind: Network
      plural: networks
    validation:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              any: {}
-- .registry/resources/publication.yaml --
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: InfrastructurePublication
metadata:
  name: networks.example.org
spec:
  infrastructureDefinitionRef:
    name: networks.example.org
---
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: InfrastructurePublication
metadata:
  name: others.example.org
spec:
  infrastructureDefinitionRef:
    name: others.example.org
-- .registry/resources/composition.yaml --
# Kept as it is.
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: network
spec:
  compositeTypeRef:
    apiVersion: example.org/v1alpha1
    kind: Network
  resources: []
-- .registry/resources/old.yaml --
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: Composition
metadata:
  name: old
spec:
  from:
    apiVersion: example.org/v1alpha1
    kind: Network
`

// TestMigrate shows what becomes of a package in full.
func TestMigrate(t *testing.T) {
	for name, text := range map[string]string{
		"full": everyField, "composite": composite,
		"types": "-- app.yaml --\ntitle: Only A Title\n-- resources/crd.yaml --\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n# Kept as it is.\nmetadata: {name: a.b.c}\nspec: {group: b.c, names: {kind: A, plural: a}, scope: Cluster, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}\n",
	} {
		t.Run(name, func(t *testing.T) {
			fsys := tree(text)
			_, m := migrate(t, fsys, nil)
			golden(t, name+".migrate", told(m))
			nothingLost(t, fsys, m)
			for range 3 {
				if _, again := migrate(t, fsys, nil); told(again) != told(m) {
					t.Fatal("another run says something else")
				}
			}
		})
	}
}

// leaf is a value of a document that holds no other.
type leaf struct {
	path  meta.Path
	key   string // the last one that is no index
	value string
}

func leaves(v any, path meta.Path, key string) []leaf {
	var all []leaf
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			all = append(all, leaves(m, append(slices.Clone(path), k), k)...)
		}
	case []any:
		for i, m := range v {
			all = append(all, leaves(m, append(slices.Clone(path), i), key)...)
		}
	}
	if len(all) == 0 {
		all = append(all, leaf{path, key, fmt.Sprint(v)})
	}
	return all
}

func leavesOf(t testing.TB, doc *parser.Document) []leaf {
	t.Helper()
	data, err := doc.JSON()
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return leaves(v, nil, "")
}

// nothingLost asks for the fields of a package that has some.
func nothingLost(t testing.TB, fsys fs.FS, m *legacy.Migration) {
	t.Helper()
	if seen := fieldsKept(t, fsys, m); seen < 3 {
		t.Fatalf("%d fields seen", seen)
	}
}

// fieldsKept walks every field of every file of a package, and wants each of them in the
// result or in the report: a field of a definition, with its name, as often as it was there;
// a schema of a user interface as it is written; an icon byte for byte. It returns how many
// it has seen.
func fieldsKept(t testing.TB, fsys fs.FS, m *legacy.Migration) (seen int) {
	t.Helper()
	var out []leaf
	definitions := map[string]map[[2]string]int{}
	for _, f := range m.Files {
		for doc, err := range parser.Bytes(f.Name, f.Data, nil) {
			if err != nil {
				t.Fatal(err)
			}
			all := leavesOf(t, doc)
			out = append(out, all...)
			fields := map[[2]string]int{}
			for _, l := range all {
				fields[[2]string{strings.Replace(l.key, "JSONPath", "jsonPath", 1), l.value}]++
			}
			definitions[doc.Name] = fields
		}
	}
	holds := func(s string) bool {
		return slices.ContainsFunc(out, func(l leaf) bool { return strings.Contains(l.value, s) })
	}
	reported := func(file string, doc *parser.Document, path meta.Path) bool {
		return slices.ContainsFunc(m.Report, func(l legacy.Line) bool {
			if l.Range.File != file || strings.Contains(l.Text, "comments are not carried over") {
				return false
			}
			if !l.Range.Start.IsValid() {
				return true // the file as a whole
			}
			return doc != nil && l.Range.Start.Offset >= doc.Range.Start.Offset && l.Range.Start.Offset < doc.Range.End.Offset &&
				len(l.Path) <= len(path) && slices.Equal(l.Path, path[:len(l.Path)])
		})
	}
	err := fs.WalkDir(fsys, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, file)
		if err != nil {
			return err
		}
		if ext := filepath.Ext(file); ext != ".yaml" {
			if !holds(base64.StdEncoding.EncodeToString(data)) && !reported(file, nil, nil) {
				t.Errorf("%s is lost", file)
			}
			seen++
			return nil
		}
		for doc, err := range parser.Bytes(file, data, nil) {
			if doc == nil {
				if e := (*parser.Error)(nil); !errors.As(err, &e) || e.Rule != parser.RuleMissingKind && e.Rule != parser.RuleMissingAPIVersion {
					t.Fatal(err)
				}
				continue
			}
			isDefinition := strings.HasSuffix(doc.Kind, "Definition")
			if !isDefinition && holds(strings.TrimSpace(string(doc.Text()))) {
				continue
			}
			need := map[[2]string]int{}
			for _, l := range leavesOf(t, doc) {
				seen++
				field := [2]string{strings.Replace(l.key, "JSONPath", "jsonPath", 1), l.value}
				switch doc.APIVersion + " " + l.path.String() {
				case "apiextensions.k8s.io/v1beta1 spec.validation", "apiextensions.crossplane.io/v1alpha1 spec.crdSpecTemplate.validation":
					field[0] = "schema" // it holds none, and is moved all the same
				}
				isValue := func(key any) bool { return key == "default" || key == "enum" || key == "example" }
				if reported(file, doc, l.path) || l.value == "<nil>" && !(isDefinition && slices.ContainsFunc(l.path, isValue)) { // null says nothing, but among values
					continue
				}
				need[field]++
				switch {
				case isDefinition && (l.key == "kind" && len(l.path) == 1 || l.key == "version"): // says what it is converted from; a name of a version
				case isDefinition && definitions[doc.Name][field] < need[field]:
					t.Errorf("%s: %s: %q is lost", file, l.path, l.value)
				case !isDefinition && !holds(strings.TrimSpace(l.value)):
					t.Errorf("%s: %s: %q is lost", file, l.path, l.value)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

func TestMigrateOptions(t *testing.T) {
	const app, install = "-- app.yaml --\ntitle: The Title!\n", "-- install.yaml --\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: the-deployment}\nspec: {template: {spec: {containers: [{name: c}]}}}\n"
	for _, c := range []struct {
		reason, files      string
		o                  legacy.MigrateOptions
		name, kind, expect string
	}{
		{"the title as a name", app, legacy.MigrateOptions{}, "the-title", "Configuration", "friendly-name.meta.crossplane.io: The Title!"},
		{"a title without a letter", "-- app.yaml --\ntitle: '…'\n", legacy.MigrateOptions{}, "package", "Configuration", ""},
		{"the name of the Deployment", app + install, legacy.MigrateOptions{}, "the-deployment", "Provider", ""},
		{"the name of the image, in which the controller is too", app + install, legacy.MigrateOptions{Image: "example.org/stack/one:v1"}, "one", "Provider", "image: example.org/stack/one:v1"},
		{"a name that is given", app, legacy.MigrateOptions{Name: "given", Image: "example.org/one:v1"}, "given", "Configuration", ""},
		{"a type with nothing else", app + "-- x --\n", legacy.MigrateOptions{}, "the-title", "Configuration", ""},
		{"a type Provider", "-- app.yaml --\ntitle: x\npackageType: Provider\n", legacy.MigrateOptions{}, "x", "Provider", ""},
	} {
		_, m := migrate(t, tree(c.files), &c.o)
		if m.Name != c.name || string(m.Kind) != c.kind || !strings.Contains(string(m.Files[0].Data), c.expect) || len(m.Files) != 1 {
			t.Errorf("%s: got %s %s:\n%s", c.reason, m.Kind, m.Name, m.Files[0].Data)
		}
	}
	p, err := legacy.Read(t.Context(), tree(app), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := legacy.Migrate(t.Context(), p, &legacy.MigrateOptions{Name: "No!"}); !errors.Is(err, meta.ErrInvalid) {
		t.Errorf("a bad name: got %v", err)
	}
}

func TestMigrateDependencies(t *testing.T) {
	source, err := meta.ParseSource("example.org/provider-other")
	if err != nil {
		t.Fatal(err)
	}
	other, err := meta.ParseSource("example.org/provider-more")
	if err != nil {
		t.Fatal(err)
	}
	constraint, err := meta.ParseConstraint(">=v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	dep := meta.Dependency{APIVersion: "pkg.crossplane.io/v1", Kind: "Provider", Package: source, Constraint: constraint}
	fsys := tree("-- app.yaml --\ntitle: x\npackageType: Provider\ndependsOn:\n- crd: '*.one.org/v1'\n- crd: a.one.org/v1\n- crd: b.two.org/v1\n- crd: c.three.org/v1\n")
	o := &legacy.MigrateOptions{Packages: func(_ context.Context, ref meta.CRDRef) ([]meta.Dependency, error) {
		switch ref.Group {
		case "one.org":
			return []meta.Dependency{dep}, nil
		case "two.org":
			return []meta.Dependency{dep, {Package: other}}, nil
		}
		return nil, nil
	}}
	_, m := migrate(t, fsys, o)
	golden(t, "dependencies.migrate", told(m))
	nothingLost(t, fsys, m)

	p, err := legacy.Read(t.Context(), fsys, nil)
	if err != nil {
		t.Fatal(err)
	}
	failed := errors.New("the index is down")
	o.Packages = func(context.Context, meta.CRDRef) ([]meta.Dependency, error) { return nil, failed }
	if _, err := legacy.Migrate(t.Context(), p, o); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

// Broken input gets file, line and field.
func TestMigrateFaults(t *testing.T) {
	p, err := legacy.Read(t.Context(), tree(`-- app.yaml --
title: x
-- resources/a.crd.yaml --
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: as.b.c
spec:
  group: b.c
  names: {kind: A, plural: as}
  versions:
  - name: v1
    additionalPrinterColumns: 7
-- resources/b.yaml --
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: bs.b.c
spec:
  group: b.c
  names: {kind: B, plural: bs}
  version: v1
  conversion: None
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = legacy.Migrate(t.Context(), p, nil)
	var list parser.ErrorList
	if !errors.As(err, &list) || !errors.Is(err, meta.ErrInvalid) {
		t.Fatalf("got %v", err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Error())
	}
	want := []string{
		"resources/a.crd.yaml:10:31: metadata-invalid: the number 7 is not an array (spec.versions[0].additionalPrinterColumns)",
		`resources/b.yaml:9:15: metadata-invalid: "None" is not an object (spec.conversion)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := legacy.Migrate(ctx, p, nil); !errors.Is(err, meta.ErrCanceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// What is too large for annotations is told, and nothing is cut.
func TestMigrateRoom(t *testing.T) {
	large := strings.Repeat("x", 300<<10)
	p, m := migrate(t, tree("-- app.yaml --\ntitle: x\nreadme: "+large+"\n"), nil)
	if len(m.Report) != 1 || !strings.HasPrefix(m.Report[0].String(), "app.yaml:2:1: too large") || p.App.Readme != large {
		t.Errorf("got %v", m.Report)
	}
	_, m = migrate(t, tree(strings.Replace(everyField, "The kind's overview\n", large+"\n", 1)), nil)
	if !slices.ContainsFunc(m.Report, func(l legacy.Line) bool {
		return l.Path.String() == "overview" && strings.Contains(l.Text, `not told of "Bucket": too large`)
	}) {
		t.Errorf("got %v", m.Report)
	}
}

func TestWriteDir(t *testing.T) {
	_, m := migrate(t, tree(everyField), nil)
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	if err := m.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Files {
		if data, err := os.ReadFile(filepath.Join(dir, f.Name)); err != nil || string(data) != string(f.Data) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	err := m.WriteDir(dir)
	if exists := (*legacy.ExistsError)(nil); !errors.As(err, &exists) || !errors.Is(err, fs.ErrExist) || !errors.Is(err, meta.ErrInvalid) {
		t.Errorf("a directory that exists: got %v", err)
	}
	if err := m.WriteDir(filepath.Join(parent, "none", "out")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), filepath.Join("none", "out")+":") {
		t.Errorf("a parent that does not: got %v", err)
	}
	// What fails leaves nothing behind.
	m.Files = append(m.Files, legacy.MigratedFile{Name: "../outside"})
	if err := m.WriteDir(filepath.Join(parent, "failed")); err == nil {
		t.Error("a file outside of the directory was written")
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) != 1 {
		t.Errorf("%v is left (%v)", left, err)
	}
}

// FuzzMigrate: whatever can be read without a fault is migrated, or refused with a place;
// nothing of it is lost without a line in the report, and what is made can be read.
func FuzzMigrate(f *testing.F) {
	for _, s := range []string{everyField, composite} {
		fsys := tree(s)
		for name, file := range fsys {
			if strings.Contains(name, "/resources/") && strings.HasSuffix(name, ".yaml") {
				f.Add(string(fsys[".registry/app.yaml"].Data), string(file.Data))
			}
		}
	}
	// A field of today's name only where it is one.
	f.Add("title: x\n", "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\n"+
		"spec: {group: b.c, version: v1, names: {kind: A, plural: as}, unknown: [{JSONPath: .a}]}\n")
	f.Add("title: x\ncompany:\n", "")
	// Where a schema belongs there is none.
	f.Add("title: x\n", "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\n"+
		"spec: {group: b.c, version: v1, names: {kind: A, plural: as}, validation: none}\n")
	f.Add("title: x\n", "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\n"+
		"spec: {group: b.c, version: v1, names: {kind: A, plural: as}, scope:}\n")
	f.Add("title: x\npackageType: Stack\n", "apiVersion: apiextensions.crossplane.io/v1alpha1\nkind: InfrastructureDefinition\nmetadata: {name: as.b.c}\n"+
		"spec: {names: {kind: B, plural: bs}, versions: [{name: v2}], crdSpecTemplate: {group: b.c, version: v1, names: {kind: A, plural: as}}}\n")
	f.Add("title: x\npackageType: Stack\n", "apiVersion: apiextensions.crossplane.io/v1alpha1\nkind: InfrastructureDefinition\nmetadata: {name: as.b.c}\n"+
		"spec: {crdSpecTemplate: {group: b.c, version: v1, names: {kind: A, plural: as}, validation:}}\n")
	f.Fuzz(executions.Many(func(t *testing.T, app, resource string) {
		if !executions.Readable([]byte(app)) || !executions.Readable([]byte(resource)) {
			return
		}
		fsys := fstest.MapFS{"app.yaml": {Data: []byte(app)}, "resources/own/x.crd.yaml": {Data: []byte(resource)}}
		p, err := legacy.Read(t.Context(), fsys, nil)
		if err != nil {
			return
		}
		m, err := legacy.Migrate(t.Context(), p, nil)
		if err != nil {
			var list parser.ErrorList
			if !errors.As(err, &list) || list[0].Range.File == "" {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		fieldsKept(t, fsys, m)
	}))
}

// Definitions of one name get files of their own, and no name leads out of the directory.
func TestMigrateFileNames(t *testing.T) {
	one := "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\nspec: {group: b.c, version: v1, names: {kind: A, plural: as}}\n---\n"
	other := func(label string) string {
		return strings.Replace(one, "{name: as.b.c}", "{name: as.b.c, labels: {a: "+label+"}}", 1)
	}
	_, m := migrate(t, tree("-- app.yaml --\ntitle: x\n-- resources/crd.yaml --\n"+one+other("b")+other("c")+strings.ReplaceAll(one, "plural: as", "plural: ../../as")), nil)
	var names []string
	for _, f := range m.Files {
		names = append(names, f.Name)
	}
	want := []string{"crds/b.c_as-2.yaml", "crds/b.c_as-3.yaml", "crds/b.c_as.yaml", "crds/customresourcedefinition.yaml", "crossplane.yaml"}
	if !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

// linesOf are the lines of a report on a file, without its name.
func linesOf(m *legacy.Migration, file string) []string {
	var lines []string
	for _, l := range m.Report {
		if l.Range.File == file {
			lines = append(lines, strings.TrimPrefix(l.String(), file+":"))
		}
	}
	return lines
}

// A definition that is there twice is in the new package once; of two that differ in anything, the
// report tells where the other one is.
func TestMigrateRepeatedDefinition(t *testing.T) {
	one := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\nspec: {group: b.c, names: {kind: A, plural: as}, scope: Cluster, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}\n"
	cases := map[string]struct {
		reason, files string
		line          string
		crds          int
	}{
		"Same":      {"nothing is lost without it", "-- resources/b/crd.yaml --\n" + one, "1:1: left out: the same definition is at resources/a/crd.yaml:1:1", 1},
		"Differs":   {"nobody but the author knows which is meant", "-- resources/b/crd.yaml --\n" + strings.Replace(one, "Cluster", "Namespaced", 1), "1:1: another definition of this name is at resources/a/crd.yaml:1:1: a package holds one, so take one out", 2},
		"Described": {"what a file says about one is in its annotations", "-- resources/b/crd.yaml --\n" + one + "-- resources/b/resource.yaml --\ntitle: The other\n", "1:1: another definition of this name is at resources/a/crd.yaml:1:1: a package holds one, so take one out", 2},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			fsys := tree("-- app.yaml --\ntitle: x\n-- resources/a/crd.yaml --\n" + one + c.files)
			_, m := migrate(t, fsys, nil)
			if got := linesOf(m, "resources/b/crd.yaml"); !slices.Contains(got, c.line) {
				t.Errorf("%s: got %q, want %q", c.reason, got, c.line)
			}
			if got := len(m.Files) - 1; got != c.crds {
				t.Errorf("%s: %d definitions, want %d", c.reason, got, c.crds)
			}
			nothingLost(t, fsys, m)
		})
	}
}

// Objects of composite resources of version v1beta1 are put in v1, whose fields are the same.
func TestMigrateCompositeV1beta1(t *testing.T) {
	fsys := tree(`-- app.yaml --
title: x
-- resources/x.yaml --
apiVersion: apiextensions.crossplane.io/v1beta1
kind: CompositeResourceDefinition
metadata: {name: nets.example.org}
spec:
  group: example.org
  names: {kind: Net, plural: nets}
  claimNames: {kind: NetClaim, plural: netclaims}
  versions: [{name: v1, served: true, referenceable: true, schema: {openAPIV3Schema: {type: object}}}]
status: {conditions: []}
---
apiVersion: apiextensions.crossplane.io/v1beta1
kind: Composition
metadata: {name: net}
spec:
  compositeTypeRef: {apiVersion: example.org/v1, kind: Net}
  resources: [{name: a, base: {apiVersion: a.org/v1, kind: B}}]
---
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: CompositeResourceDefinition
metadata: {name: olds.example.org}
spec: {crdSpecTemplate: {group: example.org}}
`)
	_, m := migrate(t, fsys, nil)
	want := []string{
		"1:1: converted to apiextensions.crossplane.io/v1, which has the same fields (apiVersion)",
		"9:1: the status of an object is made by the cluster, and a package has none (status)",
		"11:1: converted to apiextensions.crossplane.io/v1, which has the same fields (apiVersion)",
		"16:3: kept, but since Crossplane v2.0 a Composition has a pipeline of functions instead (spec.resources)",
		"18:1: left out: what it says is not translated, so write it anew in a version that packages may hold today",
	}
	if got := linesOf(m, "resources/x.yaml"); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	nothingLost(t, fsys, m)
	if m.Kind != meta.Configuration || len(m.Files) != 3 {
		t.Fatalf("got %s, %d files", m.Kind, len(m.Files))
	}
	for _, file := range m.Files[:2] {
		if text := string(file.Data); !strings.Contains(text, "apiVersion: apiextensions.crossplane.io/v1\n") || strings.Contains(text, "status") {
			t.Errorf("%s:\n%s", file.Name, text)
		}
	}
}

// A file with comments that are in no new file gets one line.
func TestMigrateComments(t *testing.T) {
	const line, kept = " its comments are not carried over", ""
	v1 := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition # the kind\nmetadata: {name: as.b.c}\nspec: {group: b.c, names: {kind: A, plural: as}, scope: Cluster, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}\n"
	cases := map[string]struct{ reason, file, text, want string }{
		"App":       {"app.yaml becomes annotations", "app.yaml", "title: x # why\n", line},
		"Many":      {"one line will do", "app.yaml", "# a\ntitle: x # b\n# c\n", line},
		"Before":    {"a comment may stand before the document", "app.yaml", "# see LICENSE\n---\ntitle: x\n", line},
		"Behind":    {"or behind it", "app.yaml", "title: x\n# end\n", line},
		"Text":      {"a # in a text is none", "app.yaml", "title: 'a # b'\noverview: |\n  # Heading\n", kept},
		"None":      {"most have none", "app.yaml", "title: x#y\n", kept},
		"Converted": {"a definition is written anew", "resources/crd.yaml", strings.Replace(v1, "io/v1", "io/v1beta1", 1), line},
		"Kept":      {"one that is as it was has them still", "resources/crd.yaml", v1, kept},
		"Second":    {"the second document counts too", "resources/crd.yaml", v1 + "---\n# lost\n" + strings.ReplaceAll(strings.Replace(v1, "io/v1", "io/v1beta1", 1), "as", "bs"), line},
		"Schema":    {"the text of a ui-schema is an annotation", "resources/ui-schema.yaml", "a: b # c\n", kept},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			fsys := tree("-- app.yaml --\ntitle: x\n-- resources/own.crd.yaml --\n" + strings.ReplaceAll(strings.ReplaceAll(v1, "as", "cs"), " # the kind", ""))
			fsys[c.file] = &fstest.MapFile{Data: []byte(c.text)}
			_, m := migrate(t, fsys, nil)
			got := slices.DeleteFunc(linesOf(m, c.file), func(s string) bool { return !strings.Contains(s, "comments") })
			if strings.Join(got, "\n") != c.want {
				t.Errorf("%s: got %q", c.reason, got)
			}
		})
	}
}

// Permissions on single kinds are asked for by the plural, where it is known.
func TestMigratePlurals(t *testing.T) {
	cases := map[string]struct {
		reason, crd, plural string
		kinds               []meta.ProvidedKind
		told                bool // that the name has to be the plural
	}{
		"Kind":    {"it has another name", "Mouse.one.org/v1", "mice", []meta.ProvidedKind{{Kind: "Mouse", Plural: "mice"}}, false},
		"Plural":  {"it has that name already", "mice.one.org/v1", "mice", []meta.ProvidedKind{{Kind: "Mouse", Plural: "mice"}}, false},
		"Both":    {"one request for both names", "mice.one.org/v1'\n- crd: 'mouse.one.org/v1", "mice", []meta.ProvidedKind{{Kind: "Mouse", Plural: "mice"}}, false},
		"Unknown": {"nobody knows it", "Mouse.one.org/v1", "mouse", nil, true},
		"Without": {"it is not known in full", "Mouse.one.org/v1", "mouse", []meta.ProvidedKind{{Kind: "Mouse"}}, true},
		"Several": {"two say different things", "Mouse.one.org/v1", "mouse", []meta.ProvidedKind{{Plural: "mice"}, {Plural: "mouses"}, {Plural: "mice"}}, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, m := migrate(t, tree("-- app.yaml --\ntitle: x\npackageType: Provider\ndependsOn:\n- crd: '"+c.crd+"'\n"), &legacy.MigrateOptions{
				Kinds: func(context.Context, meta.CRDRef) ([]meta.ProvidedKind, error) { return c.kinds, nil },
			})
			text := string(m.Files[len(m.Files)-1].Data)
			if !strings.Contains(text, "      resources:\n      - "+c.plural+"\n      verbs:\n") || strings.Count(text, "verbs:") != 1 {
				t.Errorf("%s: got\n%s", c.reason, text)
			}
			if told := strings.Contains(told(m), "in the plural"); told != c.told {
				t.Errorf("%s: told %t", c.reason, told)
			}
			failed := errors.New("the index is down")
			if _, err := legacy.Migrate(t.Context(), p, &legacy.MigrateOptions{Kinds: func(context.Context, meta.CRDRef) ([]meta.ProvidedKind, error) { return nil, failed }}); !errors.Is(err, failed) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// What once was lost in silence, or told wrongly.
func TestMigrateTold(t *testing.T) {
	crd := "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\nspec: {group: b.c, names: {kind: A, plural: as}, versions: [{name: v1, served: true, storage: true}, {name: v2}], validation: {openAPIV3Schema: {properties: {spec: {}}}}}\n"
	cases := map[string]struct {
		reason, text, file string
		want               []string
	}{
		"Package": {"a dependency on a package has no home", "-- app.yaml --\ntitle: x\ndependsOn:\n- package: a/b:v1\n  source: example.org\n", "app.yaml",
			[]string{`3:3: left out, since a package of the v1 era cannot be installed today: add what has taken the place of "a/b:v1" to spec.dependsOn (dependsOn[0])`}},
		"Versions": {"a line for what is said for all versions, not one for each", "-- app.yaml --\ntitle: x\n-- resources/crd.yaml --\n" + crd, "resources/crd.yaml", []string{
			"1:1: converted to apiextensions.k8s.io/v1 (apiVersion)",
			"4:1: version v1 cannot keep unknown fields everywhere: those that the schema does not name are dropped (spec.preserveUnknownFields)",
			"4:128: missing at the root: a resource is an object (spec.validation.openAPIV3Schema.type)",
			"4:159: has got x-kubernetes-preserve-unknown-fields, since it has no type (spec.validation.openAPIV3Schema.properties.spec)",
		}},
		"Group": {"another group than that of the definitions", "-- app.yaml --\ntitle: x\n-- resources/crd.yaml --\n" + crd + "-- resources/group.yaml --\ngroup: other.org\ntitle: y\n", "resources/group.yaml",
			[]string{`1:1: left out: "other.org" is not the group of the definitions in the directory, and counts for nothing (group)`}},
		"Spec": {"a Composition whose spec is none lists no resources", "-- app.yaml --\ntitle: x\n-- resources/x.yaml --\napiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: a}\nspec: 5\n", "resources/x.yaml", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			fsys := tree(c.text)
			_, m := migrate(t, fsys, nil)
			if got := linesOf(m, c.file); !slices.Equal(got, c.want) {
				t.Errorf("%s: got\n%s", c.reason, strings.Join(got, "\n"))
			}
			nothingLost(t, fsys, m)
		})
	}
}
