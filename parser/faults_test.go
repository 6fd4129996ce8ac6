package parser_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

func TestStreamFaults(t *testing.T) {
	three := metaDoc + "---\n%s\n---\n" + crdB
	cases := map[string]struct {
		reason string
		text   string
		want   []string // of the whole sequence
		says   []string // that the text of the errors holds
	}{
		"Tab": {
			"a tab used for indentation, with its line in the stream", fmt.Sprintf(three, "a:\n\tb: 1"),
			[]string{"1:demo", "7:1 yaml-syntax", "9:b.example.org"}, []string{"package.yaml:7:1: yaml-syntax: a tab cannot be used for indentation", "(document 2)"},
		},
		"Indentation": {
			"a key that fits no mapping", fmt.Sprintf(three, "a:\n    b: 1\n  c: 2"),
			[]string{"1:demo", "8:3 yaml-syntax", "10:b.example.org"}, []string{"expected a key"},
		},
		"UnclosedQuote": {
			"the place is where the quote begins, and it does not swallow the next document", fmt.Sprintf(three, "a: 1\nb: \"x\nc: y"),
			[]string{"1:demo", "7:4 yaml-syntax", "10:b.example.org"}, []string{"has no end"},
		},
		"UnclosedBracket": {
			"the same for a bracket", fmt.Sprintf(three, "a: [1,\nb: 1"),
			[]string{"1:demo", "6:4 yaml-syntax", "9:b.example.org"}, nil,
		},
		"ForeignAlias": {
			"anchors do not reach into the next document", "a: &x 1\napiVersion: v1\nkind: A\n---\nb: 1\nc: [*x, 2]\n",
			[]string{"1:", "6:5 yaml-syntax"}, []string{`alias "*x" has no anchor before it in this document`, "(document 2)"},
		},
		"DuplicateKey": {
			"a key twice in the metadata object", metaDoc + "spec: {}\nspec: {}\n",
			[]string{"1:demo", "6:1 duplicate-key"}, []string{`key "spec" is there twice, first at 5:1 (spec)`},
		},
		"DuplicateKeyDeep": {
			"at every depth, in flow and behind items", metaDoc + "spec:\n  a:\n  - {b: 1, c: 2, b: 3}\n",
			[]string{"1:demo", "7:18 duplicate-key"}, []string{"(spec.a[0].b)"},
		},
		"DuplicateQuoted": {
			"however they are written", metaDoc + "x: 1\n'x': 2\n\"\\x78\": 3\n",
			[]string{"1:demo", "6:1 duplicate-key", "7:1 duplicate-key"}, nil,
		},
		"Latin1": {
			"a byte that is not UTF-8, with its place", fmt.Sprintf(three, "a: caf\xe9"),
			[]string{"1:demo", "6:7 not-utf8", "8:b.example.org"}, []string{"byte 0xe9 is not UTF-8"},
		},
		"TruncatedRune": {
			"a character that the end cuts off", metaDoc + "a: \xe2\x82",
			[]string{"5:4 not-utf8"}, nil,
		},
		"SurrogateBytes": {
			"half a surrogate pair in bytes is not UTF-8", metaDoc + "a: \xed\xa0\x80",
			[]string{"5:4 not-utf8"}, nil,
		},
		"KindMissing": {
			"the document is yielded, then its fault", fmt.Sprintf(three, "apiVersion: v1"),
			[]string{"1:demo", "6:", "6:1 missing-kind", "8:b.example.org"}, []string{"missing-kind: the object has no kind (document 2)"},
		},
		"APIVersionMissing": {
			"the same for apiVersion", fmt.Sprintf(three, "kind: A"),
			[]string{"1:demo", "6:", "6:1 missing-api-version", "8:b.example.org"}, []string{"the object has no apiVersion"},
		},
		"KindIsNumber": {
			"a kind that is no string is none", fmt.Sprintf(three, "apiVersion: v1\nkind: 5"),
			[]string{"1:demo", "6:", "7:7 missing-kind", "9:b.example.org"}, []string{"found a number (kind)"},
		},
		"KindIsEmpty": {
			"nor is one that is empty", fmt.Sprintf(three, "apiVersion: v1\nkind: ''"),
			[]string{"1:demo", "6:", "7:7 missing-kind", "9:b.example.org"}, []string{`found ""`},
		},
		"EmptyMapping": {
			"{} says something, and lacks both", "{}",
			[]string{"1:", "1:1 missing-kind", "1:1 missing-api-version"}, nil,
		},
		"Sequence": {
			"a document that is a sequence", fmt.Sprintf(three, "- a\n- b"),
			[]string{"1:demo", "6:1 not-an-object", "9:b.example.org"}, []string{"found a sequence", "(document 2)"},
		},
		"String": {
			"one that is a text", fmt.Sprintf(three, "hello world"),
			[]string{"1:demo", "6:1 not-an-object", "8:b.example.org"}, []string{"found a string"},
		},
		"Number": {
			"and a number", "42\n",
			[]string{"1:1 not-an-object"}, []string{"found a number"},
		},
		"UnknownTag": {
			"a tag after the separator that means nothing", metaDoc + "--- !foo\n" + crdA,
			[]string{"1:demo", "6:a.example.org", "5:5 yaml-syntax"}, []string{`tag "!foo"`},
		},
		"TextAfterMarker": {
			"a mapping cannot begin on the separator line", metaDoc + "--- a: 1\n---\n" + crdB,
			[]string{"1:demo", "5:6 yaml-syntax", "7:b.example.org"}, nil,
		},
		"TextAfterEnd": {
			"nothing may follow ... on its line", metaDoc + "... a: 1\n---\n" + crdB,
			[]string{"1:demo", "5:5 yaml-syntax", "7:b.example.org"}, []string{`"..."`},
		},
		"NUL": {
			"a NUL byte", fmt.Sprintf(three, "a: x\x00y"),
			[]string{"1:demo", "6:5 yaml-syntax", "8:b.example.org"}, []string{"control character U+0000"},
		},
		"Escape": {
			"other control characters", metaDoc + "a: \x1b[31m",
			[]string{"5:4 yaml-syntax"}, []string{"U+001B"},
		},
		"Delete": {
			"DEL and C1 too", metaDoc + "a: x\x7f\n---\na: \u0090\n",
			[]string{"5:5 yaml-syntax", "7:4 yaml-syntax"}, []string{"U+007F", "U+0090"},
		},
		"Gzip": {
			"compressed twice", "\x1f\x8b\x08\x00\x00\x00\x00\x00",
			[]string{"1:1 yaml-syntax"}, []string{"this is gzip data, not YAML"},
		},
		"Zip": {
			"other archives", "PK\x03\x04\x14\x00",
			[]string{"1:1 yaml-syntax"}, []string{"zip"},
		},
		"HTML": {
			"the error page of a web server", "\n<!DOCTYPE html>\n<html><body>Not: found</body></html>\n",
			[]string{"2:1 yaml-syntax"}, []string{"this is an HTML page, not YAML (document 1)"},
		},
		"UTF32": {
			"UTF-32 is refused with its name", "\xff\xfe\x00\x00a\x00\x00\x00",
			[]string{"1:1 not-utf8"}, []string{"this is UTF-32 text; package files are UTF-8 or UTF-16"},
		},
		"UTF32BigEndian": {
			"in both orders of bytes", "\x00\x00\xfe\xff\x00\x00\x00a",
			[]string{"1:1 not-utf8"}, []string{"this is UTF-32 text; package files are UTF-8 or UTF-16"},
		},
		"UTF32NoBOM": {
			"also without a byte order mark", "a\x00\x00\x00:\x00\x00\x00",
			[]string{"1:1 not-utf8"}, []string{"UTF-32"},
		},
		"UTF32BigEndianNoBOM": {
			"in both orders as well", "\x00\x00\x00a\x00\x00\x00:",
			[]string{"1:1 not-utf8"}, []string{"UTF-32"},
		},
		"ThreeFaults": {
			"independent faults are all told", "a:\n\tb\n---\n- 1\n---\nkind: [\n---\n" + crdB,
			[]string{"2:1 yaml-syntax", "4:1 not-an-object", "6:7 yaml-syntax", "8:b.example.org"}, nil,
		},
		"Empty": {
			"a stream of no bytes", "", []string{"1:1 empty-file"}, []string{"package.yaml:1:1: empty-file: there is nothing in it"},
		},
		"Blank": {
			"and one of white space", bom + " \n\t\r\n", []string{"1:1 empty-file"}, nil,
		},
		"OnlyComments": {
			"comments are not nothing", "# c\n---\n# d\n", nil, nil,
		},
		"TrailingText": {
			"text behind the end of the document is not lost", "{apiVersion: v1, kind: A}\nb: 1\n",
			[]string{"2:1 yaml-syntax"}, []string{"more text follows"},
		},
		"UnknownDirective": {
			"a reserved directive needs its separator, as every directive", "%FOO x\n" + crdA, []string{"1:1 yaml-syntax"}, nil,
		},
		"DirectiveAlone": {
			"a directive without a document", "%YAML 1.2\n", []string{"1:1 yaml-syntax"}, nil,
		},
		"DirectiveBeforeTextBehindAnEnd": {
			"a directive in an empty document is not lost", crdA + "---\n%YAML 1.2\n... x\n", []string{"1:a.example.org", "6:1 yaml-syntax", "7:5 yaml-syntax"}, nil,
		},
		"TabBehindComment": {
			"a tab in an empty line behind a comment is told too", "a: # b\n  # c\n    \t  \n", []string{"3:5 yaml-syntax"}, []string{"a tab cannot be used for indentation"},
		},
		"Template": {
			"a template that was not filled in", fmt.Sprintf(three, "a: {{ .Values.x }}\napiVersion: v1\nkind: A"),
			[]string{"1:demo", "6:", "6:5 yaml-syntax", "10:b.example.org"}, []string{"a key must be a text, and this one is a mapping"},
		},
		"KeyWithoutName": {
			"a key that is no text has no path, which is not that of the empty key", "apiVersion: v1\nkind: A\na:\n  [b]: 1\n  '': .inf\n{c: d}: 1\n",
			[]string{"1:", "5:7 yaml-syntax", "4:3 yaml-syntax", "6:1 yaml-syntax"}, []string{"this one is a sequence (a)", `(a[""])`, "this one is a mapping (document 1)"},
		},
		"NullKey": {
			"a key that is null", "apiVersion: v1\nkind: A\n~: 1\n",
			[]string{"1:", "3:1 yaml-syntax"}, []string{"this one is null"},
		},
		"TagOfScalar": {
			"a value that is not what its tag says", "apiVersion: v1\nkind: A\na: [!!int b, !!map c, !!binary '***']\n",
			[]string{"1:", "3:11 yaml-syntax", "3:20 yaml-syntax", "3:32 yaml-syntax"}, []string{`"b" does not fit its tag (a[0])`},
		},
		"TagOfCollection": {
			"the same for mappings and sequences", "apiVersion: v1\nkind: A\na: !!map [b]\nc: !!seq {d: e}\nf: !!str [g]\nh: [!!map {}, !!seq []]\n--- !!seq\napiVersion: v1\nkind: A\n",
			[]string{"1:", "3:10 yaml-syntax", "4:10 yaml-syntax", "5:10 yaml-syntax", "8:", "8:1 yaml-syntax"}, []string{"a sequence does not fit its tag (a)", "a mapping does not fit its tag (c)"},
		},
		"Infinity": {
			"a number that JSON does not have", "apiVersion: v1\nkind: A\na: [1, .inf]\n",
			[]string{"1:", "3:8 yaml-syntax"}, []string{"quote it if it is a text (a[1])"},
		},
		"SelfAlias": {
			"an alias inside its own value", "apiVersion: v1\nkind: A\na: &a [1, *a]\n",
			[]string{"3:11 yaml-syntax"}, []string{`alias "*a" stands inside the value that it names`},
		},
		"MarkInside": {
			"a byte order mark within a document, as joining files makes it", "kind: A\napiVersion: v1\n" + bom + "kind: B\nx:\n- " + bom + "y\nz: '" + bom + "'\n",
			[]string{"1:", "3:1 yaml-syntax", "5:3 yaml-syntax"}, []string{`"---" belongs between them`},
		},
		"BadMerge": {
			"a merge key without a mapping", "apiVersion: v1\nkind: A\n<<: 5\n",
			[]string{"1:", "3:5 yaml-syntax"}, []string{"merge key"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, names(t, tc.text, nil)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			_, err := parser.Collect(parser.Bytes("package.yaml", []byte(tc.text), nil))
			for _, s := range tc.says {
				if err == nil || !strings.Contains(err.Error(), s) {
					t.Errorf("%s: the error does not say %q:\n%v", tc.reason, s, err)
				}
			}
			if len(tc.want) > 0 && !errors.Is(err, meta.ErrInvalid) {
				t.Errorf("the error does not match meta.ErrInvalid: %v", err)
			}
		})
	}
}

