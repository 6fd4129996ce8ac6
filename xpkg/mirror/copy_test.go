package mirror_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// stocked is a registry with packages of every shape, and what is attached to them.
func stocked(t testing.TB, endpoint bool) (r *testRegistry, refs []meta.Reference, all map[string][]string) {
	t.Helper()
	r = newRegistry(t, registry.WithReferrersSupport(endpoint))
	one := r.image("org/one", "v1.0.0", "one")
	amd, arm := r.image("org/two", "", "amd"), r.image("org/two", "", "arm")
	amd["platform"] = map[string]any{"os": "linux", "architecture": "amd64"}
	arm["platform"] = map[string]any{"os": "linux", "architecture": "arm64"}
	note := r.image("org/two", "", "attestation of buildkit")
	note["annotations"] = map[string]any{"vnd.docker.reference.type": "attestation-manifest"}
	inner := r.index("org/two", "", arm, note)
	two := r.index("org/two", "v2.0.0", amd, inner)
	sig := r.image("org/two", tagOf(two)+".sig", "signature of the index")
	att := r.image("org/two", tagOf(amd)+".att", "attestation of the image for amd64")
	sbom := r.image("org/two", tagOf(arm)+".sbom", "bill of materials of the image for arm64")
	bundle := r.referrer("org/two", "application/vnd.dev.sigstore.bundle.v0.3+json", "bundle", two)
	bill := r.referrer("org/one", "application/spdx+json", "bill", one)
	signed := r.referrer("org/one", "application/vnd.cncf.notary.signature", "signature of the bill", bill)
	if !endpoint {
		r.fallback("org/two", two, bundle)
		r.fallback("org/one", one, bill)
		r.fallback("org/one", bill, signed)
	}
	all = map[string][]string{"org/one": {"v1.0.0"}, "org/two": {"v2.0.0", tagOf(two) + ".sig", tagOf(amd) + ".att", tagOf(arm) + ".sbom"}}
	for _, d := range []map[string]any{one, bill, signed} {
		all["org/one"] = append(all["org/one"], digest(d))
	}
	for _, d := range []map[string]any{two, inner, amd, arm, note, sig, att, sbom, bundle} {
		all["org/two"] = append(all["org/two"], digest(d))
	}
	refs = r.refs("org/one:v1.0.0", "org/two:v2.0.0")
	r.took()
	return r, refs, all
}

// checkAll holds what a registry has against where it is from: every manifest, byte for byte.
func checkAll(t *testing.T, from, to *testRegistry, all map[string][]string, place func(repo string) string) {
	t.Helper()
	for repo, names := range all {
		for _, name := range names {
			if want, got := from.get(repo+"/manifests/"+name), to.get(place(repo)+"/manifests/"+name); want != got || want == "" {
				t.Errorf("%s %s: got %q, want %q", repo, name, got, want)
			}
		}
	}
}

// checkReferrers asks a registry as a verifier does.
func checkReferrers(t *testing.T, r *testRegistry, repo, subject, want string) {
	t.Helper()
	source, err := meta.ParseSource(r.host + "/" + repo)
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.client.Destination(source)
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Referrers(t.Context(), subject)
	if err != nil || m == nil || !strings.Contains(string(m.Raw), want) {
		t.Errorf("%s: got the referrers %v (%v), want %s among them", subject, m, err, want)
	}
}

