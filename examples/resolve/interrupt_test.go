package main

import (
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// Ctrl-C while releases are read leaves no lock.
func TestInterrupt(t *testing.T) {
	clitest.Undisturbed(t, "resolve", nil, "-project-lock", "lock.json", "SOURCE@v1.0.0")
}
