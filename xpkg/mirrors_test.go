package xpkg_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

func TestRegistriesOfTheClient(t *testing.T) {
	t.Parallel()
	origin, near, far := newRegistry(t), newRegistry(t), newRegistry(t)
	for _, r := range []*testRegistry{origin, near, far} {
		r.put(t, "org/package:v1", pkg())
	}
	origin.put(t, "org/only:v1", variant("only"))
	near.put(t, "copy/org/package:v1", pkg())
	near.put(t, "broken/org/package:v1", pkg())
	near.on("GET blobs/"+digestOf(pkg().layers[0].blob).String(), status(http.StatusServiceUnavailable))
	swapped := variant("swapped")
	far.on("GET manifests/"+pkg().digest().String(), serve("application/vnd.oci.image.manifest.v1+json", swapped.manifest()))
	gone := "127.0.0.1:1" // nothing listens there

	cases := []struct {
		name, reason string
		registries   meta.Registries
		ref          string
		resolved     string
		asked        map[*testRegistry]bool // with a manifest request
		failed       int                    // MirrorFailed events
		is           error
	}{
		{"none", "without rules the reference is what is asked", meta.Registries{}, origin.host + "/org/package:v1", origin.host + "/org/package:v1",
			map[*testRegistry]bool{origin: true}, 0, nil},
		{"default", "a reference without a registry gets the default one", meta.Registries{Default: origin.host}, "org/package:v1", origin.host + "/org/package:v1",
			map[*testRegistry]bool{origin: true}, 0, nil},
		{"rewrite", "a rewritten name is asked for there only", meta.Registries{Rewrites: []meta.Rewrite{{From: "example.org/", To: far.host + "/"}}},
			"example.org/org/package:v1", far.host + "/org/package:v1", map[*testRegistry]bool{far: true}, 0, nil},
		{"longest", "the longest prefix wins", meta.Registries{Rewrites: []meta.Rewrite{{From: "example.org/", To: gone + "/"}, {From: "example.org/org/", To: far.host + "/org/"}}},
			"example.org/org/package:v1", far.host + "/org/package:v1", map[*testRegistry]bool{far: true}, 0, nil},
		{"rewrite without", "what is not there is not looked for where it was declared", meta.Registries{Rewrites: []meta.Rewrite{{From: origin.host + "/", To: far.host + "/"}}},
			origin.host + "/org/only:v1", "", map[*testRegistry]bool{far: true}, 0, meta.ErrNotFound},
		{"mirror", "a mirror is asked first", meta.Registries{Mirrors: []meta.Rewrite{{From: origin.host + "/", To: far.host + "/"}}},
			origin.host + "/org/package:v1", far.host + "/org/package:v1", map[*testRegistry]bool{far: true}, 0, nil},
		{"mirror without", "what it does not have comes from the origin", meta.Registries{Mirrors: []meta.Rewrite{{From: origin.host + "/", To: far.host + "/"}}},
			origin.host + "/org/only:v1", origin.host + "/org/only:v1", map[*testRegistry]bool{far: true, origin: true}, 1, nil},
		{"mirror gone", "a mirror that cannot be reached is passed over", meta.Registries{Mirrors: []meta.Rewrite{{From: origin.host + "/", To: gone + "/"}}},
			origin.host + "/org/package:v1", origin.host + "/org/package:v1", map[*testRegistry]bool{origin: true}, 1, nil},
		{"mirrors", "the longest prefix first, then the next", meta.Registries{Mirrors: []meta.Rewrite{
			{From: origin.host + "/", To: far.host + "/"}, {From: origin.host + "/org/", To: near.host + "/none/"}}},
			origin.host + "/org/package:v1", far.host + "/org/package:v1", map[*testRegistry]bool{near: true, far: true}, 1, nil},
		{"mirror of a digest", "other bytes under a digest are passed over", meta.Registries{Mirrors: []meta.Rewrite{{From: origin.host + "/", To: far.host + "/"}}},
			origin.host + "/org/package@" + pkg().digest().String(), origin.host + "/org/package@" + pkg().digest().String(), map[*testRegistry]bool{far: true, origin: true}, 1, nil},
		{"mirror without blob", "a layer that a mirror does not give comes from the origin", meta.Registries{Mirrors: []meta.Rewrite{{From: origin.host + "/", To: near.host + "/broken/"}}},
			origin.host + "/org/package:v1", near.host + "/broken/org/package:v1", map[*testRegistry]bool{near: true}, 1, nil},
		{"all fail", "the error is that of the origin", meta.Registries{Mirrors: []meta.Rewrite{{From: origin.host + "/", To: far.host + "/"}}},
			origin.host + "/org/absent:v1", "", map[*testRegistry]bool{far: true, origin: true}, 1, meta.ErrNotFound},
		{"bad default", "a default registry that is none", meta.Registries{Default: "https://x"}, "org/package:v1", "", nil, 0, meta.ErrInvalid},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []*testRegistry{origin, near, far} {
				r.took()
			}
			e := &events{}
			client := xpkg.WithoutPauses(&xpkg.Client{Transport: origin.transport, Registries: c.registries, Event: e.add})
			img, err := client.Image(t.Context(), c.ref, nil)
			if c.is != nil {
				checkError(t, err, c.is)
			} else {
				content := packageYAML
				if strings.Contains(c.ref, "only") {
					content = "# only\n" + packageYAML
				}
				want{content: content}.check(t, img, err)
				if img.Resolved() != c.resolved || img.Reference() != c.ref {
					t.Errorf("got %s resolved to %s, want %s: %s", img.Reference(), img.Resolved(), c.resolved, c.reason)
				}
			}
			for _, r := range []*testRegistry{origin, near, far} {
				asked := slices.ContainsFunc(r.took(), func(q string) bool { return strings.HasPrefix(q, "GET manifests/") })
				if asked != c.asked[r] {
					t.Errorf("registry %s asked: %t, want %t: %s", r.host, asked, c.asked[r], c.reason)
				}
			}
			failed := slices.DeleteFunc(e.kinds(), func(k xpkg.EventKind) bool { return k != xpkg.MirrorFailed })
			if len(failed) != c.failed {
				t.Errorf("got %d events of mirrors, want %d: %s", len(failed), c.failed, c.reason)
			}
		})
	}
}