func TestCopyBetweenRegistries(t *testing.T) {
	t.Parallel()
	for name, endpoints := range map[string][2]bool{"endpoints": {true, true}, "tags": {false, false}, "endpoint to tags": {true, false}, "tags to endpoint": {false, true}} {
		t.Run(name, func(t *testing.T) {
			from, refs, all := stocked(t, endpoints[0])
			to := newRegistry(t, registry.WithReferrersSupport(endpoints[1]))
			result := copied(t, refs, mirror.FromRegistries(from.client), to.to("m", refs))
			if result.Copied != 2 || result.Present != 0 || len(result.Lock.Entries) != 2 || result.Blobs == 0 || result.Bytes == 0 {
				t.Errorf("got %+v", result)
			}
			place := func(repo string) string { return below("m", from, repo) }
			checkAll(t, from, to, all, place)
			checkReferrers(t, to, place("org/one"), all["org/one"][1], all["org/one"][2])
			checkReferrers(t, to, place("org/one"), all["org/one"][2], all["org/one"][3])
			checkReferrers(t, to, place("org/two"), all["org/two"][4], all["org/two"][12])

			// Once more, nothing is written and no blob is read.
			to.took()
			from.took()
			again := copied(t, refs, mirror.FromRegistries(from.client), to.to("m", refs))
			if again.Copied != 0 || again.Present != 2 || again.Blobs != 0 {
				t.Errorf("again: got %+v", again)
			}
			if took := writes(to.took()); len(took) > 0 {
				t.Errorf("again: got the requests %q", took)
			}
			for _, q := range from.took() {
				if strings.Contains(q, "blobs/") {
					t.Errorf("again: got the request %q", q)
				}
			}
			first, err := result.Lock.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if second, err := again.Lock.Encode(); err != nil || !bytes.Equal(first, second) {
				t.Errorf("again: got the lock %s, want %s (%v)", second, first, err)
			}
		})
	}
}

// Over a gap: from a registry into a file or directory, and from there into another.
func TestCopyOverAGap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path string
		target     func(string) *mirror.Target
	}{{"directory", "layout", mirror.ToDirectory}, {"file", "mirror.tar", mirror.ToFile}} {
		t.Run(c.name, func(t *testing.T) {
			from, refs, all := stocked(t, true)
			path := filepath.Join(t.TempDir(), c.path)
			out := copied(t, refs, mirror.FromRegistries(from.client), c.target(path))
			if out.Copied != 2 || len(out.Lock.Rules) != 0 || out.Lock.Entries[0].Declared.String() != out.Lock.Entries[0].Mirrored.String() {
				t.Errorf("out: got %+v", out)
			}
			before := tree(t, filepath.Dir(path))
			from.took()
			again := copied(t, refs, mirror.FromRegistries(from.client), c.target(path))
			if again.Present != 2 || again.Blobs != 0 {
				t.Errorf("again: got %+v", again)
			}
			if after := tree(t, filepath.Dir(path)); !slices.Equal(before, after) {
				t.Errorf("again: got the files %q, want %q", after, before)
			}
			for _, q := range from.took() {
				if strings.Contains(q, "blobs/") {
					t.Errorf("again: got the request %q", q)
				}
			}

			l, err := xpkg.OpenLayout(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			held, err := mirror.References(l)
			if err != nil || len(held) != 2 {
				t.Fatalf("the layout holds %v (%v)", held, err)
			}
			to := newRegistry(t)
			in := copied(t, held, mirror.FromLayout(l), to.to("m", held))
			if in.Copied != 2 {
				t.Errorf("in: got %+v", in)
			}
			place := func(repo string) string { return below("m", from, repo) }
			checkAll(t, from, to, all, place)
			checkReferrers(t, to, place("org/one"), all["org/one"][1], all["org/one"][2])
			checkReferrers(t, to, place("org/two"), all["org/two"][4], all["org/two"][12])

			// And back into another layout, which is the same.
			back := filepath.Join(t.TempDir(), c.path)
			copied(t, held, mirror.FromLayout(l), c.target(back))
			if c.name == "file" {
				a, b := readFile(t, path), readFile(t, back)
				if !bytes.Equal(a, b) {
					t.Errorf("two files of the same packages differ: %d and %d bytes", len(a), len(b))
				}
			} else if a, b := tree(t, path), tree(t, back); !slices.Equal(a, b) {
				t.Errorf("got the files %q, want %q", b, a)
			}
		})
	}
}

