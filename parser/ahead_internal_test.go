package parser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
)

// filesOf returns the files of a directory that holds n files of a size, behind a
// document that is never ready, as they are when the engine is slow.
func filesOf(t *testing.T, n, size, workers int) *files {
	t.Helper()
	dir := t.TempDir()
	text := "apiVersion: v1\nkind: A\na: " + strings.Repeat("x", size) + "\n"
	var entries []entry
	for i := range n {
		name := fmt.Sprintf("%03d.yaml", i)
		entries = append(entries, entry{path: name})
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	var o *Options
	opts := o.withDefaults()
	f := &files{reader: newReader(context.Background(), opts, nil), root: root, entries: entries, left: opts.MaxBytes}
	f.ahead.workers = workers
	f.ahead.queue = []*step{{done: make(chan struct{})}}
	f.ahead.documents = 1
	return f
}

// While the engine looks at a document of one file, the files behind it are read and
// their documents scanned: four for each worker, and not more than 2 MiB.
func TestFilesAreReadAhead(t *testing.T) {
	cases := []struct {
		reason  string
		n, size int
		workers int
		want    int // documents in the queue
	}{
		{"four for each worker, and the first", 100, 5 << 10, 8, 33},
		{"on one core too, for what is read ahead is scanned at once", 100, 5 << 10, 1, 5},
		{"a few large files", 20, 1 << 20, 16, 1 + 2},
		{"one file beyond the bound", 20, aheadBytes, 16, 1 + 1},
		{"all there are", 3, 5 << 10, 8, 1 + 3},
	}
	for _, tc := range cases {
		f := filesOf(t, tc.n, tc.size, tc.workers)
		for f.ahead.hasRoom() && f.take() {
		}
		if f.ahead.documents != tc.want {
			t.Errorf("%s: %d documents wait, want %d", tc.reason, f.ahead.documents, tc.want)
		}
		close(f.ahead.queue[0].done)
		f.ahead.end()
		if a := &f.ahead; len(a.queue) != 0 || a.documents != 0 || a.bytes != 0 || a.files != 0 {
			t.Errorf("%s: an empty queue counts %d documents, %d bytes and %d bytes of files", tc.reason, a.documents, a.bytes, a.files)
		}
	}
}

// What is to be done between documents waits in the queue as well, and is bounded.
func TestStepsAheadAreBounded(t *testing.T) {
	f := filesOf(t, 0, 0, 2)
	for i := range 1000 {
		f.entries = append(f.entries, entry{path: fmt.Sprint(i), event: SkippedIgnored})
	}
	for f.ahead.hasRoom() && f.take() {
	}
	if got := len(f.ahead.queue); got != stepsPerWorker*2+1 {
		t.Errorf("%d steps wait", got)
	}
}

// What the engine panics with is the caller's to stand, as if there were no goroutines.
func TestAheadHandsOnPanics(t *testing.T) {
	a := newAhead(nil)
	a.workers = 2
	chunk := yamlstream.Chunk{Text: []byte(strings.Repeat("#", 2*smallBytes)), Raw: 1 << 20} // Raw is beyond the text
	a.scan(newSource("f", chunk, yamltree.Limits{}), Range{})
	defer a.end()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	a.next()
}
