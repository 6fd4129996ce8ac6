package legacy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/lintertest"
	"github.com/xpkg-go/sdk/linter/rules/legacy"
	"github.com/xpkg-go/sdk/meta"
	v1 "github.com/xpkg-go/sdk/meta/legacy"
)

// tree makes a file system of a txtar archive.
func tree(archive []byte) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range txtar.Parse(archive).Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return fsys
}

// lint reads a package and judges it.
func lint(t testing.TB, fsys fstest.MapFS) []linter.Diagnostic {
	t.Helper()
	p, faults := v1.Read(t.Context(), fsys, nil)
	r, err := legacy.Lint(t.Context(), p, faults, nil)
	if err != nil || len(r.Failed) > 0 {
		t.Fatal(err, r.Failed)
	}
	return r.Diagnostics
}

// Each archive in testdata holds a package, with what the rules find in it in comments, as
// lintertest has them. The text before the files is the reason for the case.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	reported := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			archive = bytes.ReplaceAll(archive, []byte("\r\n"), []byte("\n"))
			found := lint(t, tree(archive))
			for _, problem := range lintertest.Match(archive, found) {
				t.Error(problem)
			}
			for _, d := range found {
				reported[d.Rule] = true
				checkForm(t, d)
				checkFix(t, archive, d)
			}
		})
	}
	for _, r := range legacy.Suite(nil) {
		if !reported[r.ID] && r.ID != "legacy-annotation-size" { // TestAnnotationSize
			t.Errorf("no fixture makes rule %s report", r.ID)
		}
	}
}

// checkForm holds a finding to the form that all have.
func checkForm(t *testing.T, d linter.Diagnostic) {
	t.Helper()
	first := []rune(d.Message)[0]
	if d.Range.File == "" || strings.HasSuffix(d.Message, ".") || strings.Contains(d.Message, "\n") || d.Severity == 0 ||
		unicode.IsUpper(first) && !strings.HasPrefix(d.Message, "Crossplane ") {
		t.Errorf("the finding is out of form: %+v", d)
	}
}

// checkFix carries out the fixes of a finding: it is gone then.
func checkFix(t *testing.T, archive []byte, d linter.Diagnostic) {
	t.Helper()
	if len(d.Fixes) == 0 {
		return
	}
	fsys := tree(archive)
	was := len(lint(t, fsys))
	fixed, applied, err := linter.Apply(fsys[d.Range.File].Data, d.Range.File, []linter.Diagnostic{d})
	if err != nil || len(applied) != 1 {
		t.Fatalf("%s: %v", d, err)
	}
	fsys[d.Range.File].Data = fixed
	now := lint(t, fsys)
	if len(now) >= was || slices.ContainsFunc(now, func(o linter.Diagnostic) bool { return o.String() == d.String() }) {
		t.Errorf("the fix of %s does not mend it", d)
	}
}

// Each rule is documented, reports its bad example and not its good one.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range legacy.Suite(nil) {
		if seen[r.ID] || !strings.HasPrefix(r.ID, "legacy-") || !strings.HasSuffix(r.Doc, ".") || r.URL == "" {
			t.Errorf("%s is there twice, or not documented", r.ID)
		}
		seen[r.ID] = true
		reports := func(example string) bool {
			return slices.ContainsFunc(lint(t, tree([]byte(example))), func(d linter.Diagnostic) bool { return d.Rule == r.ID })
		}
		if !reports(r.Bad) && r.ID != "legacy-annotation-size" {
			t.Errorf("%s does not report its bad example", r.ID)
		}
		if reports(r.Good) {
			t.Errorf("%s reports its good example", r.ID)
		}
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range legacy.Suite(nil) {
		if !bytes.Contains(doc, []byte("\t"+r.ID+" ")) {
			t.Errorf("doc.go does not list %s", r.ID)
		}
	}
}

