package build_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// packageYAML is the text of package.yaml.
func packageYAML(t testing.TB, img v1.Image) string {
	t.Helper()
	r, err := xpkg.Open(img, nil).Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A file may end in the middle of its last line. What it says must not change when
// another document follows, and nothing is added when none does.
func TestJoinKeepsValues(t *testing.T) {
	const head = "apiVersion: v1\nkind: A\n"
	cases := []struct{ reason, text, joined string }{
		{"a line break is not part of a plain text", head + "a: b", head + "a: b\n"},
		{"nor of a comment", head + "a: b # c", head + "a: b # c\n"},
		{"nor of a text in brackets", head + "a: [b]", head + "a: [b]\n"},
		{"of a literal text it would be", head + "a: |\n  x", head + "a: |-\n  x\n"},
		{"of a folded text too", head + "a: >\n  x\n  y", head + "a: >-\n  x\n  y\n"},
		{"unless it says that it is not", head + "a: |-\n  x", head + "a: |-\n  x\n"},
		{"also of one that keeps all of them", head + "a: |+\n  x\n\n  y", head + "a: |-\n  x\n\n  y\n"},
		{"with an indentation", head + "a: |2\n    x", head + "a: |2-\n    x\n"},
		{"in either order", head + "a: |+2\n    x", head + "a: |2-\n    x\n"},
		{"with a comment", head + "a: | # why\n  x", head + "a: |- # why\n  x\n"},
		{"the last one only", head + "a: |\n  x\nb: |\n  y", head + "a: |\n  x\nb: |-\n  y\n"},
		{"not a line that looks like one", head + "a: |\n  x\n  b: |\n  y", head + "a: |-\n  x\n  b: |\n  y\n"},
		{"in a list", head + "a:\n- |\n  x", head + "a:\n- |-\n  x\n"},
		{"with CRLF", strings.ReplaceAll(head+"a: |\n  x", "\n", "\r\n"), strings.ReplaceAll(head+"a: |-\n  x", "\n", "\r\n") + "\n"},
		{"a line break of CR is one", "kind: A\rapiVersion: v1\ra: |\r  x\r", "kind: A\rapiVersion: v1\ra: |\r  x\r"},
		{"a text of no line", head + "a: |", head + "a: |\n"},
		{"a text of white space", head + "a: |\n  x\n   ", head + "a: |-\n  x\n   \n"},
	}
	for _, c := range cases {
		t.Run(c.reason, func(t *testing.T) {
			other := "apiVersion: v1\nkind: Z\nmetadata:\n  name: z\n"
			root := directory(t, map[string]string{"crossplane.yaml": crossplaneYAML, "a.yaml": c.text, "z.yaml": other})
			img := dir(t, root, nil)
			got, err := xpkg.Open(img, nil).Package(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			equal(t, documents(t, got), documents(t, collect(t, root)))
			if text, want := packageYAML(t, img), crossplaneYAML+"---\n"+c.joined+"---\n"+other; text != want {
				t.Errorf("got\n%q\nwant\n%q", text, want)
			}
			// As the last document it stays as it is.
			last := directory(t, map[string]string{"crossplane.yaml": crossplaneYAML, "z.yaml": c.text})
			if text, want := packageYAML(t, dir(t, last, nil)), crossplaneYAML+"---\n"+c.text; text != want {
				t.Errorf("last: got\n%q\nwant\n%q", text, want)
			}
		})
	}
}

// The metadata object comes first wherever it stands, and nothing gets lost or comes
// twice when it is not where it is looked for.
func TestMetadataAnywhere(t *testing.T) {
	doc := func(name string) string {
		return "apiVersion: v1\nkind: A\nmetadata:\n  name: " + name + "\n"
	}
	cases := []struct {
		reason string
		files  map[string]string
		want   string
	}{
		{"in the file for it", map[string]string{"crossplane.yaml": crossplaneYAML, "a.yaml": doc("a")}, "configuration-test a"},
		{"behind another document", map[string]string{"crossplane.yaml": doc("x") + "---\n" + crossplaneYAML, "a.yaml": doc("a")}, "configuration-test a x"},
		{"in another file", map[string]string{"crossplane.yaml": doc("x"), "a.yaml": doc("a"), "z.yaml": doc("y") + "---\n" + crossplaneYAML + "---\n" + doc("z")}, "configuration-test a x y z"},
		{"in a directory", map[string]string{"b/crossplane.yaml": crossplaneYAML, "a.yaml": doc("a")}, "configuration-test a"},
		{"in a file that is ignored, and in one that is not", map[string]string{".xpkgignore": "/crossplane.yaml\n", "crossplane.yaml": crossplaneYAML, "p.yaml": crossplaneYAML, "a.yaml": doc("a")}, "configuration-test a"},
		{"twice the same text is one document each", map[string]string{"crossplane.yaml": crossplaneYAML, "a.yaml": doc("a"), "b.yaml": doc("a")}, "configuration-test a a"},
	}
	for _, c := range cases {
		root := directory(t, c.files)
		img := dir(t, root, nil)
		p, err := xpkg.Open(img, nil).Package(t.Context())
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		var names []string
		for d := range p.Documents() {
			names = append(names, d.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.reason, got, c.want)
		}
		// With and without a judge it is the same image.
		if held := dir(t, root, approved()); digest(t, held) != digest(t, img) {
			t.Errorf("%s: a judge changes the image", c.reason)
		}
	}
}

// A package of several blocks is one stream, whether gzip or zstd, and the same when
// it was held.
func TestManyBlocks(t *testing.T) {
	files := plain()
	var b strings.Builder
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3500 {
		fmt.Fprintf(&b, "apiVersion: v1\nkind: A\nmetadata:\n  name: a%d\ntext: x", i)
		for range 60 {
			fmt.Fprintf(&b, "%016x", r.Uint64())
		}
		b.WriteString("\n---\n")
	}
	files["big.yaml"] = b.String()
	root := directory(t, files)
	want := documents(t, collect(t, root))
	text := ""
	for _, o := range compressions() {
		img := dir(t, root, &o)
		p, err := xpkg.Open(img, nil).Package(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		equal(t, documents(t, p), want)
		o.Judge = approved().Judge
		if held := dir(t, root, &o); digest(t, held) != digest(t, img) {
			t.Errorf("%s: a judge changes the image", o.Compression)
		}
		if got := packageYAML(t, img); text == "" {
			text = got
		} else if got != text {
			t.Errorf("%s: package.yaml differs", o.Compression)
		}
	}
	if len(text) < 3<<20 {
		t.Errorf("package.yaml has %d bytes, which are too few for this test", len(text))
	}
}

// Oracle: the parser. Whatever a file ends with, its documents stay what they are
// when another file follows.
func FuzzJoin(f *testing.F) {
	f.Add("apiVersion: v1\nkind: A\ntext: |\n  x", "apiVersion: v1\nkind: B\n")
	f.Add("kind: A\na:\n  - >2+\n     x\n\n", "%YAML 1.2\n---\nkind: B\n")
	f.Add("kind: A\na: |\n  b: |\n  c", "--- |\n")
	root := directory(f, map[string]string{"crossplane.yaml": crossplaneYAML})
	f.Fuzz(executions.Many(func(t *testing.T, a, b string) {
		if !executions.Readable([]byte(a)) || !executions.Readable([]byte(b)) {
			return
		}
		fill(t, root, map[string]string{"a.yaml": a, "z.yaml": b})
		want, err := parser.Collect(parser.Dir(t.Context(), root, nil))
		if err != nil {
			return
		}
		img, err := build.Dir(t.Context(), root, nil)
		if list := (parser.ErrorList)(nil); errors.As(err, &list) && strings.Contains(err.Error(), "end it with a line break") {
			return // a text whose header cannot be found
		}
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

func TestChangedWhileRead(t *testing.T) {
	// I10, I47: a generator writes the metadata anew while the directory is read.
	root := directory(t, map[string]string{"a.yaml": "apiVersion: v1\nkind: A\n", "crossplane.yaml": crossplaneYAML, "x.json": "{}"})
	name := filepath.Join(root.Name(), "crossplane.yaml")
	for n := range 40 { // told between the look for the metadata and the reading of it
		if err := os.WriteFile(filepath.Join(root.Name(), fmt.Sprintf("a%d.json", n)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	changes := 0
	img, err := dirChanging(t, root, func() {
		changes++
		if err := os.WriteFile(name, []byte(crossplaneYAML+fmt.Sprintf("# %d\n", changes)), 0o666); err != nil {
			t.Error(err)
		}
	})
	// One consistent version, or an error that names the file.
	if err != nil {
		if !strings.Contains(err.Error(), "crossplane.yaml") {
			t.Errorf("got %v", err)
		}
		return
	}
	if text := packageYAML(t, img); strings.Count(text, "kind: Configuration") != 1 || strings.Count(text, "kind: A") != 1 {
		t.Errorf("got\n%s", text)
	}
}
