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
		if got := documentsIn(b, file); got != want {
			b.Fatalf("%d documents, want %d", got, want)
		}
		if limit := int64(150_000_000); most > limit {
			b.Errorf("%d bytes were resident, at most %d should be", most, limit)
		}
		b.ReportMetric(float64(most)/(1<<20), "MiB-resident")
	})
}
