package yamlscan

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/internal/yamlstream"
)

// corpus returns the documents of the real packages, those of the largest one last.
func corpus(t testing.TB, monolith bool) (docs [][]byte) {
	t.Helper()
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	add := func(r io.Reader) {
		s := yamlstream.New(r, yamlstream.Limits{Stream: 1 << 30, Document: 1 << 30})
		for {
			c, err := s.Next()
			if err != nil {
				return
			}
			docs = append(docs, c.Text[c.Raw:]) // as the parser hands it to the engine
		}
	}
	err := filepath.WalkDir(filepath.Join(dir, "packages"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) != ".yaml" {
			return err
		}
		b, err := os.ReadFile(name)
		add(bytes.NewReader(b))
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
		add(z)
	}
	return docs
}

// TestCorpus compares every document of the real packages, and the place of every scalar;
// that of every other field, and of some that are not there, where the document is not
// large.
func TestCorpus(t *testing.T) {
	docs := corpus(t, !testing.Short())
	s := New()
	took := 0
	for _, text := range docs {
		finds := 1 << 30
		if len(text) > 30_000 {
			finds = 40
		}
		if taken(t, s, text, finds) {
			took++
		}
	}
	t.Logf("%d of %d documents are taken", took, len(docs))
	if took*100 < len(docs)*98 { // those with CRLF the parser hands over with LF
		t.Errorf("%d of %d documents are taken, want 98 of 100", took, len(docs))
	}
}
