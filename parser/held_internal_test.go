package parser

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/internal/fixture"
)

// anew holds a text so that each call gives other memory.
func anew(text []byte) func() []byte {
	held := bytes.Clone(text)
	return func() []byte { return bytes.Clone(held) }
}

// A document whose text is held elsewhere answers as any other, whatever is collected
// between two questions; of a stream in UTF-16 too, whose places are counted in the text.
func TestHeldAnswersAlike(t *testing.T) {
	text := fixture.Provider(1)
	var wide []byte
	for _, c := range text {
		wide = append(wide, c, 0)
	}
	collected := func(text []byte) func() []byte {
		again := anew(text)
		return func() []byte {
			runtime.GC()
			return again()
		}
	}
	for reason, stream := range map[string][]byte{
		"as a provider is": text,
		"in UTF-16":        append([]byte("\xff\xfe"), wide...),
		"for the tree":     bytes.ReplaceAll(text, []byte("\nspec:"), []byte("\nspec: !!map")),
	} {
		want, sum, _ := told(Bytes("f", stream, nil))
		if sum != "2" {
			t.Errorf("%s: %s", reason, sum)
		}
		for way, hold := range map[string]func([]byte) func() []byte{
			"anew": anew, "collected": collected, "left with the document": func([]byte) func() []byte { return nil },
		} {
			got, _, _ := told(Bytes("f", stream, &Options{Hold: hold}))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", reason, way, diff)
			}
		}
	}
}

// A held document keeps nothing of what it was read with, and nothing of what was asked.
func TestHeldIsNotKept(t *testing.T) {
	for _, tc := range []struct{ reason, text string }{
		{"of the engine", strings.Repeat("# c\n", 1<<16) + "apiVersion: v1\nkind: A\nmetadata: {name: a}\n"},
		{"of the tree", strings.Repeat("# c\n", 1<<16) + "apiVersion: v1\nkind: !!str A\nmetadata: {name: a}\n"},
	} {
		text := []byte(tc.text)
		read, calls := weak.Make(&text[0]), 0
		var given weak.Pointer[byte]
		var docs []*Document
		for d, err := range Bytes("f", text, &Options{Hold: func(text []byte) func() []byte {
			return func() []byte {
				calls++
				again := []byte(tc.text)
				given = weak.Make(&again[0])
				return again
			}
		}}) {
			if err != nil {
				t.Fatal(err)
			}
			docs = append(docs, d)
		}
		text = nil
		runtime.GC()
		runtime.GC()
		if read.Value() != nil {
			t.Errorf("%s: the document keeps what it was read with", tc.reason)
		}
		if got := docs[0].Text(); string(got) != tc.text || calls != 1 {
			t.Errorf("%s: %d bytes after %d calls", tc.reason, len(got), calls)
		}
		runtime.GC()
		runtime.GC()
		if given.Value() != nil {
			t.Errorf("%s: the document keeps what it was asked for", tc.reason)
		}
		runtime.KeepAlive(docs)
	}
}

// A text that does not come back is an error of whatever can have one, and nothing else.
func TestHeldIsLost(t *testing.T) {
	for reason, hold := range map[string]func([]byte) func() []byte{
		"nothing":   func([]byte) func() []byte { return func() []byte { return nil } },
		"too short": func(text []byte) func() []byte { return func() []byte { return text[1:] } },
		"too long":  func(text []byte) func() []byte { return func() []byte { return append(bytes.Clone(text), 'a') } },
	} {
		for _, text := range []string{"apiVersion: v1\nkind: A\na: 1.10\nb: {c: d}\n", "--- # c\napiVersion: v1\nkind: !!str A\na: 1.10\nb: {c: d}\n"} {
			for d, err := range Bytes("f", []byte(text), &Options{Hold: hold}) {
				if err != nil {
					t.Fatal(err)
				}
				runtime.GC() // the tree, where the document has one
				runtime.GC()
				doubts, more := d.Doubts()
				if got := fmt.Sprint(len(d.Text()), len(d.Raw()), d.Line(1), doubts, more, d.At("b", "c").Found); got != "0 0 [] [] 0 false" {
					t.Errorf("%s: %s", reason, got)
				}
				var v any
				_, err := d.JSON()
				for _, err := range []error{err, d.Decode(&v), d.DecodeLax(&v)} {
					if err == nil || err.Error() != errNoText.Error() {
						t.Errorf("%s: got the error %v", reason, err)
					}
				}
			}
		}
	}
}