// tree lists the files below a directory with their content.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		all = append(all, filepath.ToSlash(name)+" "+digest(describe("", readFile(t, path))))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What a file or directory holds stays when more comes.
func TestCopyAddsToALayout(t *testing.T) {
	t.Parallel()
	from, refs, _ := stocked(t, true)
	for name, target := range map[string]func(string) *mirror.Target{"directory": mirror.ToDirectory, "file": mirror.ToFile} {
		dir := t.TempDir()
		whole := filepath.Join(dir, "whole")
		copied(t, refs, mirror.FromRegistries(from.client), target(whole))
		steps := filepath.Join(dir, "steps")
		for _, ref := range refs {
			copied(t, []meta.Reference{ref}, mirror.FromRegistries(from.client), target(steps))
		}
		a, b := tree(t, dir), []string{}
		for _, f := range a {
			if rest, ok := strings.CutPrefix(f, "whole"); ok {
				b = append(b, "steps"+rest)
			}
		}
		if !slices.Equal(slices.DeleteFunc(a, func(f string) bool { return strings.HasPrefix(f, "whole") }), b) {
			t.Errorf("%s: in steps it is something else: %q, want %q", name, a, b)
		}
	}
}

// A digest that is pinned is what is copied, whatever its tag names meanwhile.
func TestCopyPinned(t *testing.T) {
	t.Parallel()
	from, to := newRegistry(t), newRegistry(t)
	old := from.image("org/p", "v1.0.0", "old")
	from.image("org/p", "v1.0.0", "new")
	refs := from.refs("org/p:v1.0.0@"+digest(old), "org/p@"+digest(old), "org/p:v1.0.0@"+digest(old))
	result := copied(t, refs, mirror.FromRegistries(from.client), to.to("m", refs))
	if result.Copied+result.Present != 2 {
		t.Errorf("got %+v", result)
	}
	place := below("m", from, "org/p") + "/manifests/"
	if got := to.get(place + "v1.0.0"); got == "" || got != from.get("org/p/manifests/"+digest(old)) {
		t.Errorf("got %q", got)
	}
}

// One package that fails does not stop the others, and every fault is told.
func TestCopyFaults(t *testing.T) {
	t.Parallel()
	from, refs, _ := stocked(t, true)
	to := newRegistry(t)
	from.image("org/broken", "v1.0.0", "broken")
	lost := from.image("org/lost", "", "lost")
	from.on("GET manifests/"+digest(lost), status(http.StatusNotFound))
	from.index("org/lost", "v1.0.0", lost)
	wrong := digest(describe("", []byte("layer broken")))
	from.on("GET blobs/"+wrong, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("layer brokem")) })
	refs = append(refs, from.refs("org/absent:v1.0.0", "org/broken:v1.0.0", "org/lost:v1.0.0")...)
	var mu sync.Mutex
	var failed []string
	result, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), to.to("m", refs), &mirror.Options{Event: func(e mirror.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Kind == mirror.Failed {
			failed = append(failed, e.Ref)
		}
	}})
	checkError(t, err, meta.ErrDigest, "org/absent:v1.0.0: ", "org/broken:v1.0.0: ", wrong, "org/lost:v1.0.0: ", digest(lost))
	checkError(t, err, meta.ErrNotFound)
	if result.Copied != 2 || len(result.Lock.Entries) != 2 || len(failed) != 3 {
		t.Errorf("got %+v, and %q failed", result, failed)
	}
	for _, repo := range []string{"org/broken", "org/lost", "org/absent"} {
		if got := to.get(below("m", from, repo) + "/manifests/v1.0.0"); got != "" {
			t.Errorf("%s: under its name there is %q", repo, got)
		}
		if got := to.get(below("m", from, repo) + "/blobs/" + wrong); got != "" {
			t.Errorf("%s: the wrong blob is kept: %q", repo, got)
		}
	}
	var item *mirror.ItemError
	if !errors.As(err, &item) || !strings.HasSuffix(item.Ref, "org/absent:v1.0.0") {
		t.Errorf("got %v", err)
	}
}

