package xpkg_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// want is what reading package.yaml must come to: content, or an error of a
// category whose text holds some words.
type want struct {
	content string
	method  xpkg.Method
	is      error       // category
	reason  xpkg.Reason // of a *NotPackageError
	says    []string
}

func (w want) check(t *testing.T, img *xpkg.Image, err error) {
	t.Helper()
	var got string
	if err == nil {
		got, err = read(t, img)
	}
	if w.is == nil {
		if err != nil {
			t.Fatalf("got the error %v", err)
		}
		if got != w.content {
			t.Errorf("got %q, want %q", got, w.content)
		}
		if method, err := img.Method(t.Context()); err != nil || w.method != "" && method != w.method {
			t.Errorf("got method %q (%v), want %q", method, err, w.method)
		}
		return
	}
	checkError(t, err, w.is, w.says...)
	if w.reason != "" {
		var not *xpkg.NotPackageError
		if !errors.As(err, &not) || not.Reason != w.reason {
			t.Errorf("got the reason of %#v, want %q", err, w.reason)
		}
	}
}

func checkError(t *testing.T, err, is error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("got no error, want %v", is)
	}
	if !errors.Is(err, is) {
		t.Errorf("got the error %v (%s), want it to match %v", err, meta.Code(err), is)
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("got the error %q, want it to say %q", err, s)
		}
	}
	if len(err.Error()) > 1500 {
		t.Errorf("the error has %d bytes", len(err.Error()))
	}
}

// flip returns b with one bit changed.
func flip(b []byte, at int) []byte {
	c := bytes.Clone(b)
	c[at] ^= 1
	return c
}

