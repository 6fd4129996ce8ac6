package build_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// tarOf is an archive of entries; regular ones hold their name.
func tarOf(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		if h.Typeflag != tar.TypeXGlobalHeader {
			h.Mode = 0o644
		}
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(h.Name))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := io.WriteString(w, h.Name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rawLayer is a layer of the bytes of an archive.
func rawLayer(t testing.TB, content []byte) v1.Layer {
	t.Helper()
	l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil })
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func layerOf(t testing.TB, headers ...tar.Header) v1.Layer { return rawLayer(t, tarOf(t, headers...)) }

func reg(name string) tar.Header { return tar.Header{Name: name} }
func link(kind byte, name, target string) tar.Header {
	return tar.Header{Typeflag: kind, Name: name, Linkname: target}
}

// files is a sample without examples: one layer.
func plain() map[string]string {
	files := sample()
	delete(files, "examples/claim.yaml")
	return files
}

// A layer may not change which package a reader of the flattened file system finds.
func TestAppendRefusesShadows(t *testing.T) {
	ctx := t.Context()
	const sym, hard = tar.TypeSymlink, tar.TypeLink
	global := tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"path": "package.yaml"}}
	long := strings.Repeat("d/../", 40) + "package.yaml"
	cases := []struct {
		name, reason string
		entries      []tar.Header
		says         string
	}{
		{"holds", "the file itself", []tar.Header{reg("package.yaml")}, `"package.yaml"`},
		{"dot", "another spelling", []tar.Header{reg("./package.yaml")}, `"./package.yaml"`},
		{"slash", "another spelling", []tar.Header{reg("/package.yaml")}, `"/package.yaml"`},
		{"slashes", "another spelling", []tar.Header{reg(".//x/..//package.yaml")}, "package.yaml"},
		{"parent", "a name that leaves the root stays in it for some", []tar.Header{reg("../package.yaml")}, `"../package.yaml"`},
		{"pax", "a name in a PAX record", []tar.Header{{Name: "package.yaml", Format: tar.FormatPAX, PAXRecords: map[string]string{"comment": "c"}}}, "package.yaml"},
		{"long", "a long name", []tar.Header{{Name: long, Format: tar.FormatGNU}}, "package.yaml"},
		{"global", "a global PAX record that renames", []tar.Header{global, reg("x")}, "global PAX record"},
		{"directory", "it would hide the file", []tar.Header{{Typeflag: tar.TypeDir, Name: "package.yaml/"}}, "is /package.yaml"},
		{"below", "its directory would hide the file", []tar.Header{reg("package.yaml/x")}, "is /package.yaml, or below it"},
		{"fifo", "whatever it is", []tar.Header{{Typeflag: tar.TypeFifo, Name: "package.yaml"}}, "is /package.yaml"},
		{"symlink", "a link in its place", []tar.Header{link(sym, "package.yaml", "other")}, "is /package.yaml"},
		{"hardlink", "a link in its place", []tar.Header{reg("other"), link(hard, "package.yaml", "other")}, "is /package.yaml"},
		{"link to it", "who writes to the link writes to the file", []tar.Header{link(sym, "a/b", "../package.yaml"), reg("a/b")}, "is a link to /package.yaml"},
		{"absolute link to it", "the same", []tar.Header{link(sym, "b", "/package.yaml")}, "is a link to /package.yaml"},
		{"hard link to it", "the same", []tar.Header{link(hard, "b", "./package.yaml")}, "is a link to /package.yaml"},
		{"whiteout", "it deletes the file", []tar.Header{reg(".wh.package.yaml")}, "deletes /package.yaml"},
		{"whiteout with dot", "it deletes the file", []tar.Header{reg("./.wh.package.yaml")}, "deletes /package.yaml"},
		{"opaque", "it deletes everything", []tar.Header{reg(".wh..wh..opq")}, "deletes all that is in the root"},
		{"opaque with dot", "it deletes everything", []tar.Header{reg("./.wh..wh..opq")}, "deletes all that is in the root"},
		{"opaque with slash", "it deletes everything", []tar.Header{reg("/.wh..wh..opq")}, "deletes all that is in the root"},
		{"whiteout of the root", "it deletes everything", []tar.Header{reg(".wh..")}, "deletes /package.yaml"},
		{"root", "a root that is no directory", []tar.Header{link(sym, "./", "x")}, "takes the place of the root"},
		{"parent link", "a directory that is the root", []tar.Header{link(sym, "a", "."), reg("a/package.yaml")}, "behind the link /a"},
		{"later parent link", "whatever comes first", []tar.Header{reg("a/b/package.yaml"), link(sym, "a", "x"), link(sym, "x", "/")}, "behind the link /a"},
		{"parent link, whiteout", "it deletes behind the link", []tar.Header{link(sym, "a", "/"), reg("a/.wh.package.yaml")}, "behind the link /a"},
		{"parent link, opaque", "it deletes behind the link", []tar.Header{link(sym, "a", "/"), reg("a/.wh..wh..opq")}, "behind the link /a"},
		{"link of a lower layer", "the runtime may have one", []tar.Header{reg("lower/package.yaml")}, "behind the link /lower"},
	}
	base := dir(t, directory(t, plain()), &build.Options{Runtime: runtimeImage(t, layerOf(t, link(sym, "lower", "/"), reg("bin/provider")))})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := build.Append(ctx, base, "docs", layerOf(t, c.entries...))
			var shadow *build.LayerError
			if !errors.As(err, &shadow) || !errors.Is(err, meta.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want a *build.LayerError that says %q: %s", err, c.says, c.reason)
			}
		})
	}
	t.Run("behind the end", func(t *testing.T) {
		two := append(tarOf(t, reg("x")), tarOf(t, reg("package.yaml"))...)
		_, err := build.Append(ctx, base, "docs", rawLayer(t, two))
		if shadow := (*build.LayerError)(nil); !errors.As(err, &shadow) || !strings.Contains(err.Error(), "behind the end") {
			t.Errorf("got %v, want a *build.LayerError: some readers go on behind the end of an archive", err)
		}
	})
	for _, c := range []struct {
		reason  string
		entries []tar.Header
	}{
		{"files", []tar.Header{reg("docs/a.md"), {Typeflag: tar.TypeDir, Name: "docs/"}, {Typeflag: tar.TypeDir, Name: "./"}}},
		{"one with the name elsewhere", []tar.Header{reg("testdata/package.yaml"), reg("x.package.yaml"), reg("Package.yaml"), reg("package.yaml.bak")}},
		{"links that lead elsewhere", []tar.Header{link(sym, "a", "b"), reg("b"), link(sym, "c/package.yaml", "../b")}},
		{"whiteouts of others", []tar.Header{reg("bin/.wh.provider"), reg("docs/.wh..wh..opq")}},
		{"nothing", nil},
	} {
		img, err := build.Append(ctx, base, "docs", layerOf(t, c.entries...))
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		if p, err := xpkg.Open(img, nil).Package(ctx); err != nil || len(p.Objects) != 7 {
			t.Errorf("%s: got %v (%v)", c.reason, p, err)
		}
	}
}

