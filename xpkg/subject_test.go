package xpkg_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
			// And the same offline. That there was nothing is not kept: there may be
			// a signature now.
			r.took()
			never, _ := r.cached(dir, xpkg.PullNever)
			img, err = never.Image(t.Context(), ref, o)
			if c.want == 0 {
				checkMiss(t, err, "referrers of "+digest)
			} else {
				want{content: packageYAML}.check(t, img, err)
			}
			if c.want > 0 && len(got) != c.want || len(r.took()) > 0 {
				t.Errorf("offline: got %v, want %d", got, c.want)
			}
			client, _ = r.cached(dir, "")
			r.on("GET referrers/"+digest, serve(string(types.OCIImageIndex), list))
			img, err = client.Image(t.Context(), ref, o)
			want{content: packageYAML}.check(t, img, err)
			if len(got) != 1 {
				t.Errorf("signed later: got %v", got)
			}
		})
	}
}

func checkMiss(t *testing.T, err error, says string) {
	t.Helper()
	checkError(t, err, meta.ErrNotFound, says)
	if miss := (*xpkg.CacheMissError)(nil); !errors.As(err, &miss) {
		t.Errorf("got %#v, want a *CacheMissError", err)
	}
}

// referrer is an entry of a list of referrers.
func referrer(n int) map[string]any {
	return map[string]any{"mediaType": types.OCIManifestSchema1, "digest": digestOf([]byte{byte(n), byte(n >> 8)}), "size": 2, "artifactType": "application/vnd.test<sig>"}
}

// A list of referrers may have pages, and what stands on the last counts as what
// stands on the first.
func TestPagesOfReferrers(t *testing.T) {
	t.Parallel()
	digest := pkg().digest().String()
	cases := []struct {
		name, reason string
		page         func(w http.ResponseWriter, n int) // from 0
		link         string                             // "" for that of the endpoint
		last         int
		o            xpkg.Options
		want         int
		is           error
		says         string
	}{
		{name: "one", reason: "no header", want: 1},
		{name: "three", reason: "each leads to the next", last: 2, want: 3},
		{name: "absolute", reason: "with the whole address", link: "http://HOST/v2/org/package/referrers/DIGEST?page=", last: 1, want: 2},
		{name: "another host", reason: "whose lists are not this registry's", link: "http://elsewhere.example/?page=", last: 1, is: meta.ErrUnavailable, says: "another host"},
		{name: "lost", reason: "a page that is not there is not the end of the list", last: 2, is: meta.ErrNotFound, says: "404",
			page: func(w http.ResponseWriter, n int) {
				if n == 1 {
					w.WriteHeader(http.StatusNotFound)
				}
			}},
		{name: "portal", reason: "nor is something else", last: 2, is: meta.ErrUnavailable, says: "no list of referrers",
			page: func(w http.ResponseWriter, n int) {
				if n == 1 {
					_, _ = w.Write([]byte("<html>"))
				}
			}},
		{name: "without end", reason: "a registry that never ends", last: 1 << 20, is: meta.ErrLimit, says: "pages"},
		{name: "bytes", reason: "the pages are bounded together", last: 9, o: xpkg.Options{MaxManifestBytes: 2000}, is: meta.ErrLimit, says: "2000 bytes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			ref := r.put(t, "org/package:v1", pkg())
			link := "/v2/org/package/referrers/" + digest + "?page="
			if c.link != "" {
				link = strings.NewReplacer("HOST", r.host, "DIGEST", digest).Replace(c.link)
			}
			r.on("GET referrers/"+digest, func(w http.ResponseWriter, q *http.Request) {
				n, _ := strconv.Atoi(q.URL.Query().Get("page"))
				told := &answered{ResponseWriter: w}
				if c.page != nil {
					c.page(told, n)
				}
				if told.yes {
					return
				}
				if n < c.last {
					w.Header().Set("Link", "<"+link+strconv.Itoa(n+1)+`>; rel="next"`)
				}
				serve(string(types.OCIImageIndex), indexJSON(referrer(n)))(w, q)
			})
			var got []xpkg.Entry
			o := c.o
			o.Verify = func(ctx context.Context, s *xpkg.Subject) (err error) {
				got, err = s.Referrers(ctx, s.Digest)
				return err
			}
			dir := t.TempDir()
			client, _ := r.cached(dir, "")
			img, err := client.Image(t.Context(), ref, &o)
			if c.is != nil {
				checkError(t, err, c.is, c.says)
				return
			}
			want{content: packageYAML}.check(t, img, err)
			for range 2 {
				if len(got) != c.want || got[c.want-1].Digest != referrer(c.want - 1)["digest"].(v1.Hash).String() || got[0].ArtifactType != "application/vnd.test<sig>" {
					t.Errorf("got %v, want %d: %s", got, c.want, c.reason)
				}
				never, _ := r.cached(dir, xpkg.PullNever)
				img, err = never.Image(t.Context(), ref, &o)
				want{content: packageYAML}.check(t, img, err)
			}
		})
	}
}

