package legacy_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
)

const app = "-- .registry/app.yaml --\napiVersion: 0.1.0\ntitle: Sample\n"

const deployment = `-- .registry/install.yaml --
apiVersion: apps/v1
kind: Deployment
metadata:
  name: sample
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
      - name: sample
        env: []
`

// Every field of app.yaml is read. (packages v1, Example app.yaml)
func TestAppEveryField(t *testing.T) {
	p, faults := read(t, `-- .registry/app.yaml --
apiVersion: 0.1.0
version: 0.0.1
title: Sample Crossplane Stack
overviewShort: one line
overview: |
  several
  lines
readme: |
 *Markdown*
maintainers:
- {name: Jared, email: jared@example.org}
owners:
- {name: Bassam, email: bassam@example.org}
company: Acme
category: Database
keywords: [samples, "examples"]
website: "https://example.org"
source: "https://git.example.org"
license: Apache-2.0
packageType: Provider
permissionScope: Cluster
dependsOn:
- crd: "mytype.mygroup.example.org/v1alpha1"
- crd: '*.yourstack.example.org/v1alpha1'
`, &legacy.Options{Tag: "0.0.1"})
	if faults != nil {
		t.Fatal(faults)
	}
	want := legacy.Metadata{
		Title: "Sample Crossplane Stack", OverviewShort: "one line", Overview: "several\nlines\n", Readme: "*Markdown*\n",
		Category: "Database", Version: "0.0.1", Company: "Acme",
		Maintainers: []legacy.Contributor{{Name: "Jared", Email: "jared@example.org"}},
		Owners:      []legacy.Contributor{{Name: "Bassam", Email: "bassam@example.org"}},
		Keywords:    []string{"samples", "examples"}, Website: "https://example.org", Source: "https://git.example.org",
		License: "Apache-2.0", PackageType: legacy.TypeProvider, PermissionScope: legacy.ScopeCluster,
		DependsOn: []legacy.Dependency{{CRD: "mytype.mygroup.example.org/v1alpha1"}, {CRD: "*.yourstack.example.org/v1alpha1"}},
	}
	if diff := cmp.Diff(want, p.App.Metadata); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if p.App.APIVersion != legacy.Format {
		t.Errorf("apiVersion is %q", p.App.APIVersion)
	}
	if r := p.App.Document.At("license").Value; r.String() != ".registry/app.yaml:19:10" {
		t.Errorf("license stands at %s", r)
	}
	if ref, err := p.App.DependsOn[1].Ref(); err != nil || ref.Name != "*" || ref.Group != "yourstack.example.org" || ref.Version != "v1alpha1" {
		t.Errorf("the second dependency is %+v, %v", ref, err)
	}
	if len(p.UnknownFields)+len(p.UnknownFiles) > 0 {
		t.Errorf("unknown: %v %v", p.UnknownFields, p.UnknownFiles)
	}
}

