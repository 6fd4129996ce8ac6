package parser_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// seeds are streams that hold what the fuzzer should play with.
func seeds(f *testing.F) {
	for _, s := range []string{
		"", "\n", "---\n", "...\n", metaDoc, metaDoc + "---\n" + crdA + "...\n" + crdB,
		bom + "%YAML 1.2\n%TAG !e! tag:e,2000:\n---\na: !!str 1\n...\n# c\n--- {a: [1, 2], \"b\": 'c'}\n",
		"a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: |2-\n     f\n    g\nh: >+\n  i\n\n  j\n\n",
		"? a\n: b\n? - c\n: d\n", "a: \"b\\\n  c\\u00e9\"\nd: 'e''f\n\n  g'\nh: i\n  j # k\n",
		"a:\r\n- b\r\n-\r\n- - c\r\n  - d: e\r\n    f:\r\n", "a: \u2028b\u0085c\n\ufeffd: e\n", "a: 0x1F\nb: 1_000\nc: .inf\nd: 007\ne: 1.10\nf: ~\n",
		"[a, b: c, {d}, ? e : f]\n", "a: !<tag:yaml.org,2002:str> &b 1\n!!int c: d\n", "a: |\n  ---\n--- >\n x\n", "{\"a\":\t\"\\ud83d\"}\n", "a: b\n\ta: c\n",
		"a: *b\nc: \"\n", "%YAML 1.2\n---\n%YAML 1.2\n---\n", "... x\n--- y: z\n", "- a\n b\n-c\n", "<<: [{a: 1}, {a: 2, b: 3}]\na: 4\n<<: {c: 5}\n",
		"a: # b\n  # c\n  d: # e\n    - # f\n      g\n", "--- &a\n*a : b\n", "a:\n  - b\n c\n", "apiVersion: v1\r\nkind: A\r\nb: c\r d\r\n", "--- # a\n\ufeffb: c\n", "{\"a\": \"\\/\"}\n", "%a?\u041e:\n 0- b+ b\n", "kind: 5\napiVersion:\nmetadata: {name: [x]}\n", "a: 1\na: 2\n? {a: 1}\n: 2\n",
	} {
		f.Add([]byte(s))
	}
	// Real files, where there are any, mutate into what matters most.
	files, _ := filepath.Glob(filepath.Join(os.Getenv("XPKG_CORPUS"), "packages", "*", "crossplane.yaml"))
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
}

// FuzzStream holds every stream against what must be true of all: places lie
// in the text and agree with counting; however the bytes come, the result is
// the same; what Raw returns is the documents again; nothing is lost that
// go-yaml sees; errors are typed, placed and short.
func FuzzStream(f *testing.F) {
	seeds(f)
	f.Fuzz(executions.Many(func(t *testing.T, b []byte) {
		if b = fromUTF16(b); b == nil {
			return
		}
		text := string(b)
		o := &parser.Options{MaxDepth: 100, MaxAliasBytes: 1 << 16}
		docs, errs := split(t, parser.Bytes("f", b, o))
		for _, d := range docs {
			checkRanges(t, text, d)
			checkFields(t, text, d)
		}
		for _, e := range errs {
			checkRange(t, text, e.Range)
			for _, r := range e.Related {
				checkRange(t, text, r)
			}
			if !e.Range.Start.IsValid() || len(e.Error()) > 1000 || e.Message == "" || strings.Contains(e.Error(), "yaml: line") {
				t.Errorf("bad error %q", e.Error())
			}
			if e.Index >= 0 != (e.Document > 0) {
				t.Errorf("index %d and number %d of a document do not agree", e.Index, e.Document)
			}
		}
		for i := 1; i < len(docs); i++ {
			if docs[i].Index <= docs[i-1].Index || docs[i].Range.Start.Offset < docs[i-1].Range.End.Offset {
				t.Errorf("documents %d and %d are not in order", i-1, i)
			}
		}

		slow := parser.Stream(context.Background(), "f", iotest.OneByteReader(bytes.NewReader(b)), o)
		slowDocs, slowErrs := split(t, slow)
		if got, want := summary(slowDocs, slowErrs), summary(docs, errs); got != want {
			t.Errorf("byte by byte it reads\n%s\nat once\n%s", got, want)
		}
		held := *o
		held.Hold = func(text []byte) func() []byte {
			text = bytes.Clone(text)
			return func() []byte { return bytes.Clone(text) }
		}
		heldDocs, heldErrs := split(t, parser.Bytes("f", b, &held))
		if got, want := summary(heldDocs, heldErrs), summary(docs, errs); got != want {
			t.Errorf("with texts held elsewhere it reads\n%s\nelse\n%s", got, want)
		}
		checkRaw(t, docs, o)
		checkCount(t, b, docs, errs)

		pkg, err := parser.Collect(parser.Bytes("f", b, o))
		if len(errs) > 0 && err == nil {
			t.Error("Collect returns no error for a stream with errors")
		}
		n := 0
		for d := range pkg.Documents() {
			if d.Index != docs[n].Index {
				t.Errorf("Documents is out of order at %d", n)
			}
			n++
		}
		if n != len(docs) {
			t.Errorf("Collect has %d documents, the sequence %d", n, len(docs))
		}
	}))
}

