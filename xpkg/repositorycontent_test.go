package xpkg_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

func (r *testRegistry) destination(t *testing.T, name string) *xpkg.Repository {
	t.Helper()
	d, err := r.client().Destination(parseSource(t, r.host+"/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func opening(b []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}

func TestRepositoryContent(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	one := pkg()
	r.put(t, "org/package:v1", one)
	d := r.destination(t, "org/package")
	if d.Name() != r.host+"/org/package" {
		t.Errorf("got the name %s", d.Name())
	}
	digest := one.digest().String()
	for _, name := range []string{"v1", digest} {
		m, err := d.Manifest(t.Context(), name)
		if err != nil || m.Digest != digest || string(m.Raw) != string(one.manifest()) || m.MediaType != string(types.OCIManifestSchema1) {
			t.Errorf("%s: got %+v (%v)", name, m, err)
		}
		if got, err := d.Digest(t.Context(), name); err != nil || got != digest {
			t.Errorf("%s: got %s (%v)", name, got, err)
		}
	}
	blob := one.layers[0].blob
	h := digestOf(blob).String()
	if has, err := d.HasBlob(t.Context(), h); err != nil || !has {
		t.Errorf("got %t (%v)", has, err)
	}
	if has, err := d.HasBlob(t.Context(), digestOf([]byte("absent")).String()); err != nil || has {
		t.Errorf("got %t (%v)", has, err)
	}
	rc, err := d.Blob(t.Context(), h, int64(len(blob)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(rc); err != nil || !bytes.Equal(got, blob) || rc.Close() != nil {
		t.Errorf("got %d bytes (%v)", len(got), err)
	}
	if m, err := d.Referrers(t.Context(), digest); err != nil || m != nil {
		t.Errorf("got %+v (%v)", m, err)
	}
	// What is there is not opened.
	written, err := d.PutBlob(t.Context(), h, int64(len(blob)), func() (io.ReadCloser, error) { return nil, errors.New("opened") })
	if err != nil || written {
		t.Errorf("got %t (%v)", written, err)
	}
	for size := range 3 {
		content := bytes.Repeat([]byte("x"), size)
		if written, err := d.PutBlob(t.Context(), digestOf(content).String(), int64(size), opening(content)); err != nil || !written {
			t.Errorf("%d bytes: got %t (%v)", size, written, err)
		}
	}
	large := bytes.Repeat([]byte("0123456789"), 10_000)
	if written, err := d.PutBlob(t.Context(), digestOf(large).String(), int64(len(large)), opening(large)); err != nil || !written {
		t.Errorf("got %t (%v)", written, err)
	}
	m, err := xpkg.NewRawManifest(one.manifest(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.PutManifest(t.Context(), "v2", m); err != nil {
		t.Error(err)
	}
	if got, err := d.Digest(t.Context(), "v2"); err != nil || got != digest {
		t.Errorf("got %s (%v)", got, err)
	}
}

func TestRepositoryContentRefuses(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	one := pkg()
	r.put(t, "org/package:v1", one)
	d := r.destination(t, "org/package")
	digest, other := one.digest().String(), variant("other").digest().String()
	blob := digestOf(one.layers[0].blob)
	m, err := xpkg.NewRawManifest(one.manifest(), "")
	if err != nil {
		t.Fatal(err)
	}
	call := func(f func() error, is error, says ...string) {
		t.Helper()
		checkError(t, f(), is, says...)
	}
	call(func() error { _, err := d.Manifest(t.Context(), "no tag"); return err }, meta.ErrInvalid, `"no tag"`)
	call(func() error { _, err := d.Digest(t.Context(), "a/b"); return err }, meta.ErrInvalid, `"a/b"`)
	call(func() error { _, err := d.Blob(t.Context(), "x", 1); return err }, meta.ErrInvalid, `"x"`)
	call(func() error { _, err := d.Referrers(t.Context(), "x"); return err }, meta.ErrInvalid, `"x"`)
	call(func() error { _, err := d.HasBlob(t.Context(), "x"); return err }, meta.ErrInvalid, `"x"`)
	call(func() error { _, err := d.PutBlob(t.Context(), "x", 1, nil); return err }, meta.ErrInvalid, `"x"`)
	call(func() error { return d.PutManifest(t.Context(), "no tag", m) }, meta.ErrInvalid, `"no tag"`)
	call(func() error { return d.PutManifest(t.Context(), other, m) }, meta.ErrDigest, other, digest)
	call(func() error { _, err := d.Manifest(t.Context(), "v9"); return err }, meta.ErrNotFound, "org/package")
	call(func() error { _, err := d.Digest(t.Context(), "v9"); return err }, meta.ErrNotFound, "org/package")
	call(func() error { _, err := d.Blob(t.Context(), other, 1); return err }, meta.ErrNotFound, "org/package")
	r.on("GET manifests/"+digest, serve(string(types.OCIManifestSchema1), variant("other").manifest()))
	call(func() error { _, err := d.Manifest(t.Context(), digest); return err }, meta.ErrDigest, digest, other)
	r.on("GET blobs/"+blob.String(), serve("application/octet-stream", flipped(one.layers[0].blob)))
	call(func() error {
		rc, err := d.Blob(t.Context(), blob.String(), int64(len(one.layers[0].blob)))
		if err != nil {
			return err
		}
		defer rc.Close()
		_, err = io.ReadAll(rc)
		return err
	}, meta.ErrDigest, blob.String())
	cause := errors.New("no disk")
	_, err = d.PutBlob(t.Context(), other, 1, func() (io.ReadCloser, error) { return nil, cause })
	if !errors.Is(err, cause) {
		t.Errorf("got %v, want what open returned", err)
	}
	if _, err := r.client().Destination(meta.Source{}); err == nil {
		t.Error("got no error for no source")
	}
	if _, err := r.client().Repository(meta.Source{}); err == nil {
		t.Error("got no error for no source")
	}
}

// Some registries know no HEAD, and some say 404 to one.
func TestRepositoryDigestWithoutHead(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	one := pkg()
	r.put(t, "org/package:v1", one)
	d := r.destination(t, "org/package")
	r.on("HEAD manifests/v1", status(http.StatusMethodNotAllowed))
	if got, err := d.Digest(t.Context(), "v1"); err != nil || got != one.digest().String() {
		t.Errorf("got %s (%v)", got, err)
	}
	r.on("HEAD manifests/v1", status(http.StatusNotFound))
	if got, err := d.Confirm(t.Context(), "v1"); err != nil || got != one.digest().String() {
		t.Errorf("got %s (%v)", got, err)
	}
	_, err := d.Confirm(t.Context(), "v9")
	checkError(t, err, meta.ErrNotFound)
}

// A registry that takes anything for a blob never gets the last byte of a wrong one, nor
// the word that it is whole.
func TestPutBlobHoldsTheLastByte(t *testing.T) {
	t.Parallel()
	right := bytes.Repeat([]byte("0123456789"), 20_000)
	for name, wrong := range map[string][]byte{
		"last": flipped(right), "first": append([]byte("x"), right[1:]...), "short": right[:len(right)-1], "long": append(bytes.Clone(right), 'x'), "one byte": []byte("y"),
	} {
		want := right
		if name == "one byte" {
			want = []byte("x")
		}
		r := newRegistry(t)
		var got, whole atomic.Int64
		r.on("POST uploads/", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/v2/org/package/blobs/uploads/one")
			w.WriteHeader(http.StatusAccepted)
		})
		r.on("PUT uploads/one", func(w http.ResponseWriter, q *http.Request) {
			n, err := io.Copy(io.Discard, q.Body)
			got.Add(n)
			if err == nil {
				whole.Add(1)
			}
			w.WriteHeader(http.StatusCreated)
		})
		_, err := r.destination(t, "org/package").PutBlob(t.Context(), digestOf(want).String(), int64(len(want)), opening(wrong))
		checkError(t, err, meta.ErrDigest, digestOf(want).String())
		r.server.Close() // waits for the handlers
		if got.Load() >= int64(len(want)) || whole.Load() > 0 {
			t.Errorf("%s: %d of %d bytes came, and it was told %d times that this is all", name, got.Load(), len(want), whole.Load())
		}
	}
}

func TestLayoutContent(t *testing.T) {
	t.Parallel()
	one := pkg()
	for name, path := range map[string]string{"directory": one.layout(t), "tar": tarDir(t, one.layout(t))} {
		l, err := xpkg.OpenLayout(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		digest, blob := one.digest().String(), one.layers[0].blob
		if e := l.Entries(); len(e) != 1 || e[0].Digest != digest {
			t.Errorf("%s: got %+v", name, e)
		}
		m, err := l.Manifest(t.Context(), digest, "")
		if err != nil || string(m.Raw) != string(one.manifest()) {
			t.Errorf("%s: got %+v (%v)", name, m, err)
		}
		if !l.HasBlob(digest) || l.HasBlob(variant("other").digest().String()) || l.HasBlob("../../etc") {
			t.Errorf("%s: it does not know what it has", name)
		}
		rc, err := l.Blob(t.Context(), digestOf(blob).String(), int64(len(blob)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(rc); err != nil || !bytes.Equal(got, blob) || rc.Close() != nil {
			t.Errorf("%s: got %d bytes (%v)", name, len(got), err)
		}
		_, err = l.Blob(t.Context(), "x", 1)
		checkError(t, err, meta.ErrInvalid, `"x"`)
		_, err = l.Manifest(t.Context(), "x", "")
		checkError(t, err, meta.ErrInvalid, `"x"`)
		_, err = l.Manifest(t.Context(), variant("other").digest().String(), "")
		checkError(t, err, meta.ErrNotFound)
	}
	_, err := xpkg.OpenLayout(t.Context(), "absent", nil)
	checkError(t, err, meta.ErrNotFound, "absent")
	_, err = xpkg.OpenLayout(t.Context(), t.TempDir(), nil)
	checkError(t, err, meta.ErrNotPackage, "index.json")
	_, err = xpkg.OpenLayout(t.Context(), writeTemp(t, "image.tar", tarOf(file{name: "a", content: "b"})), nil)
	checkError(t, err, meta.ErrNotPackage, "index.json")
	_, err = xpkg.OpenLayout(t.Context(), one.layout(t), &xpkg.Options{MaxManifestBytes: 10})
	checkError(t, err, meta.ErrLimit)
}

func TestRawManifestMediaType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, raw, called, want string }{
		{"what it says counts", `{"mediaType":"application/a"}`, "application/b", "application/a"},
		{"or what it is called", `{}`, "application/b; charset=utf-8", "application/b"},
		{"but for what says nothing", `{"manifests":[]}`, "text/plain; charset=utf-8", string(types.OCIImageIndex)},
		{"when it is what its fields are of", `{"layers":[]}`, "", string(types.OCIManifestSchema1)},
		{"also when it is nothing", `no JSON`, "application/json", string(types.OCIManifestSchema1)},
	} {
		m, err := xpkg.NewRawManifest([]byte(c.raw), c.called)
		if err != nil || m.MediaType != c.want || !strings.HasPrefix(m.Digest, "sha256:") {
			t.Errorf("%s: got %+v (%v)", c.reason, m, err)
		}
	}
}
