package parser_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"weak"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/parser"
)

// large returns an object that is worth a goroutine of its own, and refused where
// broken is set.
func large(i int, broken bool) string {
	s := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m%d\ndata:\n  a: |\n", i) + strings.Repeat("    "+strings.Repeat("x", 75)+"\n", 200)
	if broken {
		s += "  b: \"c\n"
	}
	return s
}

// Documents come in the order of the stream, whichever of them is read sooner: some are
// large, some small, some broken, some nothing the engine takes.
func TestAheadKeepsTheOrder(t *testing.T) {
	var text strings.Builder
	var want []string
	for i := range 60 {
		text.WriteString("---\n")
		switch {
		case i%7 == 3:
			text.WriteString(large(i, true))
			want = append(want, fmt.Sprintf("error %d", i))
			continue
		case i%5 == 2:
			text.WriteString(strings.Replace(large(i, false), "data:", "data: &x", 1))
		case i%3 == 1:
			fmt.Fprintf(&text, "apiVersion: v1\nkind: A\nmetadata: {name: m%d}\n", i)
		case i%11 == 10:
			text.WriteString("null\n---\n" + large(i, false))
		default:
			text.WriteString(large(i, false))
		}
		want = append(want, fmt.Sprintf("m%d %d", i, i))
	}
	var got []string
	for d, err := range parser.Bytes("f", []byte(text.String()), nil) {
		var e *parser.Error
		if errors.As(err, &e) {
			got = append(got, fmt.Sprintf("error %d", e.Index))
		} else {
			got = append(got, fmt.Sprintf("%s %d", d.Name, d.Index))
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// So they do from file to file, with all that is told between them.
func TestAheadKeepsTheOrderOfFiles(t *testing.T) {
	files := map[string]string{}
	var want []string
	index := 0
	for i := range 60 {
		name := fmt.Sprintf("%02d.yaml", i)
		switch {
		case i%7 == 3:
			files[name] = large(i, true)
			want = append(want, fmt.Sprintf("%s: error %d document 1", name, index))
			index++
		case i%9 == 4:
			files[name] = ""
			want = append(want, name+": error -1 document 0")
		case i%11 == 5:
			files[name+".bak"] = ""
			want = append(want, name+".bak: skipped-nearmiss")
		case i%5 == 2:
			files[name] = large(i, false) + "---\n" + strings.Replace(large(i, false), "data:", "data: &x", 1) + "---\nkind: A\n"
			want = append(want, fmt.Sprintf("%s: m%d %d", name, i, index), fmt.Sprintf("%s: m%d %d", name, i, index+1),
				fmt.Sprintf("%s:  %d", name, index+2), fmt.Sprintf("%s: error %d document 3", name, index+2))
			index += 3
		default:
			files[name] = large(i, false)
			want = append(want, fmt.Sprintf("%s: m%d %d", name, i, index))
			index++
		}
	}
	var got []string
	o := parser.Options{Event: func(e parser.Event) { got = append(got, fmt.Sprintf("%s: %s", e.File, e.Kind)) }}
	for d, err := range parser.Dir(t.Context(), tree(t, files), &o) {
		var e *parser.Error
		if errors.As(err, &e) {
			got = append(got, fmt.Sprintf("%s: error %d document %d", e.Range.File, e.Index, e.Document))
		} else {
			got = append(got, fmt.Sprintf("%s: %s %d", d.Range.File, d.Name, d.Index))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Whatever ends a sequence, it leaves nothing running: the bubble would not end.
func TestAheadLeavesNothingRunning(t *testing.T) {
	stream := fixture.Provider(30)
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("%02d.yaml", i)] = large(i, false)
	}
	root := tree(t, files)
	sequences := map[string]func(ctx context.Context) iter.Seq2[*parser.Document, error]{
		"Stream": func(ctx context.Context) iter.Seq2[*parser.Document, error] {
			return parser.Stream(ctx, "f", bytes.NewReader(stream), nil)
		},
		"Dir": func(ctx context.Context) iter.Seq2[*parser.Document, error] { return parser.Dir(ctx, root, nil) },
	}
	ends := map[string]func(cancel func()) bool{
		"Break":  func(func()) bool { return false },
		"Panic":  func(func()) bool { panic("mine") },
		"Cancel": func(cancel func()) bool { cancel(); return true },
	}
	for from, sequence := range sequences {
		for name, end := range ends {
			t.Run(from+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					defer func() {
						if p := recover(); p != nil && p != "mine" {
							panic(p)
						}
					}()
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					n, errs := 0, 0
					for _, err := range sequence(ctx) {
						if err != nil {
							errs++
						}
						if n++; n > 3 && !end(cancel) {
							break
						}
					}
					if name == "Cancel" && (n != 5 || errs != 1) {
						t.Errorf("%d rounds and %d errors after cancel", n, errs)
					}
				})
			})
		}
	}
}

// A document that is kept keeps its own text, and nothing of what it was read with.
func TestAheadIsNotKept(t *testing.T) {
	type key struct{}
	value := new([1 << 20]byte)
	kept := func() *parser.Document {
		ctx := context.WithValue(t.Context(), key{}, value)
		for d, err := range parser.Stream(ctx, "f", strings.NewReader(large(0, false)+"---\n"+large(1, false)), nil) {
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		return nil
	}()
	held := weak.Make(value)
	value = nil
	for range 3 { // a sync.Pool lets go at the second
		runtime.GC()
	}
	if held.Value() != nil {
		t.Error("a document keeps the context of its sequence")
	}
	if kept.Name != "m0" {
		t.Error(kept.Name)
	}
}

// A reader is not asked for more while a document waits to be yielded, when that is
// small: who answers to each document would wait for ever.
func TestAheadDoesNotHoldBack(t *testing.T) {
	r, w := io.Pipe()
	answers := make(chan string, 1)
	go func() {
		defer w.Close()
		for i := range 20 {
			if _, err := fmt.Fprintf(w, "apiVersion: v1\nkind: A\nmetadata: {name: m%d}\n---\n", i); err != nil {
				return
			}
			if got, want := <-answers, fmt.Sprintf("m%d", i); got != want {
				t.Errorf("document %q, want %q", got, want)
			}
		}
	}()
	n := 0
	for d, err := range parser.Stream(t.Context(), "f", r, nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		answers <- d.Name
	}
	if n != 20 {
		t.Errorf("%d documents, want 20", n)
	}
}

// What is read ahead is bounded by documents and bytes.
func TestAheadIsBounded(t *testing.T) {
	doc := large(1, false) + "---\n"
	const docs = 200
	r := &counted{Reader: strings.NewReader(strings.Repeat(doc, docs))}
	most, n := 0, 0
	for _, err := range parser.Stream(t.Context(), "f", r, nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		most = max(most, r.n-n*len(doc))
	}
	if limit := min(4*runtime.GOMAXPROCS(0)*len(doc), 2<<20) + len(doc) + 256<<10; most > limit || n != docs {
		t.Errorf("%d bytes were read ahead of %d documents, want at most %d", most, n, limit)
	}
}

type counted struct {
	io.Reader
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}