// fromUTF16 returns a stream in UTF-16 as UTF-8, nil when it is none, and any other
// stream as it is: TestUTF16 and FuzzUTF16 show that both are read alike.
func fromUTF16(b []byte) []byte {
	var order binary.ByteOrder
	ascii := func(c byte) bool { return c > 0 && c < 0x80 }
	switch {
	case len(b) < 2:
		return b
	case b[0] == 0xFE && b[1] == 0xFF, b[0] == 0 && ascii(b[1]):
		order = binary.BigEndian
	case b[0] == 0xFF && b[1] == 0xFE, b[1] == 0 && ascii(b[0]):
		order = binary.LittleEndian
	default:
		return b
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	text := []byte(string(utf16.Decode(units)))
	if len(text) > 1 && (text[0] == 0 || text[1] == 0) {
		return nil // it could be taken for UTF-16 again
	}
	return text
}

// FuzzUTF16 reads a text in UTF-8 and in UTF-16.
func FuzzUTF16(f *testing.F) {
	seeds(f)
	f.Fuzz(executions.Many(func(t *testing.T, b []byte) {
		text := strings.ToValidUTF8(string(b), "?")
		if strings.HasPrefix(text, bom+"\x00") {
			return // in UTF-16 it begins as UTF-32 does
		}
		if len(text) < 2 || text[0] >= 0x80 && !strings.HasPrefix(text, bom) || text[0] == 0 || text[1] == 0 || len(text) > 1<<16 {
			return // nothing tells its encoding
		}
		want := everything(parser.Bytes("f", []byte(text), nil), text, func(s string) int { return len(s) })
		if len(want) > 0 && strings.HasPrefix(want[0], parser.RuleSyntax) && strings.Contains(want[0], ", not YAML") {
			return // data of another format is told by its bytes
		}
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			encoded := inUTF16(text, order)
			got := everything(parser.Stream(t.Context(), "f", bytes.NewReader(encoded), nil), text, func(s string) int { return len(inUTF16(s, order)) })
			if !slices.Equal(want, got) {
				t.Errorf("-UTF-8 +UTF-16:\n%s", cmp.Diff(want, got))
			}
		}
	}))
}

// split reads a sequence to its end.
func split(t testing.TB, seq func(func(*parser.Document, error) bool)) (docs []*parser.Document, errs []*parser.Error) {
	t.Helper()
	for d, err := range seq {
		var e *parser.Error
		switch {
		case err == nil && d != nil:
			docs = append(docs, d)
		case errors.As(err, &e) && d == nil:
			errs = append(errs, e)
		default:
			t.Fatalf("the sequence yields %v and %v", d, err)
		}
	}
	return docs, errs
}

func summary(docs []*parser.Document, errs []*parser.Error) string {
	var b strings.Builder
	for _, d := range docs {
		fmt.Fprintf(&b, "%d %v %v %q\n", d.Index, d.Range, d.Ref(), d.Raw())
	}
	for _, e := range errs {
		fmt.Fprintln(&b, e, e.Index, e.Range.End)
	}
	return b.String()
}

