package yamlscan

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/yamlstream"
)

// corpus returns the documents of the real packages, those of the largest one last.
func corpus(t testing.TB, monolith bool) (docs [][]byte, names []string) {
	t.Helper()
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	add := func(name string, r io.Reader) {
		s := yamlstream.New(r, yamlstream.Limits{Stream: 1 << 30, Document: 1 << 30})
		for {
			c, err := s.Next()
			if err != nil {
				return
			}
			docs = append(docs, body(c))
			names = append(names, name)
		}
	}
	err := filepath.WalkDir(filepath.Join(dir, "packages"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) != ".yaml" {
			return err
		}
		b, err := os.ReadFile(name)
		add(strings.TrimPrefix(name, dir), bytes.NewReader(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if monolith {
		f, err := os.Open(filepath.Join(dir, "provider-aws-monolith.package.yaml.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(bufio.NewReader(f))
		if err != nil {
			t.Fatal(err)
		}
		add("monolith", z)
	}
	return docs, names
}

// body is what the parser hands to the engine.
func body(c yamlstream.Chunk) []byte { return c.Text[c.Raw:] }

func TestCorpus(t *testing.T) {
	docs, names := corpus(t, !testing.Short())
	s := New()
	took, total, took1 := 0, 0, 0
	for i, text := range docs {
		if names[i] != "monolith" {
			total++
		}
		places := 1 << 30
		if len(text) > 50_000 && os.Getenv("XPKG_ALL_PLACES") == "" {
			places = 200
		}
		if taken(t, s, text, places) {
			took++
			if names[i] != "monolith" {
				took1++
			}
		} else {
			t.Logf("not taken: %s: %.60q", names[i], text)
		}
	}
	t.Logf("%d of %d documents are taken (%d of %d)", took, len(docs), took1, total)
}
