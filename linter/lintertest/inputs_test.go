package lintertest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/lintertest"
)

const (
	inputsHead = `borderline-b: a "b" alone does not make a name bad
-- bad/package.yaml --
apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata: {name: demo}
---
apiVersion: v1
kind: Demo
metadata:
  name: bad # want bad-name "bad is bad"
`
	inputsGood = `-- good from bad --
-  name: bad
+  name: good
`
	inputsBorderline = `-- borderline-b from bad --
 metadata:
-  name: bad
+  name: ba
`
)

// plainInput is an input that no rule reports.
func plainInput(name string) string {
	return "-- " + name + "/package.yaml --\napiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: demo}\n"
}

func TestCheckInputs(t *testing.T) {
	cases := map[string]struct {
		reason, archive string
		want            []string
	}{
		"Complete":     {"All three sorts, of which two are told as changes.", inputsHead + inputsGood + inputsBorderline, nil},
		"Reported":     {"A borderline input may be one that is reported.", "borderline: longer\n" + inputsHead + inputsGood + inputsBorderline + "-- borderline from good --\n-  name: good\n+  name: badly # want bad-name `badly is bad`\n", nil},
		"NoBorderline": {"Both sides are not enough.", strings.TrimPrefix(inputsHead, inputsHead[:strings.Index(inputsHead, "--")]) + inputsGood, []string{"there is no borderline input"}},
		"NoGood":       {"", inputsHead + inputsBorderline, []string{"there is no good input"}},
		"NoBad":        {"", "borderline: not bad\n" + plainInput("good") + plainInput("borderline"), []string{"borderline: no input that is decided otherwise is one line away", "there is no bad input"}},
		"NoReason":     {"", strings.Replace(inputsHead, "borderline-b:", "of a borderline:", 1) + inputsGood + inputsBorderline, []string{"borderline-b: no line of the text gives the reason"}},
		"Far": {"A borderline input two lines away from the other side is none.",
			inputsHead + inputsGood + "-- borderline-b from bad --\n-kind: Demo\n-metadata:\n-  name: bad\n+kind: Other\n+metadata:\n+  name: ba\n", []string{"borderline-b: no input that is decided otherwise is one line away"}},
		"SameSide":   {"One line away from its own side only.", inputsHead + inputsGood + "-- borderline-b from good --\n-kind: Demo\n+kind: Other\n", []string{"borderline-b: no input that is decided otherwise is one line away"}},
		"GoodIsBad":  {"", inputsHead + "-- good from bad --\n-  name: bad\n+  name: badly # want bad-name `badly`\n" + inputsBorderline, []string{"good: reported is true"}},
		"Unexpected": {"Expectations are those of Check.", inputsHead + inputsGood + strings.Replace(inputsBorderline, "from bad --\n metadata:\n-  name: bad\n+  name: ba\n", "from good --\n-  name: good\n+  name: badly\n", 1), []string{"borderline-b: unexpected error: package.yaml:8:9: bad-name: badly is bad (metadata.name)"}},
		"NoSuchLine": {"", inputsHead + inputsGood + "-- borderline-b from bad --\n-  name: worse\n+  name: ba\n", []string{"borderline-b from bad: the lines to change are there 0 times (one is expected)"}},
		"PartOfLine": {"A change is of whole lines.", inputsHead + inputsGood + "-- borderline-b from bad --\n-name: bad\n+name: ba\n", []string{"borderline-b from bad: the lines to change are there 0 times (one is expected)"}},
		"NoSuchBase": {"", inputsHead + inputsGood + "-- borderline-b from borderline --\n-  name: bad\n", []string{"borderline-b from borderline: there is no such input before it"}},
		"OtherFile":  {"", inputsHead + inputsGood + inputsBorderline + "-- worse/package.yaml --\n", []string{"worse/package.yaml: not a file of an input (bad, good or borderline…)"}},
		"OtherLine":  {"", "borderline-c: of nothing\n" + inputsHead + inputsGood + inputsBorderline, []string{"borderline-c: of nothing: there is no such input"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			o := badNames()
			if diff := cmp.Diff(tc.want, lintertest.CheckInputs([]byte(tc.archive), o.Rules[0], o)); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// Facts about an image come from a file, and what is found in them has no place.
func TestCheckInputsImage(t *testing.T) {
	rule := &linter.Rule{ID: "tagged", Severity: linter.Error, Run: func(_ context.Context, p *linter.Pass) error {
		if p.Image != nil && p.Image.Tag == "" {
			p.Reportf(linter.Diagnostic{}, "there is no tag")
		}
		return nil
	}}
	archive := `bad: want tagged "no tag"
borderline: an image of which nothing is known
borderline: want tagged "no tag"
-- bad/image.json --
{"Source": "example.org/a"}
-- good/image.json --
{"Source": "example.org/a", "Tag": "v1"}
-- borderline/image.json --
{}
` + plainInput("bad") + plainInput("good") + plainInput("borderline")
	o := &linter.Options{Rules: []*linter.Rule{rule}}
	if problems := lintertest.CheckInputs([]byte(archive), rule, o); len(problems) > 0 {
		t.Error(problems)
	}
	problems := lintertest.CheckInputs([]byte(strings.Replace(archive, `"Tag"`, `"Tga"`, 1)), rule, o)
	if len(problems) == 0 || problems[0] != `good: image.json: json: unknown field "Tga"` {
		t.Errorf("got %q", problems)
	}
}
