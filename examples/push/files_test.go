package main

import (
	"path/filepath"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// write makes package files: a Configuration for two platforms, a Provider with a
// runtime for two, and the first as a docker tar.
func write(t *testing.T, dir string) {
	t.Helper()
	configuration := "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: sample\n"
	provider := "apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: provider-sample\n"
	for _, f := range []struct {
		name, text, arch, runtime string
		format                    build.Format
	}{
		{"amd64.xpkg", configuration, "amd64", "", build.OCI},
		{"arm64.xpkg", configuration, "arm64", "", build.OCI},
		{"docker.xpkg", configuration, "amd64", "", build.Docker},
		{"provider-amd64.xpkg", provider, "amd64", "binary for amd64", build.OCI},
		{"provider-arm64.xpkg", provider, "arm64", "binary for arm64", build.OCI},
	} {
		if err := build.WriteFile(t.Context(), filepath.Join(dir, f.name), made(t, f.text, f.arch, f.runtime), f.format); err != nil {
			t.Fatal(err)
		}
	}
}

// made is a package for a platform, with a runtime when there is one.
func made(t *testing.T, text, arch, runtime string) v1.Image {
	t.Helper()
	img := clitest.Image(t, text)
	if runtime != "" {
		var err error
		if img, err = mutate.AppendLayers(img, static.NewLayer([]byte(runtime), types.OCIUncompressedLayer)); err != nil {
			t.Fatal(err)
		}
	}
	config, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	config = config.DeepCopy()
	config.Architecture = arch
	if img, err = mutate.ConfigFile(img, config); err != nil {
		t.Fatal(err)
	}
	return img
}
