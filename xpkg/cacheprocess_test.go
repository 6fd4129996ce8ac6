package xpkg_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/xpkg"
)

// A child is this test binary, which runs TestCacheChild only.
type child struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Scanner
	err   bytes.Buffer
}

const childEnv = "XPKG_TEST_CACHE_CHILD"

// startChild starts a process that reads ref with as many goroutines, once it was
// told to go.
func startChild(t *testing.T, dir, ref string, goroutines int) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: exec.CommandContext(t.Context(), self, "-test.run=^TestCacheChild$", "-test.v")}
	c.cmd.Env = append(os.Environ(), childEnv+"="+strings.Join([]string{dir, ref, strconv.Itoa(goroutines)}, "|"))
	c.cmd.Stderr = &c.err
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewScanner(out)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.until(t, "ready")
	return c
}

func (c *child) until(t *testing.T, line string) {
	t.Helper()
	for c.out.Scan() {
		if c.out.Text() == line {
			return
		}
	}
	t.Fatalf("the child ended without %q: %s", line, &c.err)
}

func (c *child) goOn() { _ = c.stdin.Close() }

// wait waits for a child that succeeds.
func (c *child) wait(t *testing.T) {
	t.Helper()
	var lines []string
	for c.out.Scan() {
		lines = append(lines, c.out.Text())
	}
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("a child failed: %v: %s%s", err, strings.Join(lines, "\n"), &c.err)
	}
}

func TestCacheChild(t *testing.T) {
	args := strings.Split(os.Getenv(childEnv), "|")
	if len(args) != 3 {
		t.Skip("runs in the processes that other tests start")
	}
	goroutines, err := strconv.Atoi(args[2])
	if err != nil {
		t.Fatal(err)
	}
	c := &xpkg.Client{Cache: xpkg.OpenCache(args[0], nil), Transport: &http.Transport{}, Event: noTrouble(t)}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			img, err := c.Image(t.Context(), args[1], nil)
			if err != nil {
				t.Error(err)
				return
			}
			fmt.Println("manifest")
			if p, err := img.Package(t.Context()); err != nil || p.Meta.Name != "configuration-test" {
				t.Errorf("got %v (%v)", p, err)
			}
		})
	}
	wg.Wait()
}

func TestProcessesDownloadOnce(t *testing.T) {
	for name, put := range map[string]struct {
		put  func(r *testRegistry) string
		want []string
	}{
		"image": {
			func(r *testRegistry) string { return r.put(t, "org/package:v1", pkg()) },
			[]string{"GET blobs/" + digestOf(pkg().layers[0].blob).String(), "GET manifests/v1"},
		},
		"index": {
			func(r *testRegistry) string {
				r.put(t, "org/package:other", pkg())
				r.putManifest(t, "org/package", "v1", types.OCIImageIndex, indexJSON(entryOf(pkg().manifest(), types.OCIManifestSchema1, "linux/arm64", nil)))
				r.took()
				return r.host + "/org/package:v1"
			},
			[]string{"GET blobs/" + digestOf(pkg().layers[0].blob).String(), "GET manifests/" + pkg().digest().String(), "GET manifests/v1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t)
			ref := put.put(r)
			dir := t.TempDir()
			var children []*child
			for range 4 {
				children = append(children, startChild(t, dir, ref, 25))
			}
			for _, c := range children {
				c.goOn()
			}
			for _, c := range children {
				c.wait(t)
			}
			got := r.took()
			slices.Sort(got)
			if !slices.Equal(got, put.want) {
				t.Errorf("got the requests %q, want %q", got, put.want)
			}
			checkOnlyEntries(t, dir)
		})
	}
}

// checkOnlyEntries checks that nothing is left of those who wrote, and that every
// entry is what its name says.
func checkOnlyEntries(t *testing.T, dir string) {
	t.Helper()
	for _, path := range entries(t, dir) {
		part, _, _ := strings.Cut(filepath.ToSlash(strings.TrimPrefix(path, filepath.Join(dir, "v1")+string(filepath.Separator))), "/")
		switch part {
		case "blobs":
			b, err := os.ReadFile(path)
			if err != nil || digestOf(b).Hex != filepath.Base(path) {
				t.Errorf("%s is another or a partial one (%v)", path, err)
			}
		case "refs", "pins":
		default:
			t.Errorf("%s was left over", path)
		}
	}
}

