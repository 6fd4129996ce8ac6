package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"resolve": func() { cli.Main(newProgram()) }})
}

// pushed starts a registry with a few packages, and gives its host.
func pushed(t *testing.T) string {
	t.Helper()
	host := clitest.Registry(t)
	for _, p := range []struct{ ref, kind, spec string }{
		{"app:v1.0.0", "Configuration", "{dependsOn: [{provider: " + host + "/acme/provider, version: '>=v0.2.0'}, " +
			"{apiVersion: pkg.crossplane.io/v1, kind: Function, package: " + host + "/acme/function}]}"},
		{"app:v1.1.0", "Configuration", "{dependsOn: [{provider: " + host + "/acme/gone, version: '>=v0.2.0'}]}"},
		{"provider:v0.1.0", "Provider", "{controller: {image: 'example.org/controller:v0.1.0'}}"},
		{"provider:v0.2.0", "Provider", "{controller: {image: 'example.org/controller:v0.2.0'}}"},
		{"provider:latest", "Provider", "{controller: {image: 'example.org/controller:latest'}}"},
		{"kinds:v1.0.0", "Configuration", "{dependsOn: [{crd: Db.db.acme.io/v1}]}"},
		{"function:v0.3.0", "Function", "{image: 'example.org/function:v0.3.0'}"},
	} {
		clitest.Push(t, host+"/acme/"+p.ref, "apiVersion: meta.pkg.crossplane.io/v1\nkind: "+p.kind+"\nmetadata: {name: sample}\nspec: "+p.spec+"\n")
	}
	pushIndex(t, host+"/acme/arm:v1.0.0", &v1.Platform{OS: "linux", Architecture: "arm64"}, &v1.Platform{OS: "linux", Architecture: "s390x"})
	return host
}

// pushIndex pushes an index of provider packages that differ, one for each platform.
func pushIndex(t *testing.T, ref string, platforms ...*v1.Platform) {
	t.Helper()
	var index v1.ImageIndex = empty.Index
	for _, p := range platforms {
		text := "apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: " + p.Architecture + "}\nspec: {controller: {image: example.org/c}}\n"
		img := clitest.Image(t, text)
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: p}})
	}
	tag, err := name.NewTag(ref)
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.WriteIndex(tag, index); err != nil {
		t.Fatal(err)
	}
}

// The scripts call resolve as a user does and look at what it prints, at its exit
// code and at what it leaves behind.
func TestScripts(t *testing.T) { clitest.Run(t, map[string]string{"HOST": pushed(t)}) }

// What comes has a colour, and what stays has none.
func TestColours(t *testing.T) {
	if got := colour("install"); got != "\x1b[32minstall\x1b[0m" || colour("keep") != "keep" {
		t.Errorf("got %q", got)
	}
}

// A lock that cannot be written whole is not written at all.
func TestWriteProjectLock(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "xpkg.lock"), 0o777); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	catalog := filepath.Join(dir, "catalog.json")
	if err := os.WriteFile(catalog, []byte(`{"packages": [{"source": "acme.io/app", "versions": [{"version": "v1.0.0"}]}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"-upgrade", "-catalog", catalog, "-project-lock", filepath.Join(dir, "xpkg.lock"), "acme.io/app"}
	if code := newProgram().Exec(t.Context(), args, nil, &stdout, &stderr); code != cli.Failed || stdout.Len() > 0 {
		t.Errorf("exit code %d: %s%s", code, &stdout, &stderr)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".xpkg.lock-*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left behind (%v)", left, err)
	}
}
