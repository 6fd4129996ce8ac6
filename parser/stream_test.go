package parser_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Three documents that most cases are made of.
const (
	metaDoc = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: demo\n"
	crdA    = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: a.example.org\n"
	crdB    = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: b.example.org\n"
	bom     = "\uFEFF"
)

// names describes a result: documents as "line:name", errors as
// "line:column rule", in the order of the sequence.
func names(t *testing.T, text string, o *parser.Options) []string {
	t.Helper()
	var got []string
	for d, err := range parser.Bytes("package.yaml", []byte(text), o) {
		var e *parser.Error
		switch {
		case err == nil:
			got = append(got, fmt.Sprintf("%d:%s", d.Range.Start.Line, d.Name))
			checkRanges(t, text, d)
		case errors.As(err, &e):
			got = append(got, fmt.Sprintf("%s %s", e.Range.Start, e.Rule))
			checkRange(t, text, e.Range)
			if len(e.Error()) > 600 {
				t.Errorf("the text of an error has %d bytes", len(e.Error()))
			}
		default:
			t.Fatalf("untyped error %v", err)
		}
	}
	// A reader that gives little at a time must lead to the same.
	var slow []string
	for d, err := range parser.Stream(context.Background(), "package.yaml", iotest.OneByteReader(strings.NewReader(text)), o) {
		var e *parser.Error
		if errors.As(err, &e) {
			slow = append(slow, fmt.Sprintf("%s %s", e.Range.Start, e.Rule))
		} else {
			slow = append(slow, fmt.Sprintf("%d:%s", d.Range.Start.Line, d.Name))
		}
	}
	if diff := cmp.Diff(got, slow); diff != "" {
		t.Errorf("Stream and Bytes differ (-Bytes +Stream):\n%s", diff)
	}
	return got
}

