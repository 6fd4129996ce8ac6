package yamltree

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func TestDoubts(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		want   []string
	}{
		"None":       {"what all readers read alike", "a: 1\nb: text\nc: 0.1\nd: true\ne: null\nf: ~\ng: 1.5\nh: -3\ni: 9007199254740992\nj: [v1, 1.2.3, 10m, 5%]\nk: True\n1: a\n1.5: b\n", nil},
		"Quoted":     {"quotes, blocks and tags leave no doubt", "a: 'on'\nb: \"1.10\"\nc: |\n  on\nd: !!str 1.10\ne: ! no\n'yes': 1\n", nil},
		"Words":      {"booleans of YAML 1.1", "a: [on, No, y]\n", []string{"a[0]: on differs true", "a[1]: No differs false", "a[2]: y differs true"}},
		"Octal":      {"another number", "a: 0777\nb: 0o777\n", []string{"a: 0777 differs 511", "b: 0o777 respelled 511"}},
		"Underscore": {"a number, where YAML 1.2 has a text", "a: 1_000\nb: 0b11\nc: 0X1F\n", []string{"a: 1_000 differs 1000", "b: 0b11 differs 3", "c: 0X1F differs 31"}},
		"Text":       {"a text, where YAML 1.2 has a number", "a: 0xFFFFFFFFFFFFFFFFFF\nb: 1e400\n", []string{`a: 0xFFFFFFFFFFFFFFFFFF differs "0xFFFFFFFFFFFFFFFFFF"`, `b: 1e400 differs "1e400"`}},
		"Large":      {"integers that a float does not hold", "a: 9007199254740993\nb: 12345678901234567890123\nc: 9223372036854775807\n", []string{"a: 9007199254740993 inexact 9007199254740993", "b: 12345678901234567890123 inexact 1.2345678901234568e+22", "c: 9223372036854775807 inexact 9223372036854775807"}},
		"Digits":     {"more digits than a float has, and too little for one", "a: 0.12345678901234567890\nb: 1e-400\n", []string{"a: 0.12345678901234567890 inexact 0.12345678901234568", "b: 1e-400 inexact 0"}},
		"Respelled":  {"numbers that are written anew", "a: 1.10\nb: 1e3\nc: 1.0\nd: +1\ne: .5\nf: 007\ng: 0x10\nh: -0\n", []string{"a: 1.10 respelled 1.1", "b: 1e3 respelled 1000", "c: 1.0 respelled 1", "d: +1 respelled 1", "e: .5 respelled 0.5", "f: 007 respelled 7", "g: 0x10 respelled 16", "h: -0 respelled 0"}},
		"Old":        {"texts, save to readers of YAML 1.1 other than Kubernetes'", "a: 12:30:45\nb: 2001-01-01\nc: =\nd: 2001-01-01T10:00:00Z\ne: a:1\n", []string{`a: 12:30:45 old "12:30:45"`, `b: 2001-01-01 old "2001-01-01"`, `c: = old "="`, `d: 2001-01-01T10:00:00Z old "2001-01-01T10:00:00Z"`}},
		"Keys":       {"keys that become others", "on: 1\n1.10: 2\n0x1F: 3\nTrue: 4\n2001-01-01: 5\n685230.15: 6\n", []string{`on key on differs "true"`, `1.10 key 1.10 differs "1.1"`, `0x1F key 0x1F differs "31"`, `True key True differs "true"`, `685230.15 key 685230.15 differs "685230.1"`}},
		"Binary":     {"its text, or what that text stands for", "a: !!binary aGVsbG8=\nb: !!binary |\n  aGVs\n  bG8=\n? !!binary eA==\n: !!binary '/w=='\n", []string{`a: aGVsbG8= binary "hello"`, "b: |\n  aGVs\n  bG8= binary \"hello\"", `eA== key eA== binary "x"`, "eA==: '/w==' binary \"\\ufffd\""}},
		"LongBinary": {"is not told as a whole", "a: !!binary " + strings.Repeat("YWFh", 1000) + "\n", []string{"a: " + strings.Repeat("YWFh", 1000) + ` binary "` + strings.Repeat("a", maxDoubt-1) + "…"}},
		"Override":   {"a key that a merge key brings too", "a: &a {b: 1, c: 2}\nd:\n  <<: *a\n  b: 3\n  e: 4\nf: {c: 5, <<: [*a, {g: 6}], g: 7}\nh: {<<: *a, i: 8}\nj: {<<: [*a, {b: 9}]}\n", []string{`db key b override `, `fc key c override `, `fg key g override `, `j<< key << override `}},
		"Infinite":   {"is refused by all", "a: .inf\nb: .nan\n", nil},
		"Alias":      {"told once, at the anchor", "a: &x on\nb: *x\n", []string{"a: on differs true"}},
		"Lines":      {"text over lines is text", "a: 1\n  .10\nb: no\n  way\n", nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tree, _ := Parse([]byte(tc.text), false, Limits{Depth: 100, AliasBytes: 1000})
			var got []string
			tree.Doubts(func(d Doubt) bool {
				got = append(got, describeDoubt(tree, d))
				return true
			})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s: -want +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func describeDoubt(t *Tree, d Doubt) string {
	var path strings.Builder
	for _, p := range d.Path {
		if i, ok := p.(int); ok {
			fmt.Fprintf(&path, "[%d]", i)
		} else {
			path.WriteString(p.(string))
		}
	}
	sep := ": "
	if d.Key {
		sep = " key "
	}
	word := [...]string{"", "differs", "inexact", "respelled", "old", "binary", "override"}[d.Kind]
	span := t.Span(d.Node)
	return path.String() + sep + string(t.text[span.Start:span.End]) + " " + word + " " + d.Kubernetes
}

// TestReadOld compares with Kubernetes' reader, over scalars put together at
// random.
func TestReadOld(t *testing.T) {
	pieces := []string{
		"0", "1", "7", "8", "9", "00", "123", "9007199254740993", "18446744073709551616", "0x", "0X", "0o", "0b", "0B", "f", "F", "_", ".", "+", "-", "e", "E", "e3", "E-5",
		"y", "yes", "No", "on", "OFF", "true", "False", "~", "null", ".inf", ".nan", ":30", "-01-01", "=", "a", "1.10", "e400",
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 20_000 {
		s := ""
		for range 1 + rnd.IntN(4) {
			s += pieces[rnd.IntN(len(pieces))]
		}
		if s == "-" || strings.HasPrefix(s, "---") || s == "=" { // no plain scalars, or not to that reader
			continue
		}
		want, err := yaml.YAMLToJSON([]byte("v: " + s + "\n"))
		got := readOld(s)
		if err != nil {
			if got.kind != valNotFinite {
				t.Errorf("%q is refused: %v", s, err)
			}
			continue
		}
		if w := fmt.Sprintf(`{"v":%s}`, got.json); !jsonEqual(w, string(want)) {
			t.Errorf("%q is %s to Kubernetes, we say %s", s, want, w)
		}
		if got.kind != valNull && got.kind != valNotFinite {
			if key, err := yaml.YAMLToJSON([]byte(s + ": v\n")); err == nil {
				text := got.key()
				if got.kind == valString {
					text = s
				}
				quoted, _ := json.Marshal(text)
				if w := fmt.Sprintf(`{%s:"v"}`, quoted); w != string(key) {
					t.Errorf("the key %q is %s to Kubernetes, we say %s", s, key, w)
				}
			}
		}
		if kind := doubtOf(s, false).Kind; mayBeDoubtful([]byte(s)) {
			seen[fmt.Sprint(kind)]++
		} else if kind != noDoubt {
			t.Errorf("%q is doubtful, and is passed over", s)
		}
		// The oracle of the whole: no doubt means the same text.
		if kind, ours := resolvePlain(s); kind != valString && kind != valNotFinite {
			if d := doubtOf(s, false).Kind; (d == noDoubt) != (fmt.Sprintf(`{"v":%s}`, ours) == string(want) && (kind != valNumber || ours == s) && (got.isFloat || kind != valNumber || isExact(ours))) {
				t.Errorf("%q: doubt %d, ours %s, theirs %s", s, d, ours, want)
			}
		}
	}
	t.Log(seen)
}

func jsonEqual(a, b string) bool {
	var x, y any
	dx, dy := json.NewDecoder(strings.NewReader(a)), json.NewDecoder(strings.NewReader(b))
	dx.UseNumber()
	dy.UseNumber()
	return dx.Decode(&x) == nil && dy.Decode(&y) == nil && cmp.Equal(x, y)
}

// TestMayHaveDoubts puts texts together at random: who has a doubt may have one.
func TestMayHaveDoubts(t *testing.T) {
	pieces := []string{
		"on", "1.10", "=", "2001-01-01", "a", "b", "x y", ": ", ":", "\n", "\n", "\n  ", "\n- ", "- ", "[", "]", "{", "}", ", ", ",", " ", "\t", "\"", "'", " #", "# c\n", "&x ", "*x", "!!str ", "!!binary YQ==", "<<: {a: b}\n", "<<",
		"! ", "? ", "|\n", ">-\n", "<<: ", "\r\n", "\r", "on:", "\"a\":", "é", "\n\n", "...\n", "%", "@", "-", "[]", "{}",
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	doubtful, said := 0, 0
	for range 50_000 {
		text := []string{"", "a: ", "- ", "a:\n  ", "{", "["}[rnd.IntN(6)]
		for range 1 + rnd.IntN(8) {
			text += pieces[rnd.IntN(len(pieces))]
		}
		may := MayHaveDoubts([]byte(text))
		if may {
			said++
		}
		tree, _ := Parse([]byte(text), false, Limits{Depth: 100, AliasBytes: 1000})
		if tree == nil {
			continue
		}
		tree.Doubts(func(d Doubt) bool {
			doubtful++
			if !may {
				t.Errorf("%q: %s was not seen", text, describeDoubt(tree, d))
			}
			return false
		})
	}
	t.Logf("%d texts have doubts, %d may have", doubtful, said)
	prose := "description: |-\n  Whether it is on, or off.\n  There is no way back, none at all. See 1.10 of the manual.\n  One of True,\n  False, or Unknown?\nlist: []\n"
	if MayHaveDoubts([]byte(prose)) {
		t.Error("prose is taken for a doubt")
	}
}

// TestMayBeDoubtful holds the quick no against the long way: for all words of up to three
// letters, and for longer ones that differ in a letter, or in upper and lower case, from those
// that YAML 1.1 has a value for.
func TestMayBeDoubtful(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ~<_"
	doubtful := 0
	check := func(word string) {
		is := doubtOf(word, false).Kind != noDoubt || doubtOf(word, true).Kind != noDoubt
		if is {
			doubtful++
		}
		if is && !mayBeDoubtful([]byte(word)) {
			t.Errorf("%q was not seen", word)
		}
	}
	for _, a := range letters {
		check(string(a))
		for _, b := range letters {
			check(string([]rune{a, b}))
			for _, c := range letters {
				check(string([]rune{a, b, c}))
			}
		}
	}
	for _, word := range []string{"true", "True", "TRUE", "null", "Null", "NULL", "false", "False", "FALSE"} {
		check(word)
		for i := range word {
			for _, c := range letters {
				check(word[:i] + string(c) + word[i+1:])
			}
		}
	}
	if doubtful < 16 {
		t.Errorf("only %d words are doubtful", doubtful)
	}
}
