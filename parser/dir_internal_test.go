package parser

import (
	"errors"
	"os"
	"runtime"
	"testing"
)

func TestReadFileThatChanges(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a file that has more in it than its size says")
	}
	root, err := os.OpenRoot("/proc/self")
	if err != nil {
		t.Skip(err)
	}
	defer root.Close()
	if _, err := readFile(root, "status", 1<<20, 1<<20); !errors.Is(err, errChanged) {
		t.Errorf("I10: a file that does not have its size gives %v", err)
	}
}
