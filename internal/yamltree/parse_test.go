package yamltree

import (
	"strconv"
	"strings"
	"testing"
)

func TestSyntaxFaults(t *testing.T) {
	cases := []struct {
		reason string
		text   string // the fault is at the mark ‸
		want   string
	}{
		{"a mapping in a line", "a: 1\nb: c‸: d\ne: 1\n", `a ":" cannot stand here`},
		{"a key that is indented too far", "a: 1\n b‸: 2\nc: 3\n", `a ":" cannot stand here`},
		{"a key that is indented too little", "a:\n    b: 1\n  ‸c: 2\nd: 3\n", "expected a key"},
		{"an item that is indented too far", "a:\n- 1\n  - 2\n x‸: 1\n", `a ":" cannot stand here`},
		{"a sequence in a line", "a: ‸- b\n", `a "- " cannot stand here`},
		{"an explicit key in a line", "a: ‸? b\n", `a "? " cannot stand here`},
		{"a key in a sequence", "- a\n‸b: 1\n", `expected "- "`},
		{"a key beside an item", "x:\n  - a: 1\n   ‸b: 2\n", `expected "- "`},
		{"an item in a mapping", "a: 1\n‸- b\n", "expected a key"},
		{"a tab behind a mapping", "a: 1\n‸\tb: 2\nc: 1\n", "a tab cannot be used"},
		{"a tab before a key", "a:\n‸\tb: 2\nc: 1\n", "a tab cannot be used"},
		{"a tab in a block scalar", "a: |\n‸\t foo\nb: 1\n", "a tab cannot be used"},
		{"a line without a colon", "apiVersion: v1\n‸kind Foo\nmetadata:\n  name: x\n", `expected ":" after a key`},
		{"a double quote without an end", "a: b\nc: ‸\"foo\nb: 1\nc: 2\n", "has no end"},
		{"a single quote without an end", "a: ‸'foo\nb: 1\n", "has no end"},
		{"a bracket without an end", "x: 1\na: ‸[1, 2\nb: 1\nc: 2\n", `expected "," or "]"`},
		{"a brace without an end", "x: 1\na: ‸{x: 1\nb: 1\nc: 2\n", `expected "," or "}"`},
		{"a bracket without a beginning", "y: 1\nx: ‸]\ny: 2\n", "expected a value"},
		{"text behind a quote", "y: 1\nx: \"a\" ‸b\ny: 2\n", "expected a key"},
		{"an at sign", "a: ‸@foo\nb: 1\n", `no value can begin with "@"`},
		{"a backquote", "a: [b, ‸`foo]\n", "no value can begin with \"`\""},
		{"a percent sign", "a: ‸%foo\nb: 1\n", `no value can begin with "%"`},
		{"an unknown escape", "b: 1\na: \"x‸\\q\"\nc: 1\n", "knows no such escape"},
		{"a wrong escape", "b: 1\na: \"x‸\\xzz\"\n", "needs hexadecimal digits"},
		{"half of a surrogate pair", "a: \"‸\\ud83d\"\n", "no Unicode character"},
		{"an alias without an anchor", "*a: x\n"[:0] + "b: [c, ‸*foo, *foo]\nd: *foo\n", `alias "*foo" has no anchor`},
		{"an alias before its anchor", "b: ‸*a\na: &a c\n", `alias "*a" has no anchor`},
		{"an anchor without a name", "x: 1\na: ‸&\nb: 1\n", "expected a name behind &"},
		{"a tag without an end", "x: 1\na: ‸!<foo\nb: 1\n", `expected ">"`},
		{"a tag of an unknown handle", "x: 1\na: ‸!foo!bar x\nb: 1\n", "not declared with %TAG"},
		{"text behind the sign of a block scalar", "x: 1\na: |‸x\n  foo\nb: 1\n", "expected the end of the line"},
		{"text behind a mapping in braces", "{a: 1}\n‸b: 1\n", "the document ends before this line"},
		{"a version of the far future", "‸%YAML 3.0\n---\na: 1\n", "other than 1.1 and 1.2"},
		{"an unknown directive without a separator", "‸%FOO\na: 1\n", "neither %YAML nor %TAG"},
		{"a directive twice", "%TAG !a! b\n‸%TAG !a! c\n---\na: 1\n", "given twice"},
		{"text behind a version", "%YAML 1.2 ‸foo\n---\na: 1\n", "a directive is"},
		{"a version without a number", "# c\n%YAML‸\n---\na: 1\n", "a directive is"},
		{"half a version", "%YAML 1‸\n---\na: 1\n", "a directive is"},
		{"a directive without a name", "%‸\n---\na: 1\n", "a directive is"},
		{"a %TAG directive of nothing", "%TAG‸\n---\na: 1\n", "a directive is"},
		{"the second of two directives", "%YAML 1.2\n%TAG !a!‸\n---\na: 1\n", "a directive is"},
		{"directives without a document", "‸%YAML 1.2\n", `expected "---"`},
		{"directives without a separator", "%YAML 1.2\n‸a: 1\n", `expected "---"`},
		{"a key that looks like a directive", "a: 1\nx:\n‸%b: 1\n", "quote the text"},
		{"a directive in a mapping", "a:\n‸%TAG ! x\nb:\n  c: 1\n", "quote the text"},
		{"a directive behind the separator", "---\n‸%b: 1\n", "quote the text"},
		{"something like a directive in brackets", "a: 1\nx: [a,\n‸%b]\n", "quote the text"},
		{"a fault before something like a directive", "a: b‸: c\n%b: 1\n", "cannot stand here"},
		{"no space behind a colon", "a: 1\n‸\"w\":4\n", `a space behind the ":"`},
		{"a key that is too long", "a: 1\n‸" + strings.Repeat("k", 1100) + ": 1\n", "at most 1024 characters"},
		{"a key in quotes that is too long", "a: 1\n‸\"" + strings.Repeat("k", 1100) + "\": 1\nb: 2\n", "at most 1024 characters"},
		{"a tag that is glued to a text", "a: ‸!\"b\"\n", "white space behind a tag"},
		{"a tag with a character that none has", "a: ‸!!s\\r b\n", "white space behind a tag"},
		{"what is nearly JSON", "{\"a\"\n‸: \"b\", c: d}\n", "expected"},
		{"a bracket that the end leaves open", "a: ‸[", "has no end"},
		{"a bracket that a later key does not close", "a: 1\nb: ‸[\nc: d", "has no end"},
		{"two brackets left open: the first", "a: ‸[{b: 1,\nc: d", "has no end"},
		{"a bracket left open behind one that is closed", "a: [b]\nc: ‸{d: [e]\nf: g\nh: i\n", "has no end"},
		{"a bracket in a comment, in quotes and in a word is none", "a: b[ # [\nc: '['\nd: \"[\"\ne: ‸[\n", "has no end"},
		{"a bracket in a block scalar is none", "a: |\n  [\nb: ‸{\n", "has no end"},
		{"a bracket in the second line of words is none", "a: b\n  [c\nd: ‸[\n", "has no end"},
		{"one closing bracket too many", "x: [a, b]‸]", "closes no bracket"},
		{"one closing brace too many", "x: {a: b}‸}", "closes no bracket"},
		{"brackets that do not match", "x: {a: 1, b, c: [‸}", "closes no bracket"},
		{"brackets that do not match over lines", "x: [\n  a,\n  b: {c: 1‸]\n]\n", "closes no bracket"},
		{"text behind a bracket", "x: [a] ‸b", "expected a key"},
		{"text behind quotes at the end", "x: \"a\" ‸b", "expected a key"},
		{"quotes behind quotes in brackets", "x: [\"a\" ‸\"b\"]\n", `expected "," or "]"`},
		{"an anchor of nothing", "x: ‸&", "expected a name behind &"},
		{"an alias of nothing", "x: ‸*", "expected a name behind &"},
		{"a tag left open", "x: ‸!<a", `expected ">"`},
		{"too much behind the sign of a block scalar", "x: |9‸z", "expected the end of the line"},
		{"a block scalar that is indented by nothing", "x: |‸0\n  a\n", "digit from 1 to 9"},
		{"a template that was not filled in", "{{‸- if .x }}", "expected a value"},
		{"a template behind other lines", "a: b\nc: d\n‸{{- end }}\ne: f\n", `expected ":"`},
		{"a block scalar that a bracket at the start of a line ends", "a: 1\nb: |\n    x\n    y\n‸]    lit\n    z\nc: d\ne: f\nf: g\n", "closes no bracket"},
		{"a colon without a key, in a sequence", "- m>+\n‸: n", `expected "- "`},
		{"a key in brackets that is a key of a block", "[a]: b\n{c: d}: e\n&f [g, [h]]: i\nj: [k] ‸l\n", "expected a key"},
		{"characters of several bytes before it", "é: [😀, é]‸]\n", "closes no bracket"},
		{"CR alone", "a: 1\rb: |\r  [\rc: [d]‸]\re: f\r", "closes no bracket"},
		{"behind characters that are replaced", "a: \u2028é😀\nb: é c‸: d\n", `a ":" cannot stand here`},
		{"behind a byte order mark", "\ufeffa: é c‸: d\n", `a ":" cannot stand here`},
		{"behind escapes of JSON", "{\"a\": \"\\/\", \"b\": \"‸\\q\"}\n", "knows no such escape"},
	}
	for _, tc := range cases {
		t.Run(tc.reason, func(t *testing.T) {
			before, after, _ := strings.Cut(tc.text, "‸")
			text := before + after
			tree, faults := Parse([]byte(text), strings.Contains(text, "\u2028"), testLimits)
			if tree != nil || len(faults) != 1 {
				t.Fatalf("tree %v, faults %v; want one fault", tree, faults)
			}
			f := faults[0]
			if f.Span.Start != len(before) {
				t.Errorf("the place is before %q, want %q", text[f.Span.Start:], after)
			}
			if !strings.Contains(f.Message, tc.want) {
				t.Errorf("message %q, want %q", f.Message, tc.want)
			}
		})
	}
}