// A layer that a mirror has wrong comes from the origin, where there is a cache
// that it is verified on its way into.
func TestMirrorWithAnotherLayer(t *testing.T) {
	origin, mirror := newRegistry(t), newRegistry(t)
	for _, r := range []*testRegistry{origin, mirror} {
		r.put(t, "org/package:v1", pkg())
	}
	blob := pkg().layers[0].blob
	mirror.on("GET blobs/"+digestOf(blob).String(), serve("", flip(blob, len(blob)/2)))
	c, e := origin.cached(t.TempDir(), "")
	c.Registries = meta.Registries{Mirrors: []meta.Rewrite{{From: origin.host + "/", To: mirror.host + "/"}}}
	if got, err := get(t, c, origin.host+"/org/package:v1"); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	if got := e.kinds(); !slices.Equal(got, []xpkg.EventKind{xpkg.MirrorFailed}) {
		t.Errorf("got the events %v", got)
	}
	// And when all have it wrong that is the error.
	origin.on("GET blobs/"+digestOf(blob).String(), serve("", flip(blob, len(blob)/2)))
	c.Cache = xpkg.OpenCache(t.TempDir(), nil)
	_, err := get(t, c, origin.host+"/org/package:v1")
	checkError(t, err, meta.ErrDigest, digestOf(blob).String())
}

func TestTagsOfMirrors(t *testing.T) {
	t.Parallel()
	origin, mirror := newRegistry(t), newRegistry(t)
	origin.put(t, "org/package:v1", pkg())
	mirror.put(t, "copy/org/package:v2", pkg())
	source, err := meta.ParseSource(origin.host + "/org/package")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason     string
		registries meta.Registries
		want       string
	}{
		{"no rules", meta.Registries{}, "v1"},
		{"a rewritten source has the tags of its place", meta.Registries{Rewrites: []meta.Rewrite{{From: origin.host, To: mirror.host + "/copy"}}}, "v2"},
		{"a mirror answers first", meta.Registries{Mirrors: []meta.Rewrite{{From: origin.host, To: mirror.host + "/copy"}}}, "v2"},
		{"one without the repository is passed over", meta.Registries{Mirrors: []meta.Rewrite{{From: origin.host, To: mirror.host + "/none"}}}, "v1"},
	} {
		client := &xpkg.Client{Transport: origin.transport, Registries: c.registries}
		got, err := client.Tags(t.Context(), source)
		if err != nil || !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: got %q (%v), want %s", c.reason, got, err, c.want)
		}
	}
}

// The cache knows a package by its declared name, so that another mirror, or none,
// finds what was read.
func TestCacheOverMirrors(t *testing.T) {
	t.Parallel()
	mirror := newRegistry(t)
	mirror.put(t, "org/package:v1", pkg())
	dir := t.TempDir()
	c, _ := mirror.cached(dir, "")
	c.Registries = meta.Registries{Rewrites: []meta.Rewrite{{From: "example.org/", To: mirror.host + "/"}}}
	if _, err := get(t, c, "example.org/org/package:v1"); err != nil {
		t.Fatal(err)
	}
	offline, _ := mirror.cached(dir, xpkg.PullNever)
	if got, err := get(t, offline, "example.org/org/package:v1"); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
}

// Push goes where its reference says, with the default registry.
func TestPushIsNotRewritten(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	c := r.client()
	c.Registries = meta.Registries{
		Default: r.host, Rewrites: []meta.Rewrite{{From: r.host, To: "127.0.0.1:1"}}, Mirrors: []meta.Rewrite{{From: r.host, To: "127.0.0.1:1"}},
	}
	if _, err := c.Push(t.Context(), "org/package:v1", pkg().image(t)); err != nil {
		t.Fatal(err)
	}
	img, err := r.client().Image(t.Context(), r.host+"/org/package:v1", nil)
	want{content: packageYAML}.check(t, img, err)
}
