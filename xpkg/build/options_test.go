package build_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// approved are options with a judge that has nothing to say.
func approved() *build.Options {
	return &build.Options{Judge: func(context.Context, *parser.Package) error { return nil }}
}

func compressions() []build.Options {
	return []build.Options{{Compression: build.Gzip}, {Compression: build.Zstd}}
}

// dirChanging builds a directory that changes whenever something is told.
func dirChanging(t *testing.T, root *os.Root, change func()) (v1.Image, error) {
	t.Helper()
	return build.Dir(t.Context(), root, &build.Options{Parser: &parser.Options{Event: func(parser.Event) { change() }}})
}

// The examples have a layer of their own; what of them cannot be read is told.
func TestExamplesLayer(t *testing.T) {
	files := sample()
	files["examples/claim.yaml"] = "apiVersion: v1\nkind: Claim # as it is\nmetadata:\n  name: c"
	files["examples/x/broken.yaml"] = "a: [\n"
	files["examples/z.yaml"] = "apiVersion: v1\nkind: Z2\n"
	var told []build.Event
	img := dir(t, directory(t, files), &build.Options{Event: func(e build.Event) {
		if e.Kind == build.LeftOut {
			told = append(told, e)
		}
	}})
	m := manifest(t, img)
	if len(m.Layers) != 2 || m.Layers[0].Annotations[xpkg.AnnotationKey] != "base" || m.Layers[1].Annotations[xpkg.AnnotationKey] != "upbound" {
		t.Fatalf("got the layers %v", m.Layers)
	}
	layers, err := img.Layers()
	if err != nil {
		t.Fatal(err)
	}
	if text := fileOf(t, layers[1], ".up/examples.yaml"); text != files["examples/claim.yaml"]+"\n---\n"+files["examples/z.yaml"] {
		t.Errorf("got the examples\n%s", text)
	}
	if len(told) != 1 || !strings.Contains(told[0].Err.Error(), "examples/x/broken.yaml:1") {
		t.Errorf("got the events %v", told)
	}
	c, err := img.ConfigFile()
	if err != nil || c.Config.Labels[xpkg.AnnotationKey+":"+m.Layers[1].Digest.String()] != "upbound" {
		t.Errorf("got the labels %v (%v)", c.Config.Labels, err)
	}
	// The base layer is the same without them, and none is made where there are none.
	none := dir(t, directory(t, files), &build.Options{Examples: func(func(*parser.Document, error) bool) {}})
	if got := manifest(t, none); len(got.Layers) != 1 || got.Layers[0].Digest != m.Layers[0].Digest {
		t.Errorf("without examples: got the layers %v", got.Layers)
	}
	// Those of somewhere else, and of a package that is at hand.
	elsewhere := parser.Dir(t.Context(), directory(t, map[string]string{"e.yaml": "apiVersion: v1\nkind: E\n"}), nil)
	held, err := build.Package(t.Context(), collect(t, directory(t, files)), &build.Options{Examples: iter.Seq2[*parser.Document, error](elsewhere)})
	if err != nil {
		t.Fatal(err)
	}
	if got := manifest(t, held); len(got.Layers) != 2 || got.Layers[0].Digest != m.Layers[0].Digest || got.Layers[1].Digest == m.Layers[1].Digest {
		t.Errorf("with those of another directory: got the layers %v", got.Layers)
	}
	// Patterns for the package are none for the examples.
	ignoring := dir(t, directory(t, files), &build.Options{Parser: &parser.Options{Ignore: []string{"claim.yaml", "z.yaml"}}})
	if got := manifest(t, ignoring); got.Layers[1].Digest != m.Layers[1].Digest {
		t.Error("ignore patterns change the examples")
	}
}