// A registry that takes anything for the blob that was announced gets no whole one, and
// a layout neither.
func TestCopyWrongBytes(t *testing.T) {
	t.Parallel()
	from := newRegistry(t)
	from.image("org/p", "v1.0.0", "content")
	blob := digest(describe("", []byte("layer content")))
	refs := from.refs("org/p:v1.0.0")
	for name, body := range map[string]string{"other": "layer kontent", "short": "layer conten", "long": "layer content and more", "empty": ""} {
		from.on("GET blobs/"+blob, func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush() // without a Content-Length
			_, _ = w.Write([]byte(body))
		})
		to := newRegistry(t)
		_, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), to.to("m", refs), nil)
		checkError(t, err, meta.ErrDigest, blob)
		for _, q := range to.took() {
			if strings.HasPrefix(q, "PUT manifests/") {
				t.Errorf("%s: a manifest was written: %s", name, q)
			}
		}
		if got := to.get(below("m", from, "org/p") + "/blobs/" + blob); got != "" {
			t.Errorf("%s: the upload was completed: %q", name, got)
		}
		for kind, target := range map[string]func(string) *mirror.Target{"directory": mirror.ToDirectory, "file": mirror.ToFile} {
			dir := t.TempDir()
			_, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), target(filepath.Join(dir, "m")), nil)
			checkError(t, err, meta.ErrDigest, blob)
			for _, f := range tree(t, dir) {
				if strings.Contains(f, blob[len("sha256:"):]) || strings.Contains(f, ".incomplete-") {
					t.Errorf("%s, %s: there is %s", name, kind, f)
				}
			}
		}
	}
	// The same of a manifest.
	from.on("GET blobs/"+blob, nil)
	d := from.image("org/q", "", "q")
	from.on("GET manifests/"+digest(d), func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) })
	to := newRegistry(t)
	refs = from.refs("org/q:v1.0.0@" + digest(d))
	_, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), to.to("m", refs), nil)
	checkError(t, err, meta.ErrDigest, digest(d))
}

// A run that is interrupted leaves nothing under the name of a package, and the next
// goes on from there.
func TestCopyInterrupted(t *testing.T) {
	t.Parallel()
	for _, target := range []string{"registry", "directory", "file"} {
		t.Run(target, func(t *testing.T) {
			from, to := newRegistry(t), newRegistry(t)
			from.image("org/p", "v1.0.0", "content")
			blob := digest(describe("", []byte("layer content")))
			refs := from.refs("org/p:v1.0.0")
			path := filepath.Join(t.TempDir(), "m")
			into := func() *mirror.Target {
				return map[string]*mirror.Target{"registry": to.to("m", refs), "directory": mirror.ToDirectory(path), "file": mirror.ToFile(path)}[target]
			}
			ctx, cancel := context.WithCancel(t.Context())
			from.on("GET blobs/"+blob, func(w http.ResponseWriter, q *http.Request) {
				_, _ = w.Write([]byte("layer"))
				w.(http.Flusher).Flush()
				cancel()
				<-q.Context().Done()
			})
			result, err := mirror.Copy(ctx, refs, mirror.FromRegistries(from.client), into(), &mirror.Options{Parallel: 1})
			checkError(t, err, meta.ErrCanceled)
			if !errors.Is(err, context.Canceled) || result == nil || len(result.Lock.Entries) != 0 {
				t.Errorf("got %+v (%v)", result, err)
			}
			if target == "file" {
				if _, err := os.Stat(path); err == nil {
					t.Error("the file is there")
				}
			}
			if got := to.get(below("m", from, "org/p") + "/manifests/v1.0.0"); got != "" {
				t.Errorf("got %q", got)
			}
			from.on("GET blobs/"+blob, nil)
			from.took()
			again := copied(t, refs, mirror.FromRegistries(from.client), into())
			if again.Copied != 1 || again.Blobs != 1 {
				t.Errorf("got %+v, want the one blob that was missing", again)
			}
			config := digest(describe("", []byte(`{"architecture":"amd64","os":"linux","content":"content"}`)))
			if took := from.took(); slices.Contains(took, "GET blobs/"+config) {
				t.Errorf("the other was read again: %q", took)
			}
		})
	}
}

