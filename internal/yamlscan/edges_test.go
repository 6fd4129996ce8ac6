package yamlscan

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
)

// TestTaken says of the edges of what is taken on which side they are. What is taken is
// compared with the libraries.
func TestTaken(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "k%d: v\n", i)
		}
		return b.String()
	}
	indented := func(text string) string {
		return strings.ReplaceAll("\n"+strings.TrimSuffix(text, "\n"), "\n", "\n  ")[1:] + "\n"
	}
	deep := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}
	cases := []struct {
		reason string
		text   string
		want   bool
	}{
		{"a mapping", "a: b\nc:\n  d: e\n", true},
		{"a sequence in the column of its key", "a:\n- b\n-\n- - c\n  - d: e\n    f: g\nh:\n", true},
		{"a sequence that is the document", "- a\n", false},
		{"a scalar that is the document", "a\n", false},
		{"nothing", "", false},
		{"comments alone", "# a\n\n  # b\n", false},
		{"a mapping that is indented", " a: b\n", false},
		{"words over lines", "a: b\n  c\n\n\n  d # e\nf: g\n", true},
		{"words behind a comment", "a: b # c\n  d\n", false},
		{"words at the depth of their key", "a:\n  b: c\n  d\n", false},
		{"a mapping in a line", "a: b: c\n", false},
		{"a sequence in a line", "a: - b\n", false},
		{"quoted text over lines", "a: \"b\n\n  c\\\n  d \\\n  \\\"e\\\"\"\nf: 'g ''\n  h'\n", true},
		{"quoted text that goes on in the first column", "a: \"b\nc\"\n", false},
		{"escapes that JSON does not have", `a: "\x41"`, false},
		{"escapes that YAML 1.1 does not have", `a: "\/"`, false},
		{"block scalars", "a: |\n  b\n\n   c\n\nd: >-\n\n  e\n  f\n\n   g\n  h\ni: |+\n\n", true},
		{"block scalars with a depth of their own", "a: |2\n    b\nc:\n- >1+\n  d\n  e\n\n", true},
		{"a block scalar without a last line break", "a: |\n  b", true},
		{"a block scalar of nothing", "a: |\nb: >-\n\nc: |+\n\n", true},
		{"a block scalar that begins deeper than it goes on", "a: |\n     \n  b\n", false},
		{"a tab in the indentation of a block scalar", "a: |\n\tb\n", false},
		{"a tab in the text of a block scalar", "a: |\n  b\n  \tc\td\n", true},
		{"a tab in words", "a: b\tc\n", false},
		{"a tab in a comment", "a: b # c\td\n#\t\n", true},
		{"collections in brackets", "a: [b, 'c', {d: e, \"f\": [ ]}, -1, null, ]\ng: {}\n", true},
		{"collections in brackets over lines", "a: [b,\n  c]\n", false},
		{"a pair in brackets", "a: [b: c]\n", false},
		{"JSON", `{"a": "b"}`, false},
		{"anchors and aliases", "a: &b c\nd: *b\n", false},
		{"tags", "a: !!str b\n", false},
		{"merge keys", "<<: {a: b}\n", false},
		{"explicit keys", "? a\n: b\n", false},
		{"directives", "%YAML 1.1\n", false},
		{"separators", "a: b\n---\n", false},
		{"ends of documents", "a: b\n...\n", false},
		{"a key twice", "a: b\nc: d\na: e\n", false},
		{"a key twice, quoted", "a: b\n\"a\": c\n", false},
		{"a key twice, in braces", "a: {b: c, b: d}\n", false},
		{"a key in each of two mappings", "a:\n  b: c\nd:\n  b: c\n", true},
		{"as many keys as are compared one by one", keys(256), true},
		{"more keys", keys(257), true},
		{"many more", keys(20_000), true},
		{"a key twice among many, both early", keys(9) + "k3: v\n" + strings.ReplaceAll(keys(1000), "k", "l"), false},
		{"a key twice among many, one late", keys(1000) + "k3: v\n", false},
		{"a key twice among many, both late", keys(1000) + "k999: v\n", false},
		{"the first key twice when there are many", keys(257) + "k0: v\n", false},
		{"the last key that is compared, twice", keys(257) + "k256: v\n", false},
		{"many keys within many, of the same names", keys(300) + "a:\n" + indented(keys(300)) + "b:\n" + indented(keys(300)) + "c: d\n", true},
		{"a key of the outer mapping, twice, behind many of an inner one", keys(300) + "a:\n" + indented(keys(300)) + "k7: d\n", false},
		{"a key of 512 bytes", long(512) + ": a\n", true},
		{"a longer key", long(513) + ": a\n", false},
		{"a key with its colon far behind", "a" + strings.Repeat(" ", 1100) + ": b\n", false},
		{"a long value", "a: " + long(5000) + "\nb: '" + long(5000) + "'\n", true},
		{"a long comment, far away", "a: b" + strings.Repeat(" ", 600) + "# " + long(600) + "\n" + strings.Repeat(" ", 600) + "# c\n" + strings.Repeat("\n", 600) + "d: e\n", true},
		{"as deep as is allowed", deep(999) + strings.Repeat(" ", 999) + "a: b\n", true},
		{"a key that is a number", "1: a\n", false},
		{"a key that is a boolean of YAML 1.1", "on: a\n", false},
		{"quoted, it is none", "\"on\": a\n", true},
		{"CRLF", "a: b\r\n", false},
		{"characters of several bytes", "é: \"日本\" # 😀\n", true},
	}
	s := New()
	for _, tc := range cases {
		if got := taken(t, s, []byte(tc.text), 1000); got != tc.want {
			t.Errorf("%s: taken: %v, want %v", tc.reason, got, tc.want)
		}
	}
	if _, ok := s.Scan([]byte("apiVersion: v1\nkind: A\nb: {c: {}}\n"), 2); ok {
		t.Error("a document that is deeper than its limit is taken")
	}
}

