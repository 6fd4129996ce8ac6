package clitest

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
)

// Stalling is a registry on the loopback that leaves requests of a method, for blobs,
// without an answer from Stall on.
type Stalling struct {
	Host    string
	stalls  atomic.Bool
	once    sync.Once
	reached chan struct{}
}

// NewStalling starts one that ends with the test.
func NewStalling(t testing.TB, method string) *Stalling {
	t.Helper()
	s := &Stalling{reached: make(chan struct{})}
	inner := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !s.stalls.Load() || q.Method != method || !strings.Contains(q.URL.Path, "/blobs/") {
			inner.ServeHTTP(w, q)
			return
		}
		// Part of an answer is more of a trial than none.
		if method == http.MethodGet {
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write([]byte("\x1f\x8b"))
			w.(http.Flusher).Flush()
		} else {
			_, _ = io.Copy(io.Discard, q.Body) // or the end of the connection is not noticed
		}
		s.once.Do(func() { close(s.reached) })
		<-q.Context().Done()
	}))
	t.Cleanup(server.Close)
	s.Host = strings.TrimPrefix(server.URL, "http://")
	return s
}

// Stall begins to leave requests without an answer, or ends it.
func (s *Stalling) Stall(on bool) { s.stalls.Store(on) }

// Interrupt runs a program in a directory until the registry stalls, sends it a signal
// (os.Interrupt is what Ctrl-C does), and returns the exit code and what the program printed.
func (s *Stalling) Interrupt(t testing.TB, sig os.Signal, dir, program string, args ...string) (code int, output string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("one process cannot press Ctrl-C for another on Windows; run the test on Linux or macOS")
	}
	s.Stall(true)
	defer s.Stall(false)
	var out bytes.Buffer
	home := t.TempDir()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir, c.Stdout, c.Stderr = dir, &out, &out
	c.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "TMPDIR="+dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		t.Fatalf("%s ended before it was interrupted: %s", program, &out)
	case <-s.reached:
	}
	if err := c.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	<-ended
	return c.ProcessState.ExitCode(), out.String()
}
