package parser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/internal/yamlscan"
	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
)

// sources returns the documents of a stream as they are cut.
func sources(name string, text []byte) []source {
	var list []source
	s := yamlstream.NewBytes(text, yamlstream.Limits{Stream: 1 << 30, Document: 1 << 30})
	for {
		c, err := s.Next()
		if err != nil {
			return list
		}
		list = append(list, newSource(name, c, yamltree.Limits{Depth: DefaultMaxDepth, AliasBytes: DefaultMaxAliasBytes, Nodes: DefaultMaxNodes}))
	}
}

// checkScanned reports whether the engine takes a document, and checks that it is to the
// library what it is to the engine: without a fault, the same object in the same place,
// with the same JSON and fields.
func checkScanned(t *testing.T, s source) bool {
	t.Helper()
	scan := scanned(yamlscan.New(), s)
	if scan == nil {
		return false
	}
	tree, faults := read(s)
	if tree == nil || len(faults) > 0 {
		t.Errorf("%q is taken, and has faults %v", s.text, faults)
		return true
	}
	if scan.Ref() != tree.Ref() || scan.Range != tree.Range {
		t.Errorf("%q: %v at %+v; the library reads %v at %+v", s.text, scan.Ref(), scan.Range, tree.Ref(), tree.Range)
	}
	got, err := scan.JSON()
	want, wantErr := tree.JSON()
	if err != nil || wantErr != nil || !bytes.Equal(got, want) {
		t.Errorf("%s, %v; the library reads %s, %v", got, err, want, wantErr)
		return true
	}
	var v any
	if err := json.Unmarshal(got, &v); err != nil {
		t.Error(err)
	}
	for _, path := range somePaths(v) {
		scan.finds.Store(0)
		if got, want := scan.At(path...), tree.At(path...); got != want {
			t.Errorf("%v is at %+v, to the library at %+v", path, got, want)
		}
	}
	return true
}

// somePaths returns the way to the last of everything, and one field too far.
func somePaths(v any) [][]any {
	paths := [][]any{{}, {"metadata", "none"}, {0}}
	var path []any
	for {
		switch w := v.(type) {
		case map[string]any:
			last := ""
			for k := range w {
				last = max(last, k)
			}
			if v = w[last]; last == "" {
				return paths
			}
			path = append(path, last)
		case []any:
			if len(w) == 0 {
				return paths
			}
			path = append(path, len(w)-1)
			v = w[len(w)-1]
		default:
			return append(paths, append(path[:len(path):len(path)], "x"))
		}
		paths = append(paths, path[:len(path):len(path)])
	}
}

func TestScanned(t *testing.T) {
	const object = "apiVersion: v1\nkind: A\n"
	cases := []struct {
		reason string
		text   string
		want   bool
	}{
		{"what objects are written in", object + "metadata: {name: b}\nspec:\n- c: |\n    d\n", true},
		{"behind a separator", "---\n" + object, true},
		{"behind a comment on the separator's line", "--- # a: b\n" + object, true},
		{"with CRLF", strings.ReplaceAll("---\n# x\n"+object+"a: |\n  b\n\n  c\nd: e\n  f\ng:\nh: \"i\n  j\"\n", "\n", "\r\n"), true},
		{"with CRLF and LF", "apiVersion: v1\r\nkind: A\nb: c\r\n", false},
		{"with CRLF and a CR alone", "apiVersion: v1\r\nkind: A\r\nb: c\rd\r\n", false},
		{"with CR alone", "apiVersion: v1\rkind: A\r", false},
		{"on the separator's line", "--- {apiVersion: v1, kind: A}\n", false},
		{"behind a byte order mark", "\ufeff" + object, false},
		{"behind directives", "%YAML 1.2\n---\n" + object, false},
		{"without a kind", "apiVersion: v1\n", false},
		{"with a kind that is no text", "apiVersion: v1\nkind: 5\n", false},
		{"with an empty kind", "apiVersion: v1\nkind: \"\"\n", false},
		{"with a key twice", object + "a: b\na: c\n", false},
		{"with an alias", object + "a: &b c\nd: *b\n", false},
		{"with a word of YAML 1.1", object + "a: on\n", false},
		{"with a number that JSON writes otherwise", object + "a: 1.0\n", false},
		{"with a tab in the last line", object + "\ta: b\n", false},
		{"with a quote that has no end", object + "a: \"b\n", false},
		{"with a control character", object + "a: \"b\x00\"\n", false},
		{"with a line break of YAML 1.1", object + "a: b\u2028c\n", false},
		{"what looks like HTML", "<html: x\n" + object, false},
	}
	for _, tc := range cases {
		list := sources("f", []byte(tc.text))
		if len(list) != 1 {
			t.Fatalf("%s: %d documents", tc.reason, len(list))
		}
		if got := checkScanned(t, list[0]); got != tc.want {
			t.Errorf("%s: taken: %v, want %v", tc.reason, got, tc.want)
		}
	}
}

func TestScannedFixture(t *testing.T) {
	for _, s := range sources("f", fixture.Provider(5)) {
		if !checkScanned(t, s) {
			t.Errorf("%.60q is not taken", s.text)
		}
	}
}

// TestScannedCorpus compares the documents of real packages, and wants 99 of 100 to be
// taken. The others are listed with what is unusual about them.
func TestScannedCorpus(t *testing.T) {
	documents, taken := 0, 0
	corpusSources(t, func(s source) {
		documents++
		if checkScanned(t, s) {
			taken++
			return
		}
		t.Logf("%s: not taken: %s", s.rangeOf(nil, yamltree.Span{}), whyNot(s))
	})
	t.Logf("%d of %d documents are taken", taken, documents)
	if taken*100 < documents*99 {
		t.Errorf("%d of %d documents are taken, want 99 of 100", taken, documents)
	}
}

// whyNot says what the library has against a document, or names the line behind the last
// one with which what comes before is taken.
func whyNot(s source) string {
	if d, faults := read(s); d == nil || len(faults) > 0 {
		return fmt.Sprint("the library reports ", faults)
	}
	lines := strings.SplitAfter(string(s.text), "\n")
	for n := len(lines) - 1; n > 0; n-- {
		cut := s
		cut.text = []byte(strings.Join(lines[:n], ""))
		if cut.scan = cut.scanStart(); cut.scan < 0 {
			break
		}
		cut.crlf = bytes.IndexByte(cut.text, '\r') >= 0
		if _, ok := (&Document{source: cut}).scanJSON(); ok {
			return fmt.Sprintf("line %d: %.80q", s.line+n, lines[n])
		}
	}
	return "from its beginning on"
}
