package legacy_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

// Many definitions and many files that may be about each: the work has a limit.
func TestManyMatches(t *testing.T) {
	fsys := tree(app)
	var b strings.Builder
	for range 2000 {
		b.WriteString("---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: e.org, names: {kind: Abcdefghij, plural: x}}\n")
	}
	fsys[".registry/resources/crd.yaml"] = &fstest.MapFile{Data: []byte(b.String())}
	for i := range 1 << 10 {
		name := []byte("abcdefghij")
		for bit := range name {
			if i>>bit&1 == 1 {
				name[bit] -= 'a' - 'A'
			}
		}
		fsys[".registry/resources/"+string(name)+".icon.svg"] = &fstest.MapFile{}
	}
	p, err := legacy.Read(t.Context(), fsys, nil)
	var limit *meta.LimitError
	if !errors.As(err, &limit) || limit.Limit != legacy.MaxMatches {
		t.Fatalf("got %v", err)
	}
	if len(p.CRDs) != 2000 {
		t.Errorf("got %d definitions", len(p.CRDs))
	}
}

// A file that is about many definitions is not copied for each without end.
func TestManyAnnotations(t *testing.T) {
	if testing.Short() {
		t.Skip("makes some 200 MB; run without -short")
	}
	fsys := tree(app)
	fsys[".registry/resources/ui-schema.yaml"] = &fstest.MapFile{Data: []byte("a: " + strings.Repeat("x", 8<<20) + "\n")}
	fsys[".registry/resources/icon.svg"] = &fstest.MapFile{Data: []byte("<svg>" + strings.Repeat("x", 8<<20))}
	for i := range 100 {
		fsys[fmt.Sprintf(".registry/resources/%d.yaml", i)] = &fstest.MapFile{Data: []byte(crd("MySQL", fmt.Sprint("v", i+1)))}
	}
	p, err := legacy.Read(t.Context(), fsys, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Process(nil)
	if faults := faultsOf(t, err); len(faults) != 1 || !errors.Is(err, meta.ErrLimit) || faults[0].Range.Start.Line == 0 {
		t.Errorf("got %v", err)
	}
	if len(out.CRDs) != 100 {
		t.Errorf("got %d definitions", len(out.CRDs))
	}
}

// An odd file system gives names that lead elsewhere, directories without an end, and errors.
func TestOddFileSystem(t *testing.T) {
	cases := map[string]struct {
		reason string
		dir    odd
		is     error
		says   string
	}{
		"Up":       {"a name that leads up", odd{names: []string{"../../etc"}}, meta.ErrInvalid, "has a name that no file of a package has"},
		"Dots":     {"the directory itself", odd{names: []string{"."}}, meta.ErrInvalid, "has a name"},
		"Empty":    {"no name", odd{names: []string{""}}, meta.ErrInvalid, "has a name"},
		"NotUTF8":  {"a name that is no text", odd{names: []string{"\xff"}}, meta.ErrInvalid, "has a name"},
		"Escape":   {"a name that moves the cursor", odd{names: []string{"\x1b[2J"}}, meta.ErrInvalid, `\x1b[2J`},
		"NoEnd":    {"a directory without an end", odd{endless: true}, meta.ErrLimit, "files and directories"},
		"Fails":    {"a directory that fails", odd{err: errors.New("\nbroken")}, nil, "it cannot be read:  broken"},
		"Deep":     {"a directory that holds itself", odd{names: []string{"d"}, dirs: true}, meta.ErrInvalid, "has a name"},
		"TwoEqual": {"a name that is there twice", odd{names: []string{"a", "a"}}, nil, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := legacy.Read(t.Context(), oddFS{c.dir}, nil)
			var said []string
			for _, e := range faultsOf(t, err) {
				if e.Rule == parser.RuleMetadataMissing {
					continue
				}
				said = append(said, e.Error())
				if e.Range.File == "" || c.is != nil && !errors.Is(e, c.is) || strings.ContainsAny(e.Error(), "\n\x1b") {
					t.Errorf("%s: got %q", c.reason, e)
				}
			}
			if got := strings.Join(said, "; "); !strings.Contains(got, c.says) || (c.says == "") != (got == "") {
				t.Errorf("%s: got %q", c.reason, got)
			}
			if len(c.dir.names) == 2 && len(p.UnknownFiles) != 1 {
				t.Errorf("%s: got %v", c.reason, p.UnknownFiles)
			}
		})
	}
}

// oddFS has a directory .registry that is odd, as is every directory below.
type oddFS struct{ dir odd }

// Open implements fs.FS.
func (o oddFS) Open(string) (fs.File, error) {
	d := o.dir
	return &d, nil
}

// odd is a directory.
type odd struct {
	names   []string
	dirs    bool
	endless bool
	err     error
	read    bool
}

// ReadDir implements fs.ReadDirFile.
func (o *odd) ReadDir(n int) ([]fs.DirEntry, error) {
	if o.err != nil {
		return nil, o.err
	}
	var list []fs.DirEntry
	for i := 0; o.endless && i < n; i++ {
		list = append(list, oddEntry{name: "x"})
	}
	if o.endless {
		return list, nil
	}
	if o.read {
		return nil, io.EOF
	}
	o.read = true
	for _, name := range o.names {
		list = append(list, oddEntry{name, o.dirs})
	}
	return list, nil
}

// Stat implements fs.File.
func (o *odd) Stat() (fs.FileInfo, error) { return oddEntry{".registry", true}, nil }

// Read implements fs.File.
func (o *odd) Read([]byte) (int, error) { return 0, errors.New("a directory") }

// Close implements fs.File.
func (o *odd) Close() error { return nil }

// oddEntry is an entry of a directory, and what Stat says of it.
type oddEntry struct {
	name string
	dir  bool
}

// Name implements fs.DirEntry.
func (e oddEntry) Name() string { return e.name }

// IsDir implements fs.DirEntry.
func (e oddEntry) IsDir() bool { return e.dir }

// Type implements fs.DirEntry.
func (e oddEntry) Type() fs.FileMode { return e.Mode() }

// Info implements fs.DirEntry.
func (e oddEntry) Info() (fs.FileInfo, error) { return e, nil }

// Size implements fs.FileInfo.
func (e oddEntry) Size() int64 { return 0 }

// Mode implements fs.FileInfo.
func (e oddEntry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir
	}
	return 0
}

// ModTime implements fs.FileInfo.
func (e oddEntry) ModTime() time.Time { return time.Time{} }

// Sys implements fs.FileInfo.
func (e oddEntry) Sys() any { return nil }
