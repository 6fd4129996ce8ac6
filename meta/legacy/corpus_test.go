package legacy_test

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta/legacy"
)

var update = flag.Bool("update", false, "write the golden files")

// corpus returns the real packages of the v1 era, by name, with the definitions that their
// builds added.
func corpus(t testing.TB) map[string]fs.FS {
	t.Helper()
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("set XPKG_CORPUS to a folder of real packages")
	}
	merged := func(root, extra, below string) fs.FS {
		fsys := fstest.MapFS{}
		add := func(dir, below string) {
			err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				data, err := os.ReadFile(filepath.Join(dir, name))
				fsys[below+name] = &fstest.MapFile{Data: data}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		add(filepath.Join(dir, "legacy", root), "")
		if extra != "" {
			add(filepath.Join(dir, "legacy-crds", extra), below)
		}
		return fsys
	}
	return map[string]fs.FS{
		"sample-stack":     merged("sample-stack", "", ""),
		"stack-gcp-v0.3.0": merged("stack-gcp-v0.3.0", "stack-gcp-v0.3.0", "resources/"),
	}
}

// Two real packages, in full.
func TestCorpus(t *testing.T) {
	for name, fsys := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			p, err := legacy.Read(t.Context(), fsys, nil)
			golden(t, name+".read", describe(p, err))
		})
	}
}

// golden compares a text with that of a golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s (write it with -update): -want +got:\n%s", file, diff)
	}
}

// describe writes a package down, long texts as their sizes and digests.
func describe(p *legacy.Package, err error) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	text := func(key, s string) {
		if s != "" {
			line("  %s: %s", key, brief(s))
		}
	}
	line("root: %s\nversion: %s\nfaults: %v", p.Root, p.Version(), err)
	if a := p.App; a != nil {
		line("app: %s", a.Document.Range)
		for _, f := range [][2]string{
			{"apiVersion", a.APIVersion}, {"title", a.Title}, {"overviewShort", a.OverviewShort}, {"overview", a.Overview}, {"readme", a.Readme},
			{"category", a.Category}, {"version", a.Metadata.Version}, {"company", a.Company}, {"website", a.Website}, {"source", a.Source},
			{"license", a.License}, {"packageType", string(a.PackageType)}, {"permissionScope", string(a.PermissionScope)},
		} {
			text(f[0], f[1])
		}
		line("  people: %v %v\n  keywords: %q\n  dependsOn: %v", a.Maintainers, a.Owners, a.Keywords, a.DependsOn)
	}
	if i := p.Install; i != nil {
		line("install: %s %s", i.Document.Range, i.Name)
		for _, c := range i.Containers {
			line("  %s %s at %s", c.Name, c.Image, c.Path)
		}
	}
	for _, i := range p.Icons {
		line("icon: %s %s %s", i.File, i.MediaType, brief(string(i.Data)))
	}
	for _, g := range p.Groups {
		line("group: %s", g.Document.Range)
		text("title", g.Title)
	}
	for _, r := range p.Resources {
		line("resource: %s", r.Document.Range)
		for _, f := range [][2]string{
			{"id", r.ID}, {"title", r.Title}, {"titlePlural", r.TitlePlural}, {"category", r.Category},
			{"overviewShort", r.OverviewShort}, {"overview", r.Overview}, {"readme", r.Readme},
		} {
			text(f[0], f[1])
		}
	}
	for _, c := range p.CRDs {
		line("crd: %s %s %s %s", c.Document.Range, c.Provides.Name, c.APIVersion(), c.Provides.Kind)
	}
	line("matches:\n%s", matches(p))
	for _, u := range p.UnknownFields {
		line("unknown field: %s %s", u.Range(), u.Path)
	}
	return b.String()
}

// brief is a short text as it is, and a long one as size and digest.
func brief(s string) string {
	if len(s) <= 40 && !strings.Contains(s, "\n") {
		return s
	}
	return fmt.Sprintf("%d bytes, %x", len(s), sha256.Sum256([]byte(s)))
}

// What the package manager made of them.
func TestCorpusProcessed(t *testing.T) {
	for name, fsys := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			p, err := legacy.Read(t.Context(), fsys, nil)
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.Process(&legacy.ProcessOptions{Install: install("ClusterPackageInstall", "source: registry.example.com\npackage: org/"+name+":v0.3.0")})
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			write := func(title string, v any) {
				text, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				var plain any
				if err := json.Unmarshal(text, &plain); err != nil {
					t.Fatal(err)
				}
				text, err = json.MarshalIndent(shortened(plain), "", " ")
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "%s\n%s\n", title, text)
			}
			write("record", out.Record)
			for _, c := range out.CRDs {
				write(c.Source.Document.Range.String(), c.Object["metadata"])
			}
			golden(t, name+".processed", b.String())
		})
	}
}

// shortened is a value with its texts brief.
func shortened(v any) any {
	switch v := v.(type) {
	case string:
		return brief(v)
	case []any:
		for i := range v {
			v[i] = shortened(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = shortened(v[k])
		}
	}
	return v
}
