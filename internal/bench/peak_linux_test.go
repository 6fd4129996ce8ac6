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
	program := built(b, "./peak")
	streams(b, func(b *testing.B, name string, want int) { peak(b, want, program, name) })
}

// BenchmarkPeakDecode tells the same of decoding every object, in both ways, with
// the same program.
//
//	go test -run='^$' -bench=PeakDecode -benchtime=3x ./internal/bench
func BenchmarkPeakDecode(b *testing.B) {
	program := built(b, "./peakdecode")
	streams(b, func(b *testing.B, name string, want int) {
		b.Run("sdk", func(b *testing.B) { peak(b, want, program, name) })
		b.Run("conventional", func(b *testing.B) { peak(b, want, program, "-conventional", name) })
	})
}

// BenchmarkPeakLint tells how much memory it takes to read a stream and lint it with
// every rule. Beside it stands the way that the field decodes a package to look at it
// as a whole, which holds no rules.
//
//	go test -run='^$' -bench=PeakLint -benchtime=1x ./internal/bench
func BenchmarkPeakLint(b *testing.B) {
	program := built(b, "./peaklint")
	streams(b, func(b *testing.B, name string, want int) {
		b.Run("sdk", func(b *testing.B) { peak(b, want, program, name) })
		b.Run("conventional", func(b *testing.B) { peak(b, want, program, "-conventional", name) })
	})
}

// built returns the path of a command.
func built(b *testing.B, folder string) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), filepath.Base(folder))
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, folder).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return program
}

// streams is providers with the streams in files.
func streams(b *testing.B, run func(b *testing.B, name string, documents int)) {
	providers(b, func(b *testing.B, stream []byte, want int) {
		name := filepath.Join(b.TempDir(), "package.yaml")
		if err := os.WriteFile(name, stream, 0o600); err != nil {
			b.Fatal(err)
		}
		run(b, name, want)
	})
}

// peak runs a command that prints how many documents there are, and how much memory it
// had resident; the most of all runs is told.
func peak(b *testing.B, want int, program string, args ...string) {
	var most int64
	for b.Loop() {
		out, err := exec.CommandContext(b.Context(), program, args...).Output()
		if err != nil {
			b.Fatal(err)
		}
		var n int
		var bytes int64
		if _, err := fmt.Fscan(strings.NewReader(string(out)), &n, &bytes); err != nil || n != want {
			b.Fatalf("%q: %v, want %d documents", out, err, want)
		}
		most = max(most, bytes)
	}
	b.ReportMetric(float64(most)/1e6, "MB-resident")
}
