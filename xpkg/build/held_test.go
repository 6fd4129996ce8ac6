package build_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"

	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// compressed holds the texts of documents compressed.
func compressed(text []byte) (again func() []byte) {
	small := s2.Encode(nil, text)
	return func() []byte {
		text, _ := s2.Decode(nil, small)
		return text
	}
}

// A judge is shown the whole package, of which the texts may be held compressed.
func ExampleDir_compressed() {
	root, remove := exampleDir(crossplaneYAML)
	defer remove()

	img, err := build.Dir(context.Background(), root, &build.Options{
		Parser: &parser.Options{Hold: func(text []byte) (again func() []byte) {
			small := s2.Encode(nil, text) // of github.com/klauspost/compress
			return func() []byte {
				text, _ := s2.Decode(nil, small)
				return text
			}
		}},
		Judge: func(_ context.Context, p *parser.Package) error {
			first, _, _ := strings.Cut(string(p.Header.Text()), "\n")
			fmt.Println(first)
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	layers, err := img.Layers()
	fmt.Println(len(layers), err)
	// Output:
	// # The metadata of the package.
	// 1 <nil>
}

// However texts are held, and whether somebody judges them or not, the image is the same.
func TestHeldIsBuiltAlike(t *testing.T) {
	root := directory(t, sample())
	want := digest(t, dir(t, root, nil))
	judge := func(context.Context, *parser.Package) error { return nil }
	for _, o := range []*build.Options{
		{Parser: &parser.Options{Hold: compressed}},
		{Parser: &parser.Options{Hold: compressed}, Judge: judge},
		{Judge: judge},
	} {
		if got := digest(t, dir(t, root, o)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A text that was held and does not come back is not left out in silence.
func TestHeldIsLost(t *testing.T) {
	lost := false
	hold := func(text []byte) func() []byte {
		again := compressed(text)
		return func() []byte {
			if lost {
				return nil
			}
			return again()
		}
	}
	_, err := build.Dir(t.Context(), directory(t, sample()), &build.Options{
		Parser: &parser.Options{Hold: hold}, Force: true,
		Judge: func(context.Context, *parser.Package) error {
			lost = true
			runtime.GC() // what was asked for before
			return nil
		},
	})
	var faults parser.ErrorList
	if !errors.As(err, &faults) || !strings.Contains(err.Error(), "the document has no text any more") {
		t.Errorf("got %v", err)
	}
}

// A large file is packed while it is read. One that changes in the meantime makes no image.
func TestDirLargeFileChanges(t *testing.T) {
	files := sample()
	var large strings.Builder
	for i := range 100 {
		fmt.Fprintf(&large, "---\napiVersion: v1\nkind: A\nmetadata:\n  name: m%d\n%s", i, strings.Repeat("# comment\n", 10<<10))
	}
	files["large.yaml"] = large.String()
	root := directory(t, files)
	changed := false
	img, err := build.Dir(t.Context(), root, &build.Options{Event: func(e build.Event) {
		if e.Kind == build.Packed && !changed {
			changed = true
			if err := os.WriteFile(filepath.Join(root.Name(), "large.yaml"), []byte(large.String()+"# more\n"), 0o666); err != nil {
				t.Error(err)
			}
		}
	}})
	if !changed || img != nil || err == nil || !strings.Contains(err.Error(), "large.yaml:1:1: unreadable: it cannot be read: it changed while it was read") {
		t.Errorf("changed: %t, image %v, error %v", changed, img, err)
	}
}
