package parser_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

func TestLimits(t *testing.T) {
	two := metaDoc + "---\n" + crdA
	cases := map[string]struct {
		reason string
		text   string
		o      parser.Options
		want   []string
	}{
		"Fits":            {"a stream of exactly the limit", two, parser.Options{MaxBytes: int64(len(two))}, []string{"1:demo", "6:a.example.org"}},
		"StreamAtBorder":  {"the limit falls on a document's border", two, parser.Options{MaxBytes: int64(len(metaDoc) + 4)}, []string{"1:demo", "6:1 limit"}},
		"StreamInside":    {"the limit falls inside a document, which is not yielded", two, parser.Options{MaxBytes: int64(len(two) - 1)}, []string{"1:demo", "9:1 limit"}},
		"Document":        {"a document above the limit ends the sequence", two + "---\n" + crdB, parser.Options{MaxDocumentBytes: 100}, []string{"1:demo", "5:1 limit"}},
		"Documents":       {"empty documents do not count", metaDoc + "---\n---\n# c\n---\n" + crdA + "---\n" + crdB, parser.Options{MaxDocuments: 2}, []string{"1:demo", "9:a.example.org", "13:1 limit"}},
		"DocumentsNull":   {"nor do null ones", "--- ~\n---\nnull\n--- !!null null\n---\n" + crdA + "---\n# c\nNULL # d\n--- &a\n", parser.Options{MaxDocuments: 1}, []string{"6:a.example.org"}},
		"Nodes":           {"a document of too many values is an error, and the next one is read", "a: [" + strings.Repeat("1,", 100) + "1]\n---\n" + crdA, parser.Options{MaxNodes: 100}, []string{"1:198 limit", "3:a.example.org"}},
		"Depth":           {"a document that is too deep is an error, and the next one is read", "kind: " + strings.Repeat("[", 60) + strings.Repeat("]", 60) + "\n---\n" + crdA, parser.Options{MaxDepth: 50}, []string{"1:56 limit", "3:a.example.org"}},
		"DepthDefault":    {"the default", strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + "\n---\n" + crdA, parser.Options{}, []string{"1:1001 limit", "3:a.example.org"}},
		"DepthOfTheStack": {"thousands of block mappings in each other", blockStack(4_000), parser.Options{}, []string{"1001:1001 limit"}},
		"Tags":            {"each directive is compared with all before it", tags(100_000) + "---\n" + crdA + "---\n" + crdB, parser.Options{}, []string{"101:1 limit", "100007:b.example.org"}},
		"TagsBehind":      {"also those that stand behind content", "a: 1\n" + tags(100_000) + "b: 1\n---\n" + crdB, parser.Options{}, []string{"102:1 limit", "100004:b.example.org"}},
		"TagsFit":         {"as many as are allowed", tags(100) + "---\n" + crdA, parser.Options{}, []string{"102:a.example.org"}},
		"Laughs":          {"ten aliases, nine times in each other", laughs() + "---\n" + crdA, parser.Options{}, []string{"6:46 limit", "12:a.example.org"}},
		"Merges":          {"two thousand merges of a mapping with two thousand keys", merges(2000), parser.Options{}, []string{"2491:7 limit"}},
		"Empties":         {"a million empty documents", strings.Repeat("---\n", 1_000_000), parser.Options{}, nil},
		"Nulls":           {"a million nulls", strings.Repeat("---\nnull\n--- ~\n", 500_000), parser.Options{}, nil},
		"Comments":        {"a million comments", strings.Repeat("---\n# c\n", 1_000_000), parser.Options{}, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for d, err := range parser.Bytes("f", []byte(tc.text), &tc.o) {
				var e *parser.Error
				if errors.As(err, &e) {
					got = append(got, fmt.Sprintf("%v %s", e.Range.Start, e.Rule))
					var limit *meta.LimitError
					if !errors.Is(err, meta.ErrLimit) || !errors.As(err, &limit) || errors.Is(err, meta.ErrInvalid) || limit.Limit == 0 {
						t.Errorf("%v is not a *meta.LimitError with its limit", err)
					}
					continue
				}
				got = append(got, fmt.Sprintf("%d:%s", d.Range.Start.Line, d.Name))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestFaultsAreLimited ends a stream of nothing but faults.
func TestFaultsAreLimited(t *testing.T) {
	var last error
	errs := 0
	for _, err := range parser.Bytes("f", []byte(strings.Repeat("a: 1\n---\n", 100)), &parser.Options{MaxFaults: 10}) {
		if err != nil {
			last = err
			errs++
		}
	}
	var limit *meta.LimitError
	const want = "f:11:1: limit: what was read so far has more than 10 faults: the rest is not read"
	if errs != 13 || !errors.As(last, &limit) || last.Error() != want {
		t.Errorf("%d errors, the last is %v, want %s", errs, last, want)
	}
	pkg, err := parser.Collect(parser.Bytes("f", []byte(strings.Repeat("a: 1\n---\n", 1_000_000)), nil))
	if len(pkg.Objects) != parser.DefaultMaxFaults/2+1 || meta.Code(err) != "limit" {
		t.Errorf("%d objects, and %v", len(pkg.Objects), meta.Code(err))
	}
	if l := list(err); !strings.Contains(l[len(l)-1].Message, "the rest was not read") {
		t.Errorf("the last error is %v", l[len(l)-1])
	}
	for _, e := range list(err) {
		if e.Rule == parser.RuleMetadataMissing {
			t.Errorf("what was not read is called missing: %v", e)
		}
	}
}

func TestLimitOfOne(t *testing.T) {
	for _, tc := range []struct {
		text string
		o    parser.Options
		want string
	}{
		{crdA + "---\n" + crdB, parser.Options{MaxDocuments: 1}, "has more than 1 document"},
		{"a: {}\n", parser.Options{MaxDepth: 1}, "has more than 1 level"},
		{"a: {}\n", parser.Options{MaxBytes: 1}, "is larger than 1 byte"},
	} {
		_, err := parser.Collect(parser.Bytes("f", []byte(tc.text), &tc.o))
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), tc.want+"s") {
			t.Errorf("%v, want %q", err, tc.want)
		}
	}
}

// TestDepthIsTold names the limit that was set, also where the YAML reader's own, which is
// higher, is what ends the reading.
func TestDepthIsTold(t *testing.T) {
	for _, nest := range []string{"[", "- ", "? ", "{a: "} {
		for _, depth := range []int{5, 9_000, 20_000} {
			text := "kind: A\napiVersion: v1\nx:\n  " + strings.Repeat(nest, 20_000)
			for _, err := range parser.Bytes("f", []byte(text), &parser.Options{MaxDepth: depth}) {
				var limit *meta.LimitError
				if want := int64(min(depth, 10_000)); !errors.As(err, &limit) || limit.Limit != want || !strings.Contains(err.Error(), fmt.Sprint(want)) {
					t.Errorf("%d levels of %q: %v, want a limit of %d", depth, nest, err, want)
				}
			}
		}
	}
}

func tags(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%%TAG !%d! x:\n", i)
	}
	return b.String()
}

func blockStack(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func laughs() string {
	s := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 10; i++ {
		s += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	return s
}

func merges(n int) string {
	var b strings.Builder
	b.WriteString("base: &k\n")
	for i := range n {
		fmt.Fprintf(&b, "  k%d: v\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "m%d:\n  <<: *k\n", i)
	}
	return b.String()
}

func TestStreamIsNotHeld(t *testing.T) {
	// A stream of 16 MiB goes through, and the heap afterwards is that of a
	// few documents: what is not held is not kept.
	r, w := io.Pipe()
	defer r.Close()
	go func() { w.CloseWithError(fixture.WriteProvider(w, 200)) }()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n, size := 0, 0
	seq := parser.Stream(context.Background(), "package.yaml", r, nil)
	for d, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		n, size = n+1, size+len(d.Raw())
		if n == 150 {
			runtime.GC()
			runtime.ReadMemStats(&after)
			if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > int64(size)/4 {
				t.Errorf("after %d bytes of documents %d bytes are held", size, held)
			}
		}
	}
	if n != 201 {
		t.Errorf("%d documents, want 201", n)
	}
}

// What one sequence is done with is no burden to the next, in a program that collects late.
func TestManyStreamsTakeNoMemory(t *testing.T) {
	const limit = 170 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(1000))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	text := "---\n" + crdA
	for range 20000 {
		for d, err := range parser.Stream(t.Context(), "package.yaml", strings.NewReader(text), nil) {
			if err == nil {
				err = d.DecodeLax(new(struct{ Kind string }))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapSys - before.HeapSys); grown > limit {
		t.Errorf("the heap has %d bytes more, and %d before", grown, before.HeapSys)
	}
}

// BenchmarkStream reads a generated provider: identity, places and syntax of
// every document.
func BenchmarkStream(b *testing.B) {
	text := fixture.Provider(100)
	for _, c := range []struct {
		name string
		use  func(*parser.Document) error
	}{
		{"identity", func(*parser.Document) error { return nil }},
		{"json", func(d *parser.Document) error { _, err := d.JSON(); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for d, err := range parser.Stream(context.Background(), "package.yaml", strings.NewReader(string(text)), nil) {
					if err == nil {
						err = c.use(d)
					}
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != 101 {
					b.Fatalf("%d documents", n)
				}
			}
		})
	}
}
