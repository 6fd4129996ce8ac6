package filelock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "lock")
	unlock, err := Try(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Try(path, 0); err != ErrLocked {
		t.Errorf("got %v, want that it is locked", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Wait(ctx, path, 0, cancel); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the end of the context", err)
	}
	told := 0
	next, err := Wait(t.Context(), path, 0, func() { told++; unlock() })
	if err != nil || told != 1 {
		t.Fatalf("told %d times that it waits (%v)", told, err)
	}
	next()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of the lock is left (%v)", err)
	}
	if _, err := Try(filepath.Join(path, "x", "y"), 0); err != nil {
		t.Errorf("a directory is not made (%v)", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Wait(t.Context(), filepath.Join(file, "lock"), 0, nil); err == nil || err == ErrLocked {
		t.Errorf("got %v where there can be no file", err)
	}
}
