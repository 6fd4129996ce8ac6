package apiserver

import (
	"context"
	"errors"
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
