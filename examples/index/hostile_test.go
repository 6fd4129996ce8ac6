package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/empty"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
	"github.com/xpkg-go/sdk/xpkg"
)

// call runs the program in this process.
func call(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, told bytes.Buffer
	code = newProgram().Exec(t.Context(), args, strings.NewReader(""), &out, &told)
	return code, out.String(), told.String()
}

// decoded are lines by their references.
func decoded(t testing.TB, text string) map[string]*line {
	t.Helper()
	all := map[string]*line{}
	for one := range strings.Lines(text) {
		var l line
		if err := json.Unmarshal([]byte(one), &l); err != nil {
			t.Fatalf("%v in %.200s", err, one)
		}
		if all[l.Reference] != nil {
			t.Errorf("%s has two lines", l.Reference)
		}
		all[l.Reference] = &l
	}
	return all
}

// pushed is a registry with a small package under several tags.
func pushed(t testing.TB, tags ...string) *hostingRegistry {
	t.Helper()
	r := newRegistry(t)
	img := clitest.Image(t, small(1))
	for _, tag := range tags {
		if _, err := (&xpkg.Client{}).Push(t.Context(), r.host+"/org/small:"+tag, img); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// stalled is a host that takes requests and never answers.
func stalled(t testing.TB) (host string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		select {
		case <-q.Context().Done():
		case <-ctx.Done():
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(stop)
	return strings.TrimPrefix(server.URL, "http://")
}

// A host that does not answer holds up its own references and nobody else's, however many
// of them come first.
func TestStalledHost(t *testing.T) {
	tags := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	r := pushed(t, tags...)
	silent := stalled(t)
	var list strings.Builder
	for n := range 100 {
		fmt.Fprintf(&list, "%s/org/silent:v%d\n", silent, n)
	}
	for _, tag := range tags {
		fmt.Fprintf(&list, "%s/org/small:%s\n", r.host, tag)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	lines, stdout := io.Pipe()
	ended := make(chan int)
	var told bytes.Buffer
	go func() {
		code := newProgram().Exec(ctx, []string{"-concurrency", "4", "-per-host", "3", "-"}, strings.NewReader(list.String()), stdout, &told)
		_ = stdout.Close()
		ended <- code
	}()
	read := bufio.NewReader(lines)
	var text strings.Builder
	for range tags {
		one, err := read.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(one)
	}
	stop()
	rest, _ := io.ReadAll(read)
	if code := <-ended; code != 2 || !strings.Contains(string(rest), `"code":"canceled","message":"stopped after 10 of 110 references`) {
		t.Errorf("got the exit code %d and %q", code, rest)
	}
	for reference, l := range decoded(t, text.String()) {
		if l.Error != nil || !strings.HasPrefix(reference, r.host) {
			t.Errorf("%s: got %+v", reference, l)
		}
	}
}

// A reference that takes too long is a line, and asked for again.
func TestSlowReference(t *testing.T) {
	ref := stalled(t) + "/org/silent:v1.0.0"
	code, stdout, _ := call(t, "-reference-timeout", "20ms", ref)
	l := decoded(t, stdout)[ref]
	if code != 1 || l == nil || l.Error == nil || l.Error.Code != "unavailable" || !strings.Contains(l.Error.Message, "was not read within 20ms") {
		t.Errorf("got the exit code %d and %s", code, stdout)
	}
}

// A host of which one reference after the other takes too long is given up, and others are not.
func TestHostIsGivenUp(t *testing.T) {
	r, silent := pushed(t, "v1.0.0"), stalled(t)
	args := []string{"-reference-timeout", "300ms", "-per-host", "5"}
	for n := range 100 {
		args = append(args, fmt.Sprintf("%s/org/silent:v%d", silent, n))
	}
	_, stdout, stderr := call(t, append(args, r.host+"/org/small:v1.0.0")...)
	asked, given := 0, 0
	for reference, l := range decoded(t, stdout) {
		switch {
		case !strings.HasPrefix(reference, silent):
		case l.Error == nil || l.Error.Code != "unavailable":
			t.Errorf("%s: got %+v", reference, l)
		case strings.Contains(l.Error.Message, "was not asked for: 10 references of "+silent):
			given++
		default:
			asked++
		}
	}
	// Those that were begun when it was given up come to their end.
	if asked < mostSlow || asked > mostSlow+5 || asked+given != 100 {
		t.Errorf("%d were asked for and %d not: %s", asked, given, stderr)
	}
}

// What fails in passing is asked for again, and is in no line.
func TestRetries(t *testing.T) {
	r := pushed(t, "v1.0.0")
	var failed atomic.Int32
	r.answer(func(w http.ResponseWriter, q *http.Request) bool {
		if !strings.HasSuffix(q.URL.Path, "/manifests/v1.0.0") || failed.Add(1) > 1 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	code, stdout, stderr := call(t, r.host+"/org/small:v1.0.0")
	if l := decoded(t, stdout)[r.host+"/org/small:v1.0.0"]; code != 0 || l.Name != "small-1" || failed.Load() != 2 || !strings.Contains(stderr, "retried: ") {
		t.Errorf("got the exit code %d, %+v and %q", code, l, stderr)
	}
}

// Registries that list nonsense, or without end.
func TestHostileLists(t *testing.T) {
	cases := []struct {
		name, reason string
		answer       func(w http.ResponseWriter, q *http.Request) bool
		code         int
		says         []string
	}{
		{"endless", "a catalog that goes on for ever", func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != "/v2/_catalog" {
				return false
			}
			names := make([]string, 5000)
			for i := range names {
				names[i] = fmt.Sprintf("r%s/%d", q.URL.Query().Get("last"), i)
			}
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?last=%s1>; rel="next"`, q.URL.Query().Get("last")))
			_ = json.NewEncoder(w).Encode(map[string]any{"repositories": names})
			return true
		}, 2, []string{`"code":"limit"`, "the list of repositories has more than 200000 repositories"}},
		{"tags", "tags that are none: a line says so, and the others are read", func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != "/v2/org/image/tags/list" {
				return false
			}
			_, _ = w.Write([]byte(`{"tags":["v1","../../../etc\u001b[2J"]}`))
			return true
		}, 1, []string{`/org/image","error":{"code":"unavailable","message":`, `which is no tag`, `/org/small:v1.0.0","digest":`}},
		{"no tags", "a repository that was deleted, which catalogs go on to list", func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != "/v2/org/image/tags/list" {
				return false
			}
			w.WriteHeader(http.StatusNotFound)
			return true
		}, 0, []string{`/org/small:v1.0.0","digest":`}},
		{"no access", "a repository that is hidden from who asks", func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != "/v2/org/image/tags/list" {
				return false
			}
			w.WriteHeader(http.StatusForbidden)
			return true
		}, 1, []string{`/org/image","error":{"code":"unauthorized"`, `/org/small:v1.0.0","digest":`}},
		{"silent", "a repository that is asked for and never answers", func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != "/v2/org/image/tags/list" {
				return false
			}
			<-q.Context().Done()
			return true
		}, 1, []string{`/org/image","error":{"code":"unavailable","message":"`, `/org/image\" was not read within 300ms"`}},
		{"silent catalog", "a registry that never answers", func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != "/v2/_catalog" {
				return false
			}
			<-q.Context().Done()
			return true
		}, 2, []string{`{"error":{"code":"unavailable","message":"`, `was not read within 300ms`}},
		{"elsewhere", "a next page at another host", func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path != "/v2/_catalog" {
				return false
			}
			w.Header().Set("Link", `<http://127.0.0.1:1/v2/_catalog>; rel="next"`)
			_, _ = w.Write([]byte(`{"repositories":["org/small"]}`))
			return true
		}, 2, []string{`"code":"unavailable"`, "another host"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "endless" && testing.Short() {
				t.Skip("200,000 names take long with the race detector; run the test without -short")
			}
			r := pushed(t, "v1.0.0")
			r.put(t, "org/image", "v1.0.0", empty.Image)
			r.answer(c.answer)
			limit := "10m"
			if strings.HasPrefix(c.name, "silent") {
				limit = "300ms"
			}
			code, stdout, stderr := call(t, "-reference-timeout", limit, "-registry", r.host)
			if code != c.code || strings.ContainsRune(stdout+stderr, '\x1b') {
				t.Errorf("got the exit code %d, %q and %q: %s", code, stdout, stderr, c.reason)
			}
			for _, want := range c.says {
				if !strings.Contains(stdout, want) {
					t.Errorf("%q is not in %q: %s", want, stdout, c.reason)
				}
			}
		})
	}
}

// What belongs to a package and cannot be told does not take its line away. The next run
// asks again, and for nothing else.
func TestAttachedError(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"unauthorized": func(w http.ResponseWriter) { w.WriteHeader(http.StatusForbidden) },
		"unavailable":  func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>")) },
		"limit":        func(w http.ResponseWriter) { _, _ = w.Write(make([]byte, 5<<20)) },
	} {
		t.Run(name, func(t *testing.T) {
			r := pushed(t, "v1.0.0")
			ref, file := r.host+"/org/small:v1.0.0", filepath.Join(t.TempDir(), "index.jsonl")
			r.answer(func(w http.ResponseWriter, q *http.Request) bool {
				if !strings.Contains(q.URL.Path, "/referrers/") {
					return false
				}
				answer(w)
				return true
			})
			code, _, stderr := call(t, "-out", file, ref)
			l := decoded(t, readFile(t, file))[ref]
			if code != 1 || l.Error != nil || l.Name != "small-1" || l.AttachedError == nil || l.AttachedError.Code != name {
				t.Fatalf("got the exit code %d, %+v and %q", code, l, stderr)
			}
			r.answer(nil)
			r.took()
			code, _, _ = call(t, "-out", file, ref)
			l = decoded(t, readFile(t, file))[ref]
			if asked := r.took(); code != 0 || l.AttachedError != nil || asked["GET blobs"] > 0 {
				t.Errorf("again: got the exit code %d and %+v, and it asked for %v", code, l, asked)
			}
		})
	}
}

// A tag that has moved, a signature that came later, and a repository that is gone.
func TestWhatChanges(t *testing.T) {
	r := pushed(t, "v1.0.0", "v2.0.0", "v3.0.0")
	file := filepath.Join(t.TempDir(), "index.jsonl")
	args := []string{"-out", file}
	var refs []string
	for _, tag := range []string{"v1.0.0", "v2.0.0", "v3.0.0"} {
		refs = append(refs, r.host+"/org/small:"+tag)
	}
	args = append(args, refs...)
	if code, _, stderr := call(t, args...); code != 0 {
		t.Fatal(stderr)
	}
	before := decoded(t, readFile(t, file))
	clitest.Push(t, refs[1], small(2))
	r.put(t, "org/small", "sha256-"+strings.TrimPrefix(before[refs[0]].Digest, "sha256:")+".sig", empty.Image)
	gone := 0
	r.answer(func(w http.ResponseWriter, q *http.Request) bool {
		if !strings.HasSuffix(q.URL.Path, "/manifests/v3.0.0") {
			return false
		}
		gone++
		w.WriteHeader(http.StatusNotFound)
		return true
	})
	code, _, stderr := call(t, args...)
	after := decoded(t, readFile(t, file))
	if code != 1 || !strings.Contains(stderr, "3 references: 1 read, 1 unchanged, 1 failed") || len(after) != 3 {
		t.Errorf("got the exit code %d, %q and %d lines", code, stderr, len(after))
	}
	if l := after[refs[0]]; l.Digest != before[refs[0]].Digest || len(l.Signatures) != 1 {
		t.Errorf("what was signed: got %+v", l)
	}
	if l := after[refs[1]]; l.Name != "small-2" || l.Digest == before[refs[1]].Digest {
		t.Errorf("what has moved: got %+v", l)
	}
	if l := after[refs[2]]; l.Error == nil || l.Error.Code != "not-found" || l.Entry != nil || gone == 0 {
		t.Errorf("what is gone: got %+v", l)
	}
}

// There is a cache only where one is named, and what it has is not downloaded again.
func TestCache(t *testing.T) {
	r := pushed(t, "v1.0.0")
	home, cache, ref := t.TempDir(), t.TempDir(), r.host+"/org/small:v1.0.0"
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	r.took()
	for want, args := range [][]string{{"-cache", cache, ref}, {ref}, {"-cache", cache, ref}} {
		want = []int{1, 1, 0}[want]
		if code, _, stderr := call(t, args...); code != 0 {
			t.Fatal(stderr)
		}
		if asked := r.took(); asked["GET blobs"] != want {
			t.Errorf("%q asked for %v", args, asked)
		}
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("%v is in the cache of the user (%v)", left, err)
	}
}

// Two processes do not write one file.
func TestOneWriter(t *testing.T) {
	r := pushed(t, "v1.0.0")
	file := filepath.Join(t.TempDir(), "index.jsonl")
	out, err := openOutput(file, "", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, _ := call(t, "-out", file, r.host+"/org/small:v1.0.0")
	if code != 2 || !strings.Contains(stdout, "another process writes") {
		t.Errorf("got the exit code %d and %q", code, stdout)
	}
	out.close()
	if code, stdout, _ := call(t, "-out", file, r.host+"/org/small:v1.0.0"); code != 0 {
		t.Errorf("afterwards: got the exit code %d and %q", code, stdout)
	}
}

// Ctrl-C: exit code 2 and whole lines. The next run goes on from there.
func TestInterrupt(t *testing.T) {
	s := clitest.NewStalling(t, http.MethodGet)
	clitest.Push(t, s.Host+"/org/one:v1.0.0", small(1))
	dir := t.TempDir()
	file := filepath.Join(dir, "index.jsonl")
	if code, _, stderr := call(t, "-out", file, s.Host+"/org/one:v1.0.0"); code != 0 {
		t.Fatal(stderr)
	}
	before := readFile(t, file)
	clitest.Push(t, s.Host+"/org/two:v1.0.0", small(2))
	args := []string{"-out", file, s.Host + "/org/one:v1.0.0", s.Host + "/org/two:v1.0.0"}
	code, out := s.Interrupt(t, os.Interrupt, dir, "index", args...)
	if code != 2 || !strings.Contains(out, `"code":"canceled"`) || !strings.Contains(out, "the same command goes on from there") {
		t.Errorf("got the exit code %d and %q", code, out)
	}
	if got := readFile(t, file); got != before {
		t.Errorf("got the file %q, want %q", got, before)
	}
	s.Stall(false)
	if code, _, stderr := call(t, args...); code != 0 || !strings.Contains(stderr, "2 references: 1 read, 1 unchanged, 0 failed") {
		t.Errorf("again: got the exit code %d and %q", code, stderr)
	}
}
