package apiserver

import (
	"context"
	"testing"

	"github.com/xpkg-go/sdk/linter/apiserver/internal/crdtest"
)

// TestCases holds the verdict on every case against the table, and the short way
// against the long one.
func TestCases(t *testing.T) {
	short, refused := 0, 0
	for _, c := range crdtest.Cases() {
		raw, err := c.JSON()
		if err != nil {
			t.Fatal(err)
		}
		v, err := whole(context.Background(), nil, raw)
		if err != nil {
			t.Fatalf("%s: %v", c.Reason, err)
		}
		if got := v != nil && len(v.refused) > 0; got != c.Refused {
			t.Errorf("%s: refused %t, want %t: %+v", c.Reason, got, c.Refused, v)
		}
		if c.Refused {
			refused++
		}
		if clean(context.Background(), nil, raw) {
			short++
			if v != nil {
				t.Errorf("%s: taken for ordinary, but %+v", c.Reason, v)
			}
		}
	}
	t.Logf("%d cases, %d refused, %d judged the short way", len(crdtest.Cases()), refused, short)
}
