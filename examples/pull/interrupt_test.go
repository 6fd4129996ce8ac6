package main

import (
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// Ctrl-C while the package comes leaves the file as it was.
func TestInterrupt(t *testing.T) {
	clitest.Undisturbed(t, "pull", map[string]string{"sample.xpkg": "before"}, "-out", "sample.xpkg", "REF")
}
