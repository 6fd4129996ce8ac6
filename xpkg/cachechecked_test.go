package xpkg

import (
	"bytes"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xpkg-go/sdk/meta"
)

// watchedContext tells when somebody is about to wait for its end, and when an
// entry is being read.
type watchedContext struct {
	context.Context
	waits, reads func()
}

func (w watchedContext) Done() <-chan struct{} {
	w.waits()
	return w.Context.Done()
}

func (w watchedContext) Err() error {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); strings.HasSuffix(f.Function, ".(*contextReader).Read") {
			w.reads()
		}
	}
	return w.Context.Err()
}

// Those who waited for a layer verify it at once and not one after the other.
func TestWaitersDoNotVerifyUnderTheLock(t *testing.T) {
	blob := []byte("a layer, or part of one")
	h, err := hashOf(blob)
	if err != nil {
		t.Fatal(err)
	}
	c := OpenCache(t.TempDir(), nil)
	s := &repository{client: &Client{Cache: c}, ref: "org/package:v1", name: "example.org/org/package"}
	key := s.name + "@" + h.String()
	unlock, err := c.lock(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan struct{})
	var once sync.Once
	read := 0
	ctx := watchedContext{
		Context: t.Context(),
		waits:   func() { once.Do(func() { close(waiting) }) },
		reads: func() {
			read++
			if c.locks.Held(key) {
				t.Error("the entry is read while others wait for the lock")
			}
		},
	}
	done := make(chan error)
	go func() {
		rc, err := s.blob(ctx, &layer{descriptor: descriptor{Digest: h, Size: int64(len(blob))}}, nil)
		if err == nil {
			err = rc.Close()
		}
		done <- err
	}()
	<-waiting
	if err := c.write(h, blob); err != nil {
		t.Fatal(err)
	}
	unlock()
	if err := <-done; err != nil || read == 0 {
		t.Errorf("got %v, having read %d times", err, read)
	}
}

// An entry that was found right is not hashed again, and has to stay what it was.
func TestCheckedEntryIsHashedOnce(t *testing.T) {
	blob := bytes.Repeat([]byte("layer "), 20_000)
	h, err := hashOf(blob)
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(blob)
	flipped[70_000] ^= 1
	cases := []struct {
		name, reason string
		content      []byte // of the file, once it was found right
		is           error
	}{
		{"same", "nothing happened", blob, nil},
		{"flipped", "a bit, in place", flipped, meta.ErrDigest},
		{"cut", "a crash of who writes there", blob[:50_000], meta.ErrDigest},
		{"empty", "the same", nil, meta.ErrDigest},
		{"longer", "somebody appends", append(slices.Clone(blob), 'x'), meta.ErrDigest},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			c := OpenCache(t.TempDir(), nil)
			if err := c.write(h, blob); err != nil {
				t.Fatal(err)
			}
			f, err := c.open(t.Context(), h)
			if err != nil || f == nil {
				t.Fatal(f, err)
			}
			was := c.look(h)
			if err := os.WriteFile(f.Name(), test.content, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(f.Name(), was.ModTime(), was.ModTime()); err != nil { // which tells nothing
				t.Fatal(err)
			}
			v, err := newLayerVerifier(t.Context(), f, "ref", &layer{descriptor: descriptor{Digest: h, Size: int64(len(blob))}})
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			if _, ok := v.hash.(*maphash.Hash); !ok {
				t.Errorf("it is hashed with %T", v.hash)
			}
			if _, err := io.Copy(io.Discard, v); !errors.Is(err, test.is) {
				t.Errorf("got the error %v, want it to match %v: %s", err, test.is, test.reason)
			}
		})
	}
}
