package xpkg_test

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// FuzzFlattened compares the lookup of package.yaml, which goes from the top
// layer down and stops, with three that flatten everything: a model of the OCI
// specification's rules on a map, Image.FS and, where it follows them,
// go-containerregistry's mutate.Extract.
func FuzzFlattened(f *testing.F) {
	f.Add([]byte{0, 0, 255, 8, 0})
	f.Add([]byte{0, 0, 1, 0, 255, 9, 0, 0, 0})
	f.Add([]byte{4, 0, 255, 0, 16, 255, 12, 0})
	f.Add([]byte{4, 0, 0, 33, 255, 9, 0})
	f.Add([]byte{5, 17, 255, 4, 0, 0, 16, 255, 13, 0})
	f.Add([]byte{7, 0, 255, 0, 0})
	f.Fuzz(func(t *testing.T, program []byte) {
		layers := stack(program)
		if len(layers) == 0 {
			return
		}
		m := model{}
		for _, l := range layers {
			m.apply(l)
		}
		want, ok := m.read("package.yaml", 0)

		var blobs []testLayer
		for _, l := range layers {
			blobs = append(blobs, testLayer{blob: tarOf(l...)})
		}
		img := imageOf(blobs...).image(t)
		got, err := read(t, xpkg.Open(img, nil))
		switch {
		case ok && (err != nil || got != want):
			t.Errorf("got %q (%v), want %q in %v", got, err, want, layers)
		case !ok && err == nil:
			t.Errorf("got %q, want an error in %v", got, layers)
		case err != nil && !errors.Is(err, meta.ErrNotPackage):
			t.Errorf("got the error %v", err)
		}

		fsys, err := xpkg.Open(img, nil).FS(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b, err := fs.ReadFile(fsys, "package.yaml")
		if ok && (err != nil || string(b) != want) || !ok && err == nil && len(b) > 0 {
			t.Errorf("FS: got %q (%v), want %q (%t) in %v", b, err, want, ok, layers)
		}

		if !extractable(layers) {
			return
		}
		extracted, found := "", false
		rc := mutate.Extract(img)
		defer rc.Close()
		for r := tar.NewReader(rc); ; {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Name == "package.yaml" && h.Typeflag == tar.TypeReg {
				b, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				extracted, found = string(b), true
			}
		}
		if found != ok || extracted != want {
			t.Errorf("Extract: got %q (%t), want %q (%t) in %v", extracted, found, want, ok, layers)
		}
	})
}

// stack makes a few layers of a program: pairs of a name and a kind, 255 for the
// next layer. In one layer no name comes twice or below a file, and no hard link
// is one to a hard link or to what the layer makes a directory, where even
// extracting depends on the order.
func stack(program []byte) [][]file {
	names := []string{
		"package.yaml", "./package.yaml", "/package.yaml", "package.yaml/x", "a/p", "a", "b", "b/p",
		".wh.package.yaml", ".wh..wh..opq", "a/.wh..wh..opq", "a/.wh.p", ".wh.a", ".wh.b", "x/package.yaml", "x",
	}
	links := []string{"a/p", "b/p", "a", "/b", "package.yaml", "../out", "b/../a/p", "none"}
	var layers [][]file
	layer := []file{}
	for i := 0; i < len(program) && len(layers) < 6; i++ {
		if program[i] == 255 {
			layers = append(layers, layer)
			layer = []file{}
			continue
		}
		f := file{name: names[int(program[i])%len(names)]}
		if i++; i == len(program) {
			break
		}
		kind := program[i]
		isWhiteout := strings.Contains(f.name, ".wh.")
		switch {
		case isWhiteout || kind < 16:
			f.content = string(rune('A'+len(layers))) + string(rune('a'+len(layer)))
		case kind < 32:
			f.kind, f.link = tar.TypeSymlink, links[int(kind)%len(links)]
		case kind < 40:
			f.kind, f.link = tar.TypeLink, strings.TrimPrefix(links[int(kind)%len(links)], "/")
		case kind < 48:
			f.kind = tar.TypeDir
			f.name += "/"
		default:
			f.content = "same"
		}
		if fits(layer, f) {
			layer = append(layer, f)
		}
	}
	return append(layers, layer)
}

func clean(name string) string { return path.Clean(strings.TrimLeft(name, "/")) }

func fits(layer []file, f file) bool {
	n := clean(f.name)
	for _, other := range layer {
		o := clean(other.name)
		if o == n || strings.HasPrefix(n, o+"/") && other.kind != tar.TypeDir || strings.HasPrefix(o, n+"/") && f.kind != tar.TypeDir {
			return false
		}
		if f.kind == tar.TypeLink && strings.HasPrefix(o, clean(f.link)+"/") || other.kind == tar.TypeLink && strings.HasPrefix(n, clean(other.link)+"/") {
			return false
		}
		if f.kind == tar.TypeLink && clean(f.link) == o && other.kind == tar.TypeLink || other.kind == tar.TypeLink && clean(other.link) == n && f.kind == tar.TypeLink {
			return false
		}
	}
	return f.kind != tar.TypeLink || clean(f.link) != n && !strings.HasPrefix(n, clean(f.link)+"/")
}

// extractable reports whether mutate.Extract follows the rules for the layers:
// not with links, not with absolute names, not where a directory that is only
// implied replaces a file, and not when a layer deletes below it what it holds
// itself.
func extractable(layers [][]file) bool {
	for _, l := range layers {
		for _, f := range l {
			if f.kind == tar.TypeSymlink || f.kind == tar.TypeLink || strings.HasPrefix(f.name, "/") || strings.HasPrefix(f.name, "package.yaml/") {
				return false
			}
			dir, baseName := path.Split(clean(f.name))
			if !strings.HasPrefix(baseName, ".wh.") {
				continue
			}
			target := path.Join(dir, strings.TrimPrefix(baseName, ".wh."))
			for _, other := range l {
				if o := clean(other.name); baseName != ".wh..wh..opq" && (o == target || strings.HasPrefix(o, target+"/")) {
					return false
				}
			}
		}
	}
	return true
}

// model is a flattened file system, the slow and plain way.
type model map[string]file

func (m model) apply(layer []file) {
	for _, f := range layer {
		dir, baseName := path.Split(clean(f.name))
		if !strings.HasPrefix(baseName, ".wh.") {
			continue
		}
		target := path.Join(dir, strings.TrimPrefix(baseName, ".wh."))
		for name := range m {
			if baseName == ".wh..wh..opq" && strings.HasPrefix(name, dir) || name == target || strings.HasPrefix(name, target+"/") {
				if name+"/" != dir {
					delete(m, name)
				}
			}
		}
	}
	var hard []file
	for _, f := range layer {
		switch {
		case strings.Contains(f.name, ".wh."):
		case f.kind == tar.TypeLink:
			hard = append(hard, f)
		default:
			m.put(clean(f.name), f)
		}
	}
	// A hard link may come before the file that it is.
	for _, f := range hard {
		if linked, ok := m[clean(f.link)]; ok && linked.kind != tar.TypeDir {
			f.kind, f.content, f.link = linked.kind, linked.content, linked.link
		}
		m.put(clean(f.name), f)
	}
}

func (m model) put(name string, f file) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if m[dir].kind != tar.TypeDir {
			m[dir] = file{kind: tar.TypeDir}
		}
	}
	if f.kind != tar.TypeDir {
		for other := range m {
			if strings.HasPrefix(other, name+"/") {
				delete(m, other)
			}
		}
	}
	m[name] = f
}

func (m model) read(name string, links int) (string, bool) {
	if links > 8 {
		return "", false
	}
	for end := 0; end <= len(name); end++ {
		if end < len(name) && name[end] != '/' {
			continue
		}
		if f := m[name[:end]]; f.kind == tar.TypeSymlink {
			target := f.link
			if !strings.HasPrefix(target, "/") {
				target = path.Join(path.Dir(name[:end]), target)
			}
			if target = clean(target); strings.HasPrefix(target, "..") {
				return "", false
			}
			return m.read(path.Join(target, name[end:]), links+1)
		}
	}
	f, ok := m[name]
	return f.content, ok && f.kind == 0
}
