package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mirror": func() { cli.Main(newProgram()) }})
}

// The scripts call mirror as a user does and look at what it prints, at its exit code
// and at what is in the mirror then.
func TestScripts(t *testing.T) {
	from, to := clitest.Registry(t), clitest.Registry(t)
	configuration := "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: platform\nspec:\n  dependsOn:\n" +
		"  - provider: " + from + "/org/provider\n    version: '<v2'\n"
	provider := "apiVersion: meta.pkg.crossplane.io/v1alpha1\nkind: Provider\nmetadata:\n  name: provider\nspec:\n  controller:\n    image: " + from + "/org/controller:v1.0.0\n"
	clitest.Push(t, from+"/org/platform:v1.0.0", configuration)
	clitest.Push(t, from+"/org/provider:v1.5.0", provider)
	clitest.Push(t, from+"/org/provider:v2.0.0", provider)
	// What is in the image of a controller matters to nobody here.
	clitest.Push(t, from+"/org/controller:v1.0.0", "apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata:\n  name: controller\n")
	clitest.Push(t, from+"/org/holes:v1.0.0", configuration+"  - provider: "+from+"/org/gone\n")
	dir := t.TempDir()
	local := "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: local\nspec:\n  dependsOn:\n  - provider: " + from + "/org/provider\n    version: v1.5.0\n"
	if err := os.WriteFile(filepath.Join(dir, "crossplane.yaml"), []byte(local), 0o666); err != nil {
		t.Fatal(err)
	}
	// What a registry has is not uploaded, so that a script that looks at uploads needs one of its own.
	clitest.Run(t, map[string]string{"FROM": from, "TO": to, "EMPTY": clitest.Registry(t), "PACKAGE": dir})
}
