package xpkg_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

var errUnsigned = errors.New("no signature by the release key")

func refuse(context.Context, *xpkg.Subject) error { return errUnsigned }

// files lists what a cache holds.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.Contains(path, "lock") {
			all = append(all, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}

func TestVerifyRefuses(t *testing.T) {
	r := newRegistry(t)
	ref := index().image("arm", "linux/arm64").image("amd", "linux/amd64").put(t, r, "v1")
	dir := filepath.Join(t.TempDir(), "cache")
	c, _ := r.cached(dir, "")
	o := &xpkg.Options{Verify: refuse}
	img, err := c.Image(t.Context(), ref, o)
	checkError(t, err, meta.ErrInvalid, ref, "is refused", errUnsigned.Error(), variant("amd").digest().String())
	var refused *xpkg.VerifyError
	if !errors.As(err, &refused) || !errors.Is(err, errUnsigned) || img != nil {
		t.Errorf("got %v and %#v", img, err)
	}
	if got := filesIn(t, dir); got != nil {
		t.Errorf("the cache holds %q", got)
	}
	if got := r.took(); slices.ContainsFunc(got, func(q string) bool { return strings.Contains(q, "blobs") }) {
		t.Errorf("a layer was asked for: %q", got)
	}

	// On what the cache holds as well.
	if _, err := get(t, c, ref); err != nil {
		t.Fatal(err)
	}
	r.took()
	_, err = c.Image(t.Context(), ref, o)
	checkError(t, err, meta.ErrInvalid, "is refused")
	never, _ := r.cached(dir, xpkg.PullNever)
	_, err = never.Image(t.Context(), ref, o)
	checkError(t, err, meta.ErrInvalid, "is refused")
	if got := r.took(); len(got) > 0 {
		t.Errorf("got the requests %q", got)
	}
}

func TestVerifyEverywhere(t *testing.T) {
	digest := pkg().digest().String()
	calls := 0
	o := &xpkg.Options{Verify: func(_ context.Context, s *xpkg.Subject) error {
		calls++
		if s.Digest != digest {
			t.Errorf("got the digest %s, want %s", s.Digest, digest)
		}
		return nil
	}}
	everywhere(t, pkg(), o, func(t *testing.T, img *xpkg.Image, err error) {
		calls = min(calls, 1)
		want{content: packageYAML}.check(t, img, err)
		if _, err := img.Package(t.Context()); err != nil {
			t.Error(err)
		}
		if calls != 1 {
			t.Errorf("asked %d times, want once for each image", calls)
		}
		calls = 0
	})
	everywhere(t, pkg(), &xpkg.Options{Verify: refuse}, func(t *testing.T, img *xpkg.Image, err error) {
		if err == nil {
			_, err = img.Stream(t.Context())
		}
		checkError(t, err, meta.ErrInvalid, "is refused", errUnsigned.Error())
	})
}

// The hook may ask the same client for the same reference: nobody holds anything
// while it runs.
func TestVerifyAsksAgain(t *testing.T) {
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	c, _ := r.cached(t.TempDir(), "")
	img, err := c.Image(t.Context(), ref, &xpkg.Options{Verify: func(ctx context.Context, s *xpkg.Subject) error {
		_, err := c.Image(ctx, s.Ref, nil)
		return err
	}})
	want{content: packageYAML}.check(t, img, err)
}

