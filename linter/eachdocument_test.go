package linter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xpkg-go/sdk/parser"
)

// eachOf runs EachDocument in a rule, over n documents.
func eachOf[T any](t *testing.T, ctx context.Context, n int, f func(*parser.Document) (T, error)) (results []T, err error) {
	t.Helper()
	p := &parser.Package{}
	for i := range n {
		p.Objects = append(p.Objects, &parser.Document{Index: i, Kind: "Demo"})
	}
	rule := ruleThat("a-rule", func(ctx context.Context, p *Pass) error {
		results, err = EachDocument(ctx, p, f)
		return nil
	})
	if _, err := Run(ctx, p, &Options{Rules: []*Rule{rule}}); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	return results, err
}

func TestEachDocument(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		got, err := eachOf(t, t.Context(), n, func(d *parser.Document) (int, error) { return d.Index, nil })
		if err != nil || len(got) != n || !slices.IsSorted(got) {
			t.Errorf("of %d documents came %d results, %v, not in their order or not all", n, len(got), err)
		}
	}
}

// TestEachDocumentFails: one document hides no other, and whichever of them fails first,
// the error is that of the first in the order of the stream.
func TestEachDocumentFails(t *testing.T) {
	for range 50 {
		got, err := eachOf(t, t.Context(), 300, func(d *parser.Document) (int, error) {
			if d.Index%100 == 50 {
				return 1, fmt.Errorf("document %d", d.Index)
			}
			return 1, nil
		})
		if len(got) != 300 || got[50] != 0 || got[51] != 1 || err == nil || err.Error() != "Demo, and 2 more: document 50" {
			t.Fatalf("%d results, %v", len(got), err)
		}
	}
}

func TestEachDocumentPanics(t *testing.T) {
	got, err := eachOf(t, t.Context(), 10, func(d *parser.Document) (int, error) {
		if d.Index == 7 {
			panic(errBoom)
		}
		return 1, nil
	})
	var p *PanicError // and the error says of which document
	if len(got) != 10 || got[7] != 0 || got[8] != 1 || !errors.As(err, &p) || !errors.Is(err, errBoom) || !strings.Contains(string(p.Stack), "eachdocument_test.go") || !strings.HasPrefix(err.Error(), "Demo: panicked") {
		t.Errorf("%d results, %v", len(got), err)
	}
}

func TestEachDocumentCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	seen := 0
	got, err := eachOf(t, ctx, 10_000, func(d *parser.Document) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		seen++
		cancel()
		return 1, nil
	})
	if got != nil || !errors.Is(err, context.Canceled) || seen > 1000 {
		t.Errorf("%d results, %v, after %d documents", len(got), err, seen)
	}
}

// TestFactPanics: a fact that cannot be computed fails each rule that needs it.
func TestFactPanics(t *testing.T) {
	fact := NewFact(func(context.Context, *Pass) (int, error) { panic(errBoom) })
	ask := func(ctx context.Context, p *Pass) error {
		_, err := fact.Of(ctx, p)
		return err
	}
	r, err := Check(t.Context(), nil, nil, &Options{Rules: []*Rule{ruleThat("a-rule", ask), ruleThat("b-rule", ask)}})
	if err != nil || len(r.Failed) != 2 || len(r.Diagnostics) != 2 || !errors.Is(r.Failed[0], errBoom) {
		t.Errorf("%+v, %v", r, err)
	}
}
