package yamltree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	sigs "sigs.k8s.io/yaml"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/internal/yamlstream"
)

var testLimits = Limits{Depth: 1000, AliasBytes: 1 << 20}

func parse(t testing.TB, text string) *Tree {
	t.Helper()
	tree, faults := Parse([]byte(text), strings.ContainsAny(text, "\u0085\u2028\u2029"), testLimits)
	if tree == nil || len(faults) > 0 {
		t.Fatalf("%q: %v", text, faults)
	}
	return tree
}

func TestJSON(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		want   string
	}{
		"Null":            {"an empty value and the words for null", "a:\nb: ~\nc: null\nd: NULL\ne: nUll", `{"a":null,"b":null,"c":null,"d":null,"e":"nUll"}`},
		"Bool":            {"true and false in three spellings", "[true, True, TRUE, false, False, FALSE, tRUE]", `[true,true,true,false,false,false,"tRUE"]`},
		"OldBool":         {"the booleans of YAML 1.1 are strings", "[y, n, yes, No, on, OFF]", `["y","n","yes","No","on","OFF"]`},
		"Decimal":         {"a number keeps its digits", "[1.10, 1e3, 0.0, -0, 1E+05, -1.50e-07]", `[1.10,1e3,0.0,-0,1E+05,-1.50e-07]`},
		"Large":           {"however many they are", "[9007199254740993, 12345678901234567890123, 0.12345678901234567890123]", `[9007199254740993,12345678901234567890123,0.12345678901234567890123]`},
		"NotJSONNumbers":  {"numbers that JSON writes in another way", "[+1, 007, .5, 5., -.5, +.5e1, 0x1F, 0o17, 0xFFFFFFFFFFFFFFFFFF]", `[1,7,0.5,5.0,-0.5,0.5e1,31,15,4722366482869645213695]`},
		"OldNumbers":      {"the numbers of YAML 1.1 are strings", "[1_000, 0b11, 12:30:45, 2001-01-01, -0x1F, 0x, 0o8, 0X1F]", `["1_000","0b11","12:30:45","2001-01-01","-0x1F","0x","0o8","0X1F"]`},
		"AlmostNumbers":   {"texts that begin like numbers", "[1.2.3, 1e, e3, -, +, ., -., 1-2, v1, 0x1G, '1', \"2\", +-1, 1e1e1]", `["1.2.3","1e","e3","-","+",".","-.","1-2","v1","0x1G","1","2","+-1","1e1e1"]`},
		"HugeHex":         {"hexadecimal digits without end remain text", "0x" + strings.Repeat("f", 300), `"0x` + strings.Repeat("f", 300) + `"`},
		"Tags":            {"what the tag says", "[!!str 1, !!int '3', !!float 1, !!bool \"true\", !!null '', !!binary YQ==, ! 5, !!timestamp 2001-01-01]", `["1",3,1,true,null,"YQ==","5","2001-01-01"]`},
		"Quoted":          {"quoted text is text", `{"a": "\u00e9\n\t\"\\\x41", 'b''c': 'd''e'}`, `{"a":"é\n\t\"\\A","b'c":"d'e"}`},
		"Controls":        {"escapes of JSON", `"\0\e\b\x1f\/"`, `"\u0000\u001b\u0008\u001f/"`},
		"JSONEscapes":     {"escapes of JSON, and what only looks like them", `{"a\/b": "\/\ud83d\ude00\\/\\ud83dx\/", "c": '\/\ud83d\ude00', "d": "/"}` + "\n", `{"a/b":"/😀\\/\\ud83dx/","c":"\\/\\ud83d\\ude00","d":"/"}`},
		"Blocks":          {"block scalars", "a: |\n  x\n   y\n\nb: >-\n  x\n  y\n\n  z\nc: |+\n  x\n\nd: |2\n    x\n", `{"a":"x\n y\n","b":"x y\nz","c":"x\n\n","d":"  x\n"}`},
		"Folded":          {"plain and quoted text over several lines", "a: x\n  y\n\n  z\nb: \"x\n  y\\\n  z\"\n", `{"a":"x y\nz","b":"x yz"}`},
		"KeyOrder":        {"keys in the author's order", "c: 1\na: 2\nb: 3", `{"c":1,"a":2,"b":3}`},
		"KeyText":         {"a key is the text that it is written with", "1: a\n1.10: b\ntrue: c\non: d\n0x1F: e", `{"1":"a","1.10":"b","true":"c","on":"d","0x1F":"e"}`},
		"Alias":           {"aliases are written out", "a: &x [1, &y 2]\nb: *x\nc: *y\n*y : d", `{"a":[1,2],"b":[1,2],"c":2,"2":"d"}`},
		"Merge":           {"own keys go before merged ones", "a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3", `{"a":{"x":1,"y":2},"b":{"y":3,"x":1}}`},
		"MergeOrder":      {"also when the merge key is last, and the first of a list counts", "a: {y: 3, <<: [{x: 1}, {x: 2, y: 4, z: 5}]}", `{"a":{"y":3,"x":1,"z":5}}`},
		"MergeNested":     {"a merged mapping may merge", "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b}", `{"a":{"x":1},"b":{"y":2,"x":1},"c":{"y":2,"x":1}}`},
		"MergeQuoted":     {"a quoted << is a key", "'<<': 1\na: {\"<<\": {x: 1}}", `{"<<":1,"a":{"<<":{"x":1}}}`},
		"OldBreaks":       {"U+0085, U+2028 and U+2029 break no lines", "a: x \u2028 y\u0085\nb: \"x \u2029\n  y\"\n\u2028c: 1", "{\"a\":\"x \u2028 y\u0085\",\"b\":\"x \u2029 y\",\"\u2028c\":1}"},
		"PrivateUse":      {"and characters for private use are their own", "a: \ue000\u2028\ue001", "{\"a\":\"\ue000\u2028\ue001\"}"},
		"FlowPair":        {"a pair in a sequence is a mapping", "[a: b, c, {d}]", `[{"a":"b"},"c",{"d":null}]`},
		"ExplicitKeys":    {"keys with a question mark", "? a\n: b\n? c\n", `{"a":"b","c":null}`},
		"EmptyCollection": {"collections without items", "a: []\nb: {}\nc: [ ]\nd: { # c\n }", `{"a":[],"b":{},"c":[],"d":{}}`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, fault := parse(t, tc.text).JSON(nil)
			if fault != nil {
				t.Fatal(fault)
			}
			if string(got) != tc.want {
				t.Errorf("%s\ngot  %s\nwant %s", tc.reason, got, tc.want)
			}
			if !json.Valid(got) {
				t.Errorf("%s is not JSON", got)
			}
		})
	}
}