// Every fault has its file, line and field, and all come at once.
func TestFaults(t *testing.T) {
	cases := map[string]struct {
		reason  string
		archive string
		options *legacy.Options
		want    []string // the whole text of each, or its beginning before a …
		is      error
	}{
		"Fine": {"the smallest package is without fault", app, nil, nil, nil},
		"Enumerations": {"words of which there are a few", `-- .registry/app.yaml --
packageType: provider
permissionScope: Namespace
`, nil, []string{
			`.registry/app.yaml:1:14: metadata-invalid: "provider" is not a type of package (want Provider, Stack, Application, Addon) (packageType)`,
			`.registry/app.yaml:2:18: metadata-invalid: "Namespace" is not a scope of permissions (want Cluster, Namespaced) (permissionScope)`,
		}, meta.ErrInvalid},
		"Format": {"0.1.0 is the only version", "-- .registry/app.yaml --\napiVersion: 0.2.0\n", nil, []string{`.registry/app.yaml:1:13: metadata-invalid: "0.2.0" is not a known version of the package format, which is 0.1.0 (apiVersion)`}, meta.ErrInvalid},
		"Tag":    {"version and tag must be equal", "-- .registry/app.yaml --\nversion: 0.0.1\n", &legacy.Options{Tag: "v0.0.1"}, []string{`.registry/app.yaml:1:10: metadata-invalid: "0.0.1" is not the tag of the image, "v0.0.1" (the two must be equal where both are there) (version)`}, meta.ErrInvalid},
		"NoTag":  {"where there is no tag, nothing can differ", "-- .registry/app.yaml --\nversion: 0.0.1\n", nil, nil, nil},
		"Tagged": {"where there is no version, the tag is it", "-- .registry/app.yaml --\ntitle: A\n", &legacy.Options{Tag: "v1"}, nil, nil},
		"Types": {"every field of a wrong type", "-- .registry/app.yaml --\ntitle: 5\nkeywords: a\nmaintainers:\n- Jared\n- {name: [a]}\ndependsOn: {}\nversion: 1.10\nowners: null\n", nil, []string{
			`.registry/app.yaml:1:8: metadata-invalid: the number 5 is not a text (write it in quotes) (title)`,
			`.registry/app.yaml:2:11: metadata-invalid: "a" is not a list (keywords)`,
			`.registry/app.yaml:4:3: metadata-invalid: "Jared" is not an object (maintainers[0])`,
			`.registry/app.yaml:5:10: metadata-invalid: a list is not a text (maintainers[1].name)`,
			`.registry/app.yaml:6:12: metadata-invalid: an object is not a list (dependsOn)`,
			`.registry/app.yaml:7:10: metadata-invalid: the number 1.10 is not a text (write it in quotes) (version)`,
		}, meta.ErrInvalid},
		"Dependencies": {"a dependency is on a kind", "-- .registry/app.yaml --\ndependsOn:\n- crd: mytype\n- {}\n", nil, []string{
			`.registry/app.yaml:2:8: metadata-invalid: "mytype" is not the name of a kind…`,
			`.registry/app.yaml:3:3: metadata-invalid: missing, want the kind that is depended on…`,
		}, meta.ErrInvalid},
		"PackageDependency": {"or on a package, as an install object names one", "-- .registry/app.yaml --\ndependsOn:\n- {package: a/b:v1, source: c.io}\n- {package: A B}\n- {crd: a.b.c/v1, package: a/b}\n", nil, []string{
			`.registry/app.yaml:3:13: metadata-invalid: "A B" is not an image reference…`,
			`.registry/app.yaml:4:28: metadata-invalid: crd is there as well, and exactly one of the two may be (dependsOn[2].package)`,
		}, meta.ErrInvalid},
		"YAML":     {"text that is no YAML", "-- .registry/app.yaml --\ntitle: [\n", nil, []string{`.registry/app.yaml:…`}, meta.ErrInvalid},
		"Twice":    {"app.yaml is one document", app + "---\ntitle: B\n", nil, []string{`.registry/app.yaml:4:1: metadata-multiple: a second document, where the metadata of the package is one, which is at .registry/app.yaml:1:1`}, meta.ErrInvalid},
		"Empty":    {"a file that holds nothing", "-- .registry/app.yaml --\n", nil, []string{`.registry/app.yaml…`}, meta.ErrInvalid},
		"NoApp":    {"app.yaml is required", "-- .registry/icon.svg --\n<svg/>\n", nil, []string{`.registry/app.yaml: metadata-missing: there is no app.yaml, which every v1 package has`}, meta.ErrNotPackage},
		"Nothing":  {"neither directory nor file", "-- package.yaml --\na: b\n", nil, []string{`metadata-missing: there is neither a directory .registry nor a file app.yaml, so this is no v1 package`}, meta.ErrNotPackage},
		"Service":  {"install.yaml is a Deployment", app + "-- .registry/install.yaml --\napiVersion: v1\nkind: Service\n", nil, []string{`.registry/install.yaml:2:7: metadata-invalid: "v1 Service" is not a Deployment of the group apps (install.yaml holds one, and nothing else) (kind)`}, meta.ErrInvalid},
		"Two":      {"install.yaml is one Deployment", app + "-- .registry/install.yaml --\napiVersion: apps/v1\nkind: Deployment\n---\napiVersion: apps/v1\nkind: Deployment\n", nil, []string{`.registry/install.yaml:5:7: metadata-invalid: a second Deployment, beside the one at .registry/install.yaml:1:1, where install.yaml holds one (kind)`}, meta.ErrInvalid},
		"Image":    {"an image is a reference", app + strings.Replace(deployment, "env: []", "image: Bad Image", 1), nil, []string{`.registry/install.yaml:12:16: metadata-invalid: "Bad Image" is not an image reference…`}, meta.ErrInvalid},
		"Behavior": {"images of behavior.yaml are references", app + "-- .registry/behavior.yaml --\nsource: {image: A B, path: /x}\nengine: {type: helm2}\n", nil, []string{`.registry/behavior.yaml:1:17: metadata-invalid: "A B" is not an image reference…`}, meta.ErrInvalid},
		"CRD": {"a definition says what it defines", app + "-- .registry/resources/crd.yaml --\napiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nspec: {names: {kind: A}}\n", nil, []string{
			`.registry/resources/crd.yaml:3:1: metadata-invalid: missing, want the group of the kind (spec.group)`,
			`.registry/resources/crd.yaml:3:8: metadata-invalid: missing, want its plural (spec.names.plural)`,
		}, meta.ErrInvalid},
		"Kindless": {"what is called a definition is an object", app + "-- .registry/resources/crd.yaml --\na: b\n", nil, []string{`.registry/resources/crd.yaml:1:1: missing-api-version…`, `.registry/resources/crd.yaml:1:1: missing-kind…`}, meta.ErrInvalid},
		"Several": {"faults of all files come together", "-- .registry/app.yaml --\ntitle: 1\n-- .registry/resources/group.yaml --\ntitle: 2\n-- .registry/resources/resource.yaml --\nid: 3\n", nil, []string{
			`.registry/app.yaml:1:8: metadata-invalid: …`, `.registry/resources/group.yaml:1:8: metadata-invalid: …`, `.registry/resources/resource.yaml:1:5: metadata-invalid: …`,
		}, meta.ErrInvalid},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, faults := read(t, c.archive, c.options)
			if len(faults) != len(c.want) {
				t.Fatalf("%s: got\n%v\nwant %d faults", c.reason, faults, len(c.want))
			}
			for i, f := range faults {
				begin, more := strings.CutSuffix(c.want[i], "…")
				if got := f.Error(); got != c.want[i] && !(more && strings.HasPrefix(got, begin)) {
					t.Errorf("%s: got\n%s\nwant\n%s", c.reason, got, c.want[i])
				}
				if !errors.Is(f, c.is) {
					t.Errorf("%s: %s does not match %v", c.reason, f, c.is)
				}
			}
		})
	}
}

