package spectest

import (
	"bytes"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program that the README opens with is formatted, short, and prints what
// it promises.
func TestReadmeProgram(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(readme), "\r\n", "\n")
	_, text, _ = strings.Cut(text, "```go\n")
	program, _, ok := strings.Cut(text, "```")
	if !ok {
		t.Fatal("README.md shows no program")
	}
	formatted, err := format.Source([]byte(program))
	if err != nil {
		t.Fatal(err)
	}
	if string(formatted) != program {
		t.Error("the program is not as gofmt has it")
	}
	lines := 0
	for line := range strings.Lines(program) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	if lines > 15 {
		t.Errorf("the program has %d lines, want 15", lines)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, formatted, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", file)
	cmd.Dir = root
	cmd.Stdin = strings.NewReader("apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: demo\n---\nkind: [\n")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"package.yaml:1:1 Configuration demo\n", "faults: package.yaml:"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("the program prints %q, want %q in it", out, want)
		}
	}
}
