package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// big is a package with more text than is held beside others, which cannot be compressed to
// little.
func big(n int) string {
	var b strings.Builder
	b.WriteString(small(n))
	for i := 0; b.Len() < smallText*3/2; i++ {
		fmt.Fprintf(&b, "# %x\n", uint64(i)*0x9E3779B97F4A7C15*uint64(n+7))
	}
	return b.String()
}

// Large packages are read as small ones are, with the room that there is for one.
func TestLargePackages(t *testing.T) {
	r := newRegistry(t)
	var args []string
	for n := range 3 {
		ref := fmt.Sprintf("%s/org/big-%d:v1.0.0", r.host, n)
		clitest.Push(t, ref, big(n))
		args = append(args, ref)
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	code, stdout, stderr := call(t, args...)
	lines := decoded(t, stdout)
	for n, ref := range args {
		if l := lines[ref]; l == nil || l.Error != nil || l.Name != fmt.Sprintf("small-%d", n) || len(l.Provides.Kinds) != 1 {
			t.Errorf("got the exit code %d, %+v and %s", code, l, stderr)
		}
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
	// Where there is no room for their text, that is no fault of theirs.
	t.Setenv("TMPDIR", filepath.Join(tmp, "missing"))
	if code, stdout, _ = call(t, args[0]); code != 2 || !strings.HasPrefix(stdout, `{"error":{"code":"not-found"`) {
		t.Errorf("got the exit code %d and %s", code, stdout)
	}
}

// A host that sends nearly all of a large package and then nothing holds up no large
// package of another one.
func TestStalledLargePackage(t *testing.T) {
	slow, quick := newRegistry(t), newRegistry(t)
	slowRef, quickRef := slow.host+"/org/big:v1.0.0", quick.host+"/org/big:v1.0.0"
	clitest.Push(t, slowRef, big(1))
	clitest.Push(t, quickRef, big(2))
	blob := layerOf(t, clitest.Image(t, big(1)))
	sent := make(chan struct{})
	var once sync.Once
	slow.answer(func(w http.ResponseWriter, q *http.Request) bool {
		if q.Method != http.MethodGet || !strings.Contains(q.URL.Path, "/blobs/") {
			return false
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(blob)))
		_, _ = w.Write(blob[:len(blob)-1])
		w.(http.Flusher).Flush()
		once.Do(func() { close(sent) })
		<-q.Context().Done()
		return true
	})
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	quick.answer(func(_ http.ResponseWriter, q *http.Request) bool {
		select {
		case <-sent:
		case <-q.Context().Done():
		}
		return false
	})
	lines, stdout := io.Pipe()
	ended := make(chan int)
	go func() {
		code := newProgram().Exec(ctx, []string{slowRef, quickRef}, strings.NewReader(""), stdout, io.Discard)
		_ = stdout.Close()
		ended <- code
	}()
	first, err := bufio.NewReader(lines).ReadString('\n')
	if l := decoded(t, first)[quickRef]; err != nil || l == nil || l.Error != nil {
		t.Errorf("got %s (%v)", first, err)
	}
	interrupt()
	_, _ = io.Copy(io.Discard, lines)
	if code := <-ended; code != 2 {
		t.Errorf("got the exit code %d", code)
	}
}

// layerOf is the layer of a package, as it is sent.
func layerOf(t testing.TB, img v1.Image) []byte {
	t.Helper()
	layers, err := img.Layers()
	if err != nil {
		t.Fatal(err)
	}
	blob, err := layers[0].Compressed()
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	b, err := io.ReadAll(blob)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
