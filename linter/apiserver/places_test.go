package apiserver_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver/internal/crdtest"
	"github.com/xpkg-go/sdk/parser"
)

var update = flag.Bool("update", false, "write testdata/cases.golden anew")

// TestPlaces holds what is said of each case, and where, to a reviewed text. Every
// finding stands at a value, or at the key around one that is missing, and never at
// the definition as a whole.
func TestPlaces(t *testing.T) {
	var got strings.Builder
	for _, c := range crdtest.Cases() {
		raw, err := c.JSON()
		if err != nil {
			t.Fatal(err)
		}
		pkg, _ := parser.Collect(parser.Bytes("crd.yaml", raw, nil))
		found, err := linter.Run(t.Context(), pkg, options())
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			continue
		}
		fmt.Fprintf(&got, "%s\n", c.Reason)
		for _, d := range found {
			text := string(raw[d.Range.Start.Offset:d.Range.End.Offset])
			if len(text) > 40 {
				text = text[:40] + "…"
			}
			fmt.Fprintf(&got, "\t%s: %s\n\t\t%s: %s\n", d.Rule, d.Path, text, d.Message)
			if d.Path == "" || d.Range == pkg.Objects[0].Range {
				t.Errorf("%s: without a place: %s", c.Reason, d)
			}
		}
	}
	file := filepath.Join("testdata", "cases.golden")
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("-want +got (go test -run TestPlaces -update, and review):\n%s", diff)
	}
}
