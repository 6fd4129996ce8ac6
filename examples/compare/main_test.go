package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"compare": func() { cli.Main(newProgram()) }})
}

// The scripts call compare as a user does and look at what it prints and at its
// exit code.
func TestScripts(t *testing.T) { clitest.Run(t, nil) }