func TestJSONOfRepeats(t *testing.T) {
	tree, faults := Parse([]byte("a: 1\nb: 2\na: 3\n"), false, testLimits)
	if len(faults) != 1 || faults[0].Problem != DuplicateKey {
		t.Fatalf("faults %v", faults)
	}
	if got, _ := tree.JSON(nil); string(got) != `{"a":3,"b":2}` {
		t.Errorf("of a repeated key the last value counts, as in Kubernetes: %s", got)
	}
}

// old matches plain scalars that YAML 1.1, as sigs.k8s.io/yaml reads it, takes
// for something else than YAML 1.2 does; see TestJSON for each.
var old = regexp.MustCompile(`(?i)^(y|n|yes|no|on|off|<<|=|[-+]?(0[0-9_].*|0[xob].*|[0-9.][0-9.e_+-]*_[0-9._e+-]*|\.(inf|nan)|_.*)|[0-9]+-[0-9]+-[0-9].*|[-+]?[0-9.]+p.*|\.)$`)

// differs reports whether the two readings may differ by design.
func differs(t *Tree) bool {
	for i := range t.nodes {
		n := Node(i)
		e := &t.nodes[i]
		if e.tag != noTag {
			return true
		}
		if e.kind != Scalar {
			continue
		}
		s := t.scalarText(n)
		if strings.ContainsAny(s, "\u0085\u2028\u2029\ufeff") {
			return true
		}
		if e.style != plain {
			continue
		}
		if _, err := strconv.ParseFloat(s, 64); old.MatchString(s) || errors.Is(err, strconv.ErrRange) {
			return true
		}
	}
	return false
}

