package parser_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

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

// Whatever ends a sequence, it leaves nothing running: the bubble would not end.
func TestAheadLeavesNothingRunning(t *testing.T) {
	stream := fixture.Provider(30)
	ends := map[string]func(cancel func()) bool{
		"Break":  func(func()) bool { return false },
		"Panic":  func(func()) bool { panic("mine") },
		"Cancel": func(cancel func()) bool { cancel(); return true },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				defer func() {
					if p := recover(); p != nil && p != "mine" {
						panic(p)
					}
				}()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				n, errs := 0, 0
				for _, err := range parser.Stream(ctx, "f", bytes.NewReader(stream), nil) {
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
	if limit := (runtime.GOMAXPROCS(0)+1)*len(doc) + 256<<10; most > limit || n != docs {
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