func TestStreamForms(t *testing.T) {
	three := func(a, b, c int) []string {
		return []string{fmt.Sprintf("%d:demo", a), fmt.Sprintf("%d:a.example.org", b), fmt.Sprintf("%d:b.example.org", c)}
	}
	all := metaDoc + "---\n" + crdA + "---\n" + crdB
	licence := strings.Repeat("# "+strings.Repeat("l", 50)+"\n", 100)
	jsonA := `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"a.example.org"}}`
	jsonB := strings.ReplaceAll(jsonA, "a.example.org", "b.example.org")

	cases := map[string]struct {
		reason string
		text   string
		want   []string
	}{
		"Plain":               {"the ordinary form", all, three(1, 6, 11)},
		"NoNewlineAtEnd":      {"the last line needs no line break", strings.TrimSuffix(all, "\n"), three(1, 6, 11)},
		"MarkerFirst":         {"a separator may begin the stream", "---\n" + all, three(2, 7, 12)},
		"MarkerLast":          {"a separator at the end begins nothing", all + "---\n", three(1, 6, 11)},
		"MarkerLastNoNewline": {"nor does one without a line break", all + "---", three(1, 6, 11)},
		"BOMAtStart":          {"a byte order mark is allowed", bom + all, three(1, 6, 11)},
		"BOMBeforeMarker":     {"before a separator too", bom + "---\n" + all, three(2, 7, 12)},
		"BOMBeforeComment":    {"before a comment too", bom + "# c\n" + all, three(2, 7, 12)},
		"BOMInEveryDocument":  {"YAML 1.2 allows one at the start of every document", bom + metaDoc + "---\n" + bom + crdA + "---\n" + bom + crdB, three(1, 6, 11)},
		"BOMAfterComment":     {"a comment may stand before it", metaDoc + "---\n# c\n" + bom + crdA + "---\n" + crdB, three(1, 7, 12)},
		"LongComment":         {"marks and directives may stand behind a licence text", licence + bom + metaDoc + "...\n" + licence + "%YAML 1.2\n---\n" + crdA + "...\n" + licence + "%FOO\n---\n" + crdB, three(101, 208, 315)},
		"BOMBeforeMarkers":    {"files with marks that were joined", bom + metaDoc + bom + "---\n" + crdA + bom + "---\n" + crdB, three(1, 6, 11)},
		"CRLF":                {"line ends of Windows", strings.ReplaceAll(all, "\n", "\r\n"), three(1, 6, 11)},
		"CR":                  {"a lone CR is a line break of YAML", strings.ReplaceAll(all, "\n", "\r"), three(1, 6, 11)},
		"MixedBreaks":         {"mixed, each counts once", strings.Replace(strings.Replace(all, "\n", "\r\n", 3), "---\n", "---\r", 1), three(1, 6, 11)},
		"YAMLDirective":       {"%YAML before the first separator", "%YAML 1.1\n---\n" + all, three(3, 8, 13)},
		"YAMLDirective12":     {"and the version of 2009", "%YAML 1.2\n---\n" + all, three(3, 8, 13)},
		"DirectiveComment":    {"with comments around", "# c\n%YAML 1.2 # c\n# c\n---\n" + all, three(5, 10, 15)},
		"TagDirectiveLater":   {"%TAG before a later document, after ...", metaDoc + "...\n%TAG !e! tag:example.org,2000:\n---\n" + crdA + "---\n" + crdB, three(1, 8, 13)},
		"DirectiveWithoutEnd": {"the ... before a directive is often forgotten", metaDoc + "%TAG !e! tag:example.org,2000:\n---\n" + crdA + "---\n" + crdB, three(1, 7, 12)},
		"DirectiveAfterEmpty": {"behind a document that is empty", "---\n%YAML 1.2\n---\n" + all, three(4, 9, 14)},
		"EndsAndMarkers":      {"... and --- between documents", metaDoc + "...\n---\n" + crdA + "...\n---\n" + crdB + "...\n", three(1, 7, 13)},
		"EndsOnly":            {"... alone separates documents", metaDoc + "...\n" + crdA + "...\n" + crdB, three(1, 6, 11)},
		"EndWithComment":      {"a comment may follow ...", metaDoc + "... # c\n" + crdA + "...\t\n" + crdB, three(1, 6, 11)},
		"ManyEnds":            {"... may be repeated", "...\n...\n" + metaDoc + "...\n...\n---\n" + crdA + "---\n" + crdB, three(3, 10, 15)},
		"CommentsFirst":       {"comments and blank lines before the first separator", "# c\n\n   # c\n\t\n---\n" + all, three(6, 11, 16)},
		"CommentOnMarker":     {"a comment on the separator line", "--- # c\n" + metaDoc + "---\t# c\n" + crdA + "---   \n" + crdB, three(2, 7, 12)},
		"BlockScalarMarker":   {"an indented --- in a block scalar is text", metaDoc + "  annotations:\n    x: |\n      ---\n      a\n      ---\n---\n" + crdA + "---\n" + crdB, three(1, 11, 16)},
		"MarkerLookalikes":    {"---- and ---x are text", metaDoc + "  annotations:\n    x: ----\n    ---y: ---x\n---\n" + crdA + "---\n" + crdB, three(1, 9, 14)},
		"EmptyBetween":        {"empty documents are passed over", metaDoc + "---\n---\n\n---\n" + crdA + "---\n# c\n---\n" + crdB, three(1, 9, 16)},
		"NullBetween":         {"and those that say null", metaDoc + "---\nnull\n---\n~\n--- !!null\n---\n" + crdA + "---\n" + crdB, three(1, 11, 16)},
		"Anchors":             {"anchor and alias in one document", metaDoc + "  labels: &l\n    x: y\n  annotations: *l\n---\n" + crdA + "---\n" + crdB, three(1, 9, 14)},
		"JSON":                {"JSON documents between separators", metaDoc + "---\n" + jsonA + "\n---\n" + jsonB, three(1, 6, 8)},
		"JSONOnMarker":        {"JSON on the separator line", metaDoc + "--- " + jsonA + "\n---\t" + jsonB + "\n", three(1, 5, 6)},
		"JSONTabs":            {"JSON that is indented with tabs", "{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"A\",\n\t\"metadata\": {\"name\": \"x\"}\n}\n", []string{"1:x"}},
		"JSONLayout":          {"JSON that only JSON lays out so", "\t{\"kind\"\n: \"A\", \"apiVersion\":\n\"v1\"}\n---\n\n\t{\"kind\"\n:\n\"A\", \"apiVersion\": \"v1\"}\n---\n" + crdB, []string{"1:", "6:", "10:b.example.org"}},
		"MetaLast":            {"the metadata object may be last", crdA + "---\n" + crdB + "---\n" + metaDoc, []string{"1:a.example.org", "6:b.example.org", "11:demo"}},
		"Unicode":             {"quotes of Windows, emoji, U+2028 and U+0085 are text", metaDoc + "  annotations:\n    x: “a” 🎉 \u2028b\u2029c\u0085d\n    y: 1\n---\n" + crdA + "---\n" + crdB, three(1, 9, 14)},
		"List":                {"a List is a document like others; a rule says that it is not allowed", "apiVersion: v1\nkind: List\nmetadata: {name: l}\nitems: []\n", []string{"1:l"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, names(t, tc.text, nil)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestStreamBufferBorders(t *testing.T) {
	// Lines whose length is that of a read buffer have been lost by others.
	head := `{"apiVersion":"v1","kind":"A","metadata":{"name":"`
	for _, size := range []int{4095, 4096, 4097, 8192, 65535, 65536, 65537, 131072} {
		name := strings.Repeat("x", size-len(head)-3)
		text := metaDoc + "---\n" + head + name + `"}}`
		got := names(t, text, nil)
		if len(got) != 2 || got[1] != "6:"+name {
			t.Errorf("the last document of %d bytes without a line break is lost: %d documents", size, len(got))
		}
		// The separator itself at the border, and a CR before it.
		for _, sep := range []string{"\n---\n", "\r---\r", "\r\n---\r\n"} {
			pad := strings.Repeat("#", size-len(metaDoc)-2)
			if got := names(t, metaDoc+pad+sep+crdA, nil); len(got) != 2 {
				t.Errorf("separator %q at byte %d: %v", sep, size, got)
			}
		}
	}
}

func TestStreamIsRangedOnce(t *testing.T) {
	seq := parser.Stream(context.Background(), "package.yaml", strings.NewReader(crdA), nil)
	for range seq {
		break
	}
	var errs []error
	for d, err := range seq {
		if d != nil {
			t.Error("a document the second time")
		}
		errs = append(errs, err)
	}
	if len(errs) != 1 || errs[0] == nil {
		t.Errorf("the second range yields %v, want one error", errs)
	}
}

func TestStreamBreakAndPanic(t *testing.T) {
	text := crdA + "---\n" + crdB
	n := 0
	for range parser.Bytes("", []byte(text), nil) {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d rounds after break", n)
	}
	defer func() {
		if recover() != "mine" {
			t.Error("the panic of the body was lost")
		}
	}()
	for range parser.Bytes("", []byte(text), nil) {
		panic("mine")
	}
}

func TestStreamContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var errs []error
	docs := 0
	for d, err := range parser.Stream(ctx, "package.yaml", strings.NewReader(crdA+"---\n"+crdB+"---\n"+metaDoc), nil) {
		if err != nil {
			errs = append(errs, err)
		}
		if d != nil {
			docs++
			cancel()
		}
	}
	if docs != 1 || len(errs) != 1 || !errors.Is(errs[0], context.Canceled) || !errors.Is(errs[0], meta.ErrCanceled) || meta.Code(errs[0]) != "canceled" {
		t.Errorf("after cancel: %d documents, errors %v", docs, errs)
	}
}

func TestStreamReadError(t *testing.T) {
	broken := errors.New("the connection broke")
	reader := readerFunc(func() func([]byte) (int, error) {
		text := crdA + "---\n" + crdB
		return func(p []byte) (int, error) {
			if text == "" {
				return 0, broken
			}
			n := copy(p, text)
			text = text[n:]
			return n, nil
		}
	}())
	pkg, err := parser.Collect(parser.Stream(context.Background(), "package.yaml", reader, nil))
	if len(pkg.Objects) != 1 || !errors.Is(err, broken) {
		t.Errorf("got %d objects and %v; the document that the failure cut off must not appear", len(pkg.Objects), err)
	}
	if strings.Contains(err.Error(), "metadata-missing") {
		t.Errorf("nothing can be called missing when not everything was read: %v", err)
	}
	if errors.Is(err, meta.ErrInvalid) {
		t.Errorf("a failure of the reader is called invalid input: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A brokenReader returns a count that no reader may return.
type brokenReader int

func (r brokenReader) Read([]byte) (int, error) { return int(r), nil }

func TestStreamBrokenReader(t *testing.T) {
	for _, n := range []int{-1, 1 << 40} {
		_, err := parser.Collect(parser.Stream(t.Context(), "f", brokenReader(n), nil))
		var e *parser.Error
		if !errors.As(err, &e) || e.Rule != parser.RuleUnreadable {
			t.Errorf("a reader that returns %d gives %v", n, err)
		}
	}
}

func TestReservedDirective(t *testing.T) {
	for _, head := range []string{"%FOO bar\n---\n", "%FOO\n%YAML 1.2\n# c\n%BAR a % b\n---\n", "a: b\n...\n%FOO\n---\n", "\uFEFF%FOO bar\r\n---\r\n"} {
		docs, errs := split(t, parser.Bytes("f", []byte(head+"a: |\n  b\n  %FOO\n"), nil))
		if len(docs) == 0 {
			t.Fatalf("%q: %v", head, errs)
		}
		if b, err := docs[len(docs)-1].JSON(); string(b) != `{"a":"b\n%FOO\n"}` {
			t.Errorf("%q: %s, %v", head, b, err)
		}
	}
}