// plainKeys reports whether no key is a number or boolean, which
// sigs.k8s.io/yaml writes in a form of its own.
func plainKeys(t *Tree) bool {
	for i := range t.nodes {
		if t.nodes[i].kind != Mapping {
			continue
		}
		for _, p := range t.Pairs(Node(i)) {
			if t.describe(p.Key) != "a string" {
				return false
			}
		}
	}
	return true
}

// directive is one that sigs.k8s.io/yaml refuses: another version than 1.1, and those
// that a reader is to ignore (YAML 1.2, 6.8).
var directive = regexp.MustCompile(`(?m)(^|\r)\x{feff}?%([^T]|T[^A]|TA[^G])`)

// lateMark is a byte order mark behind comments, empty lines or the separator, where a document
// may begin (YAML 1.2, 9.1.1); to sigs.k8s.io/yaml it is a letter of the first key.
var lateMark = regexp.MustCompile(`^(\s|---\s|#[^\r\n]*[\r\n]|\x{feff})+\x{feff}`)

// tabbed is a line of a comment, or an empty one, that begins with a tab (YAML 1.2, 6.6), behind
// a question mark too; to sigs.k8s.io/yaml that is indentation.
var tabbed = regexp.MustCompile(`(^|[\r\n]|\x{feff})[ ?:-]*\t[ \t]*(#|[\r\n]|$)`)

// checkAgainstSigs compares our JSON with that of sigs.k8s.io/yaml.
func checkAgainstSigs(t *testing.T, text []byte) bool {
	t.Helper()
	flaw, oldBreaks := yamlstream.CheckText(text)
	if flaw != nil || oldBreaks {
		return false
	}
	tree, faults := Parse(text, false, testLimits)
	if tree == nil || len(faults) > 0 {
		return false
	}
	ours, fault := tree.JSON(nil)
	if fault != nil {
		t.Fatalf("%q has no faults, and no JSON: %s", text, fault.Message)
	}
	if directive.Match(text) || bytes.Contains(text, []byte(`\/`)) || bytes.Contains(text, []byte(`\ud`)) || lateMark.Match(text) || tabbed.Match(text) {
		return false // it refuses those, or reads them in another way
	}
	f := newFeed(text, lineStarts(text), false)
	if _, ok := f.asJSON(text); ok && bytes.Contains(text, []byte("\t")) {
		return false // JSON may be indented with tabs
	}
	if differs(tree) || !plainKeys(tree) {
		return false
	}
	theirs, err := sigs.YAMLToJSONStrict(text)
	if err != nil {
		if strings.Contains(err.Error(), "already set in map") { // it takes a key that overrides a merged one for a repeat
			theirs, err = sigs.YAMLToJSON(text)
		}
		if err != nil {
			t.Fatalf("%q is %s to us, and to sigs.k8s.io/yaml: %v", text, ours, err)
		}
	}
	if a, b := decode(t, ours), decode(t, theirs); !same(a, b) {
		t.Errorf("%q\nis to us                 %s\nand to sigs.k8s.io/yaml %s", text, ours, theirs)
	}
	return true
}

func decode(t *testing.T, b []byte) any {
	t.Helper()
	var v any
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", b, err)
	}
	return v
}

