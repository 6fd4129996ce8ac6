package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"push": func() { cli.Main(newProgram()) }})
}

// The scripts call push as a user does and look at what it prints, at its exit code and
// at what the registry has then.
func TestScripts(t *testing.T) {
	files := t.TempDir()
	// What a registry has is not uploaded, so that a script that looks at uploads needs one of its own.
	variables := map[string]string{"REGISTRY": clitest.Registry(t), "EMPTY": clitest.Registry(t), "FILES": files}
	write(t, files)
	clitest.Run(t, variables)
}
