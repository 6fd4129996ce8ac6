package build_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

const crossplaneYAML = `# The metadata of the package.
apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: configuration-test
`

// sample is a package directory by path.
func sample() map[string]string {
	return map[string]string{
		"crossplane.yaml":        crossplaneYAML,
		"apis/z.yaml":            "apiVersion: v1\nkind: Z\nmetadata:\n  name: z\nbig: 12345678901234567890123 # kept\n",
		"apis/a/definition.yml":  "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: B\nmetadata:\n  name: b\n...\napiVersion: v1\nkind: C\nmetadata:\n  name: c\n",
		"dirs.yaml/x.yaml":       "apiVersion: v1\nkind: X\nmetadata:\n  name: x", // no line break
		"directives.yaml":        "%YAML 1.2\n---\napiVersion: v1\nkind: D\nmetadata:\n  name: d\n",
		"examples/claim.yaml":    "not: part of it",
		"examples-of-use/e.yaml": "apiVersion: v1\nkind: E\nmetadata:\n  name: e\n",
		"README.md":              "# not YAML: at all",
		"LICENSE":                "words",
	}
}

func directory(t testing.TB, files map[string]string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	fill(t, root, files)
	return root
}

// fill writes files into a directory, over those of the same name.
func fill(t testing.TB, root *os.Root, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(root.Name(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func dir(t testing.TB, root *os.Root, o *build.Options) v1.Image {
	t.Helper()
	img, err := build.Dir(t.Context(), root, o)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func digest(t testing.TB, img v1.Image) string {
	t.Helper()
	h, err := img.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return h.String()
}

// documents are the kinds and bytes of a package.
func documents(t testing.TB, p *parser.Package) []string {
	t.Helper()
	var all []string
	for _, d := range append([]*parser.Document{p.Header}, p.Objects...) {
		b, err := d.JSON()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d.Kind+" "+string(b))
	}
	return all
}

func collect(t testing.TB, root *os.Root) *parser.Package {
	t.Helper()
	p, err := parser.Collect(parser.Dir(t.Context(), root, nil))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func equal(t *testing.T, got, want []string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got the documents\n%s\nwant\n%s", g, w)
	}
}

func TestTheImage(t *testing.T) {
	files := sample()
	delete(files, "examples/claim.yaml")
	img := dir(t, directory(t, files), nil)
	if err := validate.Image(img); err != nil {
		t.Error(err)
	}
	m, err := img.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	if m.MediaType != types.OCIManifestSchema1 || m.Config.MediaType != types.OCIConfigJSON || len(m.Layers) != 1 ||
		m.Layers[0].MediaType != types.OCILayer || m.Layers[0].Annotations[xpkg.AnnotationKey] != xpkg.BaseAnnotation {
		t.Errorf("got the manifest %+v", m)
	}
	c, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c.Config.Labels[xpkg.AnnotationKey+":"+m.Layers[0].Digest.String()] != xpkg.BaseAnnotation || c.OS == "" || c.Architecture == "" || !c.Created.Equal(time.Unix(0, 0)) {
		t.Errorf("got the configuration %+v", c)
	}
	// Exactly one file in the layer and in the image.
	rc := mutate.Extract(img)
	defer rc.Close()
	r := tar.NewReader(rc)
	h, err := r.Next()
	if err != nil || h.Name != "package.yaml" || h.Typeflag != tar.TypeReg || h.Mode != 0o644 {
		t.Fatalf("got the entry %+v (%v)", h, err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{"# The metadata of the package.", "12345678901234567890123 # kept"} {
		if !bytes.Contains(content, []byte(kept)) {
			t.Errorf("package.yaml has lost %q:\n%s", kept, content)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("the layer has a second entry (%v)", err)
	}
}

func TestOrder(t *testing.T) {
	p, err := xpkg.Open(dir(t, directory(t, sample()), nil), nil).Package(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for d := range p.Documents() {
		kinds = append(kinds, d.Kind)
	}
	if got, want := strings.Join(kinds, " "), "Configuration A B C Z D X E"; got != want {
		t.Errorf("got the kinds %s, want %s: the metadata object, then by path, and in a file by place", got, want)
	}
}

func TestRoundTrip(t *testing.T) {
	root := directory(t, sample())
	img := dir(t, root, nil)
	want := documents(t, collect(t, root))
	if len(want) != 8 {
		t.Fatalf("the directory has %d documents", len(want))
	}
	for format, method := range map[build.Format]xpkg.Method{build.OCI: xpkg.MethodAnnotation, build.Docker: xpkg.MethodLabel, "": xpkg.MethodAnnotation} {
		t.Run("file "+string(format), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.xpkg")
			if err := build.WriteFile(t.Context(), path, img, format); err != nil {
				t.Fatal(err)
			}
			opened, err := xpkg.OpenFile(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := opened.Package(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			equal(t, documents(t, p), want)
			if got, err := opened.Method(t.Context()); err != nil || got != method {
				t.Errorf("got the method %s (%v), want %s", got, err, method)
			}
			if got, err := opened.Digest(t.Context()); format != build.Docker && (err != nil || got != digest(t, img)) {
				t.Errorf("got the digest %s (%v), want %s", got, err, digest(t, img))
			}
		})
	}
	t.Run("registry", func(t *testing.T) {
		ref := registryServer(t) + "/org/test:v1.0.0"
		c := &xpkg.Client{}
		pushed, err := c.Push(t.Context(), ref, img)
		if err != nil || pushed != digest(t, img) {
			t.Fatalf("got %s (%v)", pushed, err)
		}
		pulled, err := c.Image(t.Context(), ref, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := pulled.Package(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		equal(t, documents(t, p), want)
	})
}

// In a stream a document ends with a line break. A file that ends without one gets
// it, and a block scalar that is the last thing in the file does not.
func TestFileWithoutALineBreakAtItsEnd(t *testing.T) {
	files := map[string]string{
		"crossplane.yaml": crossplaneYAML,
		"a.yaml":          "apiVersion: v1\nkind: A\ntext: |\n  x",
		"b.yaml":          "apiVersion: v1\nkind: B\ntext: |-\n  x",
		"c.yaml":          "apiVersion: v1\nkind: C\ntext: x",
	}
	got, err := xpkg.Open(dir(t, directory(t, files), nil), nil).Package(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, documents(t, got)[1:], []string{
		`A {"apiVersion":"v1","kind":"A","text":"x"}`,
		`B {"apiVersion":"v1","kind":"B","text":"x"}`,
		`C {"apiVersion":"v1","kind":"C","text":"x"}`,
	})
}

func TestSameInputSameDigest(t *testing.T) {
	// I01, I02: whenever and wherever it is built.
	root := directory(t, sample())
	want := digest(t, dir(t, root, nil))
	if got := digest(t, dir(t, root, nil)); got != want {
		t.Errorf("built again: got %s, want %s", got, want)
	}
	if got := digest(t, dir(t, directory(t, sample()), nil)); got != want {
		t.Errorf("built elsewhere: got %s, want %s", got, want)
	}
	for name := range sample() {
		path := filepath.Join(root.Name(), filepath.FromSlash(name))
		if err := os.Chtimes(path, time.Now(), time.Unix(1234567890, 0)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if got := digest(t, dir(t, root, nil)); got != want {
		t.Errorf("touched: got %s, want %s", got, want)
	}
	write := func(img v1.Image, f build.Format) string {
		path := filepath.Join(t.TempDir(), "x.xpkg")
		if err := build.WriteFile(t.Context(), path, img, f); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, f := range []build.Format{build.OCI, build.Docker} {
		first, second := write(dir(t, root, nil), f), write(dir(t, root, nil), f)
		if first != second {
			t.Errorf("two %s files differ", f)
		}
	}
}

func TestCreated(t *testing.T) {
	root := directory(t, sample())
	at := time.Date(2026, 1, 2, 3, 4, 5, 678, time.FixedZone("x", 3600))
	img := dir(t, root, &build.Options{Created: at})
	c, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Created.UTC().Format(time.RFC3339Nano); got != "2026-01-02T02:04:05Z" {
		t.Errorf("got the time %s", got)
	}
	layers := func(img v1.Image) v1.Hash {
		m, err := img.Manifest()
		if err != nil {
			t.Fatal(err)
		}
		return m.Layers[0].Digest
	}
	if layers(img) != layers(dir(t, root, nil)) {
		t.Error("the base layer depends on the time")
	}
}

func TestDirErrors(t *testing.T) {
	with := func(name, content string) map[string]string {
		files := sample()
		files[name] = content
		return files
	}
	without := sample()
	delete(without, "crossplane.yaml")
	cases := []struct {
		name, reason string
		files        map[string]string
		is           error
		says         []string
	}{
		{"I20", "crossplane.yaml is missing", without, meta.ErrNotPackage, []string{"no crossplane.yaml", "found"}},
		{"I20 empty", "an empty directory", nil, meta.ErrNotPackage, []string{"no crossplane.yaml", "found"}},
		{"I22", "two metadata objects", with("old/crossplane.yaml", crossplaneYAML), meta.ErrInvalid, []string{"old/crossplane.yaml:2", "crossplane.yaml:2:1"}},
		{"I16", "a syntax error", with("b.yaml", strings.Repeat("# line\n", 11)+"a: [\n"), meta.ErrInvalid, []string{"b.yaml:1"}},
		{"empty", "a file with nothing in it", with("crossplane.yaml", ""), meta.ErrInvalid, []string{"crossplane.yaml:1:1"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			img, err := build.Dir(t.Context(), directory(t, c.files), nil)
			if img != nil || !errors.Is(err, c.is) {
				t.Fatalf("got %v, %v (%s), want an error that matches %v: %s", img, err, meta.Code(err), c.is, c.reason)
			}
			for _, s := range c.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("got the error %q, want it to say %q", err, s)
				}
			}
		})
	}
}

func TestMetadataInAnotherFile(t *testing.T) {
	// I23: the content decides, not the name.
	dir(t, directory(t, map[string]string{"configuration.yaml": crossplaneYAML}), nil)
}

func TestLinksAreNotFollowed(t *testing.T) {
	// I05
	root := directory(t, sample())
	outside := directory(t, map[string]string{"secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n"})
	if err := os.Symlink(filepath.Join(outside.Name(), "secret.yaml"), filepath.Join(root.Name(), "link.yaml")); err != nil {
		t.Skip("this system makes no symbolic links: " + err.Error())
	}
	var told []parser.Event
	img := dir(t, root, &build.Options{Parser: &parser.Options{Event: func(e parser.Event) { told = append(told, e) }}})
	if got, want := digest(t, img), digest(t, dir(t, directory(t, sample()), nil)); got != want {
		t.Error("a link changes the package")
	}
	found := false
	for _, e := range told {
		found = found || e.Kind == parser.SkippedLink && e.File == "link.yaml"
	}
	if !found {
		t.Errorf("got the events %v", told)
	}
}

func TestJudge(t *testing.T) {
	root := directory(t, sample())
	refusal := errors.New("no Z here")
	_, err := build.Dir(t.Context(), root, &build.Options{Judge: func(_ context.Context, p *parser.Package) error {
		if p.Meta.Name != "configuration-test" || len(p.Objects) != 7 {
			t.Errorf("the judge sees %+v", p)
		}
		return refusal
	}})
	var judged *build.JudgeError
	if !errors.As(err, &judged) || !errors.Is(err, refusal) || !errors.Is(err, meta.ErrInvalid) {
		t.Errorf("got %v", err)
	}
	if _, err := build.Dir(t.Context(), root, &build.Options{Judge: func(context.Context, *parser.Package) error { return nil }}); err != nil {
		t.Error(err)
	}
	if _, err := build.Package(t.Context(), &parser.Package{}, nil); !errors.Is(err, meta.ErrNotPackage) {
		t.Errorf("a package without metadata: got %v", err)
	}
}

func TestWriteFileIsWholeOrNothing(t *testing.T) {
	img := dir(t, directory(t, sample()), nil)
	folder := t.TempDir()
	path := filepath.Join(folder, "x.xpkg")
	if err := os.WriteFile(path, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"canceled": build.WriteFile(canceled, path, img, build.OCI),
		"layer":    build.WriteFile(t.Context(), path, broken{img}, build.OCI),
		"docker":   build.WriteFile(t.Context(), path, broken{img}, build.Docker),
		"format":   build.WriteFile(t.Context(), path, img, "zip"),
	} {
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want an error with the path", name, err)
		}
	}
	if err := build.WriteFile(canceled, path, img, build.Docker); !errors.Is(err, meta.ErrCanceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it to match meta.ErrCanceled", err)
	}
	if _, err := build.Package(canceled, collect(t, directory(t, sample())), nil); !errors.Is(err, meta.ErrCanceled) {
		t.Errorf("got %v, want it to match meta.ErrCanceled", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "before" {
		t.Errorf("the file has become %q (%v)", b, err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
		t.Errorf("got the files %v (%v), want one", list, err)
	}
	if err := build.WriteFile(t.Context(), path, img, build.OCI); err != nil {
		t.Error(err)
	}
	if _, err := xpkg.OpenFile(t.Context(), path, nil); err != nil {
		t.Error(err)
	}
	none := filepath.Join(folder, "none", "x.xpkg")
	if err := build.WriteFile(t.Context(), none, img, build.OCI); !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), ".x.xpkg") {
		t.Errorf("got %v", err)
	}
	// A directory in the place of the file.
	if err := build.WriteFile(t.Context(), folder, img, build.OCI); err == nil || strings.Contains(err.Error(), "."+filepath.Base(folder)+".") {
		t.Errorf("got %v", err)
	}
}

// broken is an image whose layers cannot be read.
type broken struct{ v1.Image }

func (b broken) Layers() ([]v1.Layer, error) {
	layers, err := b.Image.Layers()
	for i, l := range layers {
		layers[i] = brokenLayer{l}
	}
	return layers, err
}

type brokenLayer struct{ v1.Layer }

func (brokenLayer) Compressed() (io.ReadCloser, error) { return nil, errors.New("the disk is full") }

// Oracle: the parser. What it sees in a directory is what it sees in the image.
func FuzzBuild(f *testing.F) {
	f.Add("apiVersion: v1\nkind: A\n", "# c\n---\napiVersion: v1\nkind: B\ntext: |+\n  x\n\n")
	f.Add("%YAML 1.2\n---\nkind: A\n...\n", "%TAG ! !\n--- {kind: A}\n...\n# end")
	f.Add("apiVersion: v1\rkind: A\r", "# c\r%YAML 1.2\r---\rapiVersion: v1\rkind: B\r")
	f.Add("\ufeffkind: A\r\n---\r\nkind: B\r", "--- # c\nkind: A\n---\n---\n...\n---\n")
	root := directory(f, map[string]string{"crossplane.yaml": crossplaneYAML})
	f.Fuzz(executions.Many(func(t *testing.T, a, b string) {
		// A block scalar that ends a file changes with the line break that the
		// file gets: see TestFileWithoutALineBreakAtItsEnd.
		if !executions.Readable([]byte(a)) || !executions.Readable([]byte(b)) {
			return
		}
		fill(t, root, map[string]string{"a.yaml": a + "\n", "z.yaml": b + "\n"})
		want, err := parser.Collect(parser.Dir(t.Context(), root, nil))
		if err != nil {
			return
		}
		img, err := build.Package(t.Context(), want, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := xpkg.Open(img, nil).Package(t.Context())
		if err != nil {
			t.Fatalf("the documents of %q and %q become %v", a, b, err)
		}
		equal(t, documents(t, got), documents(t, want))
	}))
}

// What one build is done with is no burden to the next, in a program that collects late.
func TestManyBuildsTakeNoMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(crossplaneYAML), nil))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range 500 {
		if _, err := build.Package(t.Context(), pkg, nil); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapSys - before.HeapSys); grown > 64<<20 {
		t.Errorf("the heap has %d bytes more, and %d before", grown, before.HeapSys)
	}
}