func TestSpans(t *testing.T) {
	cases := []struct {
		reason string
		text   string
		path   []any
		want   string // the text of the value
	}{
		{"a word", "a: b # c\n", []any{"a"}, "b"},
		{"words over lines", "a: b\n  c\n\n  d\n# e\n", []any{"a"}, "b\n  c\n\n  d"},
		{"double quotes", "a: \"b \\\" c\\\\\" # d", []any{"a"}, `"b \" c\\"`},
		{"single quotes", "a: 'b '' c' # d", []any{"a"}, "'b '' c'"},
		{"a literal text", "a: |  # x\n  b\n\n    c\n\n\nd: e", []any{"a"}, "|  # x\n  b\n\n    c"},
		{"a folded text with #", "a: >2-\n    b # c\nd: e", []any{"a"}, ">2-\n    b # c"},
		{"a literal text of nothing", "a: |+  # x\n\n\nb: c", []any{"a"}, "|+"},
		{"nothing", "a:\nb: c", []any{"a"}, ""},
		{"nothing with an anchor", "a: &x\nb: c", []any{"a"}, ""},
		{"an anchor and a tag", "a: &x !!str b", []any{"a"}, "b"},
		{"a tag and an anchor over lines", "a: !!map\n  # c\n  &x\n  b: c", []any{"a"}, "b: c"},
		{"an anchor of the key, not of the mapping", "a:\n  &x b: c", []any{"a"}, "b: c"},
		{"anchors of both", "a: &y\n  &x b: c", []any{"a", "b"}, "c"},
		{"a verbatim tag", "a: !<tag:yaml.org,2002:str> b", []any{"a"}, "b"},
		{"a block mapping", "a:\n  b: c\n  d:\n    e: f # g\n\nh: i", []any{"a"}, "b: c\n  d:\n    e: f"},
		{"a block sequence", "a:\n- b\n- - c\n  - d # e\nf: g", []any{"a"}, "- b\n- - c\n  - d"},
		{"an item", "a:\n- b\n- - c\n  - d # e\nf: g", []any{"a", 1}, "- c\n  - d"},
		{"a sequence with an anchor", "a: &x\n  # c\n  - b", []any{"a"}, "- b"},
		{"a flow mapping", "a: {b: c, # ]}\n  d: [e, f,], } # g", []any{"a"}, "{b: c, # ]}\n  d: [e, f,], }"},
		{"a flow sequence of nothing", "a: [ # c\n ]", []any{"a"}, "[ # c\n ]"},
		{"a mapping of one pair", "a: [b: c, d]", []any{"a", 0}, "b: c"},
		{"a missing value in flow", "a: {b: , c}", []any{"a"}, "{b: , c}"},
		{"text with characters that are replaced", "a: é\u2028😀 # c", []any{"a"}, "é\u2028😀"},
		{"text behind them", "{a: \"é\u2028\\/\", b: c}", []any{"b"}, "c"},
		{"an alias leads to its anchor", "a: &x b\nc: *x", []any{"c"}, "*x"},
		{"behind an alias", "a: &x {y: b}\nc: *x", []any{"c", "y"}, "b"},
		{"behind a merge key", "a: &x {y: b}\nc:\n  <<: *x\n  z: d", []any{"c", "y"}, "b"},
		{"the last of two", "a: b\na: c", []any{"a"}, "c"},
		{"an explicit key", "? a\n: b", []any{"a"}, "b"},
		{"explicit keys without values", "? a\n? b\n", nil, "a\n? b"},
		{"the same before others", "x:\n  ? a # c\n  ? b\n  # d\ny: z\n", []any{"x"}, "a # c\n  ? b"},
		{"an explicit key with a colon", "? a\n? b\n:\n\n", nil, "a\n? b\n:"},
		{"JSON with a line break before a colon", "{\"a\"\n: \"b\",\n \"é\"\r\n:\n[1, {\"c\":\t2}]}\n", []any{"é"}, "[1, {\"c\":\t2}]"},
		{"JSON behind a tab", "\t{\"a\": \"😀\\\"\\/\\ud83d\\ude00\u2028\", \"b\": 2}\n", []any{"b"}, "2"},
		{"long JSON with line breaks before colons", "{" + "\"a\"\n:\n[{\"b\":\t2}],\n" + strings.Repeat(" \n", 2000) + "\"c\"\n: {" + strings.Repeat(" ", 2000) + "\"d\": 5}}", []any{"c", "d"}, "5"},
		{"JSON behind a separator and a tab", "---\n\t{\"a\":\n\"b\"}\n", []any{"a"}, `"b"`},
		{"CR alone", "a: b\rc: |\r  d\r  e\rf: g", []any{"c"}, "|\r  d\r  e"},
	}
	for _, tc := range cases {
		t.Run(tc.reason, func(t *testing.T) {
			tree, _ := Parse([]byte(tc.text), strings.Contains(tc.text, "\u2028"), testLimits)
			if tree == nil {
				t.Fatal("cannot be read")
			}
			p, followed := tree.Find(tc.path)
			if followed != len(tc.path) {
				t.Fatalf("followed %d of %v", followed, tc.path)
			}
			s := tree.Span(p.Value)
			if got := tc.text[s.Start:s.End]; got != tc.want {
				t.Errorf("the text is %q, want %q", got, tc.want)
			}
			checkSpans(t, tree)
		})
	}
}

