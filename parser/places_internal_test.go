package parser

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/internal/yamlscan"
	"github.com/xpkg-go/sdk/internal/yamlstream"
)

// TestPlaces compares At with go-yaml's own account of lines and columns, for every
// scalar of real packages: by the tree for all of them, by the engine for all of small
// documents and for some of large ones; internal/yamlscan compares the engine with the
// tree for the rest.
func TestPlaces(t *testing.T) {
	var list []source
	dir := corpusSources(t, func(s source) { list = append(list, s) })
	list = append(list, sources("monolith", monolith(t, dir))...)
	queue := make(chan source)
	var scalars, documents atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for s := range queue {
				if n := checkPlaces(t, s); n > 0 {
					scalars.Add(int64(n))
					documents.Add(1)
				}
			}
		})
	}
	for _, s := range list {
		queue <- s
	}
	close(queue)
	workers.Wait()
	t.Logf("%d scalars of %d documents", scalars.Load(), documents.Load())
	if scalars.Load() < 1_000_000 {
		t.Errorf("%d scalars were compared, want a million", scalars.Load())
	}
}

// corpusSources calls f with every document of the real packages, and returns the
// folder that they are in.
func corpusSources(t *testing.T, f func(source)) (dir string) {
	t.Helper()
	dir = os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	err := filepath.WalkDir(filepath.Join(dir, "packages"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(name)
		for _, s := range sources(strings.TrimPrefix(name, dir), text) {
			f(s)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// monolith returns the stream of the largest real package.
func monolith(t *testing.T, dir string) []byte {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join(dir, "provider-aws-monolith.package.yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestPlacesOfAllStyles does the same for everything that a scalar may be written in.
func TestPlacesOfAllStyles(t *testing.T) {
	const styles = "# c\n--- # d\napiVersion: v1\nkind: \"A\"\nmetadata: {name: b, 'x y': [1, two words, \"t\\\"q\"]} # é\né: &a ü\n" +
		"\"ö\":   ü  # c\ns:\n- a\n-   - b\n    -\n      c\n- d: |\n    e\n\n     f\n\n  g: >-2\n      h\n      i\nj: k\n  l\n\n  m # n\no: 'p\n  q'\nr:\nt: !!str 5\nu: *a\nv: ''\nw: \"\"\n"
	for _, text := range []string{styles, strings.ReplaceAll(styles, "\n", "\r\n"), strings.Replace(styles, ">-2", ">-", 1), string(fixture.Provider(1))} {
		for _, s := range sources("f", []byte(text)) {
			if n := checkPlaces(t, s); n < 7 {
				t.Errorf("%d scalars of %.60q were compared", n, s.text)
			}
		}
	}
}

const (
	smallPlaces = 8 << 10 // bytes of documents of which every place is asked of the engine
	fewPlaces   = 7_000   // the larger a document, the fewer of its places
)

// checkPlaces compares the place of every scalar of a document, and returns how many
// there are: none of a document with faults, which has no places to compare.
func checkPlaces(t *testing.T, s source) int {
	doc, faults := read(s)
	if _, oldBreaks := yamlstream.CheckText(s.text); doc == nil || len(faults) > 0 || oldBreaks {
		return 0 // go-yaml counts other line breaks than YAML 1.2
	}
	var root yaml.Node
	if err := yaml.Unmarshal(s.text, &root); err != nil || len(root.Content) != 1 {
		t.Errorf("%+v: go-yaml reads %d documents, %v", doc.Range, len(root.Content), err)
		return 0
	}
	c := placeChecker{t: t, source: &s, tree: doc, scan: scanned(yamlscan.New(), s), starts: []int{0}, every: 1}
	for _, end := range lineBreak.FindAllIndex(s.text, -1) {
		c.starts = append(c.starts, end[1])
	}
	if len(s.text) > smallPlaces {
		c.every = 1 + len(s.text)/fewPlaces*len(s.text)/fewPlaces
	}
	kept := doc.cache.get(&doc.source) // so that it is not made again for each place
	c.walk(nil, root.Content[0], nil)
	runtime.KeepAlive(kept)
	return c.n
}

var lineBreak = regexp.MustCompile(`\r\n|\r|\n`)

// A placeChecker walks through go-yaml's nodes of a document.
type placeChecker struct {
	t      *testing.T
	source *source
	tree   *Document // as the library reads it
	scan   *Document // as the engine reads it, or nil
	starts []int     // of lines
	every  int       // each of so many scalars is asked of the engine
	n      int
}

func (c *placeChecker) walk(key, value *yaml.Node, path []any) {
	path = path[:len(path):len(path)]
	switch value.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(value.Content); i += 2 {
			if k := value.Content[i]; k.Kind == yaml.ScalarNode && k.Tag != "!!merge" {
				c.walk(k, value.Content[i+1], append(path, k.Value))
			}
		}
	case yaml.SequenceNode:
		for i, item := range value.Content {
			c.walk(nil, item, append(path, i))
		}
	case yaml.ScalarNode: // what an alias stands for is where its anchor is
		c.tree.finds.Store(fewFinds)
		c.check(key, value, path, c.tree.At(path...))
		if c.n++; c.scan != nil && c.n%c.every == 0 {
			c.scan.finds.Store(0)
			c.check(key, value, path, c.scan.At(path...))
		}
	}
}

// check compares a place with a key, which may be nil, and a scalar.
func (c *placeChecker) check(key, value *yaml.Node, path []any, p Place) {
	if !p.Found || (key == nil) != p.Key.IsZero() {
		c.t.Errorf("%s: %v is at %+v", c.source.file, path, p)
		return
	}
	if key != nil {
		c.compare(key, path, p.Key)
	}
	if value.Value != "" || value.Style&^yaml.TaggedStyle != 0 {
		c.compare(value, path, p.Value)
	} else if p.Value.Start != p.Value.End || p.Value.Start.Offset < p.Key.End.Offset || p.Value.Start != c.position(p.Value.Start.Offset-c.source.offset) {
		c.t.Errorf("%s: %v, which is not written, is at %+v", c.source.file, path, p)
	}
}

// compare holds a range against the line and column of a node; its end, which go-yaml
// does not tell, against what the text up to there says.
func (c *placeChecker) compare(n *yaml.Node, path []any, r Range) {
	start, text := c.starts[n.Line-1], c.source.text
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(text[start:])
		start += size
	}
	if at := property.FindIndex(text[start:]); at != nil { // an anchor or tag
		start += at[1]
	}
	end := r.End.Offset - c.source.offset
	if r.Start != c.position(start) || end < start || end > len(text) || r.End != c.position(end) {
		c.t.Errorf("%s: %v is at %+v, to go-yaml at %+v", c.source.file, path, r, c.position(start))
		return
	}
	if written := string(text[start:end]); !says(written, n) {
		c.t.Errorf("%s: %v is %q at %+v, to go-yaml %q", c.source.file, path, written, r, n.Value)
	}
}

var property = regexp.MustCompile(`^[&!]\S*\s+`)

// position counts lines and columns from what the lines begin with.
func (c *placeChecker) position(offset int) Position {
	line, found := slices.BinarySearch(c.starts, offset)
	if !found {
		line--
	}
	return Position{Line: c.source.line + line, Column: offset - c.starts[line] + 1, Offset: c.source.offset + offset}
}

// says reports whether the text of a scalar, from its first byte to its last, is that of
// a node.
func says(written string, n *yaml.Node) bool {
	switch {
	case written == n.Value:
		return true
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		var text string
		return yaml.Unmarshal([]byte(written), &text) == nil && text == n.Value && strings.Trim(written, " \t\r\n") == written
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		at := strings.IndexAny(written+"\n", "\r\n")
		return strings.HasPrefix(written, "|") == (n.Style&yaml.LiteralStyle != 0) && sameWords(written[at:], n.Value)
	}
	return sameWords(written, n.Value)
}

// sameWords compares texts but for white space within them.
func sameWords(written, text string) bool {
	return slices.Equal(strings.Fields(written), strings.Fields(text)) && strings.TrimRight(written, " \t\r\n") == written
}
