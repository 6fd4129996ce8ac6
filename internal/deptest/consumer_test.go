package deptest

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestConsumer makes, for each package, a module that imports it from a copy of the root
// module, as somebody else's module does: what it has to require has nothing of Kubernetes.
// Nothing is downloaded: what the consumer needs is what this module needs.
func TestConsumer(t *testing.T) {
	if testing.Short() {
		t.Skip("modules are tidied and built; run without -short")
	}
	if len(kubernetes(goTool(t, "list", "-m", "all"))) == 0 {
		t.Fatal("the workspace has no module of Kubernetes, so the test would find none either")
	}
	sdk := t.TempDir()
	copyModule(t, sdk)
	for _, pkg := range []string{"dag", "meta", "parser", "linter", "xpkg"} {
		t.Run(pkg, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"go.mod":  fmt.Sprintf("module example.org/consumer\n\ngo 1.25.0\n\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", module, filepath.ToSlash(sdk)),
				"main.go": fmt.Sprintf("package main\n\nimport _ %q\n\nfunc main() {}\n", module+"/"+pkg),
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if out, err := offline(t, dir, "mod", "tidy"); err != nil {
				if strings.Contains(out, "module lookup disabled by GOPROXY=off") {
					t.Skipf("the module cache lacks what the consumer needs; run go mod download all in a copy of the module, with a network: %s", out)
				}
				t.Fatalf("go mod tidy: %v\n%s", err, out)
			}
			if out, err := offline(t, dir, "build", "-o", os.DevNull, "."); err != nil {
				t.Fatalf("go build: %v\n%s", err, out)
			}
			for _, name := range []string{"go.mod", "go.sum"} {
				b, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil && name == "go.mod" {
					t.Fatal(err)
				}
				checkNoKubernetes(t, name, string(b))
			}
			for _, args := range [][]string{{"list", "-m", "all"}, {"mod", "graph"}} {
				out, err := offline(t, dir, args...)
				if err != nil {
					t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
				}
				checkNoKubernetes(t, "go "+strings.Join(args, " "), out)
			}
		})
	}
}

func checkNoKubernetes(t *testing.T, what, text string) {
	t.Helper()
	if found := kubernetes(text); len(found) > 0 {
		t.Errorf("%s has %q", what, found)
	}
}

// kubernetes are the words of a text that begin as the modules of Kubernetes do.
func kubernetes(text string) []string {
	return slices.DeleteFunc(strings.Fields(text), func(word string) bool { return !strings.HasPrefix(word, k8s) })
}

// offline runs go in a module by itself, without a network.
func offline(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off", "GOTOOLCHAIN=local")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	return out.String(), err
}

// copyModule copies the root module: without the modules in it, the workspace and what is
// not Go's.
func copyModule(t *testing.T, to string) {
	t.Helper()
	from := os.DirFS("../..")
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, filepath.FromSlash(name))
		if d.IsDir() {
			_, nested := fs.Stat(from, name+"/go.mod")
			if name != "." && (nested == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
				return fs.SkipDir
			}
			return os.MkdirAll(target, 0o777)
		}
		if !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") || !strings.HasSuffix(name, ".go") && name != "go.mod" && name != "go.sum" {
			return nil
		}
		b, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, b, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
}
