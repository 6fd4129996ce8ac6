package xpkg_test

import (
	"archive/tar"
	"context"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// Messages say what is there, in the terms of images, and name the image once.
func TestMessages(t *testing.T) {
	raw := func(s string) *testImage {
		return imageOf(testLayer{blob: gzipped([]byte(s)), annotations: base})
	}
	whiteout := layerOf(file{name: ".wh.package.yaml"})
	below := layerOf(file{name: "package.yaml", content: packageYAML})
	cases := []struct {
		name, reason string
		image        *testImage
		is           error
		says         string
	}{
		{"json", "a layer that is JSON", raw(`{"a": 1}` + strings.Repeat(" ", 600)), meta.ErrInvalid, "found what looks like JSON"},
		{"text", "a layer that is YAML", raw(strings.Repeat(packageYAML, 5)), meta.ErrInvalid, "found what looks like text"},
		{"gzip", "compressed twice", raw(string(gzipped([]byte(strings.Repeat(packageYAML, 5)))) + strings.Repeat("x", 600)), meta.ErrInvalid, "found gzip inside"},
		{"whiteout", "a whiteout removes the file", imageOf(below, whiteout), meta.ErrNotPackage, "layer " + digestOf(whiteout.blob).String() + " removes"},
		{"opaque whiteout", "so does an opaque directory", imageOf(below, layerOf(file{name: ".wh..wh..opq", kind: tar.TypeReg})), meta.ErrNotPackage, "removes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := xpkg.Open(c.image.image(t), nil).Package(t.Context())
			checkError(t, err, c.is, c.says)
			checkSaysNot(t, err, "struct {")
		})
	}
}

func TestMessagesOfRegistries(t *testing.T) {
	r := newRegistry(t)
	r.on("GET manifests/list", serve(string(types.OCIManifestSchema1), []byte("[]")))
	_, err := r.client().Image(t.Context(), r.host+"/org/package:list", nil)
	checkError(t, err, meta.ErrInvalid, "found array, expected an object")

	i := pkg()
	ref := r.put(t, "org/package:v1", i)
	r.on("GET blobs/"+digestOf(i.layers[0].blob).String(), status(404))
	_, err = get(t, r.client(), ref)
	checkError(t, err, meta.ErrNotFound)
	if n := strings.Count(err.Error(), ref); n != 1 {
		t.Errorf("got %q, which names the reference %d times", err, n)
	}

	img, err := r.client().Image(t.Context(), ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = img.Package(ctx)
	checkError(t, err, meta.ErrCanceled, ref+": layer "+digestOf(i.layers[0].blob).String())
	_, err = r.client().Image(ctx, ref, nil)
	checkError(t, err, meta.ErrCanceled, ref+": manifest v1")
}
