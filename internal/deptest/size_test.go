package deptest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const mb = 1_000_000

// linked are programs and libraries, and how much they may link.
var linked = []struct {
	name, reason string
	of           string // a main package, or a library
	tags         string
	bytes        int64 // 0 for a library
	all, foreign int   // packages: with the standard library, and without
}{
	{"lint", "a tool that pulls and lints one package is no larger than a command of its kind",
		"./internal/deptest/testdata/lint", "", 25 * mb, 400, 100},
	{"lint-apiserver", "with the API server's own validation, which brings CEL and its parser",
		"./internal/deptest/testdata/lint", "apiserver", 60 * mb, 900, 600},
	// internal/sha256 is there for this: crypto/sha256 alone brings 28 packages.
	{"dag", "a resolver needs versions and what packages declare, and no YAML, registry or cluster",
		"./dag", "", 0, 100, 5},
}

// TestSize holds what a program links to its limits: the file that plain go build makes,
// which has its tables of symbols and lines, and the packages of go list -deps, those of
// the standard library counted.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("programs are built; run without -short")
	}
	for _, tc := range linked {
		t.Run(tc.name, func(t *testing.T) {
			all, foreign := packages(t, tc.of, tc.tags)
			if all > tc.all || foreign > tc.foreign {
				t.Errorf("%d packages, %d of them not of the standard library; want at most %d and %d: %s", all, foreign, tc.all, tc.foreign, tc.reason)
			}
			if tc.bytes == 0 {
				return
			}
			if size := built(t, tc.of, tc.tags); size > tc.bytes {
				t.Errorf("%d bytes, want at most %d: %s", size, tc.bytes, tc.reason)
			}
		})
	}
}

// BenchmarkLinked tells what that test looks at: packages, those of them that are not of
// the standard library (foreign), and megabytes of the program.
//
//	go test -run='^$' -bench='^BenchmarkLinked$' -benchtime=1x ./internal/deptest
func BenchmarkLinked(b *testing.B) {
	for _, tc := range linked {
		b.Run(tc.name, func(b *testing.B) {
			for b.Loop() {
				all, foreign := packages(b, tc.of, tc.tags)
				b.ReportMetric(float64(all), "packages")
				b.ReportMetric(float64(foreign), "foreign")
				if tc.bytes > 0 {
					b.ReportMetric(float64(built(b, tc.of, tc.tags))/mb, "MB")
				}
			}
			b.ReportMetric(0, "ns/op") // the time is that of the go command
		})
	}
}

// packages are how many a package links, and how many of them are not of the standard library.
func packages(tb testing.TB, of, tags string) (all, foreign int) {
	tb.Helper()
	for standard := range strings.Lines(goTool(tb, "list", "-deps", "-tags="+tags, "-f", "{{.Standard}}", of)) {
		all++
		if strings.TrimSpace(standard) == "false" {
			foreign++
		}
	}
	return all, foreign
}

// built is the size of a program.
func built(tb testing.TB, of, tags string) int64 {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "program")
	goTool(tb, "build", "-o", file, "-tags="+tags, of)
	info, err := os.Stat(file)
	if err != nil {
		tb.Fatal(err)
	}
	return info.Size()
}

// goTool runs go in the workspace and returns what it prints.
func goTool(tb testing.TB, args ...string) string {
	tb.Helper()
	c := exec.CommandContext(tb.Context(), "go", args...)
	c.Dir = "../.."
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		tb.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &errs)
	}
	return out.String()
}
