package xpkg_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// shortEntry is an entry as a word for each of what tells it.
func shortEntry(e xpkg.Entry) string {
	platform := "-"
	if e.Platform != nil {
		platform = e.Platform.String()
	}
	return platform + " " + string(e.Role)
}

func TestIndex(t *testing.T) {
	chart := &testImage{layers: []testLayer{{blob: []byte("chart")}}}
	for _, c := range []struct {
		name, reason string
		index        *testIndex
		want         []string
		requests     int // beside the index
		is           error
	}{
		{"platforms", "all of them, in the order of the index", index().image("mac", "darwin/arm64").image("arm", "linux/arm64/v8").image("amd", "linux/amd64"),
			[]string{"darwin/arm64 image", "linux/arm64/v8 image", "linux/amd64 image"}, 0, nil},
		{"none fits", "also when none could be chosen", index().image("arm", "linux/arm64").image("mac", "darwin/arm64"),
			[]string{"linux/arm64 image", "darwin/arm64 image"}, 0, nil},
		{"attestation", "what is marked is not read", index().image("amd", "linux/amd64").attestation(),
			[]string{"linux/amd64 image", "unknown/unknown attestation"}, 0, nil},
		{"unmarked attestation", "what only the layers tell is", index().image("amd", "linux/amd64").unmarkedAttestation("unknown/unknown"),
			[]string{"linux/amd64 image", "unknown/unknown attestation"}, 1, nil},
		{"unknown image", "and may be an image", index().image("amd", "linux/amd64").image("other", "unknown/unknown"),
			[]string{"linux/amd64 image", "unknown/unknown image"}, 1, nil},
		{"artifact", "an artifact says so", index().image("amd", "linux/amd64").add(chart, "", nil).odd("artifactType", "application/vnd.example"),
			[]string{"linux/amd64 image", "- artifact"}, 0, nil},
		{"nested", "an index within the index stands for what it lists", index().nested(index().image("arm", "linux/arm64").image("mac", "darwin/arm64"), "").image("amd", "linux/amd64"),
			[]string{"linux/arm64 image", "darwin/arm64 image", "linux/amd64 image"}, 1, nil},
		{"twice", "an entry that is listed twice is there twice", index().image("amd", "linux/amd64").image("amd", "linux/amd64"),
			[]string{"linux/amd64 image", "linux/amd64 image"}, 0, nil},
		{"empty", "nothing is listed", index(), nil, 0, nil},
		{"missing", "an index within it that is not there is an error", index().nested(lostIndex(), ""), nil, 1, meta.ErrNotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			ref := c.index.put(t, r, "v1")
			if c.is != nil {
				r.on("GET manifests/"+digestOf(lostIndex().raw()).String(), status(404))
			}
			got, err := r.client().Index(t.Context(), ref, nil)
			if c.is != nil {
				checkError(t, err, c.is, ref, digestOf(lostIndex().raw()).String())
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var short []string
			for i, e := range got {
				short = append(short, shortEntry(e))
				if e.Digest == "" || e.Size == 0 || e.MediaType == "" {
					t.Errorf("entry %d is %#v", i, e)
				}
			}
			if !slices.Equal(short, c.want) {
				t.Errorf("got %q, want %q: %s", short, c.want, c.reason)
			}
			if n := len(r.took()); n != 1+c.requests {
				t.Errorf("got %d requests, want %d", n, 1+c.requests)
			}
			dir := writeLayout(t, c.index.blobs(), c.index.entries...)
			for _, path := range []string{dir, tarDir(t, dir)} {
				listed, err := xpkg.IndexFile(t.Context(), path, nil)
				if err != nil || len(listed) != len(got) {
					t.Errorf("of %s: got %v (%v), want %v", path, listed, err, got)
				}
			}
			if img, err := xpkg.OpenFile(t.Context(), dir, nil); err == nil {
				again, err := img.Index(t.Context())
				if err != nil || len(again) != len(got) {
					t.Errorf("of the layout: got %v (%v), want %v", again, err, got)
				}
			}
		})
	}
}

func lostIndex() *testIndex { return index().image("lost", "linux/s390x") }