func TestAnnotations(t *testing.T) {
	files := map[string]string{"crossplane.yaml": crossplaneYAML + `  annotations:
    meta.crossplane.io/maintainer: A B <a@example.org>
    maintainer: another
    meta.crossplane.io/source: https://example.org/a
    meta.crossplane.io/license: Apache-2.0
    meta.crossplane.io/description: " one line\n"
    meta.crossplane.io/readme: long
    friendly-name.meta.crossplane.io: A Test
`}
	img := dir(t, directory(t, files), &build.Options{Annotations: map[string]string{
		"org.opencontainers.image.revision": "abc", "org.opencontainers.image.licenses": "MIT",
	}})
	want := map[string]string{
		"org.opencontainers.image.title": "A Test", "org.opencontainers.image.authors": "A B <a@example.org>",
		"org.opencontainers.image.source": "https://example.org/a", "org.opencontainers.image.licenses": "MIT",
		"org.opencontainers.image.description": "one line", "org.opencontainers.image.revision": "abc",
	}
	if diff := cmp.Diff(want, manifest(t, img).Annotations); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	p := collect(t, directory(t, files)).Meta
	p.Annotations["meta.crossplane.io/description"] = strings.Repeat("x", 4097)
	if got := build.ImageAnnotations(p); got["org.opencontainers.image.description"] != "" || got["org.opencontainers.image.licenses"] != "Apache-2.0" {
		t.Errorf("got %v, want no text without end", got)
	}
	if got := build.ImageAnnotations(nil); len(got) != 0 {
		t.Errorf("of nothing: got %v", got)
	}
}

// What is wrong stops a build, unless it is forced, and is told then.
func TestForce(t *testing.T) {
	refusal := errors.New("not this one")
	refuse := func(context.Context, *parser.Package) error { return refusal }
	broken := plain()
	broken["broken.yaml"] = "a: [\n"
	broken["twice.yaml"] = "apiVersion: v1\nkind: T\nkind: T\n"
	without := plain()
	delete(without, "crossplane.yaml")
	for _, c := range []struct {
		reason string
		files  map[string]string
		judge  func(context.Context, *parser.Package) error
		built  bool
		says   string
	}{
		{"a judge is overruled", plain(), refuse, true, "not this one"},
		{"faults are told, and what can be read is built", broken, nil, true, "broken.yaml:1"},
		{"also where it is held", broken, approved().Judge, true, "twice.yaml:3:1"},
		{"a package needs its metadata", without, nil, false, "no crossplane.yaml"},
	} {
		var told []string
		o := &build.Options{Judge: c.judge, Event: func(e build.Event) {
			if e.Kind == build.Overruled {
				told = append(told, e.Err.Error())
			}
		}}
		if _, err := build.Dir(t.Context(), directory(t, c.files), o); err == nil || len(told) > 0 {
			t.Errorf("%s: without force: got %v, %q", c.reason, err, told)
		}
		o.Force = true
		img, err := build.Dir(t.Context(), directory(t, c.files), o)
		if !c.built {
			if !errors.Is(err, meta.ErrNotPackage) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: got %v", c.reason, err)
			}
			continue
		}
		if err != nil || len(told) != 1 || !strings.Contains(told[0], c.says) {
			t.Errorf("%s: got %v, and was told %q, want it to say %q", c.reason, err, told, c.says)
			continue
		}
		text := packageYAML(t, img)
		if got := strings.Count(text, "kind: T\nkind: T"); got != strings.Count(c.files["twice.yaml"], "kind: T\nkind: T") || strings.Contains(text, "[") {
			t.Errorf("%s: got\n%s", c.reason, text)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	_, err := build.Dir(t.Context(), directory(t, plain()), &build.Options{Compression: "lzma"})
	if field := (*meta.FieldError)(nil); !errors.As(err, &field) || !strings.Contains(err.Error(), `"lzma"`) {
		t.Errorf("got %v", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range []*build.Options{nil, approved(), {Force: true}} {
		if _, err := build.Dir(canceled, directory(t, plain()), o); !errors.Is(err, meta.ErrCanceled) && !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want it to match meta.ErrCanceled", err)
		}
	}
}

func TestPackedIsTold(t *testing.T) {
	files := plain()
	files["big.yaml"] = "apiVersion: v1\nkind: A\ntext: " + strings.Repeat("x", 5<<20/2) + "\n"
	var told []int64
	img := dir(t, directory(t, files), &build.Options{Event: func(e build.Event) {
		if e.Kind == build.Packed {
			told = append(told, e.Bytes)
		}
	}})
	if len(told) < 2 || told[0] >= told[1] || told[len(told)-1] != int64(len(packageYAML(t, img))) {
		t.Errorf("got %d of %d bytes", told, len(packageYAML(t, img)))
	}
}
