package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lint": func() { cli.Main(newProgram()) }})
}

// The scripts call lint as a user does and look at what it prints, at its exit code
// and at the files that it mends.
func TestScripts(t *testing.T) { clitest.Run(t, nil) }

// lint runs the program in this process.
func lint(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = newProgram().Exec(t.Context(), append([]string{"-cache", t.TempDir()}, args...), strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// With -o json standard output is one object, with the keys of the contract and no
// others, whatever happens.
func TestJSON(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "crossplane.yaml"), []byte("kind: [\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		reason string
		args   []string
		code   int
	}{
		{"findings", []string{dir}, cli.Findings},
		{"several packages", []string{dir, dir, "-"}, cli.Findings},
		{"a package that is not there", []string{filepath.Join(dir, "nothing.yaml")}, cli.Failed},
		{"one of two that is not there", []string{dir, filepath.Join(dir, "nothing.yaml")}, cli.Failed},
		{"a flag that is none", []string{"-nothing", dir}, cli.Failed},
		{"nothing to do", nil, cli.Failed},
	} {
		code, stdout, _ := lint(t, append([]string{"-o", "json"}, tc.args...)...)
		if code != tc.code {
			t.Errorf("%s: exit code %d, want %d", tc.reason, code, tc.code)
		}
		var body struct {
			Diagnostics []report.Finding
			Error       *struct{ Code, Message string }
		}
		dec := json.NewDecoder(strings.NewReader(stdout))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&body); err != nil {
			t.Errorf("%s: %v in %s", tc.reason, err, stdout)
			continue
		}
		if _, err := dec.Token(); !errors.Is(err, io.EOF) {
			t.Errorf("%s: more than one object: %s", tc.reason, stdout)
		}
		if failed := code == cli.Failed; failed != (body.Error != nil) || failed != (body.Diagnostics == nil) {
			t.Errorf("%s: exit code %d with %s", tc.reason, code, stdout)
		}
	}
}

// An image is judged as a directory is, whatever it is kept in, and by what it is as an
// image.
func TestImage(t *testing.T) {
	const text = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: demo\nspec:\n  dependOn: []\n"
	img := clitest.Image(t, text)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	ref := strings.TrimPrefix(server.URL, "http://") + "/org/demo:v1.0.0"
	if _, err := (&xpkg.Client{}).Push(t.Context(), ref, img); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "demo.xpkg")
	if err := build.WriteFile(t.Context(), file, img, build.OCI); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{ref, file} {
		code, stdout, stderr := lint(t, "-profile", "install", name)
		if code != cli.Fine || !strings.HasPrefix(stdout, "package.yaml:6:3: metadata-unknown-field: ") || strings.Contains(stderr, "not judged") {
			t.Errorf("%s: exit code %d with %s%s", name, code, stdout, stderr)
		}
	}
	// Several are told apart.
	_, stdout, _ := lint(t, "-profile", "install", "-o", "github", ref, file)
	host, _, _ := strings.Cut(ref, ":")
	if !strings.Contains(stdout, "file="+host+"%3A") || !strings.Contains(stdout, "demo.xpkg/package.yaml,line=6,") {
		t.Errorf("got %s", stdout)
	}
}

// Colours are for terminals, and a file is none.
func TestLook(t *testing.T) {
	if got := look(&bytes.Buffer{}, nil); got != nil {
		t.Errorf("got %+v for a buffer", got)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := look(f, nil); got != nil {
		t.Errorf("got %+v for a file", got)
	}
	for _, tc := range []struct {
		reason string
		env    map[string]string
		want   bool
	}{
		{"a terminal has colours", map[string]string{"TERM": "xterm"}, true},
		{"unless the user does not want them", map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{"an empty variable says nothing", map[string]string{"NO_COLOR": ""}, true},
		{"a terminal without colours", map[string]string{"TERM": "dumb"}, false},
	} {
		if got := onTerminal(func(name string) string { return tc.env[name] }); !got.Excerpt || got.Color != tc.want {
			t.Errorf("%s: got %+v", tc.reason, got)
		}
	}
}

func TestDirOf(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	for _, tc := range []struct {
		source string
		kind   source.Kind
		want   string
	}{
		{".", source.Directory, ""},
		{"./a/../b/", source.Directory, "b"},
		{"../b", source.Directory, "../b"},
		{filepath.Join(here, "b"), source.Directory, "b"},
		{here, source.Directory, ""},
		{elsewhere, source.Directory, filepath.ToSlash(elsewhere)},
		{"package.yaml", source.File, ""},
		{"b/package.yaml", source.File, "b"},
		{"b/c.xpkg", source.Image, "b/c.xpkg"},
		{"example.org/a/b:v1", source.Reference, "example.org/a/b:v1"},
		{"-", source.Stdin, ""},
	} {
		if got := dirOf(&source.Package{Source: tc.source, Kind: tc.kind}); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.source, got, tc.want)
		}
	}
}

// A line is known of documents that could be read, of those that could not where they are
// on disk, and of text that is not UTF-8 not at all.
func TestLinesOf(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"crossplane.yaml": "apiVersion: meta.pkg.crossplane.io/v1\r\nkind: Configuration\r\nmetadata: {name: demo}\r\n",
		"b.yaml":          "kind: [\r\rx\n", "c.yaml": "\xff\xfek\x00:\x00 \x00[\x00\n\x00",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := source.Read(t.Context(), dir, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	line := linesOf(p)
	for _, tc := range []struct {
		file string
		line int
		want string
	}{
		{"crossplane.yaml", 2, "kind: Configuration"},
		{"b.yaml", 1, "kind: ["}, {"b.yaml", 3, "x"}, {"b.yaml", 9, ""},
		{"c.yaml", 1, ""}, {"d.yaml", 1, ""}, {"../d.yaml", 1, ""},
	} {
		if got := string(line(tc.file, tc.line)); got != tc.want {
			t.Errorf("%s:%d: got %q, want %q", tc.file, tc.line, got, tc.want)
		}
	}
}