func TestIndexOfAnImage(t *testing.T) {
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	check := func(got []xpkg.Entry, err error) {
		t.Helper()
		if err != nil || len(got) != 1 || got[0].Digest != pkg().digest().String() || got[0].Platform != nil || got[0].Role != xpkg.RoleImage {
			t.Errorf("got %#v (%v), want the image itself", got, err)
		}
	}
	check(r.client().Index(t.Context(), ref, nil))
	img, err := r.client().Image(t.Context(), ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	check(img.Index(t.Context()))
	if got, err := xpkg.Open(pkg().image(t), nil).Index(t.Context()); err != nil || got != nil {
		t.Errorf("of an image in memory: got %v (%v), want nothing", got, err)
	}
	_, err = r.client().Index(t.Context(), r.host+"/org/package:absent", nil)
	checkError(t, err, meta.ErrNotFound)
	_, err = r.client().Index(t.Context(), "Not A Reference", nil)
	checkError(t, err, meta.ErrInvalid)
}

func TestIndexFileFailure(t *testing.T) {
	for _, c := range []struct {
		reason, path string
		is           error
	}{
		{"nothing is there", t.TempDir() + "/absent", meta.ErrNotFound},
		{"a directory that is no layout", t.TempDir(), meta.ErrNotFound},
		{"no archive", writeTemp(t, "x.tar", []byte("text")), meta.ErrNotPackage},
		{"an archive of something else", writeTemp(t, "y.tar", tarOf(file{name: "a", content: "b"})), meta.ErrNotFound},
	} {
		if _, err := xpkg.IndexFile(t.Context(), c.path, nil); !errors.Is(err, c.is) {
			t.Errorf("%s: got %v, want %v", c.reason, err, c.is)
		}
	}
	docker := dockerTar{layers: [][]byte{tarOf(file{name: "package.yaml", content: packageYAML})}, names: []string{"a"}}.write(t)
	if entries, err := xpkg.IndexFile(t.Context(), docker, nil); err != nil || entries != nil {
		t.Errorf("of a docker tar: got %v (%v)", entries, err)
	}
}

func TestIndexLimits(t *testing.T) {
	r := newRegistry(t)
	deep := index().image("deep", "linux/arm64")
	for range 3 {
		deep = index().nested(deep, "")
	}
	wide := index()
	for n := range 5 {
		wide.nested(index().image(string(rune('a'+n)), "linux/arm64"), "")
	}
	for _, c := range []struct {
		reason string
		index  *testIndex
		o      *xpkg.Options
		says   string
	}{
		{"three levels and the root", deep, &xpkg.Options{MaxIndexDepth: 3}, "3 levels"},
		{"three manifests and the root", deep, &xpkg.Options{MaxIndexManifests: 2}, "2 manifests"},
		{"five manifests", wide, &xpkg.Options{MaxIndexManifests: 4}, "4 manifests"},
		{"small manifests", wide, &xpkg.Options{MaxManifestBytes: 100}, "100 bytes"},
	} {
		ref := c.index.put(t, r, "v1")
		for name, list := range map[string]func() error{
			"Index": func() error { _, err := r.client().Index(t.Context(), ref, c.o); return err },
			"Image": func() error { _, err := r.client().Image(t.Context(), ref, c.o); return err },
		} {
			if err := list(); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, %s: got %v", c.reason, name, err)
			} else {
				checkError(t, err, meta.ErrLimit)
			}
		}
	}
	ref := deep.put(t, r, "v2")
	if _, err := r.client().Index(t.Context(), ref, &xpkg.Options{MaxIndexDepth: 4, MaxIndexManifests: 3}); err != nil {
		t.Errorf("at the limits: %v", err)
	}
}

// An index that is listed many times in each of several that are is one index: what
// is gone through is what is there, and not what it multiplies to.
func TestIndexesThatMultiply(t *testing.T) {
	inner := index().image("arm", "linux/arm64").image("mac", "darwin/arm64")
	for range 5 {
		outer := index()
		for range 200 {
			outer.nested(inner, "")
		}
		inner = outer
	}
	dir := writeLayout(t, inner.blobs(), inner.entries...)
	_, err := xpkg.OpenFile(t.Context(), dir, nil)
	checkError(t, err, meta.ErrNotFound, "linux/arm64, darwin/arm64")
	img, err := xpkg.OpenFile(t.Context(), dir, &xpkg.Options{Platform: &v1.Platform{OS: "linux", Architecture: "arm64"}})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := img.Index(t.Context())
	if err != nil || len(entries) != 2 {
		t.Errorf("got %d entries (%v), want 2", len(entries), err)
	}
}

