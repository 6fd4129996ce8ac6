package mirror_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// Anybody can write a layout and hand it over: what its names and digests lead to is read
// within it, and told without its control characters.
func TestCopyFromAHostileLayout(t *testing.T) {
	t.Parallel()
	from := newRegistry(t)
	from.image("org/p", "v1.0.0", "content")
	refs := from.refs("org/p:v1.0.0")
	layer := digest(describe("", []byte("layer content")))
	blobOf := func(dir string) string { return filepath.Join(dir, "blobs", "sha256", layer[len("sha256:"):]) }
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("layer content"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, reason string
		harm         func(dir string) error
		is           error
	}{
		{"link", "a blob that is a link out of the layout", func(dir string) error {
			return os.Symlink(secret, blobOf(dir))
		}, nil},
		{"directory", "a blob that is a directory", func(dir string) error { return os.Mkdir(blobOf(dir), 0o777) }, nil},
		{"longer", "a blob with more behind it", func(dir string) error {
			return os.WriteFile(blobOf(dir), []byte("layer content and more"), 0o666)
		}, meta.ErrDigest},
		{"shorter", "a blob without its end", func(dir string) error { return os.WriteFile(blobOf(dir), []byte("layer"), 0o666) }, meta.ErrDigest},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "m")
			copied(t, refs, mirror.FromRegistries(from.client), mirror.ToDirectory(dir))
			if err := os.Remove(blobOf(dir)); err != nil {
				t.Fatal(err)
			}
			if err := c.harm(dir); c.name == "link" && runtime.GOOS == "windows" && err != nil {
				t.Skipf("links need Windows' developer mode or a privileged user: %v", err)
			} else if err != nil {
				t.Fatal(err)
			}
			l, err := xpkg.OpenLayout(t.Context(), dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			to := newRegistry(t)
			out := filepath.Join(t.TempDir(), "m.tar")
			for name, target := range map[string]*mirror.Target{"registry": to.to("m", refs), "file": mirror.ToFile(out)} {
				result, err := mirror.Copy(t.Context(), refs, mirror.FromLayout(l), target, nil)
				if err == nil || !strings.Contains(err.Error(), layer[len("sha256:"):]) || len(result.Lock.Entries) > 0 {
					t.Errorf("%s, to a %s: got %+v (%v), want an error that names the blob", c.reason, name, result, err)
				}
				if c.is != nil {
					checkError(t, err, c.is)
				}
			}
			if got := to.get(below("m", from, "org/p") + "/manifests/v1.0.0"); got != "" {
				t.Errorf("%s: under its name there is %q", c.reason, got)
			}
		})
	}
	t.Run("names", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "m")
		copied(t, refs, mirror.FromRegistries(from.client), mirror.ToDirectory(dir))
		index := filepath.Join(dir, "index.json")
		for _, c := range []struct{ reason, name, says string }{
			{"a terminal's commands", `registry.example/org/p\u001b[2J:v1.0.0`, `\x1b[2J`},
			{"no registry", `org/p:v1.0.0`, `"org/p:v1.0.0"`},
			{"no tag", `registry.example/org/p`, "expected a tag or a digest"},
			{"a break", `registry.example/org/p:v1\nv2`, `v1\nv2`},
		} {
			whole := readFile(t, index)
			text := strings.Replace(string(whole), from.host+"/org/p:v1.0.0", c.name, 1)
			if err := os.WriteFile(index, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			l, err := xpkg.OpenLayout(t.Context(), dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := mirror.References(l)
			if err == nil {
				t.Fatalf("%s: got %v and no error", c.reason, got)
			}
			checkError(t, err, meta.ErrInvalid, c.says)
			if len(got) > 0 || strings.ContainsAny(err.Error(), "\x1b") || strings.Contains(err.Error(), "v1\nv2") {
				t.Errorf("%s: got %v and %q", c.reason, got, err)
			}
			if err := os.WriteFile(index, whole, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A name that would lead out of the prefix of the mirror, once its path is cleaned, is
// refused before anything is asked for.
func TestCopyWayOut(t *testing.T) {
	t.Parallel()
	from, to := newRegistry(t), newRegistry(t)
	from.image("org/p", "v1.0.0", "content")
	refs := from.refs("org/p:v1.0.0")
	dir := filepath.Join(t.TempDir(), "m")
	copied(t, refs, mirror.FromRegistries(from.client), mirror.ToDirectory(dir))
	index := filepath.Join(dir, "index.json")
	whole := readFile(t, index)
	for _, path := range []string{"../../victim/p", "org/../../../victim/p", "./p", "org//p", "org/.."} {
		if err := os.WriteFile(index, []byte(strings.Replace(string(whole), "/org/p:", "/"+path+":", 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := xpkg.OpenLayout(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		refs, err := mirror.References(l)
		if err != nil || len(refs) != 1 {
			t.Fatalf("%s: got %v (%v)", path, refs, err)
		}
		_, err = mirror.Copy(t.Context(), refs, mirror.FromLayout(l), to.to("m", refs), nil)
		checkError(t, err, meta.ErrInvalid, path, "which no repository has")
		_, err = mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), mirror.ToDirectory(filepath.Join(t.TempDir(), "m")), nil)
		checkError(t, err, meta.ErrInvalid, path, "which no repository has")
	}
	if took := to.took(); len(took) > 0 {
		t.Errorf("it was asked: %q", took)
	}
}

// A list of referrers is anybody's: it may name its own subject, or more than there could be.
func TestCopyHostileReferrers(t *testing.T) {
	t.Parallel()
	from := newRegistry(t)
	p := from.image("org/p", "v1.0.0", "content")
	a := from.referrer("org/p", "application/vnd.a", "a", p)
	from.fallback("org/p", p, a, p)
	from.fallback("org/p", a, p, a)
	refs := from.refs("org/p:v1.0.0")
	to := newRegistry(t)
	if result := copied(t, refs, mirror.FromRegistries(from.client), to.to("m", refs)); result.Copied != 1 || len(result.Lock.Entries[0].Attached) != 1 {
		t.Errorf("got %+v, want the one that refers to it, once", result.Lock.Entries)
	}
	var many []map[string]any
	for i := range mirror.MaxManifests + 1 {
		many = append(many, describe(manifestType, fmt.Appendf(nil, "%d", i)))
	}
	q := from.image("org/q", "v1.0.0", "q")
	from.on("GET manifests/"+tagOf(q), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", indexType)
		_, _ = w.Write(encode(map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": many}))
	})
	from.took()
	refs = from.refs("org/q:v1.0.0")
	_, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), to.to("m", refs), nil)
	checkError(t, err, meta.ErrLimit, "org/q:v1.0.0")
	if n := len(from.took()); n > 100 {
		t.Errorf("it was asked %d times", n)
	}
}

// A registry that takes everything and keeps nothing is found out.
func TestCopyToNowhere(t *testing.T) {
	t.Parallel()
	from, to := newRegistry(t), newRegistry(t)
	from.image("org/p", "v1.0.0", "content")
	refs := from.refs("org/p:v1.0.0")
	to.around = func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Location", "/v2/m/blobs/uploads/1")
			w.WriteHeader(map[string]int{http.MethodPost: http.StatusAccepted, http.MethodPut: http.StatusCreated}[q.Method] + map[string]int{
				http.MethodGet: http.StatusNotFound, http.MethodHead: http.StatusNotFound}[q.Method])
		})
	}
	result, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), to.to("m", refs), nil)
	checkError(t, err, meta.ErrNotFound, "org/p:v1.0.0")
	if len(result.Lock.Entries) > 0 {
		t.Errorf("got %+v", result.Lock.Entries)
	}
}
