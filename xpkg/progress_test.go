package xpkg_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/xpkg-go/sdk/xpkg"
)

func TestDownloading(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	large := imageOf(testLayer{
		blob:        storedGzip(tarOf(file{name: "package.yaml", content: packageYAML}, file{name: "large", content: strings.Repeat("x", 3<<20)})),
		annotations: base,
	})
	ref := r.put(t, "org/package:v1", large)
	var mu sync.Mutex
	var told []xpkg.Event
	c := r.client()
	c.Event = func(e xpkg.Event) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, e)
	}
	if _, err := get(t, c, ref); err != nil {
		t.Fatal(err)
	}
	size := int64(len(large.layers[0].blob))
	if len(told) < 3 {
		t.Errorf("told %d times, want once for each MiB at least", len(told))
	}
	before := int64(0)
	for _, e := range told {
		if e.Kind != xpkg.Downloading || e.Name != digestOf(large.layers[0].blob).String() || e.Total != size || e.Bytes < before || e.Err != nil {
			t.Errorf("got %+v behind %d bytes", e, before)
		}
		before = e.Bytes
	}
	if before != size {
		t.Errorf("ended at %d of %d bytes", before, size)
	}

	// What breaks off is told to its last byte too.
	told = nil
	r.on("GET blobs/"+digestOf(large.layers[0].blob).String(), func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(large.layers[0].blob[:1000])
	})
	if _, err := get(t, c, ref); err == nil {
		t.Error("got no error")
	}
	if n := len(told); n != 1 || told[0].Bytes != 1000 {
		t.Errorf("got %+v", told)
	}
}
