package bench

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// resident runs the command rss and returns the most memory that it had
// resident, in bytes.
func resident(b *testing.B, args ...string) float64 {
	b.Helper()
	if runtime.GOOS != "linux" {
		b.Skip("resident memory is read from /proc, which " + runtime.GOOS + " does not have")
	}
	program := filepath.Join(b.TempDir(), "rss")
	if out, err := exec.Command("go", "build", "-o", program, "./rss").CombinedOutput(); err != nil {
		b.Fatalf("go build: %v: %s", err, out)
	}
	var stderr bytes.Buffer
	c := exec.Command(program, args...)
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		b.Fatalf("%v: %s", err, stderr.Bytes())
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		b.Fatal(err)
	}
	return n
}
