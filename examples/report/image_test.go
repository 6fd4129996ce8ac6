package main

import (
	"os"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// Of an image in a registry the page tells its version, its digest and its platforms.
func TestImage(t *testing.T) {
	ref := clitest.Registry(t) + "/org/shop:v1.2.3"
	clitest.Push(t, ref, shop)
	text, err := os.ReadFile(makePage(t, nil, ref))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<title>configuration-shop v1.2.3 · Crossplane Configuration</title>`,
		`<dt>Read from</dt><dd><code>` + ref + `</code>`,
		`<dt>Version</dt><dd>v1.2.3</dd>`,
		`<dt>Digest</dt><dd><code>sha256:`,
		`<dt>Platforms</dt><dd>linux/amd64</dd>`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no %s", want)
		}
	}
}
