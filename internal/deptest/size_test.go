package deptest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSize holds what a program links to the figures of docs/performance.md: the file that
// plain go build makes, which has its tables of symbols and lines, and the packages of
// go list -deps, those of the standard library counted.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("programs are built; run without -short")
	}
	const mb = 1_000_000
	cases := []struct {
		name, reason string
		of           string // a main package, or a library
		tags         string
		bytes        int64 // 0 for a library
		all, foreign int   // packages: with the standard library, and without
	}{
		{"lint", "a tool that pulls and lints one package is no larger than a command of its kind",
			"./internal/deptest/testdata/lint", "", 25 * mb, 400, 100},
		{"lint with the API server", "with the API server's own validation, which brings CEL and its parser",
			"./internal/deptest/testdata/lint", "apiserver", 60 * mb, 900, 600},
		// internal/sha256 is there for this: crypto/sha256 alone brings 28 packages.
		{"dag", "a resolver needs versions and what packages declare, and no YAML, registry or cluster",
			"./dag", "", 0, 100, 5},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			all := strings.Fields(goTool(t, "list", "-deps", "-tags="+tc.tags, tc.of))
			foreign := strings.Fields(goTool(t, "list", "-deps", "-tags="+tc.tags, "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", tc.of))
			if len(all) > tc.all || len(foreign) > tc.foreign {
				t.Errorf("%d packages, %d of them not of the standard library; want at most %d and %d: %s", len(all), len(foreign), tc.all, tc.foreign, tc.reason)
			}
			if tc.bytes == 0 {
				t.Logf("%d packages, %d of them not of the standard library", len(all), len(foreign))
				return
			}
			plain := built(t, "-tags="+tc.tags, tc.of)
			t.Logf("%d bytes, %d packages, %d of them not of the standard library", plain, len(all), len(foreign))
			if testing.Verbose() { // for docs/performance.md
				t.Logf("%d bytes with -ldflags='-s -w'", built(t, "-tags="+tc.tags, "-ldflags=-s -w", tc.of))
			}
			if plain > tc.bytes {
				t.Errorf("%d bytes, want at most %d: %s", plain, tc.bytes, tc.reason)
			}
		})
	}
}

// built is the size of a program.
func built(t *testing.T, args ...string) int64 {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	goTool(t, append([]string{"build", "-o", file}, args...)...)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// goTool runs go in the workspace and returns what it prints.
func goTool(t *testing.T, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "go", args...)
	c.Dir = "../.."
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &errs)
	}
	return out.String()
}
