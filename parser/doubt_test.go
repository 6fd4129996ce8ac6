package parser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/parser"
)

func TestDoubts(t *testing.T) {
	text := "# c\napiVersion: v1\nkind: A\nmetadata:\n  annotations: {a: on, b: 1.10, c: 'off'}\nspec:\n" +
		"  default: [0777, 12345678901234567890123, 2001-01-01, text]\n  1e3: x\n"
	var got []string
	for d, err := range parser.Bytes("f", []byte(text), nil) {
		if err != nil {
			t.Fatal(err)
		}
		doubts, more := d.Doubts()
		if more != 0 {
			t.Errorf("%d more", more)
		}
		for _, x := range doubts {
			checkRange(t, text, x.Range)
			if written := text[x.Range.Start.Offset:x.Range.End.Offset]; written != x.Text {
				t.Errorf("%q is at the place of %q", written, x.Text)
			}
			got = append(got, fmt.Sprintf("%s %s %s %s: %s, %s (key %t)", x.Range, x.Path, x.Kind, x.Text, x.Means, x.Kubernetes, x.Key))
		}
	}
	want := []string{
		`f:5:20 metadata.annotations.a differs on: "on", true (key false)`,
		`f:5:27 metadata.annotations.b respelled 1.10: 1.10, 1.1 (key false)`,
		`f:7:13 spec.default[0] differs 0777: 777, 511 (key false)`,
		`f:7:19 spec.default[1] inexact 12345678901234567890123: 12345678901234567890123, 1.2345678901234568e+22 (key false)`,
		`f:7:44 spec.default[2] old 2001-01-01: "2001-01-01", "2001-01-01" (key false)`,
		`f:8:3 spec["1e3"] differs 1e3: "1e3", "1000" (key true)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestDoubtsAreBounded(t *testing.T) {
	text := doc("a") + "spec:\n" + strings.Repeat("- on\n", parser.MaxDoubts+7)
	for d, err := range parser.Bytes("f", []byte(text), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if list, more := d.Doubts(); len(list) != parser.MaxDoubts || more != 7 {
			t.Errorf("%d doubts and %d more", len(list), more)
		}
	}
	if list, more := new(parser.Document).Doubts(); list != nil || more != 0 {
		t.Errorf("the zero Document has doubts: %v", list)
	}
}
