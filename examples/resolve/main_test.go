package main

import (
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"resolve": func() { cli.Main(newProgram()) }})
}

// pushed starts a registry on the loopback with a few packages, and gives its host.
func pushed(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	push := func(repository, tag, kind, spec string) {
		dir := t.TempDir()
		text := "apiVersion: meta.pkg.crossplane.io/v1\nkind: " + kind + "\nmetadata:\n  name: sample\nspec:\n" +
			strings.ReplaceAll(spec, "HOST", host)
		if err := os.WriteFile(filepath.Join(dir, "crossplane.yaml"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		img, err := build.Dir(t.Context(), root, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (&xpkg.Client{}).Push(t.Context(), host+"/"+repository+":"+tag, img); err != nil {
			t.Fatal(err)
		}
	}
	push("acme/app", "v1.0.0", "Configuration", "  dependsOn:\n  - provider: HOST/acme/provider\n    version: '>=v0.2.0'\n  - apiVersion: pkg.crossplane.io/v1\n    kind: Function\n    package: HOST/acme/function\n")
	push("acme/app", "v1.1.0", "Configuration", "  dependsOn:\n  - provider: HOST/acme/gone\n    version: '>=v0.2.0'\n")
	push("acme/provider", "v0.1.0", "Provider", "  controller:\n    image: example.org/controller:v0.1.0\n")
	push("acme/provider", "v0.2.0", "Provider", "  controller:\n    image: example.org/controller:v0.2.0\n")
	push("acme/provider", "latest", "Provider", "  controller:\n    image: example.org/controller:latest\n")
	push("acme/function", "v0.3.0", "Function", "  image: example.org/function:v0.3.0\n")
	return host
}

// The scripts call resolve as a user does and look at what it prints, at its exit
// code and at what it leaves behind.
func TestScripts(t *testing.T) { clitest.Run(t, map[string]string{"HOST": pushed(t)}) }
