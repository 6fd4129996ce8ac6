package apiserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

func documents(t *testing.T, n int) []*parser.Document {
	t.Helper()
	var all []*parser.Document
	for d, err := range parser.Bytes("a.yaml", []byte(strings.Repeat("apiVersion: v1\nkind: A\n---\n", n)), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

// TestEachDocument holds the order to that of the documents, whatever runs beside
// what.
func TestEachDocument(t *testing.T) {
	docs := documents(t, 100)
	all, err := eachDocument(t.Context(), docs, func(_ context.Context, d *parser.Document) (*verdict, error) {
		if d.Index%3 > 0 {
			return nil, nil
		}
		return &verdict{doc: d}, nil
	})
	if err != nil || len(all) != 34 {
		t.Fatalf("%d verdicts, %v; want 34", len(all), err)
	}
	for i, v := range all {
		if v.doc.Index != 3*i {
			t.Errorf("verdict %d is on document %d", i, v.doc.Index)
		}
	}
}

// TestEachDocumentFails has one judgement panic and one fail: the others are made.
func TestEachDocumentFails(t *testing.T) {
	broken := errors.New("broken")
	all, err := eachDocument(t.Context(), documents(t, 10), func(_ context.Context, d *parser.Document) (*verdict, error) {
		switch d.Index {
		case 3:
			panic("out of order")
		case 5:
			return nil, broken
		}
		return &verdict{doc: d}, nil
	})
	var panicked *linter.PanicError
	if !errors.As(err, &panicked) || !errors.Is(err, broken) || len(all) != 8 {
		t.Errorf("%d verdicts, %v; want 8, the panic and the error", len(all), err)
	}
}

// TestEachDocumentCanceled ends between two documents.
func TestEachDocumentCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	all, err := eachDocument(ctx, documents(t, 100), func(_ context.Context, d *parser.Document) (*verdict, error) {
		cancel()
		return &verdict{doc: d}, nil
	})
	if !errors.Is(err, context.Canceled) || all != nil {
		t.Errorf("%d verdicts, %v; want none, canceled", len(all), err)
	}
}

// TestRuleCost has rules that differ in the names of fields only share one answer, and
// a rule with another meaning none.
func TestRuleCost(t *testing.T) {
	const node = `{"type":"object","properties":{"policies":{"type":"array","items":{"type":"string"}},
		"a":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"integer"},"in":{"type":"string"}}}}}`
	r := &ruleCosts{}
	for _, c := range []struct {
		rule  string
		known int
		ok    bool
	}{
		{`'*' in self.policies || has(self.a.x)`, 1, true},
		{`'*' in self.policies||has( self.a.y )`, 1, true},
		{`'+' in self.policies || has(self.a.x)`, 2, true},
		{`'*' in self.policies || self.a.x == '1'`, 3, true},
		{`'*' in self.policies || self.a.y == '1'`, 4, false}, // another type
		{`has(self.a.z)`, 4, false},                           // no such field
		{`has(self.a.in)`, 4, false},                          // written otherwise
		{`self.a.x.size() > 1`, 4, false},                     // a call
		{`self == self`, 4, false},
		{`oldSelf.a.x == self.a.x`, 4, false},
		{`self.a == self.a`, 4, false},
	} {
		if _, ok := r.of([]byte(node), fmt.Appendf(nil, `[{"rule":%q}]`, c.rule)); ok != c.ok || len(r.known) != c.known {
			t.Errorf("%s: certain %t with %d answers known; want %t with %d", c.rule, ok, len(r.known), c.ok, c.known)
		}
	}
}