// answered notes that there was an answer.
type answered struct {
	http.ResponseWriter
	yes bool
}

func (a *answered) WriteHeader(code int) { a.yes = true; a.ResponseWriter.WriteHeader(code) }
func (a *answered) Write(b []byte) (int, error) {
	a.yes = true
	return a.ResponseWriter.Write(b)
}

// A list that is gone is not what the cache says from then on.
func TestReferrersThatWereRemoved(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	dir := t.TempDir()
	var got []xpkg.Entry
	o := &xpkg.Options{Verify: func(ctx context.Context, s *xpkg.Subject) (err error) {
		got, err = s.Referrers(ctx, s.Digest)
		return err
	}}
	endpoint := "GET referrers/" + pkg().digest().String()
	for n, list := range [][]byte{indexJSON(referrer(1)), indexJSON()} {
		r.on(endpoint, serve(string(types.OCIImageIndex), list))
		always, _ := r.cached(dir, xpkg.PullAlways)
		img, err := always.Image(t.Context(), ref, o)
		want{content: packageYAML}.check(t, img, err)
		if len(got) != 1-n {
			t.Errorf("got %v", got)
		}
	}
	never, _ := r.cached(dir, xpkg.PullNever)
	_, err := never.Image(t.Context(), ref, o)
	checkMiss(t, err, "referrers of")
}

// A mirror that has no lists does not hide those of the origin.
func TestReferrersOfMirrors(t *testing.T) {
	t.Parallel()
	digest := pkg().digest().String()
	endpoint, tag := "GET referrers/"+digest, "GET manifests/"+strings.Replace(digest, ":", "-", 1)
	has := func(n int) http.HandlerFunc { return serve(string(types.OCIImageIndex), indexJSON(referrer(n))) }
	cases := []struct {
		name, reason   string
		mirror, origin map[string]http.HandlerFunc
		want           int // -1 for none
		is             error
	}{
		{"mirror", "it has them", map[string]http.HandlerFunc{endpoint: has(1)}, map[string]http.HandlerFunc{endpoint: has(2)}, 1, nil},
		{"tag of the mirror", "under the tag", map[string]http.HandlerFunc{tag: has(1)}, map[string]http.HandlerFunc{endpoint: has(2)}, 1, nil},
		{"origin", "it has neither", nil, map[string]http.HandlerFunc{endpoint: has(2)}, 2, nil},
		{"tag of the origin", "it has neither", nil, map[string]http.HandlerFunc{tag: has(2)}, 2, nil},
		{"mirror fails", "it cannot tell", map[string]http.HandlerFunc{endpoint: status(http.StatusTeapot)}, map[string]http.HandlerFunc{endpoint: has(2)}, 2, nil},
		{"neither", "nothing refers to it", nil, nil, -1, nil},
		{"mirror fails, none", "the origin knows", map[string]http.HandlerFunc{endpoint: status(http.StatusTeapot)}, nil, -1, nil},
		{"origin fails", "that the mirror has none says nothing", nil, map[string]http.HandlerFunc{endpoint: status(http.StatusTeapot)}, 0, meta.ErrUnavailable},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			mirror, origin := newRegistry(t), newRegistry(t)
			mirror.put(t, "org/package:v1", pkg())
			ref := origin.put(t, "org/package:v1", pkg())
			for key, h := range c.mirror {
				mirror.on(key, h)
			}
			for key, h := range c.origin {
				origin.on(key, h)
			}
			client := origin.client()
			client.Registries.Mirrors = []meta.Rewrite{{From: origin.host + "/", To: mirror.host + "/"}}
			var got []xpkg.Entry
			img, err := client.Image(t.Context(), ref, &xpkg.Options{Verify: func(ctx context.Context, s *xpkg.Subject) (err error) {
				got, err = s.Referrers(ctx, s.Digest)
				return err
			}})
			if c.is != nil {
				checkError(t, err, c.is)
				return
			}
			origin.took()
			want{content: packageYAML}.check(t, img, err)
			if layers := origin.took(); len(layers) > 0 {
				t.Errorf("got the requests %q of the origin, which has no more to say than where the signatures are", layers)
			}
			if c.want == -1 && len(got) != 0 || c.want > 0 && (len(got) != 1 || got[0].Digest != referrer(c.want)["digest"].(v1.Hash).String()) {
				t.Errorf("got %v: %s", got, c.reason)
			}
		})
	}
}