func TestFind(t *testing.T) {
	tree := parse(t, "a:\n  b: [c, {d: e}]\n")
	for _, tc := range []struct {
		path []any
		want int
	}{
		{nil, 0},
		{[]any{"a", "b", 1, "d"}, 4},
		{[]any{"a", "x", 1}, 1},
		{[]any{"a", "b", 2}, 2},
		{[]any{"a", "b", -1}, 2},
		{[]any{"a", 0}, 1},
		{[]any{"a", "b", "c"}, 2},
		{[]any{"a", int64(1)}, 1},
		{[]any{"a", "b", 0, "c"}, 3},
	} {
		if _, got := tree.Find(tc.path); got != tc.want {
			t.Errorf("Find(%v) follows %d, want %d", tc.path, got, tc.want)
		}
	}
}

func TestLimits(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	laughs := "a: &a [xxxxxxxx]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c, *c, *c, *c]\n"
	for _, tc := range []struct {
		reason string
		text   string
		limits Limits
		want   Problem
		ok     bool
	}{
		{"as deep as is allowed", nest(10), Limits{Depth: 10, AliasBytes: 100}, 0, true},
		{"one deeper", nest(11), Limits{Depth: 10, AliasBytes: 100}, TooDeep, false},
		{"deeper than go-yaml takes", nest(20000), Limits{Depth: 30000, AliasBytes: 100}, TooDeep, false},
		{"deeper through an alias", "a: &a [[x]]\nb: [[[*a]]]", Limits{Depth: 5, AliasBytes: 100}, TooDeep, false},
		{"not deeper through an alias", "a: &a [[x]]\nb: [[*a]]", Limits{Depth: 5, AliasBytes: 100}, 0, true},
		{"aliases of aliases", laughs, Limits{Depth: 10, AliasBytes: 10000}, TooManyAliases, false},
		{"the same with more room", laughs, Limits{Depth: 10, AliasBytes: 100000}, 0, true},
		{"an alias in its own value", "a: &a [*a]", Limits{Depth: 10, AliasBytes: 100}, Syntax, false},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			tree, faults := Parse([]byte(tc.text), false, tc.limits)
			if tc.ok != (tree != nil) {
				t.Fatalf("faults %v", faults)
			}
			if !tc.ok && (len(faults) != 1 || faults[0].Problem != tc.want) {
				t.Errorf("faults %v, want one of problem %d", faults, tc.want)
			}
		})
	}
}

func TestFaultsAreBounded(t *testing.T) {
	_, faults := Parse([]byte(strings.Repeat("a: 1\n", 1000)), false, testLimits)
	if len(faults) != maxFaults+1 || faults[maxFaults].Message != strconv.Itoa(999-maxFaults)+" more faults in this document" {
		t.Errorf("%d faults, the last: %v", len(faults), faults[len(faults)-1])
	}
}