func TestKilledDownloaderReleasesOthers(t *testing.T) {
	r := newRegistry(t)
	dir := t.TempDir()
	ref := r.put(t, "org/package:v1", pkg())
	blob := pkg().layers[0].blob
	key := "GET blobs/" + digestOf(blob).String()
	arrived := make(chan struct{})
	var mu sync.Mutex
	requests := 0
	r.on(key, func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		requests++
		first := requests == 1
		mu.Unlock()
		w.Header().Set("Content-Length", strconv.Itoa(len(blob)))
		if !first {
			_, _ = w.Write(blob)
			return
		}
		_, _ = w.Write(blob[:len(blob)/2])
		w.(http.Flusher).Flush()
		close(arrived)
		<-q.Context().Done()
	})
	killed := startChild(t, dir, ref, 1)
	killed.goOn()
	<-arrived
	others := []*child{startChild(t, dir, ref, 5), startChild(t, dir, ref, 5)}
	for _, c := range others {
		c.goOn()
		for range 5 {
			c.until(t, "manifest")
		}
	}
	// They want the layer now, and none has asked for it.
	layer := filepath.Join(dir, "v1", "blobs", "sha256", digestOf(blob).Hex)
	if _, err := os.Stat(layer); err == nil {
		t.Errorf("%s is there already", layer)
	}
	if err := killed.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.cmd.Wait()
	for _, c := range others {
		c.wait(t)
	}
	mu.Lock()
	defer mu.Unlock()
	if requests != 2 {
		t.Errorf("the layer was asked for %d times, want twice: by the killed one and by one of the others", requests)
	}
	// The next who wrote removed what the killed one had begun.
	checkOnlyEntries(t, dir)
	if b, err := os.ReadFile(layer); err != nil || !bytes.Equal(b, blob) {
		t.Errorf("%s has %d bytes (%v), want %d", layer, len(b), err, len(blob))
	}
}

func TestPruneRemovesWhatAKilledProcessLeft(t *testing.T) {
	r := newRegistry(t)
	dir := t.TempDir()
	ref := r.put(t, "org/package:v1", pkg())
	key := "GET blobs/" + digestOf(pkg().layers[0].blob).String()
	arrived, release := make(chan struct{}), make(chan struct{})
	r.on(key, func(w http.ResponseWriter, q *http.Request) {
		_, _ = w.Write(pkg().layers[0].blob[:20])
		w.(http.Flusher).Flush()
		close(arrived)
		select {
		case <-q.Context().Done():
		case <-release:
			_, _ = w.Write(pkg().layers[0].blob[20:])
		}
	})
	killed := startChild(t, dir, ref, 1)
	killed.goOn()
	<-arrived
	cache := xpkg.OpenCache(dir, nil)
	if p, err := cache.Prune(t.Context()); err != nil || p.Leftovers != 0 {
		t.Errorf("while it lives: got %+v (%v)", p, err)
	}
	if err := killed.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.cmd.Wait()
	p, err := cache.Prune(t.Context())
	// The temporary file; its lock goes with it. The lock of the layer.
	if err != nil || p.Leftovers != 2 || len(p.Digests) != 0 {
		t.Errorf("got %+v (%v)", p, err)
	}
	checkOnlyEntries(t, dir)

	// A process that lives finishes what it writes.
	arrived = make(chan struct{})
	c, told := r.cached(dir, "")
	done := make(chan error)
	go func() {
		_, err := get(t, c, ref)
		done <- err
	}()
	<-arrived
	if p, err := cache.Prune(t.Context()); err != nil || p.Leftovers != 0 {
		t.Errorf("while it writes: got %+v (%v)", p, err)
	}
	close(release)
	if err := <-done; err != nil || told.kinds() != nil {
		t.Errorf("got %v, %v", err, told.all)
	}
}