// TestMeaning says what words mean. Those that YAML 1.1 and 1.2 read differently, or
// that JSON writes otherwise, are unsure.
func TestMeaning(t *testing.T) {
	for want, words := range map[meaning]string{
		isString: "a foo nULL tRUE yEs v1 1.2.3 10.0.0.0/8 5Gi 10m 1-2 2001-01-01 2001-01-01T00:00:00Z 12:30 --debug -xy 1g é / ~x",
		isNull:   "~ null Null NULL",
		isOther:  "true false 0 1 -1 42 123456789012345678 0.5 -1.25 123456.789 0.000001",
		isUnsure: "True FALSE y n yes No ON off << = 1.0 1.10 .5 5. +1 -0 007 0x1F 0o17 0b11 0b-1 1_000 1e3 1E-5 1e 1a .inf -.INF .NaN 0.0000001 1234567890123456789 - + . -. 0x -x",
	} {
		for _, word := range strings.Fields(words) {
			if got := meaningOf([]byte(word)); got != want {
				t.Errorf("%s means %d, want %d", word, got, want)
			}
		}
	}
}

// Scan, which looks at every byte of a package, needs no memory of its own.
func TestScanAllocatesNothing(t *testing.T) {
	text := []byte("apiVersion: v1\nkind: A\nmetadata:\n  name: b\nspec:\n- c: \"d\n    e\"\n  f: |\n    g\n  h: {i: [1, 2.5, j]}\n")
	s := New()
	if n := testing.AllocsPerRun(100, func() { s.Scan(text, 100) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzEqual compares whatever is taken with the libraries.
func FuzzEqual(f *testing.F) {
	g := newGenerator(3)
	for range 200 {
		f.Add(g.document())
	}
	f.Fuzz(executions.Many(func(t *testing.T, text []byte) { taken(t, New(), text, 100) }))
}

// The engine stays so small that somebody new can change it in a morning.
func TestStaysSmall(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	count, lines := 0, 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		count, lines = count+1, lines+bytes.Count(text, []byte("\n"))
	}
	if count > 3 || lines > 900 {
		t.Errorf("%d files of %d lines, want at most 3 of 900", count, lines)
	}
}
