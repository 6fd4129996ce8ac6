package clitest

import (
	"io"
	"log"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// Registry starts a registry on the loopback that ends with the test, and gives its
// host and port.
func Registry(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

// Image builds a package of the text of its package.yaml.
func Image(t testing.TB, text string) v1.Image {
	t.Helper()
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(text), nil))
	if err != nil {
		t.Fatal(err)
	}
	img, err := build.Package(t.Context(), pkg, nil)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Push builds a package of the text of its package.yaml and pushes it.
func Push(t testing.TB, ref, text string) {
	t.Helper()
	if _, err := (&xpkg.Client{}).Push(t.Context(), ref, Image(t, text)); err != nil {
		t.Fatal(err)
	}
}
