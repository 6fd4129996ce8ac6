package main

import (
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// Ctrl-C while the package comes leaves the page of before.
func TestInterrupt(t *testing.T) {
	clitest.Undisturbed(t, "report", map[string]string{"page.html": "before"}, "-out", "page.html", "REF")
}
