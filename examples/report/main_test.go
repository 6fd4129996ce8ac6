package main

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"report": func() { cli.Main(newProgram()) }})
}

// The scripts call report as a user does and look at what it prints, at its exit code
// and at the page.
func TestScripts(t *testing.T) { clitest.Run(t, nil) }

// report makes a page in this process and returns the name of its file.
func makePage(t testing.TB, stdin io.Reader, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	var stdout, stderr bytes.Buffer
	code := newProgram().Exec(t.Context(), append([]string{"-cache", t.TempDir(), "-out", file}, args...), stdin, &stdout, &stderr)
	if code == cli.Failed {
		t.Fatalf("report %q: %s%s", args, &stdout, &stderr)
	}
	return file
}
