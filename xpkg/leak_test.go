package xpkg_test

import (
	"runtime"
	"testing"
	"time"
)

// Failures give back what they took.
func TestFailuresLeaveNothingBehind(t *testing.T) {
	r := newRegistry(t)
	blob := tarOf(file{name: "a", content: packageYAML})
	plain := tarOf(file{name: "package.yaml", content: packageYAML})
	refs := []string{
		r.put(t, "org/broken:v1", imageOf(testLayer{blob: gzipped(blob)[:60], annotations: base})),
		r.put(t, "org/text:v1", imageOf(testLayer{blob: []byte(packageYAML), annotations: base})),
		r.put(t, "org/none:v1", imageOf(layerOf(file{name: "a", content: "b"}), layerOf(file{name: "c"}))),
		r.put(t, "org/swapped:v1", imageOf(testLayer{blob: plain, served: flip(plain, 600), annotations: base})),
		r.put(t, "org/zstd:v1", imageOf(testLayer{blob: zstdCompressed(blob)[:40], annotations: base})),
		r.host + "/org/absent:v1",
	}
	c := r.client()
	fail := func(times int) {
		for n := range times {
			img, err := c.Image(t.Context(), refs[n%len(refs)], nil)
			if err != nil {
				continue
			}
			if pkg, err := img.Package(t.Context()); err == nil || pkg != nil {
				t.Fatalf("%s: got a package", refs[n%len(refs)])
			}
			// A stream that nobody reads.
			if s, err := img.Stream(t.Context()); err == nil {
				_ = s.Close()
			}
		}
	}
	count := func() (goroutines, connections int) {
		r.transport.CloseIdleConnections()
		r.mu.Lock()
		defer r.mu.Unlock()
		return runtime.NumGoroutine(), len(r.open)
	}
	fail(2 * len(refs))
	before, _ := count()
	fail(200)
	// Closing a connection takes the server a moment.
	deadline := time.Now().Add(10 * time.Second)
	for {
		goroutines, connections := count()
		if goroutines <= before && connections == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before; %d open connections", goroutines, before, connections)
		}
		runtime.Gosched()
	}
}
