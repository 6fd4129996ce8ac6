package mirror_test

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// Two copies into one directory, or one file, wait for each other: what both have written
// is there in the end.
func TestCopiesWaitForEachOther(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]func(string) *mirror.Target{"directory": mirror.ToDirectory, "file": mirror.ToFile} {
		t.Run(name, func(t *testing.T) {
			from := newRegistry(t)
			from.image("org/one", "v1.0.0", "one")
			from.image("org/two", "v1.0.0", "two")
			one, two := from.refs("org/one:v1.0.0"), from.refs("org/two:v1.0.0")
			path := filepath.Join(t.TempDir(), "m")
			begun, waits := make(chan struct{}), make(chan struct{})
			blob := "GET blobs/" + digest(describe("", []byte("layer one")))
			from.on(blob, func(w http.ResponseWriter, _ *http.Request) {
				close(begun)
				<-waits // the second is there, and has not begun
				_, _ = w.Write([]byte("layer one"))
			})
			var both sync.WaitGroup
			both.Add(1)
			go func() {
				defer both.Done()
				if _, err := mirror.Copy(t.Context(), one, mirror.FromRegistries(from.client), target(path), nil); err != nil {
					t.Error(err)
				}
			}()
			<-begun
			var once sync.Once
			result, err := mirror.Copy(t.Context(), two, mirror.FromRegistries(from.client), target(path), &mirror.Options{Event: func(e mirror.Event) {
				if e.Kind == mirror.Waiting {
					once.Do(func() { close(waits) })
				}
			}})
			if err != nil || result.Copied != 1 {
				t.Fatalf("got %+v (%v)", result, err)
			}
			both.Wait()
			l, err := xpkg.OpenLayout(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			refs, err := mirror.References(l)
			if err != nil || len(refs) != 2 {
				t.Errorf("got %v (%v), want both", refs, err)
			}
			nothingIsLeft := func() {
				for _, f := range tree(t, filepath.Dir(path)) {
					if strings.Contains(f, "lock") || strings.Contains(f, "partial") || strings.Contains(f, "incomplete") {
						t.Errorf("%s is left", f)
					}
				}
			}
			nothingIsLeft()
			// Who waits is not kept from leaving.
			from.on(blob, nil)
			ctx, cancel := context.WithCancel(t.Context())
			again := make(chan struct{})
			three := "GET blobs/" + digest(describe("", []byte("layer three")))
			from.image("org/three", "v1.0.0", "three")
			begun = make(chan struct{})
			from.on(three, func(w http.ResponseWriter, _ *http.Request) {
				close(begun)
				<-again
				_, _ = w.Write([]byte("layer three"))
			})
			both.Add(1)
			go func() {
				defer both.Done()
				if _, err := mirror.Copy(t.Context(), from.refs("org/three:v1.0.0"), mirror.FromRegistries(from.client), target(path), nil); err != nil {
					t.Error(err)
				}
			}()
			<-begun
			_, err = mirror.Copy(ctx, two, mirror.FromRegistries(from.client), target(path), &mirror.Options{Event: func(e mirror.Event) {
				if e.Kind == mirror.Waiting {
					cancel()
				}
			}})
			checkError(t, err, meta.ErrCanceled)
			close(again)
			both.Wait()
			nothingIsLeft()
		})
	}
}
