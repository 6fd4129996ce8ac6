package recipe_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"go.yaml.in/yaml/v3"

	"github.com/xpkg-go/sdk/conformance/internal/recipe"
)

func TestRecipes(t *testing.T) {
	texts := recipe.Texts{"a": {Text: "one\ntwo\n"}}
	cases := map[string]struct {
		reason, recipe, want string
		read                 func(io.Reader) (io.Reader, error) // of the result; nil is as it is
	}{
		"Text":     {"a text is its bytes", `"a\r\n"`, "a\r\n", nil},
		"List":     {"the parts of a list follow each other", `[a, {text: a}, b]`, "aone\ntwo\nb", nil},
		"Repeat":   {"more often than fits into one write", `{repeat: ab, times: 40000}`, strings.Repeat("ab", 40000), nil},
		"Never":    {"no time is none", `{repeat: ab, times: 0}`, "", nil},
		"Count":    {"both numbers", `{count: "{n}-{n+1} ", times: 3}`, "0-1 1-2 2-3 ", nil},
		"Indent":   {"each line is further in", `{indent: "a:", times: 3}`, "a:\n a:\n  a:\n", nil},
		"Hex":      {"blanks are for the eye", `{hex: "e9 00"}`, "\xe9\x00", nil},
		"Replace":  {"all of them", `{replace: {text: a}, old: "\n", new: "\r"}`, "one\rtwo\r", nil},
		"Cut":      {"the beginning", `{cut: {text: a}, bytes: 2}`, "on", nil},
		"CutShort": {"no more than there is", `{cut: {text: a}, bytes: 200}`, "one\ntwo\n", nil},
		"Skip":     {"what follows it", `{skip: {text: a}, bytes: 2}`, "e\ntwo\n", nil},
		"Flip":     {"one bit", `{flip: {text: a}, find: two}`, "one\nuwo\n", nil},
		"Fit":      {"exactly so long", `{fit: {before: "<", fill: x, after: ">", to: 6}}`, "<xxxx>", nil},
		"Gzip":     {"another reader of gzip reads it", `{gzip: {text: a}}`, "one\ntwo\n", gunzip},
		"Stored":   {"as what is only stored", `{gzip: {text: a}, stored: true}`, "one\ntwo\n", gunzip},
		"Members":  {"and as two members", `[{gzip: a}, {gzip: b}]`, "ab", gunzip},
		"Zstd":     {"more than one block", `{zstd: {repeat: ab, times: 200000}}`, strings.Repeat("ab", 200000), unzstd},
		"ZstdNone": {"and one of nothing", `{zstd: ""}`, "", unzstd},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := made(texts, tc.recipe)
			if err != nil {
				t.Fatal(err)
			}
			r := io.Reader(bytes.NewReader(got))
			if tc.read != nil {
				if r, err = tc.read(r); err != nil {
					t.Fatal(err)
				}
			}
			b, err := io.ReadAll(r)
			if err != nil || string(b) != tc.want {
				t.Errorf("%s: %.100q (%v), want %.100q", tc.reason, b, err, tc.want)
			}
		})
	}
}

func TestRecipesThatAreNone(t *testing.T) {
	texts := recipe.Texts{"loop": {Parts: []recipe.Recipe{{Step: &recipe.Step{Named: "loop"}}}}}
	for reason, text := range map[string]string{
		"a text that there is not":   "{text: b}",
		"a text of itself":           "{text: loop}",
		"a key that there is not":    "{repaet: a, times: 2}",
		"less than no time":          "{repeat: a, times: -1}",
		"less than no byte":          "{cut: a, bytes: -1}",
		"less room than is taken":    "{fit: {before: abc, fill: x, after: d, to: 3}}",
		"nothing to fill with":       "{fit: {before: a, after: b, to: 3}}",
		"no key":                     "{times: 2}",
		"what is no number":          "{hex: zz}",
		"a bit of what is not there": "{flip: a, find: b}",
		"a type that there is not":   "{tar: [{path: a, type: socket}]}",
	} {
		if got, err := made(texts, text); err == nil {
			t.Errorf("%s: %q", reason, got)
		}
	}
}

// An archive may be left open, for another one, or for the content of its last entry.
func TestArchives(t *testing.T) {
	b, err := made(nil, `[{tar: [{path: "f{n}", content: abc, times: 2}, {path: d/, type: directory}, {path: l, type: symlink, link: f0}, {path: big, size: 1024}], open: true},
		{repeat: x, times: 1024}, {tar: [{path: end, content: [a, b]}]}]`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(bytes.NewReader(b)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name+h.Linkname+"="+string(content[:min(len(content), 3)]))
	}
	if got, want := strings.Join(names, " "), "f0=abc f1=abc d/= lf0= big=xxx end=ab"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func made(texts recipe.Texts, text string) ([]byte, error) {
	var r recipe.Recipe
	if err := yaml.Unmarshal([]byte(text), &r); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := texts.Write(&b, r)
	return b.Bytes(), err
}

func gunzip(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }

func unzstd(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) }
