package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"install": func() { cli.Main(newProgram()) }})
}

// The scripts call install as a user does.
func TestScripts(t *testing.T) {
	upgrade, err := filepath.Abs("testdata/upgrade.yaml")
	if err != nil {
		t.Fatal(err)
	}
	clitest.Run(t, map[string]string{"UPGRADE": upgrade})
}