// What is no proper file is told, with a typed error, and not read.
func TestOddFiles(t *testing.T) {
	fsys := tree(app)
	fsys[".registry/install.yaml"] = &fstest.MapFile{Data: []byte("../../etc/passwd"), Mode: fs.ModeSymlink}
	fsys[".registry/resources/pipe.crd.yaml"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	fsys[".registry/resources/a\nb.crd.yaml"] = &fstest.MapFile{}
	fsys[".registry/"+strings.Repeat("d/", legacy.MaxPath/2)+"icon.svg"] = &fstest.MapFile{}
	_, err := legacy.Read(t.Context(), fsys, nil)
	want := map[string]legacy.FileProblem{
		".registry/install.yaml": legacy.FileLink, ".registry/resources/pipe.crd.yaml": legacy.FileIrregular, ".registry/resources/a\nb.crd.yaml": legacy.FileName,
	}
	seen := 0
	for _, e := range faultsOf(t, err) {
		var f *legacy.FileError
		if !errors.As(e, &f) || !errors.Is(e, meta.ErrInvalid) || e.Range.File != f.File {
			t.Fatalf("%v is no error of a file", e)
		}
		if len(f.File) > 100 {
			want[f.File] = legacy.FileName
		}
		if want[f.File] != f.Problem || strings.Contains(e.Error(), "\n") {
			t.Errorf("%v", e)
		}
		seen++
	}
	if seen != 4 {
		t.Errorf("got %d faults: %v", seen, err)
	}
}

func TestRegistryIsALink(t *testing.T) {
	_, err := legacy.Read(t.Context(), fstest.MapFS{".registry": {Data: []byte("/etc"), Mode: fs.ModeSymlink}, "app.yaml": {Data: []byte("title: A\n")}}, nil)
	var f *legacy.FileError
	if !errors.As(err, &f) || f.Problem != legacy.FileLink {
		t.Fatalf("got %v", err)
	}
}

func TestLimits(t *testing.T) {
	cases := map[string]struct {
		reason string
		o      legacy.Options
		unit   string
	}{
		"Files": {"too many files", legacy.Options{MaxFiles: 2}, "files and directories"},
		"Bytes": {"too many bytes", legacy.Options{MaxBytes: 40}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := legacy.Read(t.Context(), tree(app+deployment+"-- .registry/icon.svg --\n<svg/>\n"), &c.o)
			var limit *meta.LimitError
			if !errors.As(err, &limit) || !errors.Is(err, meta.ErrLimit) || limit.Unit != c.unit {
				t.Fatalf("%s: got %v", c.reason, err)
			}
		})
	}
}

func TestFaultsAreBounded(t *testing.T) {
	_, faults := read(t, "-- .registry/app.yaml --\nkeywords: ["+strings.Repeat("1,", 10_000)+"1]\n", nil)
	if len(faults) != legacy.MaxFieldFaults+1 || !errors.Is(faults, meta.ErrLimit) {
		t.Errorf("got %d faults", len(faults))
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := legacy.Read(ctx, tree(app), nil)
	if p != nil || !errors.Is(err, meta.ErrCanceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", p, err)
	}
}
