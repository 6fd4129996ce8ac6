package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/xpkg"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// A list that people and programs have written into: each line of it is told, none stops
// the others, and what names the same digest is told under each name.
func TestOddList(t *testing.T) {
	r := newRegistry(t)
	img := clitest.Image(t, small(1))
	for n := range 20 {
		if _, err := (&xpkg.Client{}).Push(t.Context(), fmt.Sprintf("%s/org/small:v1.%d.0", r.host, n), img); err != nil {
			t.Fatal(err)
		}
	}
	digest, err := img.Digest()
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	for n := range 20 {
		fmt.Fprintf(&list, "%s/org/small:v1.%d.0\n", r.host, n)
	}
	good := r.host + "/org/small@" + digest.String()
	odd := []string{
		"-out x", "a b c", "\x00\x00", "\xff\xfe" + "a", "https://" + r.host + "/org/small:v1.0.0", r.host + "/ORG/small:v1.0.0",
		r.host + "/org/small:", r.host + "/org/small@sha256:12", r.host + "/org/small@" + digest.String() + "@" + digest.String(),
		`{"reference":"x"}`, "<script>", "\x1b[2J", strings.Repeat("a/", 5000), "$(id)", "`id`", "👻/ghost:v1",
	}
	list.WriteString(strings.Join(odd, "\r\n") + "\r\n  " + good + "  # again\n" + good)
	file := filepath.Join(t.TempDir(), "references.txt")
	write(t, file, list.String())
	code, stdout, stderr := call(t, "-f", file)
	lines := decoded(t, stdout)
	if code != 1 || len(lines) != 20+len(odd)+1 || strings.ContainsAny(stdout+stderr, "\x1b\x00") {
		t.Errorf("got the exit code %d and %d lines, want %d: %s", code, len(lines), 20+len(odd)+1, stderr)
	}
	for reference, l := range lines {
		known := strings.HasPrefix(reference, r.host+"/org/small:v1.") || reference == good
		switch {
		case known && (l.Error != nil || l.Digest != digest.String() || l.Name != "small-1"):
			t.Errorf("%s: got %+v", reference, l)
		case !known && (l.Error == nil || l.Error.Code != "invalid"):
			t.Errorf("%q: got %+v", reference, l.Error)
		}
	}

	// The list is not taken for an index, by a slip of who calls.
	if code, stdout, _ := call(t, "-f", file, "-out", file); code != 2 || !strings.Contains(stdout, "it is left as it is") {
		t.Errorf("got the exit code %d and %s", code, stdout)
	}
	if readFile(t, file) != list.String() {
		t.Error("the list was changed")
	}
}

// The file of one part goes on as that of another, and of the whole: what it has is kept, and
// asked for once.
func TestOtherPart(t *testing.T) {
	r := newRegistry(t)
	var refs []string
	for n := range 12 {
		ref := fmt.Sprintf("%s/org/small-%d:v1.0.0", r.host, n)
		clitest.Push(t, ref, small(n))
		refs = append(refs, ref)
	}
	file, whole := filepath.Join(t.TempDir(), "index.jsonl"), filepath.Join(t.TempDir(), "whole.jsonl")
	for _, part := range []string{"0/3", "2/3", "1/3", "0/1"} {
		r.took()
		if code, _, stderr := call(t, append([]string{"-shard", part, "-out", file}, refs...)...); code != 0 {
			t.Fatal(stderr)
		}
	}
	if asked := r.took(); asked["GET blobs"] > 0 {
		t.Errorf("the whole asked for %v", asked)
	}
	if code, _, stderr := call(t, append([]string{"-out", whole}, refs...)...); code != 0 {
		t.Fatal(stderr)
	}
	if got, want := readFile(t, file), readFile(t, whole); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// As its own predecessor.
	if code, _, stderr := call(t, append([]string{"-previous", file, "-out", file}, refs...)...); code != 0 || readFile(t, file) != readFile(t, whole) {
		t.Errorf("got the exit code %d: %s", code, stderr)
	}
	// A file that may not be written stays, and so does what a link leads to.
	link := filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.Symlink(file, link); err != nil {
		t.Skipf("needs a file system with symbolic links: %v", err)
	}
	if code, _, stderr := call(t, "-out", link, refs[0]); code != 0 {
		t.Errorf("by a link: %s", stderr)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone (%v)", err)
	}
}
