package bench

import (
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"testing"

	"github.com/xpkg-go/sdk/internal/fixture/catalogs"
)

// BenchmarkPeakResolve tells how much memory resolving takes that is generated: of ten
// catalogs of each sort the most that a process of its own had resident, with the catalog
// and for the catalog alone.
//
//	go test -run='^$' -bench=PeakResolve -benchtime=1x ./internal/bench
func BenchmarkPeakResolve(b *testing.B) {
	program := built(b, "./peakresolve")
	for _, sort := range []catalogs.Sort{catalogs.Loose, catalogs.Tight, catalogs.Unsatisfiable} {
		b.Run(string(sort), func(b *testing.B) {
			var most, alone int64
			for b.Loop() {
				for seed := range 10 {
					name := strconv.Itoa(seed)
					most = max(most, tells(b, program, string(sort), name))
					alone = max(alone, tells(b, program, "-catalog", string(sort), name))
				}
			}
			b.ReportMetric(float64(most)/1e6, "MB-resident")
			b.ReportMetric(float64(alone)/1e6, "MB-catalog")
		})
	}
}

// tells runs a command that prints a number and how much memory it had resident.
func tells(b *testing.B, program string, args ...string) int64 {
	b.Helper()
	out, err := exec.CommandContext(b.Context(), program, args...).Output()
	if err != nil {
		b.Fatal(err)
	}
	var n int
	var peak int64
	if _, err := fmt.Fscan(bytes.NewReader(out), &n, &peak); err != nil {
		b.Fatalf("%q: %v", out, err)
	}
	return peak
}