// What fails in passing is tried again; what goes on failing is told.
func TestCopyRetries(t *testing.T) {
	t.Parallel()
	from, refs, all := stocked(t, true)
	to := newRegistry(t)
	once := func(r *testRegistry, key string, h http.HandlerFunc) {
		r.on(key, func(w http.ResponseWriter, q *http.Request) {
			r.on(key, nil)
			h(w, q)
		})
	}
	drop := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	once(from, "GET manifests/v1.0.0", status(http.StatusTooManyRequests))
	once(from, "GET manifests/v2.0.0", drop)
	once(from, "GET blobs/"+digest(describe("", []byte("layer one"))), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "9")
		_, _ = w.Write([]byte("lay"))
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	once(to, "POST uploads/", status(http.StatusServiceUnavailable))
	once(to, "PUT manifests/v1.0.0", drop)
	copied(t, refs, mirror.FromRegistries(from.client), to.to("m", refs))
	checkAll(t, from, to, all, func(repo string) string { return below("m", from, repo) })

	other := newRegistry(t)
	other.on("POST uploads/", status(http.StatusForbidden))
	result, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), other.to("m", refs), nil)
	checkError(t, err, meta.ErrUnauthorized, "org/one:v1.0.0", "org/two:v2.0.0")
	if len(result.Lock.Entries) != 0 {
		t.Errorf("got %+v", result)
	}
}

// The registry has the last word about what it has.
func TestCopyIsVerified(t *testing.T) {
	t.Parallel()
	from, to := newRegistry(t), newRegistry(t)
	from.image("org/p", "v1.0.0", "content")
	other := from.image("org/p", "v2.0.0", "other")
	refs := from.refs("org/p:v1.0.0")
	calls := 0
	to.on("HEAD manifests/v1.0.0", func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls == 1 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Docker-Content-Digest", digest(other))
		w.Header().Set("Content-Type", manifestType)
	})
	to.on("GET manifests/v1.0.0", status(http.StatusNotFound))
	_, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), to.to("m", refs), nil)
	checkError(t, err, meta.ErrDigest, digest(other))
	var written *mirror.WrittenError
	if !errors.As(err, &written) || written.Got != digest(other) {
		t.Errorf("got %v", err)
	}
}

// No more blobs are copied at once than was asked for.
func TestCopyParallel(t *testing.T) {
	t.Parallel()
	from, to := newRegistry(t), newRegistry(t)
	var names []string
	var mu sync.Mutex
	running, most := 0, 0
	for _, repo := range []string{"org/a", "org/b", "org/c", "org/d", "org/e"} {
		from.image(repo, "v1.0.0", repo)
		names = append(names, repo+":v1.0.0")
	}
	for _, repo := range names {
		content := "layer " + strings.TrimSuffix(repo, ":v1.0.0")
		from.on("GET blobs/"+digest(describe("", []byte(content))), func(w http.ResponseWriter, _ *http.Request) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			_, _ = w.Write([]byte(content))
			mu.Lock()
			running--
			mu.Unlock()
		})
	}
	refs := from.refs(names...)
	result, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), to.to("m", refs), &mirror.Options{Parallel: 2})
	if err != nil || result.Copied != 5 || most > 2 || most < 1 {
		t.Errorf("got %+v with %d at once (%v)", result, most, err)
	}
}

// What came to be attached later comes along with the next run, and what the mirror had
// of its own stays.
func TestCopyAttachedLater(t *testing.T) {
	t.Parallel()
	from, to := newRegistry(t), newRegistry(t)
	p := from.image("org/p", "v1.0.0", "content")
	refs := from.refs("org/p:v1.0.0")
	copied(t, refs, mirror.FromRegistries(from.client), to.to("m", refs))
	place := below("m", from, "org/p")
	own := to.referrer(place, "application/vnd.own", "own", p)
	to.fallback(place, p, own)
	theirs := from.referrer("org/p", "application/vnd.theirs", "theirs", p)
	gone := from.referrer("org/p", "application/vnd.gone", "gone", p)
	from.fallback("org/p", p, theirs, gone)
	from.on("GET manifests/"+digest(gone), status(http.StatusNotFound))
	from.image("org/p", tagOf(p)+".sig", "signature")

	dangling := ""
	result, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(from.client), to.to("m", refs), &mirror.Options{Event: func(e mirror.Event) {
		if e.Kind == mirror.Dangling {
			dangling = e.Name
		}
	}})
	if err != nil || result.Present != 1 || dangling != digest(gone) || len(result.Lock.Entries[0].Attached) != 2 {
		t.Fatalf("got %+v, dangling %s (%v)", result, dangling, err)
	}
	list := to.get(place + "/manifests/" + tagOf(p))
	for _, d := range []map[string]any{own, theirs} {
		if !strings.Contains(list, digest(d)) {
			t.Errorf("%s is not in the list %s", digest(d), list)
		}
	}
	if strings.Contains(list, digest(gone)) || to.get(place+"/manifests/"+tagOf(p)+".sig") == "" {
		t.Errorf("got the list %s", list)
	}
}

