package yamlscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	sigs "sigs.k8s.io/yaml"

	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
)

var limits = yamltree.Limits{Depth: 1000, AliasBytes: 1 << 20}

// taken reports whether the engine takes a text, and checks everything that it says
// of it against the libraries.
func taken(t testing.TB, s *Scanner, text []byte, places int) bool {
	t.Helper()
	if flaw, oldBreaks := yamlstream.CheckText(text); flaw != nil || oldBreaks || bytes.ContainsAny(text, "\r\ufeff") {
		return false
	}
	got, ok := s.AppendJSON(nil, text)
	id, isObject := s.Scan(text, limits.Depth)
	if !ok {
		if isObject {
			t.Errorf("%q is taken, but not as JSON", text)
		}
		return false
	}
	want, err := sigs.YAMLToJSONStrict(text)
	if err != nil {
		t.Errorf("%q is taken, and sigs.k8s.io/yaml says: %v", text, err)
		return true
	}
	if got := standard(t, got); !bytes.Equal(got, want) {
		t.Errorf("%q\nis here              %s\nand YAMLToJSONStrict %s", text, got, want)
		return true
	}
	tree, faults := yamltree.Parse(text, false, limits)
	if tree == nil || len(faults) > 0 {
		t.Errorf("%q is taken, and go-yaml v3 says: %v", text, faults)
		return true
	}
	want, fault := tree.JSON(nil)
	if fault != nil {
		t.Errorf("%q is taken, and has no JSON: %v", text, fault)
		return true
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%q\nis here          %s\nand in the tree %s", text, got, want)
		return true
	}
	if err := sameIdentity(text, id, isObject, tree); err != nil {
		t.Errorf("%q: %v", text, err)
	}
	w := walker{scanner: s, text: text, tree: tree, left: places}
	if err := w.walk(nil); err != nil {
		t.Errorf("%q: %v", text, err)
	}
	if err := sameScalars(text, tree); err != nil {
		t.Errorf("%q: %v", text, err)
	}
	return true
}