// Bitmaps are as wide as they are high, to the pixel, and only their heads are read. (packages
// v1, Package Files)
func TestBitmaps(t *testing.T) {
	encode := func(write func(*bytes.Buffer) error) []byte {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	picture := func(w, h int) image.Image {
		return image.NewGray(image.Rect(0, 0, w, h))
	}
	pngOf := func(w, h int) []byte {
		return encode(func(b *bytes.Buffer) error { return png.Encode(b, picture(w, h)) })
	}
	jpgOf := func(w, h int) []byte {
		return encode(func(b *bytes.Buffer) error { return jpeg.Encode(b, picture(w, h), nil) })
	}
	gifOf := func(w, h int) []byte {
		return encode(func(b *bytes.Buffer) error { return gif.Encode(b, picture(w, h), nil) })
	}
	bomb := pngOf(1, 1)
	copy(bomb[16:24], []byte{0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff}) // its checksum is wrong by now
	cases := map[string]struct {
		reason, file string
		data         []byte
		want         string
	}{
		"PNG":          {"a square", "icon.png", pngOf(9, 9), ""},
		"PNGWide":      {"by a pixel", "icon.png", pngOf(10, 9), "legacy-icon-ratio: the icon is 10 wide and 9 high (the ratio 1:1 is expected)"},
		"JPEG":         {"a square", "icon.jpg", jpgOf(9, 9), ""},
		"JPEGHigh":     {"high", "icon.jpeg", jpgOf(9, 10), "legacy-icon-ratio: the icon is 9 wide and 10 high (the ratio 1:1 is expected)"},
		"GIF":          {"a square", "icon.gif", gifOf(9, 9), ""},
		"GIFWide":      {"wide", "icon.gif", gifOf(10, 9), "legacy-icon-ratio: the icon is 10 wide and 9 high (the ratio 1:1 is expected)"},
		"OtherName":    {"another name", "icon.jpg", pngOf(9, 9), "legacy-icon-content: the content is image/png, and the name says image/jpeg"},
		"Cut":          {"cut in its head", "icon.png", pngOf(9, 9)[:12], "legacy-icon-content: the content cannot be read as image/png"},
		"CutBehind":    {"what is behind the head is not looked at", "icon.png", pngOf(9, 9)[:50], ""},
		"BrokenJPEG":   {"no picture behind the mark", "icon.jpg", []byte("\xff\xd8\xff\xe0"), "legacy-icon-content: the content cannot be read as image/jpeg"},
		"Bomb":         {"a head that promises much", "icon.png", bomb, "legacy-icon-content: the content cannot be read as image/png"},
		"Empty":        {"nothing at all", "icon.gif", nil, "legacy-icon-content: the content is none of an icon (image/gif is expected)"},
		"NotUpperCase": {"a name in capitals is no icon's", "ICON.PNG", pngOf(9, 9), "legacy-unknown-file: no file of the format has this name"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			file := ".registry/" + c.file
			found := lint(t, fstest.MapFS{file: {Data: c.data}, ".registry/app.yaml": {Data: []byte("apiVersion: 0.1.0\ntitle: A\npackageType: Provider\npermissionScope: Cluster\n")}})
			var got []string
			for _, d := range found {
				if d.Range.File == file {
					got = append(got, strings.TrimPrefix(d.String(), file+": "))
				}
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
			}
		})
	}
}

// Annotations have 256 KiB together, also those that files make. (API server)
func TestAnnotationSize(t *testing.T) {
	const app = "apiVersion: 0.1.0\ntitle: A\npackageType: Provider\npermissionScope: Cluster\n"
	const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: samples.example.org%s}\n" +
		"spec: {group: example.org, names: {kind: Sample, plural: samples}, scope: Cluster, versions: [{name: v1, served: true, storage: true}]}\n"
	rest := len(v1.AnnotationPackageTitle) + len("A") + len(v1.AnnotationResourceReadme)
	most := 256<<10 - rest
	for _, c := range []struct {
		reason string
		readme int
		own    string
		want   int
	}{
		{"just enough", most, "", 0},
		{"one too many", most + 1, "", 1},
		{"the definition's own counts", most - 100, ", annotations: {a: " + strings.Repeat("x", 100) + "}", 1},
		{"what it says itself takes the place of the file's", most * 2, ", annotations: {" + v1.AnnotationResourceReadme + ": short}", 0},
	} {
		found := lint(t, fstest.MapFS{
			".registry/app.yaml":                {Data: []byte(app)},
			".registry/resources/resource.yaml": {Data: []byte("readme: " + strings.Repeat("x", c.readme) + "\n")},
			".registry/resources/crd.yaml":      {Data: []byte(fmt.Sprintf(crd, c.own))},
		})
		n := 0
		for _, d := range found {
			if d.Rule == "legacy-annotation-size" {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: got %d findings, want %d", c.reason, n, c.want)
		}
	}
}

// A hostile package does not make endless findings.
func TestFindingsAreBounded(t *testing.T) {
	fsys := tree([]byte("-- .registry/app.yaml --\ntitle: A\n"))
	for i := range 1500 {
		fsys[path.Join(".registry", fmt.Sprintf("%04d", i))] = &fstest.MapFile{}
	}
	n, told := 0, false
	for _, d := range lint(t, fsys) {
		if d.Rule == "legacy-unknown-file" {
			n++
			told = told || d.Message == "there are 500 more such findings"
		}
	}
	if n != 1001 || !told {
		t.Errorf("got %d findings", n)
	}
}

// The rules go with others, and a configuration may name them.
func TestOptions(t *testing.T) {
	p, faults := v1.Read(t.Context(), tree([]byte("-- .registry/app.yaml --\ntitle: A\n")), nil)
	config, err := linter.ParseConfig("x", []byte("rules: {legacy-app-incomplete: off, legacy-layout: error}\n"), legacy.Suite(nil))
	if err != nil {
		t.Fatal(err)
	}
	called := false
	mine := &linter.Rule{ID: "mine", Doc: "Mine.", Severity: linter.Info, Run: func(context.Context, *linter.Pass) error { called = true; return nil }}
	r, err := legacy.Lint(t.Context(), p, faults, &linter.Options{Config: config, Rules: []*linter.Rule{mine}})
	if err != nil || len(r.Diagnostics) != 1 || r.Diagnostics[0].Severity != linter.Error || !called {
		t.Errorf("got %v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := legacy.Lint(ctx, p, faults, nil); !errors.Is(err, meta.ErrCanceled) {
		t.Errorf("got %v", err)
	}
	if r, err := legacy.Lint(t.Context(), nil, nil, nil); err != nil || len(r.Diagnostics) != 0 {
		t.Errorf("got %v, %v", r, err)
	}
}