func TestCopyRefuses(t *testing.T) {
	t.Parallel()
	from := newRegistry(t)
	a, b := from.image("org/p", "v1.0.0", "a"), from.image("org/p", "v2.0.0", "b")
	from.image("other/p", "v1.0.0", "c")
	from.manifest("org/odd", "v1.0.0", manifestType, []byte(`{"schemaVersion":2,"manifests":[],"layers":[]}`))
	from.manifest("org/odd", "v2.0.0", manifestType, []byte(`{"schemaVersion":2,"layers":[{"digest":"sha256:../../x","size":1}]}`))
	from.manifest("org/odd", "v3.0.0", manifestType, []byte(`{"schemaVersion":1,"fsLayers":[]}`))
	from.manifest("org/odd", "v4.0.0", manifestType, []byte(`{"schemaVersion":2,"layers":[{"digest":"`+digest(a)+`","size":-1}]}`))
	from.manifest("org/odd", "v5.0.0", manifestType, []byte(`[]`))
	flat := []meta.Rewrite{{From: from.host + "/org/", To: from.host + "/m/"}, {From: from.host + "/other/", To: from.host + "/m/"}}
	for _, c := range []struct {
		name, reason string
		refs         []string
		rules        []meta.Rewrite
		is           error
		says         []string
	}{
		{"no rule", "it would be written to where it is from", []string{"org/p:v1.0.0"}, []meta.Rewrite{{From: "other.example/", To: "m.example/"}}, mirror.ErrNoRule, []string{"org/p:v1.0.0: no rule"}},
		{"clash", "two packages under one name", []string{"org/p:v1.0.0", "other/p:v1.0.0"}, flat, meta.ErrInvalid, []string{"org/p", "other/p", "/m/p"}},
		{"moved", "one name with two contents", []string{"org/p:v1.0.0@" + digest(a), "org/p:v1.0.0@" + digest(b)}, flat, meta.ErrInvalid, []string{digest(a), digest(b)}},
		{"both", "two things at once", []string{"org/odd:v1.0.0"}, flat, meta.ErrInvalid, []string{"both manifests and layers"}},
		{"digest", "a digest that is a path", []string{"org/odd:v2.0.0"}, flat, meta.ErrInvalid, []string{`layers[0] has the digest "sha256:../../x"`}},
		{"schema 1", "what is not kept as it is", []string{"org/odd:v3.0.0"}, flat, meta.ErrInvalid, []string{"schema 1"}},
		{"size", "a size that is none", []string{"org/odd:v4.0.0"}, flat, meta.ErrInvalid, []string{"layers[0] has the size -1"}},
		{"json", "what is no object", []string{"org/odd:v5.0.0"}, flat, meta.ErrInvalid, []string{"JSON"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := mirror.Copy(t.Context(), from.refs(c.refs...), mirror.FromRegistries(from.client), mirror.ToRegistries(from.client, c.rules), nil)
			checkError(t, err, c.is, c.says...)
		})
	}
	// A directory that is somebody's, a file that is none.
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := mirror.Copy(t.Context(), nil, mirror.FromRegistries(from.client), mirror.ToDirectory(dir), nil)
	checkError(t, err, meta.ErrInvalid, "notes.txt", "no OCI layout")
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("it has become %v (%v), want it left alone", entries, err)
	}
	_, err = mirror.Copy(t.Context(), nil, mirror.FromRegistries(from.client), mirror.ToFile(filepath.Join(dir, "notes.txt")), nil)
	checkError(t, err, meta.ErrNotPackage, "notes.txt")
	_, err = mirror.Copy(t.Context(), nil, mirror.FromRegistries(from.client), mirror.ToFile(dir), nil)
	checkError(t, err, meta.ErrInvalid, "no file")
}

