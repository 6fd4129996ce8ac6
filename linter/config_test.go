package linter

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

const fullConfig = `# settings
target: v1.20
profile: install
failOn: warning
rules:
  a-rule: off
  "*": info
paths:
- match: [generated/, "!generated/kept.yaml"]
  rules:
    b-rule: error
`

func TestParseConfig(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		want   []string // the faults
	}{
		"Full":     {"All fields.", fullConfig, nil},
		"Empty":    {"A file that holds nothing says nothing.", "", nil},
		"Comments": {"Neither do comments.", "# nothing\n", nil},
		"Builtin":  {"Rules of reading have levels too.", "rules: {yaml-syntax: warning, ignore-unused: off}\n", nil},
		"Unknown": {"A field that is none.", "rule: {}\nnothing: 1\npaths:\n- {match: [a], rules: {}, matches: []}\n", []string{
			`x:1:1: unknown-field: unknown field "rule" (did you mean "rules"?) (rule)`,
			`x:2:1: unknown-field: unknown field "nothing" (nothing)`,
			`x:4:27: unknown-field: unknown field "matches" (did you mean "match"?) (paths[0].matches)`,
		}},
		"WrongType": {"A value of another type.", "rules: [a-rule]\n", []string{`x:1:8: wrong-type: expected a mapping, found a sequence (rules)`}},
		"WrongTypes": {"All of them, at any depth, once.", "target: 1.5\nrules:\n  a-rule: 5\n  b-rule: [x]\n  \"*\": ~\npaths:\n- 5\n- {match: a, rules: {a-rule: true, b-rule: off}}\n- match: [1, a, {}]\n  rules: []\n", []string{
			`x:1:9: wrong-type: expected a string, found a number (target)`,
			`x:3:11: wrong-type: expected a string, found a number (rules["a-rule"])`,
			`x:4:11: wrong-type: expected a string, found a sequence (rules["b-rule"])`,
			`x:5:8: wrong-type: "" is not off, info, warning or error (rules["*"])`,
			`x:7:3: wrong-type: expected a mapping, found a number (paths[0])`,
			`x:8:11: wrong-type: expected a sequence, found a string (paths[1].match)`,
			`x:8:30: wrong-type: expected a string, found a boolean (paths[1].rules["a-rule"])`,
			`x:9:11: wrong-type: expected a string, found a number (paths[2].match[0])`,
			`x:9:17: wrong-type: expected a string, found a mapping (paths[2].match[2])`,
			`x:10:10: wrong-type: expected a mapping, found a sequence (paths[2].rules)`,
		}},
		"Words": {"All words are looked at.", "target: newest\nprofile: test\nfailOn: never\nrules:\n  a-rule: warn\n", []string{
			`x:1:9: wrong-type: "newest" is not a Crossplane version such as v1.20 (target)`,
			`x:2:10: wrong-type: "test" is not install or publish (profile)`,
			`x:3:9: wrong-type: "never" is not error, warning or info (failOn)`,
			`x:5:11: wrong-type: "warn" is not off, info, warning or error (rules["a-rule"])`,
		}},
		"Rule": {"A rule that there is none of, at its name, with the one that is meant.", "rules:\n  a-ruel: off\n", []string{
			`x:2:3: unknown-field: "a-ruel" is not the name of a rule (did you mean "a-rule"?) (rules["a-ruel"])`}},
		"PathRule": {"Likewise for some files.", "paths:\n- match: [a]\n  rules: {nothing-like-it: off}\n", []string{
			`x:3:11: unknown-field: "nothing-like-it" is not the name of a rule (paths[0].rules["nothing-like-it"])`}},
		"Unread": {"Silence about what no rule has judged.", "rules: {yaml-syntax: off}\n", []string{
			`x:1:22: wrong-type: "off" is not info, warning or error: no rule judges what cannot be read (paths may leave out files) (rules["yaml-syntax"])`}},
		"UnreadFiles": {"Files that are no YAML may be told of.", "paths:\n- match: [templates/]\n  rules: {yaml-syntax: off}\n", nil},
		"Pattern": {"One that matches nothing.", "paths:\n- match: [\"a/**\", \"![a\"]\n  rules: {a-rule: off}\n", []string{
			`x:2:19: wrong-type: "![a" is not a pattern as in gitignore: a bracket or an escape is not complete (paths[0].match[1])`}},
		"NoMatch": {"Settings for no files.", "paths:\n- rules: {a-rule: off}\n", []string{`x:2:3: wrong-type: missing, want the files that the rules are for (paths[0].match)`}},
		"Two":     {"One configuration.", "failOn: error\n---\nfailOn: info\n", []string{`x:3:1: yaml-syntax: found a second document, expected one configuration`}},
		"Broken":  {"No YAML.", "rules: [\n", []string{`x:1:8: yaml-syntax: `}},
		"Twice":   {"A key that is there twice.", "failOn: error\nfailOn: info\n", []string{`x:2:1: duplicate-key: key "failOn" is there twice, first at 1:1 (failOn)`}},
		"Scalar":  {"No mapping.", "off\n", []string{`x:1:1: not-an-object: `}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c, err := ParseConfig("x", []byte(tc.text), badWords("a-rule", "b-rule"))
			var got []string
			var list parser.ErrorList
			if errors.As(err, &list) {
				for _, e := range list {
					got = append(got, e.Error())
				}
			}
			if (c == nil) != (err != nil) {
				t.Errorf("config %v with error %v", c, err)
			}
			for i, w := range tc.want {
				if strings.HasSuffix(w, ": ") && i < len(got) && strings.HasPrefix(got[i], w) {
					got[i] = w // the words are the parser's
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
	if _, err := ParseConfig("x", []byte("rules: {whatever: off}\n"), nil); err != nil {
		t.Errorf("without a list of rules any name will do: %v", err)
	}
}

// TestConfigIsJSON: what was read from YAML is the same from JSON.
func TestConfigIsJSON(t *testing.T) {
	want, err := ParseConfig("x", []byte(fullConfig), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseConfig("x", b, nil)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v: -want +got:\n%s", err, diff)
	}
}

func TestConfig(t *testing.T) {
	cases := map[string]struct {
		reason string
		config Config
		file   string
		want   []string
	}{
		"None":      {"Without settings.", Config{}, "a.yaml", []string{"error a-rule", "error b-rule"}},
		"Off":       {"A rule is off.", Config{Rules: map[string]Level{"a-rule": LevelOff}}, "a.yaml", []string{"error b-rule"}},
		"Severity":  {"A rule has another severity.", Config{Rules: map[string]Level{"a-rule": LevelInfo}}, "a.yaml", []string{"info a-rule", "error b-rule"}},
		"All":       {"All that are not named.", Config{Rules: map[string]Level{"a-rule": LevelInfo, "*": LevelOff}}, "a.yaml", []string{"info a-rule"}},
		"Path":      {"In some files.", Config{Paths: []PathConfig{{[]string{"*.yaml"}, map[string]Level{"a-rule": LevelOff}}}}, "x/a.yaml", []string{"error b-rule"}},
		"OtherPath": {"And not in others.", Config{Paths: []PathConfig{{[]string{"/*.yaml"}, map[string]Level{"a-rule": LevelOff}}}}, "x/a.yaml", []string{"error a-rule", "error b-rule"}},
		"Directory": {"All files below a directory.", Config{Paths: []PathConfig{{[]string{"x/"}, map[string]Level{"*": LevelOff}}}}, "x/y/a.yaml", nil},
		"Negated":   {"A pattern takes a file back out.", Config{Paths: []PathConfig{{[]string{"*.yaml", "!a.yaml"}, map[string]Level{"*": LevelOff}}}}, "a.yaml", []string{"error a-rule", "error b-rule"}},
		"Only":      {"A rule for some files only.", Config{Rules: map[string]Level{"a-rule": LevelOff}, Paths: []PathConfig{{[]string{"a.yaml"}, map[string]Level{"a-rule": LevelWarning}}}}, "a.yaml", []string{"warning a-rule", "error b-rule"}},
		"LastRules": {"Of two the last rules, and both rule over what is for all.", Config{Rules: map[string]Level{"b-rule": LevelInfo}, Paths: []PathConfig{
			{[]string{"a.yaml"}, map[string]Level{"*": LevelWarning}}, {[]string{"a.yaml"}, map[string]Level{"a-rule": LevelInfo}}}}, "a.yaml", []string{"info a-rule", "warning b-rule"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := Text(t.Context(), tc.file, []byte(demo+"a-rule: bad\nb-rule: bad\n"), &Options{Rules: badWords("a-rule", "b-rule"), Config: &tc.config})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range r.Diagnostics {
				got = append(got, d.Severity.String()+" "+d.Rule)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestConfigOff: what is off does not count as ignored either, faults of reading can be
// turned off, and a comment for a rule that is off has nothing to prove.
func TestConfigOff(t *testing.T) {
	text := demo + "spec: {crossplane: {version: \">= v\"}}\na-rule: bad # xpkg:ignore a-rule known\nb: c # xpkg:ignore b-rule known\n"
	o := &Options{Rules: badWords("a-rule", "b-rule"), Config: &Config{
		Rules: map[string]Level{parser.RuleConstraint: LevelOff, "b-rule": LevelOff},
		Paths: []PathConfig{{[]string{"a.yaml"}, map[string]Level{"a-rule": LevelOff}}},
	}}
	r, err := Text(t.Context(), "a.yaml", []byte(text), o)
	if err != nil || len(r.Diagnostics)+len(r.Ignored) > 0 {
		t.Errorf("%v, %v", outline(r), err)
	}
}

// TestConfigOfComments: what is found about comments has levels like all else.
func TestConfigOfComments(t *testing.T) {
	text := demo + "a: b # xpkg:ignore a-rule known\nc: d # xpkg:ignore a-rule\n"
	o := &Options{Rules: badWords("a-rule"), Config: &Config{Rules: map[string]Level{RuleIgnoreUnused: LevelOff, RuleIgnoreSyntax: LevelError}}}
	r, err := Text(t.Context(), "a.yaml", []byte(text), o)
	if err != nil || len(r.Diagnostics) != 1 || r.Diagnostics[0].Rule != RuleIgnoreSyntax || r.Diagnostics[0].Severity != Error {
		t.Errorf("%v, %v", outline(r), err)
	}
}

// TestConfigYields: what the program says rules over the file.
func TestConfigYields(t *testing.T) {
	o := &Options{Rules: []*Rule{{ID: "a-rule", Severity: Info, Run: func(_ context.Context, p *Pass) error {
		p.Reportf(Diagnostic{}, "%s %s", p.Profile, p.Releases.Newest())
		return nil
	}}}, Config: &Config{Target: "v1.14", Profile: Install}}
	for _, want := range []string{"install v1.14", "publish v1.20"} {
		found, err := Run(t.Context(), nil, o)
		if err != nil || len(found) != 1 || found[0].Message != want {
			t.Errorf("found %v, %v, want %s", found, err, want)
		}
		o.Target, o.Profile = "v1.20", Publish
	}
}

func TestConfigWords(t *testing.T) {
	_, err := Run(t.Context(), nil, &Options{Rules: badWords("a-rule"), Config: &Config{Rules: map[string]Level{"b": "loud"}, Paths: []PathConfig{{}}}})
	want := "paths[0].match: missing, want the files that the rules are for"
	if !errors.Is(err, meta.ErrInvalid) || !strings.Contains(err.Error(), `rules.b: "loud" is not`) || !strings.Contains(err.Error(), want) {
		t.Errorf("a configuration made in code: %v", err)
	}
}
