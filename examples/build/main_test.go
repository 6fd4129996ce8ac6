package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
	"github.com/xpkg-go/sdk/xpkg"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"build": func() { cli.Main(newProgram()) }})
}

// runtimeImage is the image of a program that a user runs, "" for root.
func runtimeImage(t *testing.T, user string) v1.Image {
	t.Helper()
	img, err := random.Image(512, 1)
	if err != nil {
		t.Fatal(err)
	}
	if img, err = mutate.Config(img, v1.Config{User: user, Entrypoint: []string{"/provider"}}); err != nil {
		t.Fatal(err)
	}
	return img
}

// pushRuntime pushes the image of a program that runs as root.
func pushRuntime(t *testing.T, ref string) {
	t.Helper()
	if _, err := (&xpkg.Client{}).Push(t.Context(), ref, runtimeImage(t, "")); err != nil {
		t.Fatal(err)
	}
}

// The scripts call build as a user does and look at what it prints, at its exit code
// and at the files that it leaves.
func TestScripts(t *testing.T) {
	runtime := runtimeImage(t, "65532")
	file := filepath.Join(t.TempDir(), "runtime.tar")
	if err := tarball.WriteToFile(file, name.MustParseReference("runtime:v1"), runtime); err != nil {
		t.Fatal(err)
	}
	ref := clitest.Registry(t) + "/org/runtime:v1"
	pushRuntime(t, ref)
	clitest.Run(t, map[string]string{"RUNTIME": file, "ROOT": ref, "SOURCE_DATE_EPOCH": ""})
}

// What a package is called need not be the name of a file.
func TestBeside(t *testing.T) {
	for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, "/x", "a\x1b[2J"} {
		if got, err := beside(".", name); err == nil {
			t.Errorf("%q: got %s", name, got)
		}
	}
	if got, err := beside(filepath.Join("a", "b"), "demo"); err != nil || got != filepath.Join("a", "demo.xpkg") {
		t.Errorf("got %s (%v)", got, err)
	}
}