func TestLayers(t *testing.T) {
	t.Parallel()
	const other = "kind: Other\n"
	good := file{name: "package.yaml", content: packageYAML}
	big := strings.Repeat("# filler\n", 500) + packageYAML
	stored := storedGzip(tarOf(file{name: "package.yaml", content: big}))
	two := tarOf(good)
	swapped := gzipped(tarOf(file{name: "package.yaml", content: strings.Replace(packageYAML, "nop", "evi", 1)}))
	goodLayer := baseOf(good)

	cases := []struct {
		name, reason string
		image        *testImage
		want         want
	}{
		{"marked layer", "the annotated layer is used", imageOf(baseOf(good)), want{content: packageYAML, method: xpkg.MethodAnnotation}},
		{"no mark", "without an annotation the flattened file system is used", imageOf(layerOf(good)), want{content: packageYAML, method: xpkg.MethodFlattened}},
		{"marked among others", "what other layers hold does not matter beside an annotated one",
			imageOf(layerOf(file{name: "package.yaml", content: other}), baseOf(good), layerOf(file{name: "package.yaml", content: other})),
			want{content: packageYAML, method: xpkg.MethodAnnotation}},
		{"another mark twice", "several layers may share another value, which is their consumer's business",
			imageOf(markedOf("upbound", file{name: "package.yaml", content: other}), baseOf(good), markedOf("upbound", file{name: "package.yaml", content: other})),
			want{content: packageYAML, method: xpkg.MethodAnnotation}},
		{"only other marks", "layers with other values only leave the flattened file system",
			imageOf(markedOf("upbound", file{name: "package.yaml", content: other}), markedOf("examples", good)),
			want{content: packageYAML, method: xpkg.MethodFlattened}},
		{"broken layer beside the marked one", "other layers are not even read", imageOf(testLayer{blob: []byte("no tar")}, baseOf(good)), want{content: packageYAML}},
		{"whiteout beside the marked layer", "a whiteout in another layer does not matter", imageOf(baseOf(good), layerOf(file{name: ".wh.package.yaml"})), want{content: packageYAML}},
		{"not in the marked layer", "package.yaml must be in the layer that is marked", imageOf(baseOf(), layerOf(good)),
			want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing, says: []string{digestOf(baseOf().blob).String(), "marked"}}},
		{"dot slash", "./package.yaml is at the root", imageOf(baseOf(file{name: "./package.yaml", content: packageYAML})), want{content: packageYAML}},
		{"slash", "/package.yaml is at the root", imageOf(baseOf(file{name: "/package.yaml", content: packageYAML})), want{content: packageYAML}},
		{"slashes and a dot", "//./package.yaml too", imageOf(baseOf(file{name: "//./package.yaml", content: packageYAML})), want{content: packageYAML}},
		{"in a directory", "package.yaml must be in the root, and what was found elsewhere is named", imageOf(baseOf(file{name: "foo/package.yaml", content: packageYAML})),
			want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing, says: []string{"foo/package.yaml"}}},
		{"in a directory first", "a nested one before the root one is passed over", imageOf(baseOf(file{name: "vendor/package.yaml", content: other}, good)), want{content: packageYAML}},
		{"outside of the root", "../package.yaml is outside of the root", imageOf(baseOf(file{name: "../package.yaml", content: packageYAML})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"absolute, outside of the root", "/../package.yaml too", imageOf(baseOf(file{name: "/../package.yaml", content: packageYAML})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"backslash", "a backslash is part of a name", imageOf(baseOf(file{name: `.\package.yaml`, content: packageYAML})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"symbolic link", "a symbolic link is followed", imageOf(baseOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "other.yaml"}, file{name: "other.yaml", content: packageYAML})), want{content: packageYAML}},
		{"symbolic link behind its target", "the target may come first", imageOf(baseOf(file{name: "data/other.yaml", content: packageYAML}, file{name: "package.yaml", kind: tar.TypeSymlink, link: "/data/other.yaml"})), want{content: packageYAML}},
		{"symbolic link to nothing", "a link to nothing", imageOf(baseOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "other.yaml"})),
			want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink, says: []string{"other.yaml"}}},
		{"symbolic link to itself", "a link to itself", imageOf(baseOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "package.yaml"})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink}},
		{"symbolic link out of the image", "a link out of the image", imageOf(baseOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "../../etc/passwd"})),
			want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink, says: []string{"../../etc/passwd"}}},
		{"symbolic link to a long name", "a link to a name that no file system has", imageOf(baseOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: strings.Repeat("a/", 100_000)})),
			want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink, says: []string{"200000 bytes"}}},
		{"hard link", "a hard link is followed", imageOf(baseOf(file{name: "other.yaml", content: packageYAML}, file{name: "package.yaml", kind: tar.TypeLink, link: "other.yaml"})), want{content: packageYAML}},
		{"hard link to nothing", "a hard link to nothing", imageOf(baseOf(file{name: "package.yaml", kind: tar.TypeLink, link: "./other.yaml"})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink}},
		{"fifo", "a fifo is named as one", imageOf(baseOf(file{name: "package.yaml", kind: tar.TypeFifo})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile, says: []string{"fifo"}}},
		{"device", "a device too", imageOf(baseOf(file{name: "package.yaml", kind: tar.TypeChar})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile, says: []string{"device"}}},
		{"directory", "a directory too", imageOf(baseOf(file{name: "package.yaml/", kind: tar.TypeDir})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile, says: []string{"directory"}}},
		{"empty file", "an empty file is no package", imageOf(baseOf(file{name: "package.yaml"})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonEmpty, says: []string{"empty"}}},
		{"PAX headers", "PAX headers", imageOf(baseOf(file{kind: tar.TypeXGlobalHeader, name: "pax_global_header", pax: map[string]string{"comment": "abc"}},
			file{name: "package.yaml", content: packageYAML, pax: map[string]string{"VENDOR.note": "x"}})), want{content: packageYAML}},
		{"long names", "long names before it", imageOf(baseOf(file{name: strings.Repeat("n", 300), content: "x"}, good)), want{content: packageYAML}},
		{"docker gzip", "a docker gzip layer", &testImage{docker: true, layers: []testLayer{{blob: gzipped(tarOf(good)), mediaType: dockerLayer, annotations: base}}}, want{content: packageYAML}},
		{"OCI gzip", "an OCI gzip layer", imageOf(testLayer{blob: gzipped(tarOf(good)), mediaType: ociLayer, annotations: base}), want{content: packageYAML}},
		{"OCI uncompressed", "an OCI uncompressed layer", imageOf(testLayer{blob: tarOf(good), mediaType: ociPlainLayer, annotations: base}), want{content: packageYAML}},
		{"OCI zstd", "an OCI zstd layer", imageOf(testLayer{blob: zstdCompressed(tarOf(good)), mediaType: ociZstdLayer, annotations: base}), want{content: packageYAML}},
		{"zstd called gzip", "the content decides, not the media type", imageOf(testLayer{blob: zstdCompressed(tarOf(good)), mediaType: ociLayer, annotations: base}), want{content: packageYAML}},
		{"unknown media type", "whatever it is called", imageOf(testLayer{blob: tarOf(good), mediaType: "text/plain", annotations: base}), want{content: packageYAML}},
		{"two gzip members", "two gzip members", imageOf(testLayer{blob: append(gzipped(two[:700]), gzipped(two[700:])...), annotations: base}), want{content: packageYAML}},
		{"two zstd frames", "two zstd frames", imageOf(testLayer{blob: append(zstdCompressed(two[:700]), zstdCompressed(two[700:])...), annotations: base}), want{content: packageYAML}},
		{"text", "text is no tar", imageOf(testLayer{blob: []byte(packageYAML), annotations: base}),
			want{is: meta.ErrInvalid, says: []string{digestOf([]byte(packageYAML)).String(), "tar"}}},
		{"empty blob", "nothing is an empty layer", imageOf(testLayer{blob: []byte{}, annotations: base}), want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"gzip checksum", "the checksum of gzip is checked", imageOf(testLayer{blob: flip(stored, bytes.Index(stored, []byte("filler"))), annotations: base}),
			want{is: meta.ErrInvalid, says: []string{"checksum"}}},
		{"broken gzip", "gzip that is broken in the middle", imageOf(testLayer{blob: stored[:len(stored)/2], annotations: base}),
			want{is: meta.ErrInvalid, says: []string{digestOf(stored[:len(stored)/2]).String(), "ends in the middle"}}},
		{"broken zstd", "zstd that is broken in the middle", imageOf(testLayer{blob: zstdCompressed(two)[:200], annotations: base}), want{is: meta.ErrInvalid}},
		{"garbage behind gzip", "what is behind the gzip stream is no part of it", imageOf(testLayer{blob: append(gzipped(two), strings.Repeat("garbage", 9)...), annotations: base}), want{is: meta.ErrInvalid, says: []string{"gzip"}}},
		{"broken tar", "a tar that ends in the middle of package.yaml", imageOf(testLayer{blob: gzipped(two[:600]), annotations: base}), want{is: meta.ErrInvalid, says: []string{"ends in the middle"}}},
		{"swapped", "another blob of the same size", imageOf(testLayer{blob: gzipped(tarOf(good)), served: sameSize(swapped, len(gzipped(tarOf(good)))), annotations: base}), want{is: meta.ErrDigest}},
		{"swapped bit", "one bit of the content", imageOf(testLayer{blob: stored, served: flip(stored, bytes.Index(stored, []byte("filler"))), annotations: base}), want{is: meta.ErrDigest, says: []string{digestOf(stored).String()}}},
		{"swapped last bit", "one bit of the last byte", imageOf(testLayer{blob: stored, served: flip(stored, len(stored)-1), annotations: base}), want{is: meta.ErrDigest}},
		{"swapped for a valid layer", "a valid layer in the place of another", imageOf(testLayer{blob: tarOf(good), served: tarOf(file{name: "package.yaml", content: strings.ToUpper(packageYAML)}), annotations: base}), want{is: meta.ErrDigest}},
		{"shorter", "a blob that is shorter than it should be", imageOf(testLayer{blob: tarOf(good), served: tarOf(good)[:len(tarOf(good))-512], annotations: base}), want{is: meta.ErrDigest, says: []string{"ends after"}}},
		{"longer", "a blob that is longer", imageOf(testLayer{blob: tarOf(good), served: append(tarOf(good), make([]byte, 512)...), annotations: base}), want{is: meta.ErrDigest, says: []string{"longer"}}},
		{"swapped without a mark", "the same without an annotation", imageOf(testLayer{blob: stored, served: flip(stored, bytes.Index(stored, []byte("filler")))}), want{is: meta.ErrDigest}},
		{"manifest says less", "the manifest says a smaller size", imageOf(testLayer{blob: goodLayer.blob, size: int64(len(goodLayer.blob) - 7), annotations: base}), want{is: meta.ErrDigest, says: []string{"longer"}}},
		{"manifest says more", "the manifest says a larger size", imageOf(testLayer{blob: goodLayer.blob, size: int64(len(goodLayer.blob) + 7), annotations: base}), want{is: meta.ErrDigest, says: []string{"ends after"}}},
		{"no configuration", "the configuration is not asked for", &testImage{layers: []testLayer{goodLayer}, noConfig: true}, want{content: packageYAML}},
		{"broken configuration without a mark", "nor is it read", &testImage{layers: []testLayer{layerOf(good)}, config: []byte("no JSON")}, want{content: packageYAML}},
		{"no configuration without a mark", "nor for the flattened file system", &testImage{layers: []testLayer{layerOf(good)}, noConfig: true}, want{content: packageYAML}},
		{"capital letter", "names differ by case", imageOf(baseOf(file{name: "Package.yaml", content: packageYAML})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing, says: []string{"Package.yaml"}}},
		{"misspelt", "a misspelling is named", imageOf(baseOf(file{name: "package.yml", content: packageYAML})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing, says: []string{"package.yml"}}},
		{"two base layers of one digest", "two base layers of one digest are two", imageOf(goodLayer, goodLayer), want{is: meta.ErrNotPackage, says: []string{"2 layers", digestOf(goodLayer.blob).String()}}},
		{"two base layers", "both are named", imageOf(goodLayer, baseOf()), want{is: meta.ErrNotPackage, says: []string{digestOf(goodLayer.blob).String(), digestOf(baseOf().blob).String()}}},
		{"duplicate", "package.yaml twice in one layer", imageOf(baseOf(good, file{name: "./package.yaml", content: other})), want{is: meta.ErrNotPackage, reason: xpkg.ReasonDuplicate}},
		{"duplicate link", "also as a link", imageOf(baseOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "a"}, good)), want{is: meta.ErrNotPackage, reason: xpkg.ReasonDuplicate}},
		{"other marks", "layers of third parties do not matter", imageOf(testLayer{blob: []byte("x"), annotations: map[string]string{xpkg.AnnotationKey: "upbound"}}, goodLayer), want{content: packageYAML, method: xpkg.MethodAnnotation}},
		{"whiteout in base", "a marked layer is read alone, and a whiteout is about lower ones", imageOf(baseOf(file{name: ".wh.package.yaml"}, good)), want{content: packageYAML}},
		{"manifest", "unknown fields and odd annotations do not refuse an image", &testImage{layers: []testLayer{goodLayer},
			extra: map[string]any{"artifactType": "x/y", "subject": 7, "annotations": []int{1}, "config": "none", "more": map[string]any{"a": 1}}}, want{content: packageYAML}},
		{"legacy", "a v1 package is recognised", imageOf(layerOf(file{name: ".registry/app.yaml", content: "x"})), want{is: meta.ErrNotPackage, says: []string{"v1 package"}}},
		{"runtime", "a runtime image is recognised", imageOf(layerOf(file{name: "usr/local/bin/provider", content: "x"})), want{is: meta.ErrNotPackage, says: []string{"runtime image"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			everywhere(t, c.image, nil, func(t *testing.T, img *xpkg.Image, err error) {
				c.want.check(t, img, err)
				if t.Failed() {
					t.Log("reason: " + c.reason)
				}
			})
		})
	}
}