func TestVerifyByTheClient(t *testing.T) {
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	c := r.client()
	c.Options = &xpkg.Options{Verify: refuse}
	_, err := c.Image(t.Context(), ref, nil)
	checkError(t, err, meta.ErrInvalid, "is refused")
	source, err := meta.ParseSource(r.host + "/org/package")
	if err != nil {
		t.Fatal(err)
	}
	version, err := meta.ParseVersion("v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	r.put(t, "org/package:v1.0.0", pkg())
	_, err = c.Release(t.Context(), source, version)
	checkError(t, err, meta.ErrInvalid, "is refused")
}

func TestVerifyCategories(t *testing.T) {
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	ctx, cancel := context.WithCancelCause(t.Context())
	for _, c := range []struct {
		reason string
		hook   func(context.Context, *xpkg.Subject) error
		is     error
	}{
		{"a judgement is one about the input", refuse, meta.ErrInvalid},
		{"a signature that cannot be had is what kept it", func(ctx context.Context, s *xpkg.Subject) error {
			_, err := s.Manifest(ctx, "absent")
			return err
		}, meta.ErrNotFound},
		{"the caller's end", func(context.Context, *xpkg.Subject) error {
			cancel(errors.New("enough"))
			return nil
		}, meta.ErrCanceled},
	} {
		_, err := r.client().Image(ctx, ref, &xpkg.Options{Verify: c.hook})
		if !errors.Is(err, c.is) {
			t.Errorf("%s: got %v", c.reason, err)
		}
		if c.is != meta.ErrInvalid && errors.Is(err, meta.ErrInvalid) {
			t.Errorf("%s: it is of two categories: %v", c.reason, err)
		}
	}
}

// A signature as cosign keeps it: a manifest under a tag made of the digest, with
// the payload as a blob.
func TestSubject(t *testing.T) {
	signed := pkg()
	payload := []byte(`{"critical":{"image":{"docker-manifest-digest":"` + signed.digest().String() + `"}}}`)
	signature := imageOf(testLayer{blob: payload, mediaType: "application/vnd.dev.cosign.simplesigning.v1+json"})
	tag := "sha256-" + signed.digest().Hex
	approve := func(ctx context.Context, s *xpkg.Subject) error {
		raw, err := s.Manifest(ctx, tag+".sig")
		if err != nil {
			return err
		}
		if string(raw) != string(signature.manifest()) {
			return errors.New("another manifest")
		}
		again, err := s.Manifest(ctx, signature.digest().String())
		if err != nil || string(again) != string(raw) {
			return errors.Join(err, errors.New("not the same by digest"))
		}
		blob, err := s.Blob(ctx, digestOf(payload).String())
		if err != nil {
			return err
		}
		if !strings.Contains(string(blob), s.Digest) {
			return errors.New("a signature of something else")
		}
		return nil
	}
	o := &xpkg.Options{Verify: approve}
	t.Run("registry", func(t *testing.T) {
		r := newRegistry(t)
		ref := r.put(t, "org/package:v1", signed)
		dir := t.TempDir()
		c, _ := r.cached(dir, "")
		_, err := c.Image(t.Context(), ref, o)
		checkError(t, err, meta.ErrNotFound, tag+".sig")
		r.put(t, "org/package:"+tag+".sig", signature)
		img, err := c.Image(t.Context(), ref, o)
		want{content: packageYAML}.check(t, img, err)
		// Offline what was approved can be approved again.
		never, _ := r.cached(dir, xpkg.PullNever)
		r.took()
		img, err = never.Image(t.Context(), ref, o)
		want{content: packageYAML}.check(t, img, err)
		if got := r.took(); len(got) > 0 {
			t.Errorf("got the requests %q", got)
		}
	})
	t.Run("layout", func(t *testing.T) {
		blobs := signed.blobs()
		for digest, b := range signature.blobs() {
			blobs[digest] = b
		}
		dir := writeLayout(t, blobs, entryOf(signed.manifest(), signed.mediaType(), "linux/amd64", nil),
			entryOf(signature.manifest(), signature.mediaType(), "", map[string]string{"org.opencontainers.image.ref.name": tag + ".sig"}))
		img, err := xpkg.OpenFile(t.Context(), dir, o)
		want{content: packageYAML}.check(t, img, err)
	})
	t.Run("memory", func(t *testing.T) {
		_, err := xpkg.Open(signed.image(t), o).Stream(t.Context())
		checkError(t, err, meta.ErrNotFound, tag+".sig")
	})
	t.Run("swapped", func(t *testing.T) {
		r := newRegistry(t)
		ref := r.put(t, "org/package:v1", signed)
		r.put(t, "org/package:"+tag+".sig", signature)
		other := []byte(strings.Replace(string(payload), "critical", "harmless", 1))
		r.on("GET blobs/"+digestOf(payload).String(), serve("", other))
		dir := filepath.Join(t.TempDir(), "cache")
		c, _ := r.cached(dir, "")
		_, err := c.Image(t.Context(), ref, o)
		checkError(t, err, meta.ErrDigest, "blob", digestOf(other).String())
		if got := filesIn(t, dir); got != nil {
			t.Errorf("the cache holds %q", got)
		}
	})
	t.Run("large", func(t *testing.T) {
		r := newRegistry(t)
		ref := r.put(t, "org/package:v1", signed)
		r.put(t, "org/package:"+tag+".sig", signature)
		_, err := r.client().Image(t.Context(), ref, &xpkg.Options{MaxManifestBytes: 700, Verify: func(ctx context.Context, s *xpkg.Subject) error {
			_, err := s.Blob(ctx, digestOf(bigBlob(t, r)).String())
			return err
		}})
		checkError(t, err, meta.ErrLimit, "700 bytes")
	})
}

func bigBlob(t *testing.T, r *testRegistry) []byte {
	b := []byte(strings.Repeat("x", 800))
	r.putBlob(t, "org/package", b, nil)
	return b
}

func TestReferrers(t *testing.T) {
	digest := pkg().digest().String()
	list := indexJSON(map[string]any{"mediaType": types.OCIManifestSchema1, "digest": digestOf([]byte("s")), "size": 1, "artifactType": "application/vnd.dev.sigstore.bundle.v0.3+json"})
	tag := "GET manifests/" + strings.Replace(digest, ":", "-", 1)
	for _, c := range []struct {
		name, reason string
		on           map[string]http.HandlerFunc
		want         int
		is           error
	}{
		{"endpoint", "the registry answers", map[string]http.HandlerFunc{"GET referrers/" + digest: serve(string(types.OCIImageIndex), list)}, 1, nil},
		{"none", "an empty list is an answer", map[string]http.HandlerFunc{"GET referrers/" + digest: serve(string(types.OCIImageIndex), indexJSON()), tag: serve(string(types.OCIImageIndex), list)}, 0, nil},
		{"tag", "without the endpoint it is the tag", map[string]http.HandlerFunc{"GET referrers/" + digest: status(http.StatusNotFound), tag: serve(string(types.OCIImageIndex), list)}, 1, nil},
		{"old", "or with one that it does not know", map[string]http.HandlerFunc{"GET referrers/" + digest: status(http.StatusMethodNotAllowed), tag: serve(string(types.OCIImageIndex), list)}, 1, nil},
		{"neither", "nothing refers to it", map[string]http.HandlerFunc{"GET referrers/" + digest: status(http.StatusNotFound), tag: status(http.StatusNotFound)}, 0, nil},
		{"broken", "a registry that fails is not one without signatures", map[string]http.HandlerFunc{"GET referrers/" + digest: status(http.StatusTeapot)}, 0, meta.ErrUnavailable},
		{"denied", "nor one that refuses", map[string]http.HandlerFunc{"GET referrers/" + digest: status(http.StatusForbidden)}, 0, meta.ErrUnauthorized},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			ref := r.put(t, "org/package:v1", pkg())
			for key, h := range c.on {
				r.on(key, h)
			}
			dir := t.TempDir()
			var got []xpkg.Entry
			o := &xpkg.Options{Verify: func(ctx context.Context, s *xpkg.Subject) (err error) {
				got, err = s.Referrers(ctx, s.Digest)
				return err
			}}
			client, _ := r.cached(dir, "")
			img, err := client.Image(t.Context(), ref, o)
			if c.is != nil {
				checkError(t, err, c.is)
				return
			}
			want{content: packageYAML}.check(t, img, err)
			if len(got) != c.want {
				t.Errorf("got %v, want %d: %s", got, c.want, c.reason)
			}
			if c.want == 1 && (got[0].ArtifactType == "" || got[0].Role != xpkg.RoleArtifact) {
				t.Errorf("got %#v", got[0])
			}
			// And the same offline.
			r.took()
			never, _ := r.cached(dir, xpkg.PullNever)
			img, err = never.Image(t.Context(), ref, o)
			want{content: packageYAML}.check(t, img, err)
			if len(got) != c.want || len(r.took()) > 0 {
				t.Errorf("offline: got %v, want %d", got, c.want)
			}
		})
	}
}
