package bench

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkPeakBuild tells how much memory that takes here: resident, in a process of
// its own.
//
//	go test -run='^$' -bench=PeakBuild -benchtime=3x ./internal/bench
func BenchmarkPeakBuild(b *testing.B) {
	program := built(b, "./peakbuild")
	directories(b, func(b *testing.B, dir string, want int) {
		file := filepath.Join(b.TempDir(), "package.xpkg")
		var most int64
		for b.Loop() {
			out, err := exec.CommandContext(b.Context(), program, dir, file).Output()
			if err != nil {
				b.Fatal(err)
			}
			var size, peak int64
			if _, err := fmt.Fscan(strings.NewReader(string(out)), &size, &peak); err != nil {
				b.Fatalf("%q: %v", out, err)
			}
			most = max(most, peak)
		}
		checkPeakBuild(b, file, want, most, true)
	})
}

// BenchmarkPeakBuildProgram tells the same of the example program, which judges the package
// by every rule there is before it writes it. The generated provider has faults, and what is
// found takes its place too, so the limit is for the real one.
//
//	go test -run='^$' -bench=PeakBuildProgram -benchtime=3x ./internal/bench
func BenchmarkPeakBuildProgram(b *testing.B) {
	of := built(b, "./peakof")
	program := filepath.Join(b.TempDir(), "build")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-C", "../../examples", "-o", program, "./build").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	directories(b, func(b *testing.B, dir string, want int) {
		file := filepath.Join(b.TempDir(), "package.xpkg")
		var most int64
		for b.Loop() {
			out, err := exec.CommandContext(b.Context(), of, program, "-out", file, dir).Output()
			if err != nil {
				b.Fatal(err)
			}
			var code int
			var peak int64
			if _, err := fmt.Fscan(strings.NewReader(string(out)), &code, &peak); err != nil || code != 0 {
				b.Fatalf("%q: %v, want the exit code 0", out, err)
			}
			most = max(most, peak)
		}
		checkPeakBuild(b, file, want, most, strings.Contains(b.Name(), "/real/"))
	})
}

// checkPeakBuild tells the most memory that was resident, and holds what was built, and the
// memory where it is limited, to what they should be.
func checkPeakBuild(b *testing.B, file string, documents int, most int64, limited bool) {
	b.Helper()
	if got := documentsIn(b, file); got != documents {
		b.Fatalf("%d documents, want %d", got, documents)
	}
	if limit := int64(150_000_000); limited && most > limit {
		b.Errorf("%d bytes were resident, at most %d should be", most, limit)
	}
	b.ReportMetric(float64(most)/1e6, "MB-resident")
}
