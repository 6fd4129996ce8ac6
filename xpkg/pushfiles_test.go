package xpkg_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// platformed is a package whose configuration names a platform, with a runtime when
// that is not "".
func platformed(os, arch, runtime string) *testImage {
	layers := []testLayer{baseOf(file{name: "package.yaml", content: packageYAML})}
	if runtime != "" {
		layers = append(layers, layerOf(file{name: "bin/provider", content: runtime}))
	}
	i := configured(imageOf(layers...))
	config := map[string]any{}
	if err := json.Unmarshal(i.config, &config); err != nil {
		panic(err)
	}
	delete(config, "os")
	delete(config, "architecture")
	if os != "" {
		config["os"], config["architecture"] = os, arch
	}
	i.config = mustJSON(config)
	return i
}

// served is what a registry answers for a reference.
func (r *testRegistry) served(t testing.TB, path string) []byte {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.server.URL+"/v2/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.transport.RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b strings.Builder
	if _, err := io.Copy(&b, resp.Body); err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %s (%v)", path, resp.Status, err)
	}
	return []byte(b.String())
}

func TestPushFilesOne(t *testing.T) {
	t.Parallel()
	one := platformed("linux", "arm64", "")
	marked := configured(imageOf(baseOf(file{name: "package.yaml", content: packageYAML}), markedOf("examples", file{name: "a.yaml", content: "a: b\n"})))
	odd := platformed("linux", "amd64", "runtime")
	odd.extra = map[string]any{"annotations": map[string]any{"example.org/a": "b"}, "x-unknown": 1}
	for _, c := range []struct {
		name, reason string
		path         string
		image        *testImage
	}{
		{"layout", "a manifest, byte for byte", one.layout(t), one},
		{"tar", "a tar of it too", tarDir(t, one.layout(t)), one},
		{"annotations", "all of the layers' annotations", marked.layout(t), marked},
		{"unknown", "and fields that nobody knows", tarDir(t, odd.layout(t)), odd},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			got, err := r.client().PushFiles(t.Context(), r.host+"/org/package:v1.0.0", []string{c.path}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Digest != c.image.digest().String() || got.Reference != r.host+"/org/package:v1.0.0" || len(got.Images) != 1 || got.Present ||
				got.MediaType != string(types.OCIManifestSchema1) || len(got.Same) > 0 {
				t.Errorf("%s: got %+v", c.reason, got)
			}
			if raw := r.served(t, "org/package/manifests/v1.0.0"); string(raw) != string(c.image.manifest()) {
				t.Errorf("%s: the registry has %s", c.reason, raw)
			}
			img, err := r.client().Image(t.Context(), r.host+"/org/package:v1.0.0", nil)
			want{content: packageYAML, method: xpkg.MethodAnnotation}.check(t, img, err)

			// Once more, there is nothing to send.
			r.took()
			again, err := r.client().PushFiles(t.Context(), r.host+"/org/package:v1.0.0", []string{c.path}, nil)
			if err != nil || !again.Present || again.Digest != got.Digest {
				t.Errorf("again: got %+v (%v)", again, err)
			}
			if took := r.took(); len(took) != 1 || took[0] != "HEAD manifests/v1.0.0" {
				t.Errorf("again: got the requests %q", took)
			}
		})
	}
}