// checkRaw joins the documents again and reads the result.
func checkRaw(t *testing.T, docs []*parser.Document, o *parser.Options) {
	t.Helper()
	var joined []byte
	for i, d := range docs {
		if i > 0 {
			if n := len(joined); n > 0 && joined[n-1] != '\n' && joined[n-1] != '\r' {
				joined = append(joined, '\n')
			}
			joined = append(joined, "---\n"...)
		}
		joined = append(joined, d.Raw()...)
	}
	again, _ := split(t, parser.Bytes("f", joined, o))
	if len(again) != len(docs) {
		t.Fatalf("joined again, %d documents are %d:\n%q", len(docs), len(again), joined)
	}
	for i, d := range docs {
		want, wantErr := d.JSON()
		got, gotErr := again[i].JSON()
		if !bytes.Equal(got, want) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("document %d is %s, and joined again %s", i, want, got)
		}
	}
}

// checkCount compares the number of documents with go-yaml's, where go-yaml
// reads the whole stream and we have refused nothing.
func checkCount(t *testing.T, b []byte, docs []*parser.Document, errs []*parser.Error) {
	t.Helper()
	n := len(docs)
	for _, e := range errs {
		switch e.Rule {
		case parser.RuleNotObject:
			n++
		case parser.RuleDuplicateKey, parser.RuleMissingKind, parser.RuleMissingAPIVersion, parser.RuleEmptyFile:
		default:
			return
		}
	}
	if bytes.ContainsAny(b, "\u0085\u2028\u2029\ufeff!") {
		return // where go-yaml sees other lines, indentation or nulls
	}
	want := 0
	dec := yaml.NewDecoder(bytes.NewReader(b))
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if err == io.EOF {
			break
		}
		if err != nil {
			return
		}
		if root := doc.Content[0]; root.Kind != yaml.ScalarNode || root.Tag != "!!null" {
			want++
		}
	}
	if n != want {
		t.Errorf("%d documents, go-yaml sees %d", n, want)
	}
}

// checkFields asks for the place of every field.
func checkFields(t *testing.T, text string, d *parser.Document) {
	t.Helper()
	b, err := d.JSON()
	if err != nil {
		var e *parser.Error
		if !errors.As(err, &e) {
			t.Errorf("JSON fails with %v, which has no place", err)
		}
		return
	}
	if !json.Valid(b) {
		t.Fatalf("JSON returns %q", b)
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	budget := 500
	checkField(t, text, d, nil, v, &budget)
	if err := d.DecodeLax(&v); err != nil {
		t.Errorf("DecodeLax into any: %v", err)
	}
}

func checkField(t *testing.T, text string, d *parser.Document, path meta.Path, v any, budget *int) {
	t.Helper()
	if *budget--; *budget < 0 {
		return
	}
	place := d.At(path...)
	if !place.Found {
		t.Errorf("At does not find %v", path)
		return
	}
	checkRange(t, text, place.Key)
	checkRange(t, text, place.Value)
	written := text[place.Value.Start.Offset:place.Value.End.Offset]
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			checkField(t, text, d, append(path[:len(path):len(path)], k), child, budget)
		}
	case []any:
		for i, child := range v {
			checkField(t, text, d, append(path[:len(path):len(path)], i), child, budget)
		}
	case string:
		checkString(t, path, written, v)
	}
}

// checkString reads the text of a string on its own. Text that is folded or
// indented means something else there, and is left to the table tests.
func checkString(t *testing.T, path meta.Path, written, v string) {
	t.Helper()
	if strings.Contains(written, `\/`) {
		return // an escape of JSON that go-yaml does not know
	}
	if written == "" || strings.ContainsAny(written, "\r\n\t\u0085\u2028\u2029\ufeff") || strings.ContainsAny(written[:1], "|>*") {
		return
	}
	if c := written[0]; c != '"' && c != '\'' {
		if written != v {
			t.Errorf("%v is written %q and says %q", path, written, v)
		}
		return
	}
	var got string
	if err := yaml.Unmarshal([]byte(written), &got); err != nil || got != v {
		t.Errorf("%v is written %q and says %q: %v", path, written, v, err)
	}
}
