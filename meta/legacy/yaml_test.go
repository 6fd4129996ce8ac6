package legacy_test

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

func writeFile(name string, data []byte) error { return os.WriteFile(name, data, 0o644) }

func asYAML(t testing.TB, data []byte) []byte {
	t.Helper()
	out, err := legacy.WriteYAML(data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// fromYAML reads one document, with its keys in the author's order.
func fromYAML(t testing.TB, text []byte) []byte {
	t.Helper()
	for doc, err := range parser.Bytes("in.yaml", text, nil) {
		if err != nil {
			t.Fatal(err)
		}
		data, err := doc.JSON()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	t.Fatal("no document")
	return nil
}

// written reports how a document that was written differs from what was to be: for the
// reader of this library, and for that of Kubernetes' tools, which reads YAML 1.1.
func written(t testing.TB, data []byte) {
	t.Helper()
	var want any
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	text := asYAML(t, data)
	for doc, err := range parser.Bytes("out.yaml", text, nil) {
		if e := (*parser.Error)(nil); errors.As(err, &e) && (e.Rule == parser.RuleMissingKind || e.Rule == parser.RuleMissingAPIVersion) {
			continue
		}
		if err != nil {
			t.Fatalf("%s of\n%s: %v", data, text, err)
		}
		again, err := doc.JSON()
		if err != nil {
			t.Fatalf("%s of\n%s: %v", data, text, err)
		}
		var got any
		if err := json.Unmarshal(again, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("the parser reads\n%s\nas %s, want %s", text, again, data)
		}
	}
	var got any
	if err := yaml.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("sigs.k8s.io/yaml reads\n%s\nas %v, want %s (%v)", text, got, data, err)
	}
}

// texts are those that readers of YAML take for something else, or that its writers get
// wrong.
var texts = []string{
	"", " ", "a", "a b", "a: b", "a #b", "a:", "a ", " a", "yes", "No", "y", "NULL", "~", "true", "1", "1.0", "0x1f", "1_000", "1e5", ".5", ".inf", ".NaN",
	"2001-01-01", "12:30:45", "-", "- a", "?", "? a", ":", "{}", "[a", "'a", `"a`, `a"b`, "a\\b", "*a", "&a", "!a", "|", ">", "%a", "@a", "`a", "<<", "=",
	"a\nb", "a\nb\n", "a\n\nb", "a\nb\n\n", "\na", " a\nb", "a\n b", "a \nb", "a\n \nb", "a\tb", "a\n\tb", "a\rb", "a\r\nb", "\n", "\n\n", "a\n", "---", "...", "--- a\nb",
	"\x00", "\x7f", "\u0085", "\u2028", "\ufeff", "\uffff", "é", "’", "😀", "a\né", ".spec.a", "./a", "$(x)", "_a", "/a", "a,b", "a]", "#", "# a\nb",
}

func TestWriteYAML(t *testing.T) {
	all := map[string]any{}
	for i, s := range texts {
		for _, v := range []any{s, []any{s}, []any{[]any{s, map[string]any{"k": s}}}, map[string]any{s: s}, map[string]any{s: []any{s}}} {
			b, _ := json.Marshal(map[string]any{"key": v, "z": i})
			written(t, b)
		}
		all["k"+s] = s
	}
	b, _ := json.Marshal(all)
	written(t, b)
	long := strings.Repeat("k", 1025) // too long to be told from a text before the colon is found
	written(t, []byte(`{"a":{"`+long+`":{"`+long+`":["x"],"`+long[1:]+`":{"y":[{"`+long+`":1}]}},"z":null}}`))
	written(t, []byte(`{"a":{},"b":[],"c":null,"d":true,"e":1.50,"h":[[],{},[[]],[{}]]}`))
	if got, want := string(asYAML(t, []byte(`{"b":1.50,"a":{"list":[{"x":"1","z":[]},"two\nlines\n"]}}`))), "b: 1.50\na:\n  list:\n  - x: \"1\"\n    z: []\n  - |\n    two\n    lines\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// FuzzWriteYAML: what is written is read again, by two readers, as what it was.
func FuzzWriteYAML(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(executions.Many(func(t *testing.T, s string) {
		b, err := json.Marshal(map[string]any{"key": s, "list": []any{s, []any{s}}, "object": map[string]any{"in": s}})
		if err != nil {
			return
		}
		written(t, b)
		b, _ = json.Marshal(map[string]any{s: s})
		written(t, b)
	}))
}