// A layer that several packages have, as those of one family have that of their runtime, is
// read once, however many are copied at once: the registry takes it over from the first, and
// where it does not, it is asked for that once.
func TestCopySharedBlobs(t *testing.T) {
	t.Parallel()
	for _, mounts := range []bool{true, false} {
		from, to := newRegistry(t), newRegistry(t)
		var names []string
		shared := from.blob("org/a", layerType, []byte("the runtime of all"))
		for _, p := range []string{"a", "b", "c", "d", "e"} {
			repo := "org/" + p
			from.manifest(repo, "v1.0.0", manifestType, encode(map[string]any{
				"schemaVersion": 2, "mediaType": manifestType, "layers": []any{shared},
				"config": from.blob(repo, configType, []byte(`{"architecture":"amd64","os":"linux","content":"`+p+`"}`)),
			}))
			names = append(names, repo+":v1.0.0")
		}
		refs := from.refs(names...)
		// This registry keeps blobs by their digests alone, so that it does not even have to be
		// asked; it is made to forget that.
		var mu sync.Mutex
		has, asked := map[string]bool{}, 0
		to.around = func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				repo, rest, _ := strings.Cut(strings.TrimPrefix(q.URL.Path, "/v2/"), "/blobs/")
				mu.Lock()
				mount, source := q.URL.Query().Get("mount"), q.URL.Query().Get("from")
				switch {
				case q.Method == http.MethodHead && rest != "" && !has[repo+"@"+rest]:
					mu.Unlock()
					w.WriteHeader(http.StatusNotFound)
					return
				case q.Method == http.MethodPost && mount != "":
					asked++
					ok := mounts && has[source+"@"+mount]
					has[repo+"@"+mount] = ok
					mu.Unlock()
					w.Header().Set("Location", "/v2/"+repo+"/blobs/uploads/1")
					w.WriteHeader(map[bool]int{true: http.StatusCreated, false: http.StatusAccepted}[ok])
					return
				case q.Method == http.MethodPut && rest != "":
					has[repo+"@"+q.URL.Query().Get("digest")] = true
				}
				mu.Unlock()
				next.ServeHTTP(w, q)
			})
		}
		from.took()
		result := copied(t, refs, mirror.FromRegistries(from.client), to.to("m", refs))
		read := 0
		for _, q := range from.took() {
			if q == "GET blobs/"+digest(shared) {
				read++
			}
		}
		want, wantAsked, wantBlobs := 1, 4, 6
		if !mounts {
			want, wantAsked, wantBlobs = 5, 1, 10
		}
		if result.Copied != 5 || result.Blobs != wantBlobs || read != want || asked != wantAsked {
			t.Errorf("a registry that mounts: %t: got %+v, the layer was read %d times and mounting asked for %d times; want %d blobs, %d and %d",
				mounts, result, read, asked, wantBlobs, want, wantAsked)
		}
		for _, p := range []string{"a", "b", "c", "d", "e"} {
			if !has[below("m", from, "org/"+p)+"@"+digest(shared)] {
				t.Errorf("org/%s lacks its layer", p)
			}
		}
	}
}

// The same of one layout: what two packages have at once is not downloaded twice.
func TestCopySharedBlobsToADirectory(t *testing.T) {
	t.Parallel()
	from := newRegistry(t)
	var names []string
	shared := from.blob("org/a", layerType, []byte("the runtime of all"))
	for _, p := range []string{"a", "b", "c", "d", "e"} {
		from.manifest("org/"+p, "v1.0.0", manifestType, encode(map[string]any{
			"schemaVersion": 2, "mediaType": manifestType, "layers": []any{shared}, "config": shared, "annotations": map[string]string{"p": p},
		}))
		names = append(names, "org/"+p+":v1.0.0")
	}
	refs := from.refs(names...)
	from.took()
	dir := filepath.Join(t.TempDir(), "m")
	if result := copied(t, refs, mirror.FromRegistries(from.client), mirror.ToDirectory(dir)); result.Copied != 5 || result.Blobs != 1 {
		t.Errorf("got %+v", result)
	}
	read := 0
	for _, q := range from.took() {
		if q == "GET blobs/"+digest(shared) {
			read++
		}
	}
	if read != 1 {
		t.Errorf("the layer was read %d times", read)
	}
}
