package parser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
)

// TestBothWays reads streams as they are and with the library alone, in place of the
// engine: documents, their values and places, and every error must be the same. Each
// fault stands between documents that the engine takes, and within them.
func TestBothWays(t *testing.T) {
	const (
		head   = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: demo\n"
		object = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: %s.example.org\n"
	)
	a, b := fmt.Sprintf(object, "a"), fmt.Sprintf(object, "b")
	all := head + "---\n" + a + "---\n" + b
	within := func(faulty string) string { return head + "---\n" + a + faulty + "\n---\n" + b }
	between := func(faulty string) string { return head + "---\n" + faulty + "\n---\n" + b }
	jsonOf := func(name string) string {
		return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"` + name + `"}}`
	}
	padded := func(size int) string {
		text := jsonOf("a")
		return text[:len(text)-1] + strings.Repeat(" ", size-len(text)) + "}"
	}
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 10; i++ {
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 10), ","))
	}
	deep := func(n int) string {
		var s strings.Builder
		for i := range n {
			s.WriteString(strings.Repeat(" ", i) + "x:\n")
		}
		return s.String()
	}

	for _, tc := range []struct {
		reason string
		text   string
		want   string // documents, and the rules of the errors of Collect
	}{
		{"the ordinary form", all, "3"},
		{"a byte order mark", "\ufeff" + all, "3"},
		{"one before every document", "\ufeff" + strings.ReplaceAll(all, "---\n", "---\n\ufeff"), "3"},
		{"CRLF", strings.ReplaceAll(all, "\n", "\r\n"), "3"},
		{"CR", strings.ReplaceAll(all, "\n", "\r"), "3"},
		{"CRLF and LF in one document", strings.Replace(all, "\n", "\r\n", 7), "3"},
		{"CRLF and CR in one document", strings.Replace(strings.ReplaceAll(all, "\n", "\r\n"), "\r\n", "\r", 7), "3"},
		{"a CR in a text of lines that end with CRLF", strings.ReplaceAll(within("description: a\rb: c"), "\n", "\r\n"), "3"},
		{"a tab for indentation", between("a:\n\tb: 1"), "2 yaml-syntax"},
		{"a tab in the last line of an object", within("\tb: 1"), "2 yaml-syntax"},
		{"a directive", "%YAML 1.1\n---\n" + all, "3"},
		{"a directive before a later document", head + "...\n%TAG !e! tag:example.org,2000:\n---\n" + a + "---\n" + b, "3"},
		{"ends and separators", strings.ReplaceAll(all, "---\n", "...\n---\n"), "3"},
		{"comments and blank lines first", "# c\n\n   # d\n\n---\n" + all, "3"},
		{"an indented separator in a block scalar", within("data:\n  text: |\n    a\n    ---\n    b"), "3"},
		{"empty documents between", "---\n---\n# c\n---\n" + strings.ReplaceAll(all, "---\n", "---\n---\n") + "---\n", "3"},
		{"null documents between", strings.ReplaceAll(all, "---\n", "--- ~\n---\nnull\n---\n"), "3"},
		{"an alias to an anchor of an earlier document", head + "x: &x 1\n---\n" + a + "x: *x\n---\n" + b, "2 yaml-syntax"},
		{"an anchor and its alias", within("x: &x {a: b}\ny: *x\nz:\n  <<: *x"), "3"},
		{"a key twice", head + "spec: {}\n---\n" + a + "spec: {}\nspec: {}\n---\n" + b, "3 duplicate-key"},
		{"a key twice, in the metadata", head + "spec: {}\nspec: {}\n---\n" + a, "2 duplicate-key"},
		{"a byte of Latin-1", within("description: caf\xe9"), "2 not-utf8"},
		{"JSON documents", jsonOf("a") + "\n---\n" + head + "---\n" + jsonOf("b"), "3"},
		{"JSON on the separator's line", "--- " + jsonOf("a") + "\n--- " + jsonOf("b") + "\n---\n" + head, "3"},
		{"JSON of 4096 bytes, no line break at the end", head + "---\n" + padded(4096), "2"},
		{"JSON of 4095 bytes", head + "---\n" + padded(4095), "2"},
		{"a List", between("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A"), "3"},
		{"a list of definitions", between("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems: []"), "3"},
		{"misspelled fields", within("spec:\n  names: {shortName: [a]}\n  versoins: []"), "3"},
		{"a version that does not exist", between("apiVersion: apiextensions.k8s.io/v1gamma9\nkind: CustomResourceDefinition\nmetadata: {name: c}"), "3"},
		{"no kind", between("apiVersion: v1\nmetadata: {name: c}"), "3 missing-kind"},
		{"no apiVersion", between("kind: A\nmetadata: {name: c}"), "3 missing-api-version"},
		{"a kind that is a number", between("apiVersion: v1\nkind: 5"), "3 missing-kind"},
		{"the metadata last", a + "---\n" + b + "---\n" + head, "3"},
		{"metadata twice", head + "---\n" + a + "---\n" + head, "3 metadata-multiple"},
		{"no metadata", a + "---\n" + b, "2 metadata-missing"},
		{"a version range that is a number", head + "spec:\n  crossplane:\n    version: 1.10\n", "1 metadata-invalid"},
		{"a version range that is none", head + "spec:\n  crossplane:\n    version: not a version\n", "1 constraint-syntax"},
		{"a word of YAML 1.1", head + "  annotations:\n    a: on\n    b: off\n", "1"},
		{"large integers", within("spec: {maximum: 9007199254740993, default: 12345678901234567890123}"), "3"},
		{"words that readers change", within("spec:\n- 1.10\n- 1e3\n- 1_000\n- 12:30:45\n- 2001-01-01\n- no\n- 0o17\n- 0x1F\n- 017"), "3"},
		{"a sequence", between("- a\n- b"), "2 not-an-object"},
		{"a text", between("hello world"), "2 not-an-object"},
		{"an unknown kind of metadata", between("apiVersion: meta.pkg.crossplane.io/v1\nkind: ListOptions"), "3 metadata-invalid"},
		{"a Status", between("apiVersion: v1\nkind: Status"), "3"},
		{"a tag behind the separator", strings.Replace(all, "---\n", "--- !foo\n", 1), "3 yaml-syntax"},
		{"a mapping behind the separator", strings.Replace(all, "---\n", "--- a: b\n---\n", 1), "3 yaml-syntax"},
		{"text behind an end", strings.Replace(all, "---\n", "... a: b\n---\n", 1), "3 yaml-syntax"},
		{"a comment behind the separator", strings.ReplaceAll(all, "---\n", "--- # c: d\n"), "3"},
		{"quotes of Windows, pictures and U+2028", within("description: “a” \U0001F600 \u2028 b"), "3"},
		{"a NUL byte", within("description: a\x00b"), "2 yaml-syntax"},
		{"gzip data", "\x1f\x8b\x08\x00\x00\x00\x00\x00", "0 yaml-syntax metadata-missing"},
		{"an HTML page", "<!DOCTYPE html>\n<html><body>Not: found</body></html>\n", "0 yaml-syntax metadata-missing"},
		{"three faults", "a:\n\tb\n---\n- 1\n---\n" + a + "x: [\n---\n" + head, "1 yaml-syntax not-an-object yaml-syntax"},
		{"a quote that has no end", within("x: \"a"), "2 yaml-syntax"},
		{"a bracket that has no end", within("x: [a"), "2 yaml-syntax"},
		{"wrong indentation", within("x:\n    y: 1\n  z: 2"), "2 yaml-syntax"},
		{"text behind the document", within("x\n"), "2 yaml-syntax"},
		{"a template", within("x: {{ .Values.x }}"), "3 yaml-syntax"},
		{"no text at all", "", "0 empty-file metadata-missing"},
		{"billion laughs", head + "---\n" + a + laughs, "1 limit"},
		{"brackets in each other", within("x: " + strings.Repeat("[", 9_900) + strings.Repeat("]", 9_900)), "2 limit"},
		{"mappings in each other", head + "---\n" + a + deep(4_000), "1 limit"},
		{"as deep as is allowed", head + "---\n" + a + deep(1_000), "2"},
		{"one level more", head + "---\n" + a + deep(1_001), "1 limit"},
		{"real objects, and a fault in the last line", string(fixture.Provider(2)) + "  - \"a\n", "2 yaml-syntax"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			asIs, got, _ := told(Bytes("f", []byte(tc.text), nil))
			library, _, taken := told(libraryAlone("f", []byte(tc.text)))
			if taken > 0 {
				t.Errorf("the library alone should read, and the engine took %d documents", taken)
			}
			if diff := cmp.Diff(library, asIs); diff != "" {
				t.Errorf("%s (-library +engine):\n%s", tc.reason, diff)
			}
			if got != tc.want {
				t.Errorf("%s: %s, want %s", tc.reason, got, tc.want)
			}
			held, _, _ := told(Bytes("f", []byte(tc.text), &Options{Hold: anew}))
			if diff := cmp.Diff(asIs, held); diff != "" {
				t.Errorf("%s (-as it is +held):\n%s", tc.reason, diff)
			}
		})
	}
	if _, _, taken := told(Bytes("f", []byte(all), nil)); taken != 3 {
		t.Errorf("the engine takes %d of the three documents", taken)
	}
}

// libraryAlone is Bytes without the engine.
func libraryAlone(name string, text []byte) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		r := newReader(context.Background(), (*Options)(nil).withDefaults(), yield)
		s := yamlstream.NewBytes(text, yamlstream.Limits{Stream: DefaultMaxBytes, Document: DefaultMaxDocumentBytes})
		for {
			chunk, err := s.Next()
			if err != nil {
				r.finish(name, s, err)
				return
			}
			doc, faults := read(newSource(name, chunk, yamltree.Limits{Depth: DefaultMaxDepth, AliasBytes: DefaultMaxAliasBytes, Nodes: DefaultMaxNodes}))
			if doc == nil && len(faults) == 0 {
				continue
			}
			if !r.deliver(doc, faults) {
				return
			}
		}
	}
}

// told writes down all that a sequence yields: documents with what can be asked of them,
// errors with every field; and what Collect makes of it, of which it gives the sum. taken
// is how many documents the engine has read.
func told(docs iter.Seq2[*Document, error]) (lines []string, sum string, taken int) {
	type item struct {
		doc *Document
		err error
	}
	var items []item
	documents := 0
	tell := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for d, err := range docs {
		items = append(items, item{d, err})
		if err != nil {
			tell("%s", allOf(err))
			continue
		}
		documents++
		if d.source.scan >= 0 {
			taken++
		}
		tell("document %d (%d): %v at %+v: %q", d.Index, d.number, d.Ref(), d.Range, d.Raw())
		text, err := d.JSON()
		tell("JSON: %s %s", text, allOf(err))
		doubts, more := d.Doubts()
		tell("doubts: %+v %d", doubts, more)
		var strict struct {
			APIVersion, Kind string
			Metadata         struct{ Name string }
			Spec             struct{ Names struct{ Kind string } }
		}
		tell("decoded: %s %+v", allOf(d.Decode(&strict)), strict)
		var v any
		_ = json.Unmarshal(text, &v) // of a document without JSON some places are asked
		paths := somePaths(v)
		for _, path := range paths[:min(len(paths), 30)] {
			if d.finds.Load() == fewFinds-1 {
				d.finds.Store(0)
			}
			tell("%v: %+v", path, d.At(path...))
		}
	}
	pkg, err := Collect(func(yield func(*Document, error) bool) {
		for _, i := range items {
			if !yield(i.doc, i.err) {
				return
			}
		}
	})
	tell("package: %d objects: %s", len(pkg.Objects), allOf(err))
	if pkg.Meta != nil {
		text, err := pkg.Meta.Encode()
		tell("metadata: %s %v", text, err)
	}
	sum = fmt.Sprint(documents)
	var list ErrorList
	if errors.As(err, &list) {
		for _, e := range list {
			sum += " " + e.Rule
		}
	}
	return lines, sum, taken
}

// allOf returns every field of an error, or of all of a list.
func allOf(err error) string {
	var one *Error
	var list ErrorList
	switch {
	case err == nil:
		return ""
	case errors.As(err, &list):
		texts := make([]string, 0, len(list))
		for _, e := range list {
			texts = append(texts, allOf(e))
		}
		return strings.Join(texts, "; ")
	case errors.As(err, &one):
		return fmt.Sprintf("%s %+v %v %v %d %d %v %v", one, one.Range, one.Related, one.Object, one.Index, one.Document, one.Path, one.Err)
	}
	return err.Error()
}
