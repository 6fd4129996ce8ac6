package parser_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// TestHostilePackages reads what nobody writes by accident: each is a package, or
// refused for a reason that is told, and what follows is read.
func TestHostilePackages(t *testing.T) {
	annotations := func(n int) string {
		var b strings.Builder
		b.WriteString(strings.TrimSuffix(metaDoc, "\n") + "\n  annotations:\n")
		for i := range n {
			fmt.Fprintf(&b, "    example.org/a%d: b\n", i)
		}
		return b.String()
	}
	schema := func(depth int) string {
		var b strings.Builder
		b.WriteString(crdA + "spec:\n")
		for i := range depth {
			b.WriteString(strings.Repeat(" ", i+1) + "properties:\n")
		}
		return b.String() + strings.Repeat(" ", depth+1) + "type: object\n"
	}
	cases := map[string]struct {
		reason string
		text   string
		code   string // meta.Code of the error
	}{
		"LongScalar":      {"one text of 16 MB", metaDoc + "  annotations:\n    a: " + strings.Repeat("b", 16<<20) + "\n", ""},
		"LongBlock":       {"one block text of 16 MB", metaDoc + "  annotations:\n    a: |\n" + strings.Repeat("      bbbbbbb\n", 16<<20/14), ""},
		"ManyAnnotations": {"a hundred thousand annotations", annotations(100_000), "limit"},
		"DeepBrackets":    {"brackets beyond the limit of depth", metaDoc + "x: " + strings.Repeat("[", 9_900) + strings.Repeat("]", 9_900) + "\n", "limit"},
		"DeepestBrackets": {"and beyond that of the YAML reader", metaDoc + "x: " + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "\n", "limit"},
		"OpenBrackets":    {"brackets without end", metaDoc + "x: " + strings.Repeat("[", 50_000) + "\n", "limit"},
		"DeepBlocks":      {"mappings in each other", metaDoc + blockStack(10_000), "limit"},
		"DeepSchema":      {"a schema that is as deep as allowed", metaDoc + "---\n" + schema(900), ""},
		"DeeperSchema":    {"and one that is deeper", metaDoc + "---\n" + schema(4_000), "limit"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			pkg, err := parser.Collect(parser.Bytes("f", []byte(tc.text+"---\n"+crdB), nil))
			if meta.Code(err) != tc.code {
				t.Errorf("%s: %.300v, want %q", tc.reason, err, tc.code)
			}
			if err != nil && len(err.Error()) > 1000 {
				t.Errorf("%s: the error has %d bytes", tc.reason, len(err.Error()))
			}
			if n := len(pkg.Objects); n == 0 || pkg.Objects[n-1].Name != "b.example.org" {
				t.Errorf("%s: what follows is not read", tc.reason)
			}
			if tc.code == "" && pkg.Meta == nil {
				t.Errorf("%s: the metadata is not read", tc.reason)
			}
		})
	}
}

// TestDefaultLimit reads more than 200 MiB, of which the last document is beyond.
func TestDefaultLimit(t *testing.T) {
	line := "--- # " + strings.Repeat("c", 121) + "\n" // 128 bytes, and a document of nothing
	for _, tc := range []struct {
		reason string
		size   int // of comments before the document
		want   string
	}{
		{"exactly the limit", parser.DefaultMaxBytes - len(crdA), ""},
		{"a byte more, with the limit on a line's end", parser.DefaultMaxBytes, "limit"},
		{"a byte more, with the limit within a line", parser.DefaultMaxBytes - len(crdA) + 1, "limit"},
	} {
		comments := io.LimitReader(repeat(line), int64(tc.size-1))
		var got error
		docs := 0
		for d, err := range parser.Stream(t.Context(), "f", io.MultiReader(comments, strings.NewReader("\n"+crdA)), nil) {
			if err != nil {
				got = err
			}
			if d != nil {
				docs++
			}
		}
		if meta.Code(got) != tc.want || (docs == 1) != (tc.want == "") {
			t.Errorf("%s: %d documents, %v", tc.reason, docs, got)
		}
		if got != nil && !strings.Contains(got.Error(), fmt.Sprint(parser.DefaultMaxBytes)) {
			t.Errorf("%s: %v does not name the limit", tc.reason, got)
		}
	}
}

// repeat reads a text for ever.
type repeat string

func (r repeat) Read(p []byte) (int, error) {
	n := 0
	for n+len(r) <= len(p) {
		n += copy(p[n:], r)
	}
	if n == 0 && len(p) > 0 {
		n = copy(p, r) // a reader is asked for more than a line
	}
	return n, nil
}
