package parser_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/parser"
)

// largeText is a file above 4 MiB of n documents, which are too many to be read ahead.
func largeText(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "---\n%s%s", doc(fmt.Sprint("m", i)), strings.Repeat("# comment\n", 5<<20/10/n))
	}
	return b.String()
}

// A file that is read while it is cut gives what one gives that is read before.
func TestDirLargeFile(t *testing.T) {
	faulty := doc("a") + "kind: B\n---\n- 1\n---\na:\n\tb\n---\n" + doc("b")
	for _, tc := range []struct {
		reason, text string
		o            parser.Options
	}{
		{"documents", largeText(40), parser.Options{}},
		{"with faults", largeText(40) + "---\n" + faulty, parser.Options{}},
		{"faults first", faulty + largeText(40), parser.Options{}},
		{"CRLF", strings.ReplaceAll(largeText(40), "\n", "\r\n"), parser.Options{}},
		{"UTF-16", "\xff\xfe" + strings.Join(strings.Split(largeText(40), ""), "\x00") + "\x00", parser.Options{}},
		{"nothing but comments", strings.Repeat("# comment\n", 1<<19), parser.Options{}},
		{"nothing at all", strings.Repeat(" \n", 4<<20), parser.Options{}},
		{"no YAML", "\x1f\x8b" + largeText(40), parser.Options{}},
		{"a document above the limit", largeText(40) + largeText(2), parser.Options{MaxDocumentBytes: 1 << 20}},
		{"more documents than the limit", largeText(40), parser.Options{MaxDocuments: 30}},
		{"a file above the limit", largeText(40), parser.Options{MaxBytes: 1 << 20}},
	} {
		got, _ := readDir(t, tree(t, map[string]string{"a.yaml": doc("a"), "crds/b.yaml": tc.text, "z.yaml": doc("z")}), tc.o)
		// Alone it is a stream; in the directory one document is before it, and one behind.
		want := []string{}
		index := 1
		for d, err := range parser.Bytes("crds/b.yaml", []byte(tc.text), &tc.o) {
			if err != nil {
				want = append(want, err.Error())
				continue
			}
			want = append(want, fmt.Sprintf("%d %s %s", index+d.Index, d.Range, d.Name))
		}
		switch {
		case tc.o.MaxBytes > 0:
			want = []string{"crds/b.yaml:1:1: limit: the file is larger than 1048576 bytes"}
		case tc.o.MaxDocuments > 0:
			want = want[:29]
		}
		if len(got) < len(want)+1 {
			t.Fatalf("%s: got %q, want %q", tc.reason, got, want)
		}
		if diff := cmp.Diff(want, got[1:len(want)+1]); diff != "" {
			t.Errorf("%s (-stream +file):\n%s", tc.reason, diff)
		}
		last := got[len(got)-1]
		if ends := tc.o.MaxDocuments > 0; strings.HasSuffix(last, " z") == ends || ends && !strings.Contains(last, "limit") {
			t.Errorf("%s: it ends with %s", tc.reason, last)
		}
	}
}

// A large file that changes while it is read is an error behind what was read of it, and
// the files behind it are read.
func TestDirLargeFileChanges(t *testing.T) {
	text := largeText(40)
	for reason, change := range map[string]func(name string) error{
		"it grows":          func(name string) error { return os.WriteFile(name, []byte(text+text), 0o644) },
		"it shrinks":        func(name string) error { return os.Truncate(name, int64(len(text)-1)) },
		"it is empty":       func(name string) error { return os.Truncate(name, 0) },
		"it has other text": func(name string) error { return os.WriteFile(name, []byte(strings.ToUpper(text)), 0o644) },
		"it has another time": func(name string) error {
			return os.Chtimes(name, time.Time{}, time.Unix(1, 0))
		},
	} {
		root := tree(t, map[string]string{"b.yaml": text, "z.yaml": doc("z")})
		var got []string
		n := 0
		for d, err := range parser.Dir(t.Context(), root, nil) {
			if err != nil {
				got = append(got, err.Error())
				continue
			}
			if n++; n == 1 {
				if err := change(filepath.Join(root.Name(), "b.yaml")); err != nil {
					t.Fatal(err)
				}
			}
			if d.Range.File != "b.yaml" {
				got = append(got, d.Name)
			}
		}
		want := []string{"b.yaml:1:1: unreadable: it cannot be read: it changed while it was read", "z"}
		if diff := cmp.Diff(want, got[max(0, len(got)-2):]); diff != "" || n < 2 {
			t.Errorf("%s: %d documents (-want +got):\n%s", reason, n, diff)
		}
	}
}

// However a sequence ends, it leaves no file open.
func TestDirLargeFileIsClosed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc/self/fd to see which files are open: run the test on Linux")
	}
	root := tree(t, map[string]string{"b.yaml": largeText(40), "z.yaml": doc("z")})
	open := func() (n int) {
		links, err := filepath.Glob("/proc/self/fd/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range links {
			if name, err := os.Readlink(link); err == nil && strings.HasPrefix(name, root.Name()+"/") {
				n++
			}
		}
		return n
	}
	for _, way := range []string{"to the end", "break", "panic", "cancel"} {
		during := 0
		func() {
			defer func() { _ = recover() }()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for range parser.Dir(ctx, root, nil) {
				during = max(during, open())
				switch way {
				case "break":
					return
				case "panic":
					panic(way)
				case "cancel":
					cancel()
				}
			}
		}()
		if after := open(); during != 1 || after != 0 {
			t.Errorf("%s: %d files are open while it is read, %d afterwards", way, during, after)
		}
	}
}