// sameSize pads or cuts b.
func sameSize(b []byte, n int) []byte {
	c := make([]byte, n)
	copy(c, b)
	return c
}

func TestBlobThatBreaksOff(t *testing.T) {
	t.Parallel()
	// The registry closes the connection in the middle of the blob.
	r := newRegistry(t)
	i := imageOf(baseOf(file{name: "package.yaml", content: strings.Repeat("# x\n", 50_000) + packageYAML}))
	i.layers[0].blob = tarOf(file{name: "package.yaml", content: strings.Repeat("# x\n", 50_000)})
	ref := r.put(t, "org/package:v1", i)
	digest := digestOf(i.layers[0].blob).String()
	r.on("GET blobs/"+digest, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "200000")
		_, _ = w.Write(i.layers[0].blob[:5000])
		panic(http.ErrAbortHandler)
	})
	img, err := r.client().Image(t.Context(), ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = read(t, img)
	checkError(t, err, meta.ErrUnavailable, r.host, digest)
}

func TestBlobThatStalls(t *testing.T) {
	t.Parallel()
	// The registry stalls in the middle of the blob and the caller has a
	// deadline, of the call and not of the opening.
	r := newRegistry(t)
	i := imageOf(testLayer{blob: tarOf(file{name: "package.yaml", content: packageYAML}), annotations: base})
	ref := r.put(t, "org/package:v1", i)
	stalled := make(chan struct{})
	t.Cleanup(func() { close(stalled) })
	r.on("GET blobs/"+digestOf(i.layers[0].blob).String(), func(w http.ResponseWriter, q *http.Request) {
		_, _ = w.Write(i.layers[0].blob[:700])
		w.(http.Flusher).Flush()
		select {
		case <-q.Context().Done():
		case <-stalled:
		}
	})
	img, err := r.client().Image(t.Context(), ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = img.Package(ctx)
	checkError(t, err, meta.ErrCanceled, ref, "deadline")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want it to match context.DeadlineExceeded", err)
	}
}

func TestMultipleBaseLayersError(t *testing.T) {
	t.Parallel()
	a, b := baseOf(), baseOf(file{name: "package.yaml", content: packageYAML})
	_, err := xpkg.Open(imageOf(a, b).image(t), nil).Package(t.Context())
	var multiple *xpkg.MultipleBaseLayersError
	if !errors.As(err, &multiple) {
		t.Fatalf("got %v", err)
	}
	if len(multiple.Digests) != 2 || multiple.Digests[0] != digestOf(a.blob).String() || multiple.Digests[1] != digestOf(b.blob).String() {
		t.Errorf("got the digests %q", multiple.Digests)
	}
}
