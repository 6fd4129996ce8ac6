package build_test

import (
	"archive/tar"
	"errors"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// An image is changed by other tools in ways that harm its annotated layers, or not.
func TestVerifyAdditive(t *testing.T) {
	ctx := t.Context()
	img := dir(t, directory(t, sample()), &build.Options{Runtime: runtimeImage(t, layerOf(t, reg("provider"), link(tar.TypeSymlink, "lower", "/")))})
	layers, err := img.Layers()
	if err != nil {
		t.Fatal(err)
	}
	docker := func(adds ...mutate.Addendum) v1.Image {
		out, err := mutate.Append(mutate.MediaType(empty.Image, types.OCIManifestSchema1), adds...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	add := func(mark string, l v1.Layer) mutate.Addendum {
		a := mutate.Addendum{Layer: l, MediaType: types.OCILayer}
		if mark != "" {
			a.Annotations = map[string]string{xpkg.AnnotationKey: mark}
		}
		return a
	}
	on := func(adds ...mutate.Addendum) v1.Image {
		out, err := mutate.Append(img, adds...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	runtime, base, examples := add("", layers[0]), add("base", layers[1]), add("upbound", layers[2])
	other := dir(t, directory(t, map[string]string{"crossplane.yaml": crossplaneYAML}), nil)
	otherLayers, err := other.Layers()
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, reason string
		after        v1.Image
		harm         build.ChangeKind // "" for none
		says         string
	}{
		{"same", "nothing has changed", img, "", ""},
		{"added", "a layer of its own", on(add("docs", layerOf(t, reg("docs/a")))), "", "was added"},
		{"added unmarked", "a layer of its own", on(add("", layerOf(t, reg("docs/a"), tar.Header{Typeflag: tar.TypeDir, Name: ".up/"}))), "", "was added"},
		{"below", "a layer below the annotated ones changes none of their files", docker(add("", layerOf(t, reg("package.yaml"))), runtime, base, examples), "", "was added"},
		{"runtime dropped", "the runtime is not annotated", docker(base, examples), "", "was dropped"},
		{"base dropped", "the package is gone", docker(runtime, examples), build.MarkedDropped, "(\"base\") was dropped"},
		{"base replaced", "another package", docker(runtime, add("base", otherLayers[0]), examples), build.MarkedDropped, "dropped"},
		{"order", "annotated layers keep theirs", docker(runtime, examples, base), build.MarkedDropped, "dropped or moved"},
		{"annotation lost", "as docker does", docker(runtime, add("", layers[1]), examples), build.MarkedChanged, "described otherwise"},
		{"annotation changed", "another word", docker(runtime, base, add("docs", layers[2])), build.MarkedChanged, "described otherwise"},
		{"second base", "at most one may be", on(add("base", otherLayers[0])), build.BaseAdded, "marked as the base layer"},
		{"file taken", "a reader of the flattened file system finds another", on(add("", layerOf(t, reg("./package.yaml")))), build.FileTaken, `"package.yaml" of an annotated layer`},
		{"deleted", "a whiteout", on(add("", layerOf(t, reg(".up/.wh.examples.yaml")))), build.FileTaken, `".up/examples.yaml" of an annotated layer`},
		{"directory deleted", "a whiteout of the directory", on(add("", layerOf(t, reg(".wh..up")))), build.FileTaken, `".up/examples.yaml"`},
		{"opaque", "a directory without what was in it", on(add("", layerOf(t, reg(".up/.wh..wh..opq")))), build.FileTaken, `".up/examples.yaml"`},
		{"opaque root", "everything goes", on(add("", layerOf(t, reg(".wh..wh..opq")))), build.FileTaken, `"package.yaml"`},
		{"parent replaced", "the directory is a link now", on(add("", layerOf(t, link(tar.TypeSymlink, ".up", "x")))), build.FileTaken, `".up/examples.yaml"`},
		{"directory", "a directory in the file's place", on(add("", layerOf(t, tar.Header{Typeflag: tar.TypeDir, Name: "package.yaml/"}))), build.FileTaken, `"package.yaml"`},
		{"behind a link", "which leads to the root", on(add("", layerOf(t, link(tar.TypeSymlink, "a", "."), reg("a/package.yaml")))), build.FileTaken, `"package.yaml"`},
		{"behind a link below", "of the runtime, which leads to the root", on(add("", layerOf(t, reg("lower/package.yaml")))), build.FileTaken, `"package.yaml"`},
		{"deleted behind a link", "the same, by a whiteout", on(add("", layerOf(t, reg("lower/.wh.package.yaml")))), build.FileTaken, `"package.yaml"`},
		{"a link", "through which the file can be written", on(add("", layerOf(t, link(tar.TypeLink, "b", "package.yaml")))), build.FileTaken, `"package.yaml"`},
		{"another package.yaml", "in a directory that is one", on(add("", layerOf(t, reg("docs/package.yaml")))), "", "was added"},
		{"below the file", "the file has to go for it", on(add("", layerOf(t, reg("package.yaml/x")))), build.FileTaken, `"package.yaml"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			changes, err := build.VerifyAdditive(ctx, img, c.after)
			var lines []string
			for _, ch := range changes {
				lines = append(lines, ch.String())
			}
			if got := strings.Join(lines, "\n"); !strings.Contains(got, c.says) || c.name == "same" && got != "" {
				t.Errorf("got the changes\n%s\nwant %q: %s", got, c.says, c.reason)
			}
			if c.harm == "" {
				if err != nil {
					t.Errorf("got %v, want no harm: %s", err, c.reason)
				}
				return
			}
			var harm *build.AdditiveError
			if !errors.As(err, &harm) || !errors.Is(err, meta.ErrInvalid) || harm.Harm[0].Kind != c.harm || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want an *build.AdditiveError of %s: %s", err, c.harm, c.reason)
			}
		})
	}
	t.Run("content", func(t *testing.T) {
		flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
		if _, err := build.VerifyAdditive(ctx, img, altered{Image: img, layer: flip}); !errors.Is(err, meta.ErrDigest) && !errors.Is(err, meta.ErrInvalid) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("edits", func(t *testing.T) {
		after, err := build.Annotate(img, map[string]string{"a": "b"})
		if err == nil {
			after, err = build.Relabel(after, map[string]string{"c": "d"})
		}
		if err != nil {
			t.Fatal(err)
		}
		changes, err := build.VerifyAdditive(ctx, img, after)
		if err != nil || len(changes) != 2 || changes[0].Path != "annotations" || changes[1].Path != "config.config.Labels" {
			t.Errorf("got %v (%v)", changes, err)
		}
	})
	for _, c := range [][2]v1.Image{{nil, img}, {img, nil}} {
		if _, err := build.VerifyAdditive(ctx, c[0], c[1]); !errors.Is(err, meta.ErrInvalid) {
			t.Errorf("no image: got %v", err)
		}
	}
}
