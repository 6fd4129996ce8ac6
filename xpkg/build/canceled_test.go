package build_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// leavesNoGoroutine runs f and then looks for goroutines that it has started: they bear its label.
// One that has said that it is done is still listed while it ends, so it is given turns to do so;
// one that waits for anything uses none of them.
func leavesNoGoroutine(t *testing.T, f func(ctx context.Context)) {
	t.Helper()
	pprof.Do(t.Context(), pprof.Labels("of", t.Name()), f)
	left := labelled(t)
	for turn := 0; turn < 1000 && len(left) > 0; turn++ {
		runtime.Gosched()
		left = labelled(t)
	}
	for _, stack := range left {
		t.Errorf("there is still\n%s", stack)
	}
}

// labelled returns the stacks of the goroutines that bear the label of the test.
func labelled(t *testing.T) (stacks []string) {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	for stack := range strings.SplitSeq(b.String(), "\n\n") {
		if strings.Contains(stack, fmt.Sprintf("%q:%q", "of", t.Name())) {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

// A build that is canceled in the middle of packing has ended when it returns.
func TestCanceledWhilePacking(t *testing.T) {
	files := plain()
	random := rand.NewChaCha8([32]byte{})
	for n := range 24 {
		text := make([]byte, 1<<18)
		_, _ = random.Read(text)
		files[fmt.Sprintf("f%d.yaml", n)] = fmt.Sprintf("apiVersion: v1\nkind: A\ntext: \"%x\"\n", text)
	}
	root := directory(t, files)
	for _, compression := range []build.Compression{build.Gzip, build.Zstd} {
		for name, options := range map[string]*build.Options{"streamed": {}, "judged": approved()} {
			for _, at := range []int{1, 2, 5} {
				t.Run(fmt.Sprintf("%s %s %d", compression, name, at), func(t *testing.T) {
					leavesNoGoroutine(t, func(ctx context.Context) {
						ctx, cancel := context.WithCancel(ctx)
						defer cancel()
						o, told := *options, 0
						o.Compression = compression
						o.Event = func(e build.Event) {
							if e.Kind == build.Packed {
								if told++; told == at {
									cancel()
								}
							}
						}
						img, err := build.Dir(ctx, root, &o)
						if img != nil || !errors.Is(err, meta.ErrCanceled) || !errors.Is(err, context.Canceled) || told < at {
							t.Errorf("got %v and %v after %d events", img, err, told)
						}
					})
				})
			}
		}
	}
}

// canceling is an image whose layers cancel when they are half read.
type canceling struct {
	v1.Image
	cancel context.CancelFunc
}

func (c canceling) Layers() ([]v1.Layer, error) {
	layers, err := c.Image.Layers()
	for i, l := range layers {
		layers[i] = cancelingLayer{l, c.cancel}
	}
	return layers, err
}

type cancelingLayer struct {
	v1.Layer
	cancel context.CancelFunc
}

func (l cancelingLayer) Compressed() (io.ReadCloser, error) {
	rc, err := l.Layer.Compressed()
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(rc)
	half := len(b) / 2
	return io.NopCloser(io.MultiReader(bytes.NewReader(b[:half]), cancelingReader(l.cancel), bytes.NewReader(b[half:]))), err
}

// cancelingReader is at its end, where it cancels.
type cancelingReader context.CancelFunc

func (c cancelingReader) Read([]byte) (int, error) {
	c()
	return 0, io.EOF
}

func TestCanceledWhileWritten(t *testing.T) {
	img := dir(t, directory(t, sample()), nil)
	for _, format := range []build.Format{build.OCI, build.Docker} {
		for _, before := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %t", format, before), func(t *testing.T) {
				folder, want := t.TempDir(), 0
				path := filepath.Join(folder, "x.xpkg")
				if before {
					want = 1
					if err := os.WriteFile(path, []byte("before"), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				leavesNoGoroutine(t, func(ctx context.Context) {
					ctx, cancel := context.WithCancel(ctx)
					defer cancel()
					if err := build.WriteFile(ctx, path, canceling{img, cancel}, format); !errors.Is(err, meta.ErrCanceled) {
						t.Errorf("got %v", err)
					}
				})
				if left, err := os.ReadDir(folder); err != nil || len(left) != want {
					t.Errorf("got the files %v (%v), want %d", left, err, want)
				}
				if b, err := os.ReadFile(path); before && (err != nil || string(b) != "before") {
					t.Errorf("got %q (%v)", b, err)
				}
			})
		}
	}
}
