package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/source"
)

// What a package says of itself is shown up to a length and a number.
func TestLargeMetadata(t *testing.T) {
	var b strings.Builder
	b.WriteString("apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: a\n  annotations:\n")
	fmt.Fprintf(&b, "    keywords: %q\n    description: %q\n", strings.Repeat("a,", 100_000), strings.Repeat("b ", 100_000))
	for i := range maxAnnotations {
		fmt.Fprintf(&b, "    a%d: b\n", i)
	}
	p, err := source.Read(t.Context(), "-", nil, nil, strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	m := newMetadata(p, nil)
	if len(m.Keywords) > maxName || len(m.Description) > maxValue+100 || len(m.Annotations) != maxAnnotations || m.MoreAnnotations != 2 {
		t.Errorf("%d keywords, a description of %d bytes, %d annotations and %d more", len(m.Keywords), len(m.Description), len(m.Annotations), m.MoreAnnotations)
	}
}