func TestDetect(t *testing.T) {
	attestation := imageOf(testLayer{blob: []byte("{}"), mediaType: "application/vnd.in-toto+json"})
	two := imageOf(baseOf(file{name: "a"}), baseOf(file{name: "b"}))
	odd := pkg()
	odd.extra = map[string]any{"artifactType": "application/vnd.example", "subject": map[string]any{"digest": "nonsense"}, "x": 1, "annotations": []int{1}}
	for _, c := range []struct {
		name, reason string
		raw          []byte
		want         xpkg.Answer
		is           error
		says         string
	}{
		{"base", "a marked layer", pkg().manifest(), xpkg.DetectedYes, nil, ""},
		{"docker", "also in a docker manifest", (&testImage{layers: pkg().layers, docker: true}).manifest(), xpkg.DetectedYes, nil, ""},
		{"odd", "whatever else it says", odd.manifest(), xpkg.DetectedYes, nil, ""},
		{"unmarked", "any image may hold one", imageOf(layerOf(file{name: "x"})).manifest(), xpkg.DetectedMaybe, nil, ""},
		{"other mark", "another mark is that of a third party", imageOf(markedOf("docs", file{name: "x"})).manifest(), xpkg.DetectedMaybe, nil, ""},
		{"two", "two base layers", two.manifest(), xpkg.DetectedNo, meta.ErrNotPackage, "2 layers"},
		{"no layers", "no layers", imageOf().manifest(), xpkg.DetectedNo, meta.ErrNotPackage, "no layers"},
		{"attestation", "an attestation", attestation.manifest(), xpkg.DetectedNo, meta.ErrNotPackage, "attestation"},
		{"index", "an index may lead to one", index().image("a", "linux/amd64").attestation().raw(), xpkg.DetectedMaybe, nil, ""},
		{"empty index", "unless it lists nothing", index().raw(), xpkg.DetectedNo, meta.ErrNotPackage, "no manifest"},
		{"attestations", "or attestations only", index().attestation().attestation().raw(), xpkg.DetectedNo, meta.ErrNotPackage, "all 2"},
		{"schema 1", "a docker schema 1 manifest", []byte(`{"schemaVersion":1,"fsLayers":[]}`), xpkg.DetectedNo, meta.ErrNotPackage, "image: not a package: manifest is a docker schema 1 manifest"},
		{"artifact manifest", "an artifact manifest", []byte(`{"blobs":[]}`), xpkg.DetectedNo, meta.ErrNotPackage, "artifact"},
		{"text", "what is no manifest", []byte(`<html>`), xpkg.DetectedNo, meta.ErrInvalid, "JSON"},
		{"nothing", "nor is nothing", nil, xpkg.DetectedNo, meta.ErrInvalid, "JSON"},
		{"both", "two things at once", []byte(`{"manifests":[],"layers":[]}`), xpkg.DetectedNo, meta.ErrInvalid, "both"},
	} {
		got := xpkg.Detect(c.raw)
		if got.Answer != c.want {
			t.Errorf("%s: got %s, want %s: %s", c.name, got.Answer, c.want, c.reason)
		}
		if c.is != nil {
			checkError(t, got.Err, c.is, c.says)
		} else if got.Err != nil {
			t.Errorf("%s: got the error %v", c.name, got.Err)
		}
	}
	got, err := xpkg.Open(pkg().image(t), nil).Detect(t.Context())
	if err != nil || got.Answer != xpkg.DetectedYes {
		t.Errorf("of an image: got %v (%v)", got, err)
	}
	_, err = xpkg.Open(nil, nil).Detect(t.Context())
	checkError(t, err, meta.ErrInvalid)
}

// What is said of an image before a layer is read has to be what reading it says.
func TestDetectAgrees(t *testing.T) {
	for name, i := range map[string]*testImage{
		"annotated": pkg(), "two": imageOf(baseOf(file{name: "a"}), baseOf(file{name: "b"})), "none": imageOf(),
		"attestation": imageOf(testLayer{blob: []byte("{}"), mediaType: "application/vnd.in-toto+json"}),
	} {
		img := xpkg.Open(i.image(t), nil)
		_, read := img.Package(t.Context())
		said, err := img.Detect(t.Context())
		if err != nil || (said.Answer == xpkg.DetectedNo) != (read != nil) {
			t.Errorf("%s: %s (%v), and reading gives %v", name, said.Answer, err, read)
		}
	}
}
