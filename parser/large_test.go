//go:build !race

// With the race detector these documents take minutes, and another amount of memory.

package parser_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// largePackage names, in a process of its own, the package that it is to read.
const largePackage = "XPKG_TEST_LARGE_PACKAGE"

// TestLargeDocuments reads packages with one very large document, each in a process of
// its own: what follows is read, an error is short, and all the memory that the process
// has from the system is less than so many times the size of the package: more where the
// place of a fault has to be found among half a million items.
func TestLargeDocuments(t *testing.T) {
	const line = "a line of a text that has many of them"
	annotation := func(before, line, after string) func() string {
		return func() string {
			return metaDoc + "  annotations:\n    a: " + before + strings.Repeat(line, 64<<20/len(line)) + after + "\n"
		}
	}
	items := func(last string) func() string {
		return func() string {
			return metaDoc + "---\n" + crdA + "data:\n" + strings.Repeat("- "+line+"\n", 20<<20/len(line)) + last
		}
	}
	cases := map[string]struct {
		reason string
		text   func() string
		code   string // meta.Code of the error
		times  int    // the size of the package, as memory
	}{
		"Plain":    {"a text of 64 MB in one line", annotation("", "b", ""), "", 20},
		"Block":    {"one of many lines", annotation("|\n", "      "+line+"\n", ""), "", 20},
		"Quoted":   {"a quoted one of many lines", annotation("\"", line+"\n      ", "\""), "", 20},
		"Anchored": {"one that the library reads", annotation("&a ", "b", ""), "", 20},
		"Annotations": {"a million annotations", func() string {
			b := []byte(metaDoc + "  annotations:\n")
			for i := range 1_000_000 {
				b = fmt.Appendf(b, "    example.org/a%07d: b\n", i)
			}
			return string(b)
		}, "limit", 20},
		"Fault":    {"a fault in the last line of 20 MB", items("b: \"c\n"), "invalid", 40},
		"Readable": {"one that leaves the document readable", items("data: c\n"), "invalid", 20},
	}
	if name := os.Getenv(largePackage); name != "" {
		text := cases[name].text() + "---\n" + crdB
		runtime.GC()
		pkg, err := parser.Collect(parser.Stream(t.Context(), "f", strings.NewReader(text), nil))
		if meta.Code(err) != cases[name].code || err != nil && len(err.Error()) > 500 {
			t.Errorf("%.1000v, want %q", err, cases[name].code)
		}
		if n := len(pkg.Objects); n == 0 || pkg.Objects[n-1].Name != "b.example.org" || err == nil && pkg.Meta == nil {
			t.Errorf("%d objects, and the metadata %v", n, pkg.Meta)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Printf("memory %d %d\n", len(text), m.Sys)
		return
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLargeDocuments$")
			c.Env = append(os.Environ(), largePackage+"="+name)
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v: %.3000s", tc.reason, err, out)
			}
			var size, memory int
			if _, err := fmt.Sscanf(string(out), "memory %d %d\n", &size, &memory); err != nil {
				t.Fatalf("%v: %.1000s", err, out)
			}
			t.Logf("%s: %.1f times", tc.reason, float64(memory)/float64(size))
			if memory > tc.times*size {
				t.Errorf("%s: %d bytes of memory for %d, which is more than %d times", tc.reason, memory, size, tc.times)
			}
		})
	}
}
