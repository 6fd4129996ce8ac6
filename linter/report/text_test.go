package report_test

import (
	"io"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/parser"
)

// one returns a source with one finding on a line, from one column up to another,
// in bytes.
func one(line string, from, to int) []report.Source {
	d := linter.Diagnostic{Rule: "a-rule", Severity: linter.Warning, Message: "is odd", Range: parser.Range{
		File: "a.yaml", Start: parser.Position{Line: 9, Column: from}, End: parser.Position{Line: 9, Column: to, Offset: to - from},
	}}
	return []report.Source{{Findings: []linter.Diagnostic{d}, Line: func(string, int) []byte { return []byte(line) }}}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("a", 500)
	cases := map[string]struct {
		reason, line string
		from, to     int
		shown, marks string
	}{
		"Value":   {"a value is marked as a whole", "name: demo", 7, 11, "name: demo", "      ^^^^"},
		"Empty":   {"a place without extent has a mark all the same", "name:", 6, 6, "name:", "     ^"},
		"Beyond":  {"columns that the line does not have are no fault", "name", 90, 95, "name", "    ^"},
		"Tab":     {"a tab is four cells in the line and below it", "\tname: a", 8, 9, "    name: a", "          ^"},
		"Wide":    {"pictures and East Asian letters take two cells", "界😀: é", 10, 12, "界😀: é", "      ^"},
		"Accent":  {"a combining accent takes none", "e\u0301: a", 6, 7, "e\u0301: a", "   ^"},
		"BOM":     {"a byte order mark is not shown", "\uFEFFa: b", 7, 8, "a: b", "   ^"},
		"Escape":  {"what is not printable is shown as it would be quoted", "\x1b[2J: b", 7, 8, `\x1b[2J: b`, "         ^"},
		"Long":    {"of a long line a part is shown", long + ": b, " + long, 503, 504, "…" + long[:58] + ": b, " + long[:56] + "…", strings.Repeat(" ", 61) + "^"},
		"LongRun": {"so it is of a long value", long, 1, 501, long[:120] + "…", strings.Repeat("^", 121)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := write(t, func(w io.Writer) error {
				return report.Text(w, one(tc.line, tc.from, tc.to), &report.TextOptions{Excerpt: true})
			})
			want := "a.yaml:9:" + strings.TrimPrefix(parser.Position{Line: 9, Column: tc.from}.String(), "9:") + ": a-rule: is odd [warning]\n" +
				"  9 | " + tc.shown + "\n    | " + tc.marks + "\n"
			if got != want {
				t.Errorf("%s:\n%s\nwant\n%s", tc.reason, got, want)
			}
		})
	}
}

// Colours are all that Color adds, and each is taken back.
func TestColor(t *testing.T) {
	ss := sources(t)
	plain := write(t, func(w io.Writer) error { return report.Text(w, ss, &report.TextOptions{Excerpt: true}) })
	colored := write(t, func(w io.Writer) error { return report.Text(w, ss, &report.TextOptions{Excerpt: true, Color: true}) })
	if !strings.Contains(colored, "\x1b[1;31mplain-annotation:\x1b[0m") {
		t.Errorf("got %q, want the rule of an error in red", colored)
	}
	stripped := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[1;31m", "", "\x1b[1;33m", "", "\x1b[1;34m", "").Replace(colored)
	if stripped != plain {
		t.Errorf("without colours it is %q, want %q", stripped, plain)
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain – ü 界": "plain – ü 界",
		"\x1b[2J\a":   `\x1b[2J\a`,
		"a\nb\r":      `a\nb\r`,
		"\x9b1m\xff":  `\x9b1m\xff`,
		"a\u202Eb":    `a\u202eb`,
		"a\u2028b":    `a\u2028b`,
		"\uFFFD":      "\uFFFD",
	} {
		if got := report.Printable(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(text), nil))
	if err != nil {
		t.Fatal(err)
	}
	line := report.Lines(pkg)
	for n, want := range map[int]string{2: "kind: Configuration", 7: "# a comment", 8: "apiVersion: v1", 13: "  c: d", 0: "", 99: ""} {
		if got := line("package.yaml", n); string(got) != want {
			t.Errorf("line %d is %q, want %q", n, got, want)
		}
	}
	if got := line("other.yaml", 2); got != nil {
		t.Errorf("got %q of a file that is not there", got)
	}
	if got := report.Lines(nil)("package.yaml", 1); got != nil {
		t.Errorf("got %q of no package", got)
	}
}

// Lines end where they end for the parser.
func TestLinesOf(t *testing.T) {
	line := report.LinesOf("a.yaml", []byte("a: [\r\n\rb\u0085c\n"))
	for n, want := range map[int]string{1: "a: [", 2: "", 3: "b\u0085c", 4: "", 5: "", 0: ""} {
		got := line("a.yaml", n)
		if known := n >= 1 && n <= 4; string(got) != want || (got != nil) != known {
			t.Errorf("line %d is %q, want %q", n, got, want)
		}
	}
	if got := line("b.yaml", 1); got != nil {
		t.Errorf("got %q of another file", got)
	}
	if got := report.LinesOf("a.yaml", []byte("\xff\xfea\x00"))("a.yaml", 1); got != nil {
		t.Errorf("got %q of UTF-16", got)
	}
}

// A file is named by a URI that leads to it from the root of the repository, or
// from that of the system.
func TestURI(t *testing.T) {
	for dir, want := range map[string]string{
		"":              "a%20b.yaml",
		"pkg":           "pkg/a%20b.yaml",
		"../50%?#":      "../50%25%3F%23/a%20b.yaml",
		"host:5000/a:v": "./host:5000/a:v/a%20b.yaml",
		"/srv/pkg":      "file:///srv/pkg/a%20b.yaml",
		"C:/pkg":        "file:///C:/pkg/a%20b.yaml",
		"//host/x":      "file:///host/x/a%20b.yaml",
	} {
		s := report.Source{Dir: dir, Findings: []linter.Diagnostic{{Rule: "a", Range: parser.Range{File: "a b.yaml"}}}}
		got := write(t, func(w io.Writer) error { return report.SARIF(w, []report.Source{s}, nil) })
		if !strings.Contains(got, `"uri": "`+want+`"`) {
			t.Errorf("%q: got %s, want %s", dir, got, want)
		}
	}
}
