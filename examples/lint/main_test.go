package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lint": func() { cli.Main(newProgram()) }})
}

// The scripts call lint as a user does and look at what it prints, at its exit code
// and at the files that it mends.
func TestScripts(t *testing.T) { clitest.Run(t, nil) }
