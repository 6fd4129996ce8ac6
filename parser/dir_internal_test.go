package parser

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"testing"
)

// Which kinds of files there are depends on the system; what is told of them does
// not.
func TestPassedOver(t *testing.T) {
	for _, tc := range []struct {
		reason string
		name   string
		mode   fs.FileMode
		want   EventKind
	}{
		{"a file", "a.yaml", 0, ""},
		{"a file of another sort", "a.md", 0, ""},
		{"a link, whatever its name: it may lead to a directory", "crds", fs.ModeSymlink, SkippedLink},
		{"a junction of Windows may as well", "crds", fs.ModeIrregular, SkippedFile},
		{"a pipe with a name of YAML would never end", "a.yaml", fs.ModeNamedPipe, SkippedFile},
		{"another one is nobody's business", "docker.sock", fs.ModeSocket, ""},
		{"JSON", "a.json", 0, SkippedNearMiss},
	} {
		if got := passedOver(tc.name, tc.mode); got != tc.want {
			t.Errorf("%s: %s is told as %q, want %q", tc.reason, tc.name, got, tc.want)
		}
	}
}

func TestReadFileThatChanges(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a file that has more in it than its size says, as those below /proc are: run the test on Linux")
	}
	root, err := os.OpenRoot("/proc/self")
	if err != nil {
		t.Skipf("needs /proc: %v", err)
	}
	defer root.Close()
	if _, err := readFile(context.Background(), root, "status", 1<<20, 1<<20); !errors.Is(err, errChanged) {
		t.Errorf("a file that does not have its size gives %v", err)
	}
}