// same compares values of JSON, numbers as far as a float tells them apart.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, ok := b[k]; !ok || !same(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !same(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, _, err1 := big.ParseFloat(a.String(), 10, 53, big.ToNearestEven)
		y, _, err2 := big.ParseFloat(b.String(), 10, 53, big.ToNearestEven)
		return err1 == nil && err2 == nil && (x.Cmp(y) == 0 || fmt.Sprint(x) == fmt.Sprint(y))
	}
	return a == b
}

// FuzzJSON compares our reading with that of sigs.k8s.io/yaml, and checks that
// every node lies inside its parent, behind the one before.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb: [c, {d: e}]\n", "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  b: 2\n", "a: |2-\n   b\nc: >+\n  d\n\n", "a: \"b\\\n  c\"\nd: 'e''f'\n",
		"- a\n-\n- - b\n  - c: d\n    e:\n", "? a\n: b\n", "{a: [b: c, d], \"e\":f}\n", "a: # b\n  c # d\n", "\ufeffa: 1\r\nb: 2\r", "\r\ufeffa: 1\n", "--- a\n", "%YAML 1.2\n---\na: 1\n",
		"a: 1.10\nb: 1e3\nc: +1\nd: .5\n", "a: b\n c: d\n", "a: b\n  c\n\n  d: \n", "[a\n,b\n]\n", "{a\n: b}", "a: !!str b\n", "a: ''\n'': b\n",
		"{a` d\nc,!d], \"e\":f}\n", "[&a:b, *a]", "\r\ufeff\nmeta:\n  name: a\n", "\t1", "#\n\t# b\na:", "a:\n?\t# b\n b\n", "---\n\ufeffa: 1\n",
	} {
		f.Add([]byte(s))
	}
	files, _ := filepath.Glob(filepath.Join(os.Getenv("XPKG_CORPUS"), "packages", "*", "crossplane.yaml"))
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(executions.Many(func(t *testing.T, text []byte) {
		s := yamlstream.NewBytes(text, yamlstream.Limits{Stream: 1 << 30, Document: 1 << 30})
		for {
			chunk, err := s.Next()
			if err != nil {
				return
			}
			if chunk.BadEnd > 0 || !utf8.Valid(chunk.Text) {
				continue
			}
			checkAgainstSigs(t, chunk.Text)
			if tree, _ := Parse(chunk.Text, false, testLimits); tree != nil {
				checkSpans(t, tree)
			}
		}
	}))
}

// checkSpans checks the places of all nodes of a tree against each other.
func checkSpans(t *testing.T, tree *Tree) {
	t.Helper()
	for i := range tree.nodes {
		n := Node(i)
		span := tree.Span(n)
		if span.Start > span.End || span.End > len(tree.text) {
			t.Fatalf("%q: node %d at %v", tree.text, i, span)
		}
		if k := tree.nodes[i].kind; k != Mapping && k != Sequence {
			continue
		}
		last := span.Start
		for c := range tree.children(n) {
			s := tree.Span(c)
			if s.Start < last || s.End > span.End {
				t.Fatalf("%q: node %d at %v has a child %d at %v, and one before ends at %d", tree.text, i, span, c, s, last)
			}
			last = s.End
		}
	}
}

// TestCorpusJSON compares every document of the real packages.
func TestCorpusJSON(t *testing.T) {
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	documents, compared := 0, 0
	err := filepath.WalkDir(filepath.Join(dir, "packages"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(name) != ".yaml" {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		s := yamlstream.NewBytes(b, yamlstream.Limits{Stream: 1 << 30, Document: 1 << 30})
		for {
			chunk, err := s.Next()
			if err != nil {
				return nil
			}
			documents++
			if checkAgainstSigs(t, chunk.Text) {
				compared++
			}
			if tree, _ := Parse(chunk.Text, false, testLimits); tree != nil {
				checkSpans(t, tree)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d documents, %d compared; the others have faults, or words that YAML 1.1 reads otherwise", documents, compared)
}