// standard returns JSON with its members in the order, and its texts with the escapes,
// that encoding/json gives them. Numbers remain as they are written.
func standard(t testing.TB, b []byte) []byte {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil || dec.More() {
		t.Errorf("%q is no JSON: %v", b, err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Error(err)
	}
	return b
}

// sameIdentity compares what Scan says with the tree.
func sameIdentity(text []byte, id Identity, isObject bool, tree *yamltree.Tree) error {
	simple := true // there is an identity, and it is written in a simple way
	for _, f := range []struct {
		got  Span
		path []any
	}{{id.APIVersion, []any{"apiVersion"}}, {id.Kind, []any{"kind"}}, {id.Name, []any{"metadata", "name"}}} {
		isName := len(f.path) == 2
		p, followed := tree.Find(f.path)
		if followed < len(f.path) || tree.Kind(p.Value) != yamltree.Scalar || tree.IsNull(p.Value) {
			if isObject && (!isName || f.got != Span{}) {
				return fmt.Errorf("%v is %v, and in the tree it is none", f.path, f.got)
			}
			simple = simple && isName
			continue
		}
		want, isString := tree.Text(p.Value)
		written := text[tree.Span(p.Value).Start:tree.Span(p.Value).End]
		if bytes.ContainsAny(written[:1], "'\"") {
			written = written[1 : len(written)-1]
		}
		simple = simple && (isString && want != "" || isName) && string(written) == want
		if got := string(text[f.got.Start:f.got.End]); isObject && (got != want || !isName && !isString) {
			return fmt.Errorf("%v is %q, in the tree %q, a string: %v", f.path, got, want, isString)
		}
	}
	if simple != isObject && simple {
		return fmt.Errorf("it is an object: %v, in the tree: %v", isObject, simple)
	}
	if want := tree.Span(0); isObject && Span(want) != id.Root {
		return fmt.Errorf("the document is at %v, in the tree at %v", id.Root, want)
	}
	return nil
}

// A walker compares the place of every field, and of some that are not there.
type walker struct {
	scanner *Scanner
	text    []byte
	tree    *yamltree.Tree
	left    int // how many places may still be asked for
}

func (w *walker) walk(path []any) error {
	if w.left--; w.left < 0 {
		return nil
	}
	p, followed := w.tree.Find(path)
	if followed != len(path) {
		return fmt.Errorf("the tree does not find %v", path)
	}
	if err := w.compare(path); err != nil {
		return err
	}
	path = path[:len(path):len(path)]
	for _, missing := range []any{"no such key", -1, 1 << 20, 1.5} {
		if w.left%7 == 0 {
			if err := w.compare(append(path, missing, "x")); err != nil {
				return err
			}
		}
	}
	for _, child := range w.tree.Pairs(p.Value) {
		if err := w.walk(append(path, w.tree.Key(child.Key))); err != nil {
			return err
		}
	}
	for i := range w.tree.Items(p.Value) {
		if err := w.walk(append(path, i)); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) compare(path []any) error {
	p, followed := w.tree.Find(path)
	want := Place{Value: Span(w.tree.Span(p.Value)), Followed: followed}
	if p.Key != yamltree.None {
		want.Key = Span(w.tree.Span(p.Key))
	}
	got, ok := w.scanner.Find(w.text, path)
	if !ok || got != want {
		return fmt.Errorf("%v is at %+v (%v), in the tree at %+v", path, got, ok, want)
	}
	return nil
}

// wanted returns how many documents a test is to find that the engine takes.
func wanted(t *testing.T, usual int) int {
	if v := os.Getenv("XPKG_TAKEN"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return usual
}

// TestGenerated compares documents that are made by a grammar. XPKG_TAKEN says how
// many must be taken before the test ends, XPKG_SEED with which seed it begins.
func TestGenerated(t *testing.T) {
	runMany(t, wanted(t, 20_000), func(g *generator) []byte { return g.document() })
}

// TestWords compares what words mean, as values and as keys: those that are made of what
// numbers are made of.
func TestWords(t *testing.T) {
	runMany(t, wanted(t, 20_000), func(g *generator) []byte {
		const chars = "00112233456789..--++__eEeExXoObBaAcdfFnNiIpPtTzZ:, ~"
		word := make([]byte, 1+g.IntN(4)+g.IntN(8))
		for i := range word {
			word[i] = chars[g.IntN(len(chars))]
		}
		if g.IntN(4) == 0 {
			copy(word, g.pick("0x", "0o", "0b", "-0b", "+0x", "1e", ".i", "-.", "20", "2001-", "0."))
		}
		return []byte(fmt.Sprintf(g.pick("a: %s\n", "%s: a\n", "a: [%s]\n", "a:\n- %s\n"), word))
	})
}

// TestMutated compares documents of real packages that are changed in a few places.
func TestMutated(t *testing.T) {
	docs := corpus(t, false)
	docs = slices.DeleteFunc(docs, func(d []byte) bool { return len(d) > 4000 })
	runMany(t, wanted(t, 5_000), func(g *generator) []byte { return g.mutate(g.part(docs[g.IntN(len(docs))])) })
}

// part returns a text without some of its lines, so that it is read sooner.
func (g *generator) part(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines) < 12 {
		return text
	}
	from := 3 + g.IntN(len(lines)-10)
	to := min(from+g.IntN(10), len(lines))
	return slices.Concat(bytes.Join(lines[:3], nil), bytes.Join(lines[from:to], nil))
}

func runMany(t *testing.T, want int, next func(*generator) []byte) {
	seed := uint64(1)
	if v, err := strconv.ParseUint(os.Getenv("XPKG_SEED"), 10, 64); err == nil {
		seed = v
	}
	var took, made atomic.Int64
	var wg sync.WaitGroup
	for w := range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			s := New()
			g := newGenerator(seed + uint64(w)<<32)
			for took.Load() < int64(want) && !t.Failed() {
				made.Add(1)
				if taken(t, s, next(g), 60) {
					took.Add(1)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d documents are taken of %d that were made, from seed %d on", took.Load(), made.Load(), seed)
}