// A docker tar has no manifest: it gets one in which the base layer is marked.
func TestPushFilesDocker(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	img := sample()
	path := filepath.Join(t.TempDir(), "package.xpkg")
	if err := build.WriteFile(t.Context(), path, img, build.Docker); err != nil {
		t.Fatal(err)
	}
	got, err := r.client().PushFiles(t.Context(), r.host+"/org/package:v1.0.0", []string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pulled, err := r.client().Image(t.Context(), r.host+"/org/package:v1.0.0", nil)
	want{content: packageYAML, method: xpkg.MethodAnnotation}.check(t, pulled, err)
	checkDigest(t, pulled, got.Digest)
	var m v1.Manifest
	if err := json.Unmarshal(r.served(t, "org/package/manifests/v1.0.0"), &m); err != nil {
		t.Fatal(err)
	}
	config, err := img.ConfigName()
	if err != nil || m.Config.Digest != config || m.MediaType != types.OCIManifestSchema1 || m.Layers[0].MediaType != types.OCILayer {
		t.Errorf("got %+v, want the configuration %s (%v)", m, config, err)
	}
	if p := got.Images[0].Platform; p == nil || p.String() != "linux/amd64" {
		t.Errorf("got the platform %v", p)
	}
}

func TestPushFilesIndex(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	amd, arm := platformed("linux", "amd64", "amd"), platformed("linux", "arm64", "arm")
	files := []string{tarDir(t, arm.layout(t)), amd.layout(t)}
	var digests []string
	for _, paths := range [][]string{files, {files[1], files[0]}} {
		ref := r.host + "/org/p" + string(rune('a'+len(digests))) + ":v1.0.0"
		got, err := r.client().PushFiles(t.Context(), ref, paths, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.MediaType != string(types.OCIImageIndex) || len(got.Images) != 2 || len(got.Same) > 0 {
			t.Errorf("got %+v", got)
		}
		digests = append(digests, got.Digest)
		for platform, i := range map[string]*testImage{"linux/amd64": amd, "linux/arm64": arm} {
			p, err := v1.ParsePlatform(platform)
			if err != nil {
				t.Fatal(err)
			}
			img, err := r.client().Image(t.Context(), ref, &xpkg.Options{Platform: p})
			if err != nil {
				t.Fatal(err)
			}
			checkDigest(t, img, i.digest().String())
			if img.IndexDigest() != got.Digest {
				t.Errorf("%s: got the index %s, want %s", platform, img.IndexDigest(), got.Digest)
			}
		}
	}
	if digests[0] != digests[1] {
		t.Errorf("the order of the files counts: %q", digests)
	}
}

// A file that holds one index keeps it: its digest, and what is no image in it.
func TestPushFilesWholeIndex(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	amd, arm := platformed("linux", "amd64", "amd"), platformed("linux", "arm64", "arm")
	attestation := imageOf(testLayer{blob: []byte("{}"), mediaType: "application/vnd.in-toto+json"})
	x := indexJSON(entryOf(amd.manifest(), amd.mediaType(), "linux/amd64", nil), entryOf(arm.manifest(), arm.mediaType(), "linux/arm64", nil),
		entryOf(attestation.manifest(), attestation.mediaType(), "unknown/unknown", map[string]string{"vnd.docker.reference.type": "attestation-manifest"}))
	blobs := map[string][]byte{digestOf(x).String(): x}
	for _, i := range []*testImage{amd, arm, attestation} {
		for digest, b := range i.blobs() {
			blobs[digest] = b
		}
	}
	path := tarDir(t, writeLayout(t, blobs, entryOf(x, types.OCIImageIndex, "", nil)))
	got, err := r.client().PushFiles(t.Context(), r.host+"/org/package:v1.0.0", []string{path}, nil)
	if err != nil || got.Digest != digestOf(x).String() || len(got.Images) != 2 {
		t.Fatalf("got %+v (%v)", got, err)
	}
	for _, m := range [][]byte{x, amd.manifest(), arm.manifest(), attestation.manifest()} {
		if raw := r.served(t, "org/package/manifests/"+digestOf(m).String()); string(raw) != string(m) {
			t.Errorf("the registry has %s, want %s", raw, m)
		}
	}
}

func TestPushFilesSame(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	amd, arm, none := platformed("linux", "amd64", ""), platformed("linux", "arm64", ""), platformed("", "", "")
	got, err := r.client().PushFiles(t.Context(), r.host+"/org/package:v1.0.0", []string{arm.layout(t), amd.layout(t), none.layout(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Digest != amd.digest().String() || len(got.Images) != 1 || len(got.Same) != 2 || got.MediaType != string(types.OCIManifestSchema1) {
		t.Errorf("a package without a runtime is one manifest: got %+v", got)
	}
	// So every platform finds it.
	img, err := r.client().Image(t.Context(), r.host+"/org/package:v1.0.0", &xpkg.Options{Platform: &v1.Platform{OS: "linux", Architecture: "s390x"}})
	want{content: packageYAML, method: xpkg.MethodAnnotation}.check(t, img, err)
}

func TestPushFilesRefuses(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	amd, other := platformed("linux", "amd64", "a").layout(t), platformed("linux", "amd64", "b").layout(t)
	arm, none := platformed("linux", "arm64", "c").layout(t), platformed("", "", "d").layout(t)
	noPackage := configured(imageOf(layerOf(file{name: "a", content: "b"}))).layout(t)
	broken := platformed("linux", "amd64", "a")
	broken.layers[0].served = flipped(broken.layers[0].blob)
	repo := r.host + "/org/package"
	for _, c := range []struct {
		name, reason, ref string
		paths             []string
		is                error
		says              []string
	}{
		{"latest", "nobody asks for it", repo, []string{amd}, meta.ErrInvalid, []string{"latest", "stands for no tag", "v1.2.3"}},
		{"word", "nor for a word", repo + ":stable", []string{amd}, meta.ErrInvalid, []string{`"stable"`, "no semantic version"}},
		{"partial", "nor for a part", repo + ":v1", []string{amd}, meta.ErrInvalid, []string{`"v1"`, "only the beginning"}},
		{"twice", "two files of one platform name both", repo + ":v1.0.0", []string{amd, arm, other}, meta.ErrInvalid, []string{amd, other, "linux/amd64"}},
		{"same file", "also when it is the same image", repo + ":v1.0.0", []string{amd, amd}, meta.ErrInvalid, []string{amd, "same image"}},
		{"no platform", "what no platform would find", repo + ":v1.0.0", []string{amd, none}, meta.ErrInvalid, []string{none, "names no platform"}},
		{"no package", "what is none", repo + ":v1.0.0", []string{noPackage}, meta.ErrNotPackage, []string{noPackage}},
		{"broken", "what is not what its manifest says", repo + ":v1.0.0", []string{broken.layout(t)}, meta.ErrDigest, []string{"layer"}},
		{"absent", "no such file", repo + ":v1.0.0", []string{"no-such.xpkg"}, meta.ErrNotFound, []string{"no-such.xpkg"}},
		{"another digest", "what was not asked for", repo + "@" + variant("other").digest().String(), []string{amd}, meta.ErrDigest, []string{"image"}},
		{"bad", "no reference", "Bad Ref", []string{amd}, meta.ErrInvalid, []string{"Bad Ref"}},
		{"nothing", "no file", repo + ":v1.0.0", nil, meta.ErrInvalid, []string{"paths"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r.took()
			_, err := r.client().PushFiles(t.Context(), c.ref, c.paths, nil)
			checkError(t, err, c.is, c.says...)
			if took := r.took(); len(took) > 0 {
				t.Errorf("%s: got the requests %q, want none", c.reason, took)
			}
		})
	}
	var tag *xpkg.TagError
	if _, err := r.client().PushFiles(t.Context(), repo+":v1", []string{amd}, nil); !errors.As(err, &tag) || tag.Class != meta.ClassPartial {
		t.Errorf("got %v", err)
	}
	var clash *xpkg.PlatformClashError
	if _, err := r.client().PushFiles(t.Context(), repo+":v1.0.0", []string{amd, other}, nil); !errors.As(err, &clash) || clash.Platform != "linux/amd64" {
		t.Errorf("got %v", err)
	}
	for _, tag := range []string{"v1.0.0", "1.0.0", "v1.0.0-rc.1", "v1.0.0_build.5"} {
		if _, err := r.client().PushFiles(t.Context(), repo+":"+tag, []string{amd}, nil); err != nil {
			t.Errorf("%s: %v", tag, err)
		}
	}
	for _, ref := range []string{repo, repo + ":v1", repo + ":stable"} {
		if _, err := r.client().PushFiles(t.Context(), ref, []string{amd}, &xpkg.PushOptions{AnyTag: true}); err != nil {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

// flipped is b with its last byte changed.
func flipped(b []byte) []byte {
	b = slices.Clone(b)
	b[len(b)-1] ^= 1
	return b
}

// A push that fails leaves the tag as it was, whatever fails, and can be tried again.
func TestPushFilesFails(t *testing.T) {
	t.Parallel()
	old, one := platformed("linux", "amd64", "old"), platformed("linux", "amd64", "amd")
	two := platformed("linux", "arm64", "arm")
	paths := []string{one.layout(t), two.layout(t)}
	for _, c := range []struct {
		name, reason, key string
		answer            http.HandlerFunc
		is                error
	}{
		{"forbidden blob", "a blob is refused", "POST uploads/", status(http.StatusForbidden), meta.ErrUnauthorized},
		{"full", "a registry fails for good", "POST uploads/", status(http.StatusInsufficientStorage), meta.ErrUnavailable},
		{"rate limit", "it wants no more", "POST uploads/", status(http.StatusTooManyRequests), meta.ErrUnavailable},
		{"manifest", "a manifest is refused", "PUT manifests/" + two.digest().String(), status(http.StatusBadRequest), meta.ErrUnavailable},
		{"tag", "the tag is refused", "PUT manifests/v1.0.0", status(http.StatusForbidden), meta.ErrUnauthorized},
		{"drops", "the connection breaks each time", "PUT manifests/" + one.digest().String(), func(w http.ResponseWriter, _ *http.Request) {
			panic(http.ErrAbortHandler)
		}, meta.ErrUnavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			ref := r.put(t, "org/package:v1.0.0", old)
			r.on(c.key, c.answer)
			_, err := r.client().PushFiles(t.Context(), ref, paths, nil)
			checkError(t, err, c.is, ref)
			if raw := r.served(t, "org/package/manifests/v1.0.0"); string(raw) != string(old.manifest()) {
				t.Errorf("%s: the tag names %s", c.reason, raw)
			}
			r.on(c.key, nil)
			r.took()
			got, err := r.client().PushFiles(t.Context(), ref, paths, nil)
			if err != nil || got.Present {
				t.Fatalf("%s, and then not: got %+v (%v)", c.reason, got, err)
			}
			took := r.took()
			if c.key[:3] == "PUT" && slices.Contains(took, "POST uploads/") {
				t.Errorf("%s: blobs were sent again: %q", c.reason, took)
			}
		})
	}
}

// What fails in passing is tried again, also the upload of a blob.
func TestPushFilesRetries(t *testing.T) {
	t.Parallel()
	one := platformed("linux", "amd64", "amd")
	for _, status := range []int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable} {
		r := newRegistry(t)
		for _, key := range []string{"POST uploads/", "PUT manifests/v1.0.0", "HEAD manifests/v1.0.0"} {
			r.on(key, func(w http.ResponseWriter, _ *http.Request) {
				r.on(key, nil)
				w.WriteHeader(status)
			})
		}
		if _, err := r.client().PushFiles(t.Context(), r.host+"/org/package:v1.0.0", []string{one.layout(t)}, nil); err != nil {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// What the registry has in the end is looked at.
func TestPushFilesIsVerified(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	one, other := platformed("linux", "amd64", "amd"), variant("other")
	calls := 0
	r.on("HEAD manifests/v1.0.0", func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls == 1 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Docker-Content-Digest", other.digest().String())
		w.Header().Set("Content-Type", string(types.OCIManifestSchema1))
	})
	r.on("GET manifests/v1.0.0", status(http.StatusNotFound))
	_, err := r.client().PushFiles(t.Context(), r.host+"/org/package:v1.0.0", []string{one.layout(t)}, nil)
	checkError(t, err, meta.ErrDigest, one.digest().String(), other.digest().String())
}

// A registry that stalls is left when the context ends.
func TestPushFilesCanceled(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	one := platformed("linux", "amd64", "amd")
	ctx, cancel := context.WithCancel(t.Context())
	r.on("POST uploads/", func(_ http.ResponseWriter, q *http.Request) {
		cancel()
		<-q.Context().Done()
	})
	_, err := r.client().PushFiles(ctx, r.host+"/org/package:v1.0.0", []string{one.layout(t)}, nil)
	checkError(t, err, meta.ErrCanceled, "org/package:v1.0.0")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Without a registry a package is pushed to Docker Hub, or to the one that the client
// has for those.
func TestPushFilesDefaultRegistry(t *testing.T) {
	t.Parallel()
	one := platformed("linux", "amd64", "amd").layout(t)
	for registry, want := range map[string]string{"": "index.docker.io", "registry.example": "registry.example"} {
		asked := ""
		c := &xpkg.Client{Keychain: anonymous, Registries: meta.Registries{Default: registry}, Transport: transportFunc(func(q *http.Request) (*http.Response, error) {
			asked = q.URL.Host
			return nil, errors.New("not here")
		})}
		if _, err := c.PushFiles(t.Context(), "org/package:v1.0.0", []string{one}, nil); err == nil {
			t.Error("got no error")
		}
		if asked != want {
			t.Errorf("asked %s, want %s", asked, want)
		}
	}
}

func TestFindPackage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := xpkg.FindPackage(dir)
	checkError(t, err, meta.ErrNotFound, dir, "empty")
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("b.yaml")
	write("a\x1b.txt")
	if err := os.Mkdir(filepath.Join(dir, "dir.xpkg"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err = xpkg.FindPackage(dir)
	checkError(t, err, meta.ErrNotFound, "b.yaml", `"a\x1b.txt"`, "dir.xpkg/")
	write("one.xpkg")
	if got, err := xpkg.FindPackage(dir); err != nil || got != filepath.Join(dir, "one.xpkg") {
		t.Errorf("got %s (%v)", got, err)
	}
	write("two.xpkg")
	_, err = xpkg.FindPackage(dir)
	checkError(t, err, meta.ErrInvalid, "2 .xpkg files", "one.xpkg", "two.xpkg")
	_, err = xpkg.FindPackage(filepath.Join(dir, "absent"))
	checkError(t, err, meta.ErrNotFound, "absent")
}

// A tag is a version where Crossplane takes it for one, zeros before a number included.
func TestPushFilesTag(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	one := platformed("linux", "amd64", "amd")
	for tag, fine := range map[string]bool{"v1.2.3": true, "1.2.3": true, "v1.2.3-rc.1": true, "v1.2.3_build.5": true, "v01.0.0": true, "v1.2": false, "v1": false, "latest": false, "v1.2.3-01": false, "main": false} {
		_, err := r.client().PushFiles(t.Context(), r.host+"/org/package:"+tag, []string{one.layout(t)}, nil)
		if fine && err != nil {
			t.Errorf("%s: %v", tag, err)
		}
		if !fine {
			checkError(t, err, meta.ErrInvalid, tag)
		}
	}
}
