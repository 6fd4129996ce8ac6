package parser

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScanDoubts: the engine tells the doubts of what it takes as the tree does, and leaves
// many to it.
func TestScanDoubts(t *testing.T) {
	const head = "apiVersion: v1\nkind: A\n"
	const long = "- 9007199254740993\n"
	cases := map[string]struct {
		reason, text string
		want         int
		taken        bool
	}{
		"None":   {"numbers that all readers know", "a: 1\nb: [1.5, -7]\nc: 1.2.3\n", 0, true},
		"Digits": {"more than a float holds", "a:\n  b:\n  - c: 1\n  - c: 9007199254740993 # so many\n", 1, true},
		"Flow":   {"in flow style too", "a: [1, {b: 9007199254740993, 'c': [2001-01-01]}]\n", 2, true},
		"Texts":  {"dates and times are texts", "a: 2001-01-01\nb: 12:30:45\n\"c\": -1:30\nd: 2001-01-01\n  and more\n", 3, true},
		"Time":   {"with white space within", "a: 2001-01-01 10:00:00\nb: '2001-01-01'\n", 1, true},
		"Few":    {"as many as it looks for", "a:\n" + strings.Repeat(long, fewFinds), fewFinds, true},
		"Many":   {"and one more", "a:\n" + strings.Repeat(long, fewFinds+1), fewFinds + 1, false},
		"Words":  {"a word that the engine does not take", "a: on\n", 1, false},
	}
	for name, tc := range cases {
		for _, lineBreak := range []string{"\n", "\r\n"} {
			t.Run(fmt.Sprintf("%s%q", name, lineBreak), func(t *testing.T) {
				text := []byte("# before\n---\n" + strings.ReplaceAll(head+tc.text, "\n", lineBreak))
				var docs, alone [][]Doubt
				for d, err := range Bytes("f", text, nil) {
					if err != nil {
						t.Fatal(err)
					}
					if _, taken := d.scanDoubts(); taken != tc.taken {
						t.Errorf("%s: taken is %v", tc.reason, taken)
					}
					list, _ := d.Doubts()
					docs = append(docs, list)
				}
				for d := range libraryAlone("f", text) {
					list, _ := d.Doubts()
					alone = append(alone, list)
				}
				if diff := cmp.Diff(alone, docs); diff != "" || len(slices.Concat(docs...)) != tc.want {
					t.Errorf("%s: %d doubts, -tree +engine:\n%s", tc.reason, len(slices.Concat(docs...)), diff)
				}
			})
		}
	}
}
