package yamltree

import (
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/internal/yamlstream"
)

func TestNodesAreBounded(t *testing.T) {
	const most = 1000
	for _, tc := range []struct {
		reason string
		text   string
		ok     bool
	}{
		{"numbers in brackets", "v: [" + strings.Repeat("1,", most) + "1]\n", false},
		{"keys in braces", "v: {" + strings.Repeat("a,", most) + "a}\n", false},
		{"dashes", strings.Repeat("-\n", most), false},
		{"dashes on lines of YAML 1.1", strings.Repeat("-\u0085", most), false},
		{"dashes on a line", strings.Repeat("- ", most) + "a", false},
		{"brackets in brackets", "v: [" + strings.Repeat("[[[]]],", most/3) + "[]]\n", false},
		{"keys without blanks", "{" + strings.Repeat(`"a":1,`, most) + `"a":1}`, false},
		{"question marks", strings.Repeat("? \n", most), false},
		{"question marks in braces", "{" + strings.Repeat("?,", most) + "}", false},
		{"anchors of keys", "v: [" + strings.Repeat("&a:$,", most/2) + "]\n", false},
		{"as many annotations as there may be", strings.Repeat("example.org/a-b: 12:30, http://a.b\n", most/2-1), true},
		{"words with commas, where there is no bracket", "v: >\n  " + strings.Repeat("a, b-c, ", most) + "\n", true},
		{"words with asterisks", "v: >\n  " + strings.Repeat("*a*:b **c** &d ", most) + "\n", true},
		{"words of one text", "v: \"" + strings.Repeat("a b - ", most/2) + "\"\n", true},
		{"a long text", "v: " + strings.Repeat("x", 100*most) + "\n", true},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			_, faults := Parse([]byte(tc.text), false, Limits{Depth: 10, AliasBytes: 100, Nodes: most})
			refused := len(faults) > 0 && faults[0].Problem == TooManyNodes
			if refused == tc.ok {
				t.Errorf("refused: %v", refused)
			}
		})
	}
}

// The count is never below the number of nodes that there are.
func FuzzNodes(f *testing.F) {
	for _, s := range []string{"a: b\n", "[a: b, {c}, ? d]\n", "- - a\n-\n", "? a\n: - b\n", "{a, 'b':c, ?}\n", "{[]:[]}\n", "{ :a, \"\":b}\n", "[&a:$ b, {c}, ? d]\n", "[*a:$]", "-\u0085\r +?", "- a\u2028- b\n\ufeff- c", "-\u0085\r !d"} {
		f.Add([]byte(s))
	}
	f.Fuzz(executions.Many(func(t *testing.T, text []byte) {
		flaw, oldBreaks := yamlstream.CheckText(text)
		if flaw != nil { // nothing gives such a text to Parse
			return
		}
		tree, _ := Parse(text, oldBreaks, Limits{Depth: 100, AliasBytes: 1 << 10})
		if tree == nil {
			return
		}
		if n := len(tree.nodes); n > 1 && tooManyNodes(text, n-1) < 0 {
			t.Errorf("%q has %d nodes, and fewer are counted", text, n)
		}
	}))
}
