package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"migrate": func() { cli.Main(newProgram()) }})
}

const definition = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: buckets.own.example.org
spec:
  group: own.example.org
  version: v1
  names:
    kind: Bucket
    plural: buckets
  scope: Namespaced
`

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: controller
spec:
  template:
    spec:
      containers:
      - name: controller
`

// The scripts call migrate as a user does and look at what it prints, at its exit code
// and at what is left behind.
func TestScripts(t *testing.T) {
	host := clitest.Registry(t)
	ref := host + "/org/stack-sample:v1.0.0"
	push(t, ref, imageOf(t, fstest.MapFS{
		".registry/app.yaml":           {Data: []byte("title: Sample\nversion: v1.0.0\n")},
		".registry/install.yaml":       {Data: []byte(deployment)},
		".registry/resources/crd.yaml": {Data: []byte(definition)},
		"usr/bin/controller":           {Data: []byte("binary")},
	}))
	other := host + "/org/stack-sample:v1.0.1"
	push(t, other, imageOf(t, fstest.MapFS{".registry/app.yaml": {Data: []byte("title: Sample\nversion: v1.0.0\n")}}))
	clitest.Push(t, host+"/org/today:v1.0.0", "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: sample\n")
	clitest.Run(t, map[string]string{"REF": ref, "OTHER": other, "TODAY": host + "/org/today:v1.0.0"})
}

// imageOf makes an image of one layer, as the build tools of the v1 era did.
func imageOf(t testing.TB, fsys fs.FS) v1.Image {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.AddFS(fsys); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil })
	if err != nil {
		t.Fatal(err)
	}
	img, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func push(t testing.TB, ref string, img v1.Image) {
	t.Helper()
	if _, err := (&xpkg.Client{}).Push(t.Context(), ref, img); err != nil {
		t.Fatal(err)
	}
}

// corpusPackage is a real package of the v1 era as its authors' build had it: with the
// definitions that it merged in.
func corpusPackage(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	corpus := os.Getenv("XPKG_CORPUS")
	if corpus == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	all := fstest.MapFS{}
	add := func(dir, below string) {
		if err := fs.WalkDir(os.DirFS(dir), ".", func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(filepath.Join(dir, file))
			all[below+file] = &fstest.MapFile{Data: data}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if name == "stack-gcp-v0.3.0" {
		add(filepath.Join(corpus, "legacy", name), ".registry/")
		add(filepath.Join(corpus, "legacy-crds", name), ".registry/resources/")
	} else {
		add(filepath.Join(corpus, "legacy", name), "")
	}
	return all
}

// TestComposite: definitions of composite resources of the v1 era are a Configuration of
// today, against which nothing is to be said.
func TestComposite(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	if err := os.CopyFS(dir, fstest.MapFS{
		"app.yaml": {Data: []byte("title: Network\npackageType: Stack\nlicense: Apache-2.0\n")},
		"resources/definition.yaml": {Data: []byte(`apiVersion: apiextensions.crossplane.io/v1alpha1
kind: InfrastructureDefinition
metadata:
  name: networks.example.org
spec:
  connectionSecretKeys: [address]
  crdSpecTemplate:
    group: example.org
    version: v1alpha1
    names: {kind: Network, listKind: NetworkList, plural: networks, singular: network}
    additionalPrinterColumns:
    - {name: SIZE, type: string, JSONPath: .spec.size}
    validation:
      openAPIV3Schema:
        properties:
          spec:
            type: object
            properties:
              size: {type: string}
              port: {anyOf: [{type: integer}, {type: string}]}
              any: {}
              list: {type: array}
---
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: InfrastructurePublication
metadata:
  name: networks.example.org
spec:
  infrastructureDefinitionRef:
    name: networks.example.org
`)},
	}); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := newProgram().Exec(t.Context(), []string{dir, out}, nil, &stdout, &stderr); code != cli.Fine {
		t.Fatalf("exit code %d: %s%s", code, &stdout, &stderr)
	}
	root, err := os.OpenRoot(out)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	lint(t, root)
	p, err := parser.Collect(parser.Dir(t.Context(), root, nil))
	if err != nil || p.Meta.Kind != meta.Configuration {
		t.Fatalf("got %v (%v)", p, err)
	}
	var kinds []string
	for _, k := range p.Provides().Kinds {
		kinds = append(kinds, k.Kind)
	}
	if want := []string{"Network", "NetworkRequirement"}; !slices.Equal(kinds, want) {
		t.Errorf("got the kinds %q, want %q", kinds, want)
	}
}

// lint judges a directory for being installed, with the rules of the API server too.
func lint(t *testing.T, root *os.Root) {
	t.Helper()
	suite := append(rules.Suite(), apiserver.Rules()...)
	found, err := linter.Lint(t.Context(), parser.Dir(t.Context(), root, nil), &linter.Options{Rules: suite, Profile: linter.Install})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found.Diagnostics {
		if d.Severity == linter.Error {
			t.Error(d)
		} else {
			t.Log(d)
		}
	}
}

// TestCorpus takes real packages all the way: read from an image in a registry, migrated,
// judged, built, pushed and pulled back.
func TestCorpus(t *testing.T) {
	for name, definitions := range map[string]int{"sample-stack": 1, "stack-gcp-v0.3.0": 13} {
		t.Run(name, func(t *testing.T) {
			host := clitest.Registry(t)
			push(t, host+"/org/"+name+":latest", imageOf(t, corpusPackage(t, name)))
			out := filepath.Join(t.TempDir(), "out")
			var stdout, stderr bytes.Buffer
			if code := newProgram().Exec(t.Context(), []string{"-o", "json", "-cache", t.TempDir(), host + "/org/" + name + ":latest", out}, nil, &stdout, &stderr); code != cli.Fine {
				t.Fatalf("exit code %d: %s%s", code, &stdout, &stderr)
			}
			var r result
			if err := json.Unmarshal(stdout.Bytes(), &r); err != nil || r.Kind != "Provider" || len(r.Files) != definitions+1 || len(r.Report) == 0 {
				t.Fatalf("got %s (%v)", &stdout, err)
			}
			root, err := os.OpenRoot(out)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			lint(t, root)
			img, err := build.Dir(t.Context(), root, nil)
			if err != nil {
				t.Fatal(err)
			}
			ref := host + "/org/migrated:v1.0.0"
			push(t, ref, img)
			pulled, err := (&xpkg.Client{}).Image(t.Context(), ref, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := pulled.Package(t.Context())
			if err != nil || p.Meta.Name != r.Name || len(p.Objects) != definitions || len(p.Provides().Kinds) != definitions {
				t.Fatalf("got %v (%v)", p, err)
			}
			for _, d := range p.Objects {
				if d.APIVersion != "apiextensions.k8s.io/v1" {
					t.Errorf("%s is of %s", d.Name, d.APIVersion)
				}
			}
			files := map[string]bool{}
			_ = fs.WalkDir(root.FS(), ".", func(file string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					files[file] = true
				}
				return err
			})
			if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, r.Files) {
				t.Errorf("the directory has %v, the answer says %v", got, r.Files)
			}
		})
	}
}
