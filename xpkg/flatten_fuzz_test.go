package xpkg_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/xpkg-go/sdk/internal/executions"
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
	f.Add([]byte{0, 64, 255, 16, 64, 17, 128})              // deleted by an absolute name, spelt at length
	f.Add([]byte{0, 0, 1, 1, 2, 2, 255, 5, 0})              // three spellings in one layer
	f.Add([]byte{4, 0, 6, 32, 15, 34, 255, 0, 183, 6, 192}) // a hard link to a hard link, and one over GNU long names
	f.Add([]byte{4, 192, 255, 0, 144})                      // a sparse file behind a long link
	f.Add([]byte{0, 192, 255, 18, 0, 0, 128})               // opaque and added again in one layer
	f.Add([]byte{20, 0, 255, 4, 0, 1, 22})                  // a link whose text does not say where it leads
	f.Fuzz(executions.Many(func(t *testing.T, program []byte) {
		layers := stack(program)
		if len(layers) == 0 {
			return
		}
		m := model{}
		for _, l := range layers {
			m.apply(l)
		}
		want, ok := m.read("package.yaml", 0)
		twice := ok && duplicated(layers, want)

		var blobs []testLayer
		for _, l := range layers {
			blobs = append(blobs, testLayer{blob: stackedTar(t, l)})
		}
		img := imageOf(blobs...).image(t)
		got, err := read(t, xpkg.Open(img, nil))
		var not *xpkg.NotPackageError
		switch {
		case twice:
			if !errors.As(err, &not) || not.Reason != xpkg.ReasonDuplicate {
				t.Errorf("got %q (%v), want the error that it is there twice in %v", got, err, layers)
			}
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

		if twice || !extractable(layers) {
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
	}))
}

// stack makes a few layers of a program: pairs of a name and a kind, 255 for the
// next layer. The two highest bits of a kind choose how an entry is written. In
// one layer no name comes twice, other than package.yaml as a regular file, or
// below a file, and no hard link is one to what the layer makes a directory,
// where even extracting depends on the order, or leads in a circle.
func stack(program []byte) [][]file {
	names := []string{
		"package.yaml", "./package.yaml", "/package.yaml", "package.yaml/x", "a/p", "a", "b", "b/p",
		".wh.package.yaml", ".wh..wh..opq", "a/.wh..wh..opq", "a/.wh.p", ".wh.a", ".wh.b", "x/package.yaml", "x",
		"/.wh.package.yaml", "/./.wh.a", "/.wh..wh..opq", "/a/.wh..wh..opq", "./b/.wh..wh..opq",
	}
	links := []string{"a/p", "b/p", "a", "/b", "package.yaml", "../out", "b/../a/p", "none"}
	// Names of the same path that do not fit into the block of a header.
	const long = "././././././././././././././././././././././././././././././././././././././././././././././././././././"
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
		kind, written := program[i]%64, program[i]/64
		isWhiteout := strings.Contains(f.name, ".wh.")
		letters := string(rune('A'+len(layers))) + string(rune('a'+len(layer)))
		switch {
		case isWhiteout || kind < 16:
			f.content = letters
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
		switch {
		case written == 1 || written == 2:
			f.name = long + f.name
			if f.link != "" && !strings.HasPrefix(f.link, "/") {
				f.link = long + f.link
			}
			if written == 2 {
				f.format = tar.FormatGNU
			}
		case written == 3 && f.kind == 0 && !isWhiteout:
			f.kind, f.content = tar.TypeGNUSparse, "\x00\x00\x00"+f.content
		}
		if fits(layer, f) {
			layer = append(layer, f)
		}
	}
	return append(layers, layer)
}

// stackedTar writes a layer; the content of a sparse file is three bytes of hole
// and data.
func stackedTar(t *testing.T, layer []file) []byte {
	var parts [][]byte
	for _, f := range layer {
		if f.kind != tar.TypeGNUSparse {
			one := tarOf(f)
			parts = append(parts, one[:len(one)-1024])
			continue
		}
		records := paxRecord("GNU.sparse.major", "1") + paxRecord("GNU.sparse.minor", "0") +
			paxRecord("GNU.sparse.name", f.name) + paxRecord("GNU.sparse.realsize", fmt.Sprint(len(f.content)))
		data := append(padded(fmt.Sprintf("1\n3\n%d\n", len(f.content)-3)), f.content[3:]...)
		parts = append(parts, paxSized(octal(len(records)), records), rawHeader("GNUSparseFile.0/x", tar.TypeReg, octal(len(data)), nil), padded(string(data)))
	}
	return append(bytes.Join(parts, nil), make([]byte, 1024)...)
}

// duplicated reports whether content is that of a package.yaml that its layer
// holds more than once.
func duplicated(layers [][]file, content string) bool {
	content = strings.TrimLeft(content, "\x00")
	n := int(content[0]) - 'A'
	if n >= len(layers) {
		return false
	}
	among, times := false, 0
	for _, f := range layers[n] {
		if clean(f.name) == "package.yaml" {
			times++
			among = among || strings.TrimLeft(f.content, "\x00") == content
		}
	}
	return among && times > 1
}

func clean(name string) string { return path.Clean(strings.TrimLeft(name, "/")) }

func isFile(f file) bool { return f.kind == 0 || f.kind == tar.TypeGNUSparse }

func fits(layer []file, f file) bool {
	n := clean(f.name)
	links := map[string]string{}
	for _, other := range append(layer, f) {
		if other.kind == tar.TypeLink {
			links[clean(other.name)] = clean(other.link)
		}
	}
	at := n
	for range len(links) + 1 {
		at = links[at]
	}
	if at != "" {
		return false // a circle
	}
	for _, link := range links {
		for name := range links {
			if strings.HasPrefix(link, name+"/") {
				return false // what is linked to goes away
			}
		}
	}
	for _, other := range layer {
		o := clean(other.name)
		if o == n && n == "package.yaml" && isFile(other) && isFile(f) && !strings.HasSuffix(other.content, "same") && !strings.HasSuffix(f.content, "same") {
			continue
		}
		if o == n || strings.HasPrefix(n, o+"/") && other.kind != tar.TypeDir || strings.HasPrefix(o, n+"/") && f.kind != tar.TypeDir {
			return false
		}
		if f.kind == tar.TypeLink && strings.HasPrefix(o, clean(f.link)+"/") || other.kind == tar.TypeLink && strings.HasPrefix(n, clean(other.link)+"/") {
			return false
		}
	}
	return f.kind != tar.TypeLink || !strings.HasPrefix(n, clean(f.link)+"/")
}

// extractable reports whether mutate.Extract follows the rules for the layers:
// not with links, not with absolute names, not where a directory that is only
// implied replaces a file, and not when a layer deletes below it what it holds
// itself.
func extractable(layers [][]file) bool {
	for _, l := range layers {
		for _, f := range l {
			if f.kind == tar.TypeSymlink || f.kind == tar.TypeLink || f.kind == tar.TypeGNUSparse || strings.Contains("/"+f.name, "//") || strings.HasPrefix(clean(f.name), "package.yaml/") {
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
	// A hard link may come before the file that it is, and that may be one.
	links := map[string]string{}
	for _, f := range hard {
		links[clean(f.name)] = clean(f.link)
	}
	for _, f := range hard {
		target := clean(f.link)
		for links[target] != "" {
			target = links[target]
		}
		if linked, ok := m[target]; ok && linked.kind != tar.TypeDir {
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
			if strings.Contains(target, "b/..") {
				return "", false // where that leads depends on what b is, so it is refused
			}
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
	return f.content, ok && isFile(f)
}
