package parser_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// tree makes a directory of the files and returns it as a root.
func tree(t testing.TB, files map[string]string) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func doc(name string) string {
	return "apiVersion: v1\nkind: A\nmetadata:\n  name: " + name + "\n"
}

// readDir describes what Dir yields and tells.
func readDir(t testing.TB, root *os.Root, o parser.Options) (got, events []string) {
	t.Helper()
	o.Event = func(e parser.Event) { events = append(events, e.String()) }
	for d, err := range parser.Dir(context.Background(), root, &o) {
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, fmt.Sprintf("%d %s %s", d.Index, d.Range, d.Name))
	}
	return got, events
}

func TestDir(t *testing.T) {
	cases := map[string]struct {
		reason string
		files  map[string]string
		o      parser.Options
		want   []string
		events []string
	}{
		"Order": {
			"files in the order of their slash-separated paths, and Index runs on",
			map[string]string{"b.yaml": doc("3"), "a/z.yaml": doc("2a") + "---\n" + doc("2b"), "a.yaml": doc("1"), "a-b/x.yaml": doc("0")}, parser.Options{},
			[]string{"0 a-b/x.yaml:1:1 0", "1 a.yaml:1:1 1", "2 a/z.yaml:1:1 2a", "3 a/z.yaml:6:1 2b", "4 b.yaml:1:1 3"}, nil,
		},
		"Extensions": {
			".yaml and .yml in any case; what nearly is one is told",
			map[string]string{"a.yml": doc("a"), "CRDS.YAML": doc("c"), "x.json": "{}", "README.md": "# x", "LICENSE": "x", "logo.png": "\x89PNG", "yaml": doc("n"), "a.yaml.bak": doc("n")}, parser.Options{},
			[]string{"0 CRDS.YAML:1:1 c", "1 a.yml:1:1 a"},
			[]string{"a.yaml.bak: not read: package files end in .yaml or .yml", "x.json: not read: package files end in .yaml or .yml"},
		},
		"NearMisses": {
			"what an editor, a template or a slip makes of a name; and names that only resemble one",
			map[string]string{"a.yaml~": "", "b.YML.tmpl": "", "c.yaml.txt": "", "d.ymal": "", "e.JSON": "", ".yamllint": "", "f.yam": "", "g.txt": "", "yaml.md": ""}, parser.Options{}, nil,
			near("a.yaml~", "b.YML.tmpl", "c.yaml.txt", "d.ymal", "e.JSON"),
		},
		"Ignored": {
			"patterns of the caller, over directories too; what nobody would read is not told",
			map[string]string{"a.yaml": doc("a"), "test/a.yaml": doc("n"), "b/test/x/c.yaml": doc("n"), "b/c.yaml": doc("c"), "b/d.yaml": "\t", "x.json": "", "b/README.md": ""},
			parser.Options{Ignore: []string{"test/", "/b/d*", "*.json", "README.md"}},
			[]string{"0 a.yaml:1:1 a", "1 b/c.yaml:1:1 c"},
			left("b/d.yaml", "b/test", "test", "x.json"),
		},
		"IgnoreFile": {
			"patterns of the package's own file, and those of the caller behind them",
			map[string]string{".xpkgignore": "# tools\n*.yaml\n!/crossplane.yaml\n**/crds/**\n", "crossplane.yaml": doc("x"), "up.yaml": "\t", "a/crds/b.yml": doc("n"), "c.yaml": doc("c")},
			parser.Options{Ignore: []string{"!c.yaml"}},
			[]string{"0 c.yaml:1:1 c", "1 crossplane.yaml:1:1 x"},
			left("a/crds/b.yml", "up.yaml"),
		},
		"LintFile": {
			"the settings of the linter are no document, those of nobody are",
			map[string]string{".xpkg-lint.yaml": "profile: install\n", "a/.xpkg-lint.yaml": doc("a")}, parser.Options{},
			[]string{"0 a/.xpkg-lint.yaml:1:1 a"}, nil,
		},
		"IgnoreFileBelow": {
			"only the file at the root counts", map[string]string{"a/.xpkgignore": "*\n", "a/b.yaml": doc("b")}, parser.Options{},
			[]string{"0 a/b.yaml:1:1 b"}, nil,
		},
		"IgnoredTwice": {
			"the directory of examples is told as such, and is not taken in by a pattern",
			map[string]string{"examples/x.yaml": doc("n"), "a/examples/x.yaml": doc("n")}, parser.Options{Ignore: []string{"examples", "!/examples"}}, nil,
			[]string{"a/examples: left out by an ignore pattern", "examples: examples are not part of the package"},
		},
		"IgnoreFileTooLarge": {
			"patterns without end", map[string]string{".xpkgignore": strings.Repeat("a\n", 40_000), "b.yaml": doc("b")}, parser.Options{},
			[]string{".xpkgignore:1:1: limit: a file of ignore patterns is larger than 65536 bytes", "0 b.yaml:1:1 b"}, nil,
		},
		"IgnoreFileIsDirectory": {
			"what cannot be read is an error, and the files are read", map[string]string{".xpkgignore/a.yaml": doc("a")}, parser.Options{},
			[]string{".xpkgignore:1:1: unreadable: it cannot be read: it is not a regular file", "0 .xpkgignore/a.yaml:1:1 a"}, nil,
		},
		"Examples": {
			"the examples directory at the root, and nothing else that is called so",
			map[string]string{"examples/x.yaml": doc("n"), "examples/a/x.yaml": "\t", "examples-of-use/x.yaml": doc("a"), "apis/examples/x.yaml": doc("b"), "examples.yaml": doc("c")}, parser.Options{},
			[]string{"0 apis/examples/x.yaml:1:1 b", "1 examples-of-use/x.yaml:1:1 a", "2 examples.yaml:1:1 c"},
			[]string{"examples: examples are not part of the package"},
		},
		"DirectoryNamedLikeAFile": {
			"a directory x.yaml with documents in it",
			map[string]string{"x.yaml/a.yaml": doc("a")}, parser.Options{}, []string{"0 x.yaml/a.yaml:1:1 a"}, nil,
		},
		"Hidden": {
			"nothing else is left out", map[string]string{".hidden/a.yaml": doc("a")}, parser.Options{}, []string{"0 .hidden/a.yaml:1:1 a"}, nil,
		},
		"Ends": {
			"documents joined by ... only", map[string]string{"a.yaml": doc("a") + "...\n" + doc("b")}, parser.Options{},
			[]string{"0 a.yaml:1:1 a", "1 a.yaml:6:1 b"}, nil,
		},
		"SyntaxError": {
			"the file and the line of a fault, and the other files",
			map[string]string{"a.yaml": doc("a"), "b.yaml": doc("b") + strings.Repeat("# c\n", 7) + "\tx\n", "c.yaml": doc("c")}, parser.Options{},
			[]string{"0 a.yaml:1:1 a", "b.yaml:12:1: yaml-syntax: a tab cannot be used for indentation; use spaces (document 1)", "2 c.yaml:1:1 c"}, nil,
		},
		"EmptyFile": {
			"an empty file is an error, and the other files are read", map[string]string{"a.yaml": "", "b.yaml": doc("b")}, parser.Options{},
			[]string{"a.yaml:1:1: empty-file: there is nothing in it", "0 b.yaml:1:1 b"}, nil,
		},
		"NoFiles": {"a directory of nothing", nil, parser.Options{}, nil, nil},
		"Limit": {
			"the limit counts all files together, and ends the sequence",
			map[string]string{"a.yaml": doc("a"), "b.yaml": doc("b"), "c.yaml": doc("c")}, parser.Options{MaxBytes: int64(2 * len(doc("a")))},
			[]string{"0 a.yaml:1:1 a", "1 b.yaml:1:1 b", fmt.Sprintf("c.yaml:1:1: limit: the package directory is larger than %d bytes", 2*len(doc("a")))}, nil,
		},
		"DocumentsLimit": {
			"and so does that of documents", map[string]string{"a.yaml": doc("a"), "b.yaml": doc("b")}, parser.Options{MaxDocuments: 1},
			[]string{"0 a.yaml:1:1 a", "b.yaml:1:1: limit: the package directory has more than 1 document"}, nil,
		},
		"FileLimit": {
			"a file that is alone above the limit is a fault of its own, and the next is read",
			map[string]string{"a.yaml": doc("a"), "big.yaml": strings.Repeat(doc("b")+"---\n", 10), "c.yaml": doc("c")}, parser.Options{MaxBytes: 200},
			[]string{"0 a.yaml:1:1 a", "big.yaml:1:1: limit: the file is larger than 200 bytes", "1 c.yaml:1:1 c"}, nil,
		},
		"DocumentLimit": {
			"and so is a document that is too large", map[string]string{"a.yaml": doc("a") + "---\nb: " + strings.Repeat("x", 200) + "\n", "c.yaml": doc("c")}, parser.Options{MaxDocumentBytes: 100},
			[]string{"0 a.yaml:1:1 a", "a.yaml:5:1: limit: the document that begins here is larger than 100 bytes", "1 c.yaml:1:1 c"}, nil,
		},
		"ForeignPatterns": {
			"patterns in UTF-16 leave out nothing, which is told", map[string]string{".xpkgignore": "\xff\xfea\x00/\x00\n\x00", "a/a.yaml": doc("a")}, parser.Options{},
			[]string{".xpkgignore:1:1: unreadable: it cannot be read: ignore patterns are text in UTF-8, and this is not", "0 a/a.yaml:1:1 a"}, nil,
		},
		"ForeignPatternsWithoutMark": {
			"also without a byte order mark", map[string]string{".xpkgignore": "\x00a\x00/\x00\n", "a/a.yaml": doc("a")}, parser.Options{},
			[]string{".xpkgignore:1:1: unreadable: it cannot be read: ignore patterns are text in UTF-8, and this is not", "0 a/a.yaml:1:1 a"}, nil,
		},
		"Latin1Patterns": {
			"a pattern has the bytes of a name", map[string]string{".xpkgignore": "\xe9/\na/\n", "a/a.yaml": doc("a"), "b.yaml": doc("b")}, parser.Options{},
			[]string{"0 b.yaml:1:1 b"}, []string{"a: left out by an ignore pattern"},
		},
		"ForeignFile": {
			"and a file that is no YAML at all", map[string]string{"a.yaml": "\x1f\x8b\x08\x00", "c.yaml": doc("c")}, parser.Options{},
			[]string{"a.yaml:1:1: yaml-syntax: this is gzip data, not YAML", "0 c.yaml:1:1 c"}, nil,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, events := readDir(t, tree(t, tc.files), tc.o)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.events, events); diff != "" {
				t.Errorf("%s: events (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// near and left are the events of files.
func near(files ...string) []string {
	return each(files, ": not read: package files end in .yaml or .yml")
}
func left(files ...string) []string { return each(files, ": left out by an ignore pattern") }

func each(files []string, what string) []string {
	var out []string
	for _, f := range files {
		out = append(out, f+what)
	}
	return out
}

func TestExamples(t *testing.T) {
	root := tree(t, map[string]string{
		"a.yaml": doc("n"), ".xpkgignore": "x.yaml\n", "examples/x.yaml": doc("x"), "examples/a/b.yaml": doc("b") + "---\n" + doc("c"), "examples/.xpkgignore": "/skip.yaml\n",
		"examples/skip.yaml": "\t", "examples/a/skip.yaml": doc("d"), "examples/examples/x.yaml": doc("e"), "examples/later.yaml": "\t", "examples/x.json": "",
	})
	var got, events []string
	o := parser.Options{Ignore: []string{"/later.yaml"}, Event: func(e parser.Event) { events = append(events, e.String()) }}
	for d, err := range parser.Examples(t.Context(), root, &o) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d %s %s", d.Index, d.Range, d.Name))
	}
	want := []string{"0 examples/a/b.yaml:1:1 b", "1 examples/a/b.yaml:6:1 c", "2 examples/a/skip.yaml:1:1 d", "3 examples/examples/x.yaml:1:1 e", "4 examples/x.yaml:1:1 x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	wantEvents := append(left("examples/later.yaml", "examples/skip.yaml"), near("examples/x.json")...)
	if diff := cmp.Diff(wantEvents, events); diff != "" {
		t.Errorf("events: -want +got:\n%s", diff)
	}
	for _, err := range parser.Examples(t.Context(), tree(t, map[string]string{"a.yaml": doc("a")}), nil) {
		t.Errorf("a package without examples gives %v", err)
	}
	events = nil
	for _, err := range parser.Examples(t.Context(), tree(t, map[string]string{"examples": "a file"}), &o) {
		t.Errorf("a file called examples gives %v", err)
	}
	linked := tree(t, map[string]string{"real/x.yaml": doc("x")})
	if err := os.Symlink("real", filepath.Join(linked.Name(), "examples")); err == nil {
		for d, err := range parser.Examples(t.Context(), linked, &o) {
			t.Errorf("a link is followed: %v %v", d, err)
		}
		if diff := cmp.Diff([]string{"examples: not a regular file, so it is not read", "examples: a symbolic link is not followed"}, events); diff != "" {
			t.Errorf("events: -want +got:\n%s", diff)
		}
	}
}

func TestDirLinks(t *testing.T) {
	outside := tree(t, map[string]string{"x.yaml": doc("outside")})
	root := tree(t, map[string]string{"a.yaml": doc("a"), "real/b.yaml": doc("b")})
	links := map[string]string{
		"crds": "real", "link.yaml": "a.yaml", "dangling.yaml": "nowhere", "out.yaml": filepath.Join(outside.Name(), "x.yaml"), "loop": ".",
	}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(root.Name(), name)); err != nil {
			t.Skipf("symbolic links cannot be made here: %v", err)
		}
	}
	got, events := readDir(t, root, parser.Options{})
	if diff := cmp.Diff([]string{"0 a.yaml:1:1 a", "1 real/b.yaml:1:1 b"}, got); diff != "" {
		t.Errorf("links are not followed (-want +got):\n%s", diff)
	}
	want := []string{}
	for _, name := range []string{"crds", "dangling.yaml", "link.yaml", "loop", "out.yaml"} {
		want = append(want, name+": a symbolic link is not followed")
	}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Errorf("but they are told (-want +got):\n%s", diff)
	}
}

// What the patterns of a link would leave out is read, so it must be an error.
func TestDirPatternsBehindLink(t *testing.T) {
	for _, dir := range []string{"", "examples/"} {
		root := tree(t, map[string]string{dir + "a.yaml": doc("a"), "patterns": "a.yaml\n"})
		if err := os.Symlink(filepath.Join(root.Name(), "patterns"), filepath.Join(root.Name(), dir+".xpkgignore")); err != nil {
			t.Skipf("symbolic links cannot be made here: %v", err)
		}
		var got []string
		o := parser.Options{Event: func(e parser.Event) { got = append(got, e.String()) }}
		docs := parser.Dir(t.Context(), root, &o)
		if dir != "" {
			docs = parser.Examples(t.Context(), root, &o)
		}
		for d, err := range docs {
			if err != nil {
				got = append(got, err.Error())
				continue
			}
			got = append(got, d.Range.String())
		}
		want := []string{dir + ".xpkgignore:1:1: unreadable: it cannot be read: a symbolic link is not followed, so its patterns leave out nothing", dir + "a.yaml:1:1"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestDirUnreadable(t *testing.T) {
	root := tree(t, map[string]string{"a.yaml": doc("a"), "b.yaml": doc("b"), "c/d.yaml": doc("d"), "e.yaml": doc("e")})
	for _, name := range []string{"b.yaml", "c"} {
		if err := os.Chmod(filepath.Join(root.Name(), name), 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(filepath.Join(root.Name(), name), 0o755) })
	}
	var docs []string
	var errs []error
	asNobody(t, func() {
		for d, err := range parser.Dir(context.Background(), root, nil) {
			if err != nil {
				errs = append(errs, err)
			} else {
				docs = append(docs, d.Name)
			}
		}
	})
	if diff := cmp.Diff([]string{"a", "e"}, docs); diff != "" {
		t.Errorf("the other files are read (-want +got):\n%s", diff)
	}
	if len(errs) != 2 {
		t.Fatalf("%d errors, want 2: %v", len(errs), errs)
	}
	for i, file := range []string{"b.yaml", "c"} {
		var e *parser.Error
		if !errors.As(errs[i], &e) || e.Rule != parser.RuleUnreadable || e.Range.String() != file+":1:1" || strings.Contains(e.Message, file+":") || !errors.Is(e, fs.ErrPermission) {
			t.Errorf("error %d is %v, want one that names %s", i, errs[i], file)
		}
	}
}

func TestDirFileGone(t *testing.T) {
	root := tree(t, map[string]string{"a.yaml": doc("a"), "b.yaml": doc("b"), "c.yaml": doc("c")})
	var got []string
	for d, err := range parser.Dir(context.Background(), root, nil) {
		if err != nil {
			var e *parser.Error
			if !errors.As(err, &e) || !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			got = append(got, e.Rule+" "+e.Range.File)
			continue
		}
		got = append(got, d.Name)
		if d.Name == "a" {
			if err := os.Remove(filepath.Join(root.Name(), "b.yaml")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff([]string{"a", "unreadable b.yaml", "c"}, got); diff != "" {
		t.Errorf("a file that went away (-want +got):\n%s", diff)
	}
}

func TestDirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	root := tree(t, map[string]string{"a.yaml": doc("a"), "b.yaml": doc("b")})
	var errs []error
	n := 0
	for d, err := range parser.Dir(ctx, root, nil) {
		if err != nil {
			errs = append(errs, err)
		}
		if d != nil {
			n++
			cancel()
		}
	}
	if n != 1 || len(errs) != 1 || meta.Code(errs[0]) != "canceled" {
		t.Errorf("%d documents, errors %v", n, errs)
	}
	for _, err := range parser.Dir(ctx, root, nil) {
		if meta.Code(err) != "canceled" {
			t.Errorf("a context that has ended before gives %v", err)
		}
	}
}