func TestObjectRefString(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, tc := range []struct {
		reason string
		ref    parser.ObjectRef
		want   string
	}{
		{"what is known of an object", parser.ObjectRef{APIVersion: "v1", Kind: "A", Name: "b"}, `v1 A "b"`},
		{"nothing", parser.ObjectRef{}, ""},
		{"what a terminal would obey is quoted", parser.ObjectRef{APIVersion: "v1\n", Kind: "A\x1b[31m", Name: "\u202e"}, `"v1\n" "A\x1b[31m" "\u202e"`},
		{"what is long is cut short", parser.ObjectRef{APIVersion: long, Kind: long, Name: long}, strings.TrimSpace(strings.Repeat(`"`+long[:60]+`…" `, 3))},
	} {
		if got := tc.ref.String(); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.reason, got, tc.want)
		}
	}
}

func TestErrorTextIsShort(t *testing.T) {
	// Whatever the document holds, its text is not repeated.
	long := strings.Repeat("x", 1<<20)
	for _, text := range []string{
		"apiVersion: " + long + "\nkind: K\nkind: K\n",
		"apiVersion: v1\nkind: " + long + "\nkind: " + long + "\n",
		"kind: Provider\nmetadata: {name: " + long + "}\n",
		"apiVersion: meta.pkg.crossplane.io/" + long + "\nkind: Provider\n---\n" + metaDoc,
		"apiVersion: META.pkg.crossplane.io/" + long + "\nkind: " + long + "\n",
		long + ": 1\n" + long + ": 2\napiVersion: v1\nkind: A\n",
		"a: *" + long + "\n",
		"a: !" + long + " b\napiVersion: v1\nkind: A\n",
		"a: \"" + long + "\n",
		"a: b: " + long + "\n",
		metaDoc + "spec: {crossplane: {version: " + long + "}}\n",
		metaDoc + "spec: {" + long + ": {<<: " + long + "}}\n",
	} {
		_, err := parser.Collect(parser.Bytes("package.yaml", []byte(text), nil))
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("the error of %.20q… is %d bytes long", text, len(fmt.Sprint(err)))
		}
	}
}
