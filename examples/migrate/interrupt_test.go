package main

import (
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// Ctrl-C while the old package comes leaves no directory.
func TestInterrupt(t *testing.T) { clitest.Undisturbed(t, "migrate", nil, "REF", "new") }
