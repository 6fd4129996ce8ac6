package parser_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
			"I13, I14: .yaml and .yml in any case; what nearly is one is told",
			map[string]string{"a.yml": doc("a"), "CRDS.YAML": doc("c"), "x.json": "{}", "README.md": "# x", "LICENSE": "x", "logo.png": "\x89PNG", "yaml": doc("n"), "a.yaml.bak": doc("n")}, parser.Options{},
			[]string{"0 CRDS.YAML:1:1 c", "1 a.yml:1:1 a"},
			[]string{"x.json: not read: package files end in .yaml or .yml"},
		},
		"Examples": {
			"I19: the examples directory at the root, and nothing else that is called so",
			map[string]string{"examples/x.yaml": doc("n"), "examples/a/x.yaml": "\t", "examples-of-use/x.yaml": doc("a"), "apis/examples/x.yaml": doc("b"), "examples.yaml": doc("c")}, parser.Options{},
			[]string{"0 apis/examples/x.yaml:1:1 b", "1 examples-of-use/x.yaml:1:1 a", "2 examples.yaml:1:1 c"},
			[]string{"examples: examples are not part of the package"},
		},
		"DirectoryNamedLikeAFile": {
			"I43: a directory x.yaml with documents in it",
			map[string]string{"x.yaml/a.yaml": doc("a")}, parser.Options{}, []string{"0 x.yaml/a.yaml:1:1 a"}, nil,
		},
		"Hidden": {
			"nothing else is left out", map[string]string{".hidden/a.yaml": doc("a")}, parser.Options{}, []string{"0 .hidden/a.yaml:1:1 a"}, nil,
		},
		"Ends": {
			"I25: documents joined by ... only", map[string]string{"a.yaml": doc("a") + "...\n" + doc("b")}, parser.Options{},
			[]string{"0 a.yaml:1:1 a", "1 a.yaml:6:1 b"}, nil,
		},
		"SyntaxError": {
			"I16: the file and the line of a fault, and the other files",
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
		"FileLimit": {
			"a file that is alone above the limit is a fault of its own, and the next is read",
			map[string]string{"a.yaml": doc("a"), "big.yaml": strings.Repeat(doc("b")+"---\n", 10), "c.yaml": doc("c")}, parser.Options{MaxBytes: 200},
			[]string{"0 a.yaml:1:1 a", "big.yaml:1:1: limit: the file is larger than 200 bytes", "1 c.yaml:1:1 c"}, nil,
		},
		"DocumentLimit": {
			"and so is a document that is too large", map[string]string{"a.yaml": doc("a") + "---\nb: " + strings.Repeat("x", 200) + "\n", "c.yaml": doc("c")}, parser.Options{MaxDocumentBytes: 100},
			[]string{"0 a.yaml:1:1 a", "a.yaml:5:1: limit: the document that begins here is larger than 100 bytes", "1 c.yaml:1:1 c"}, nil,
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
		t.Errorf("I05, I44: links are not followed (-want +got):\n%s", diff)
	}
	want := []string{}
	for _, name := range []string{"crds", "dangling.yaml", "link.yaml", "loop", "out.yaml"} {
		want = append(want, name+": a symbolic link is not followed")
	}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Errorf("I05, I44: but they are told (-want +got):\n%s", diff)
	}
}

func TestDirUnreadable(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("needs a user whom the file system can refuse")
	}
	root := tree(t, map[string]string{"a.yaml": doc("a"), "b.yaml": doc("b"), "c/d.yaml": doc("d"), "e.yaml": doc("e")})
	for _, name := range []string{"b.yaml", "c"} {
		if err := os.Chmod(filepath.Join(root.Name(), name), 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(filepath.Join(root.Name(), name), 0o755) })
	}
	var docs []string
	var errs []error
	for d, err := range parser.Dir(context.Background(), root, nil) {
		if err != nil {
			errs = append(errs, err)
		} else {
			docs = append(docs, d.Name)
		}
	}
	if diff := cmp.Diff([]string{"a", "e"}, docs); diff != "" {
		t.Errorf("I07: the other files are read (-want +got):\n%s", diff)
	}
	if len(errs) != 2 {
		t.Fatalf("%d errors, want 2: %v", len(errs), errs)
	}
	for i, file := range []string{"b.yaml", "c"} {
		var e *parser.Error
		if !errors.As(errs[i], &e) || e.Rule != parser.RuleUnreadable || e.Range.String() != file+":1:1" || strings.Contains(e.Message, file+":") || !errors.Is(e, fs.ErrPermission) {
			t.Errorf("I07: error %d is %v, want one that names %s", i, errs[i], file)
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
		t.Errorf("I08: a file that went away (-want +got):\n%s", diff)
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
