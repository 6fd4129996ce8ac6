package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkPeak tells how much memory reading the identity of every object of a
// stream takes: resident, in a process of its own that links the parser alone.
func BenchmarkPeak(b *testing.B) {
	program := filepath.Join(b.TempDir(), "peak")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, "./peak").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	providers(b, func(b *testing.B, stream []byte, want int) {
		name := filepath.Join(b.TempDir(), "package.yaml")
		if err := os.WriteFile(name, stream, 0o600); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(stream)))
		var most int64
		for b.Loop() {
			out, err := exec.CommandContext(b.Context(), program, name).Output()
			if err != nil {
				b.Fatal(err)
			}
			var n int
			var peak int64
			if _, err := fmt.Fscan(strings.NewReader(string(out)), &n, &peak); err != nil || n != want {
				b.Fatalf("%q: %v, want %d documents", out, err, want)
			}
			most = max(most, peak)
		}
		b.ReportMetric(float64(most)/(1<<20), "MiB-resident")
	})
}