// A layer of a third party leaves all that is there as it is.
func TestAppendLeavesTheBaseLayerAlone(t *testing.T) {
	img := dir(t, directory(t, sample()), nil)
	docs, err := build.Files(t.Context(), fstest.MapFS{"docs/a.md": {Data: []byte("# a")}}, "")
	if err != nil {
		t.Fatal(err)
	}
	after, err := build.Append(t.Context(), img, "docs", docs)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Image(after); err != nil {
		t.Error(err)
	}
	old, now := manifest(t, img), manifest(t, after)
	if len(now.Layers) != len(old.Layers)+1 || now.Layers[2].Annotations[xpkg.AnnotationKey] != "docs" {
		t.Fatalf("got the layers %v", now.Layers)
	}
	for i := range old.Layers {
		if now.Layers[i].Digest != old.Layers[i].Digest || now.Layers[i].Annotations[xpkg.AnnotationKey] != old.Layers[i].Annotations[xpkg.AnnotationKey] {
			t.Errorf("layer %d was %v and is %v", i, old.Layers[i], now.Layers[i])
		}
	}
	changes, err := build.VerifyAdditive(t.Context(), img, after)
	if err != nil {
		t.Error(err)
	}
	var kinds []string
	for _, c := range changes {
		kinds = append(kinds, string(c.Kind)+" "+c.Path)
	}
	if got := strings.Join(kinds, ", "); got != "layer-added , field-changed config.config.Labels" {
		t.Errorf("got the changes %s", got)
	}
	// The label marks it where annotations get lost.
	c, err := after.ConfigFile()
	if err != nil || c.Config.Labels[xpkg.AnnotationKey+":"+now.Layers[2].Digest.String()] != "docs" {
		t.Errorf("got the labels %v (%v)", c.Config.Labels, err)
	}
	layers, err := xpkg.Open(after, nil).Layers(t.Context())
	if err != nil || layers[2].Mark != "docs" {
		t.Errorf("got %v (%v)", layers, err)
	}
	// The same layer once more: specification, "Manifests": several may have one word.
	if _, err := build.Append(t.Context(), after, "docs", docs); err != nil {
		t.Error(err)
	}
}

func TestAppendErrors(t *testing.T) {
	img := dir(t, directory(t, plain()), nil)
	good := layerOf(t, reg("a"))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	cases := []struct {
		name, reason string
		ctx          context.Context
		img          v1.Image
		mark         string
		layer        v1.Layer
		is           error
		says         string
	}{
		{"base", "there is one base layer", t.Context(), img, "base", good, meta.ErrInvalid, `mark: "base"`},
		{"control", "a mark is a word", t.Context(), img, "a\x1bb", good, meta.ErrInvalid, `"a\x1bb"`},
		{"no image", "a caller's slip is no panic", t.Context(), nil, "docs", good, meta.ErrInvalid, "img"},
		{"no layer", "a caller's slip is no panic", t.Context(), img, "docs", nil, meta.ErrInvalid, "l: "},
		{"no tar", "nobody could flatten it", t.Context(), img, "docs", rawLayer(t, []byte("text that is long enough to be none")), meta.ErrInvalid, "cannot be read as a tar archive"},
		{"canceled", "the caller ended it", canceled, img, "docs", good, meta.ErrCanceled, ""},
		{"another", "what is read is not what it says", t.Context(), img, "docs", lying{good, img}, meta.ErrDigest, "layer content"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := build.Append(c.ctx, c.img, c.mark, c.layer)
			if got != nil || !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, %v (%s), want an error that matches %v and says %q: %s", got, err, meta.Code(err), c.is, c.says, c.reason)
			}
		})
	}
}

// lying is a layer with the diff ID of another one.
type lying struct {
	v1.Layer
	img v1.Image
}

func (l lying) DiffID() (v1.Hash, error) {
	layers, err := l.img.Layers()
	if err != nil {
		return v1.Hash{}, err
	}
	return layers[0].DiffID()
}

func manifest(t testing.TB, img v1.Image) *v1.Manifest {
	t.Helper()
	m, err := img.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// entries lists an archive.
func entries(t testing.TB, content []byte) string {
	t.Helper()
	var all []string
	for r := tar.NewReader(bytes.NewReader(content)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return strings.Join(all, ", ")
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, h.Name+" "+strconv.FormatInt(h.Mode, 8))
	}
}

// registryServer starts a registry on the loopback.
func registryServer(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}
