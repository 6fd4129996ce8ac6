package parser_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/parser"
)

// inUTF16 encodes a text with the standard library.
func inUTF16(text string, order binary.AppendByteOrder) []byte {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

// TestUTF16 reads streams in UTF-16 and in UTF-8: they are the same, save that
// offsets are those of the bytes that are there, and so is Raw.
func TestUTF16(t *testing.T) {
	streams := map[string]string{
		"Plain":   metaDoc + "---\n" + crdA + "---\n" + crdB,
		"Unicode": "# c é 😀\r\n---\r\n" + metaDoc + "  annotations:\n    é: ü 😀 中文 # 𝄞\n    x: {y: 中, z: [1, 😀]}\n--- # 中\n" + crdA + "...\n# end 😀\n",
		"Breaks":  strings.ReplaceAll(metaDoc+"---\n"+crdA, "\n", "\r"),
		"Old":     metaDoc + "  annotations: {x: \"a\u0085b\u2028c\"}\n",
		"Faults":  "é: 1\né: 2\n---\n- 😀\n---\na: 😀 \x01\n---\n中:\n\tx\n---\n" + crdA,
		"Long":    metaDoc + "---\n" + crdA + "  annotations:\n" + strings.Repeat("    x: 中文中文中文 # 😀\n", 1) + "    long: \"" + strings.Repeat("中😀a", 4_000) + "\"\n---\n" + crdB,
		"Error":   "a: 1\n---\né: 日本\n" + crdA + "x: 😀 [\n---\né: 日本\n" + crdA + "x: 😀\ny: {\n",
		"Marks":   bom + metaDoc + "---\n" + bom + crdA,
	}
	for name, text := range streams {
		for order, e := range map[string]binary.AppendByteOrder{"LE": binary.LittleEndian, "BE": binary.BigEndian} {
			for mark, text := range map[string]string{"": text, "BOM": bom + strings.TrimPrefix(text, bom)} {
				if text[0] >= 0x80 && mark == "" {
					continue // it begins with a character that tells nothing
				}
				t.Run(name+order+mark, func(t *testing.T) {
					want := everything(parserBytes([]byte(text)), text, func(s string) int { return len(s) })
					encoded := inUTF16(text, e)
					size := func(s string) int { return len(inUTF16(s, e)) }
					got := everything(parserBytes(encoded), text, size)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("-UTF-8 +UTF-16:\n%s", diff)
					}
					slow := parser.Stream(t.Context(), "f", iotest.OneByteReader(bytes.NewReader(encoded)), nil)
					if diff := cmp.Diff(want, everything(slow, text, size)); diff != "" {
						t.Errorf("one byte at a time, -UTF-8 +UTF-16:\n%s", diff)
					}
					for d, err := range parserBytes(encoded) {
						if err == nil && (!bytes.Contains(encoded, d.Raw()) || !bytes.Equal(inUTF16(string(d.Text()), e), d.Raw())) {
							t.Errorf("Raw of %s is not of the author's bytes", d.Ref())
						}
					}
				})
			}
		}
	}
}

func parserBytes(b []byte) func(func(*parser.Document, error) bool) { return parser.Bytes("f", b, nil) }

// everything describes what a sequence yields. Offsets are told as those of the
// text in UTF-8: size is the size of a text in the encoding that was read.
func everything(docs func(func(*parser.Document, error) bool), text string, size func(string) int) []string {
	offsets := map[int]int{}
	at := 0
	for i, r := range text {
		offsets[at] = i
		at += size(string(r))
	}
	offsets[at] = len(text)
	place := func(r parser.Range) string {
		for _, p := range []*parser.Position{&r.Start, &r.End} {
			at, ok := offsets[p.Offset]
			if !ok {
				at = -1
			}
			p.Offset = at
		}
		return fmt.Sprintf("%s %d to %s %d", r, r.Start.Offset, r.End, r.End.Offset)
	}
	var out []string
	for d, err := range docs {
		if err != nil {
			e := err.(*parser.Error)
			out = append(out, e.Error()+" "+place(e.Range))
			for _, r := range e.Related {
				out = append(out, place(r))
			}
			continue
		}
		json, err := d.JSON()
		out = append(out, fmt.Sprintf("%s %s %v", d.Ref(), json, err), string(d.Text())+" "+place(d.Range),
			string(d.Line(d.Range.Start.Line)), place(d.At("kind").Key), place(d.At("metadata", "name").Value),
			place(d.At("metadata", "annotations", "x", "z", 1).Value), place(d.At("metadata", "annotations", "long").Value))
	}
	return out
}

func TestUTF16Faults(t *testing.T) {
	le := func(s string) string { return string(inUTF16(s, binary.LittleEndian)) }
	for _, tc := range []struct {
		reason string
		text   string
		want   string
		offset int
	}{
		{"half of a surrogate pair", le("a: 😀 ") + "\x3d\xd8" + le("x\n"), "f:1:9: not-utf8: this is no character in UTF-16, as the rest is (document 1)", 12},
		{"the other half", le("a: ") + "\x00\xdc" + le("\n"), "f:1:4: not-utf8: this is no character in UTF-16, as the rest is (document 1)", 6},
		{"half of a character at the end", le("a: b") + "c", "f:1:5: not-utf8: this is no character in UTF-16, as the rest is (document 1)", 8},
		{"half of a pair at the end", le("a: b") + "\x3d\xd8", "f:1:5: not-utf8: this is no character in UTF-16, as the rest is (document 1)", 8},
		{"half of a character behind text that has no ASCII", ".\x00\r\n b\"\r\n", "f:1:11: not-utf8: this is no character in UTF-16, as the rest is (document 1)", 8},
		{"a control character", le("a: \x00"), "f:1:4: yaml-syntax: control character U+0000 is not allowed (document 1)", 6},
	} {
		for _, r := range []io.Reader{strings.NewReader(tc.text), iotest.OneByteReader(strings.NewReader(tc.text))} {
			var got []string
			for _, err := range parser.Stream(t.Context(), "f", r, nil) {
				got = append(got, err.Error())
				if at := err.(*parser.Error).Range.Start.Offset; at != tc.offset {
					t.Errorf("%s: at offset %d, want %d", tc.reason, at, tc.offset)
				}
			}
			if diff := cmp.Diff([]string{tc.want}, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.reason, diff)
			}
		}
	}
}

// A directory may hold files in several encodings, as an editor of Windows writes
// them.
func TestUTF16Dir(t *testing.T) {
	root := tree(t, map[string]string{"a.yaml": doc("a")})
	if err := os.WriteFile(filepath.Join(root.Name(), "b.yaml"), inUTF16(bom+doc("b"), binary.LittleEndian), 0o644); err != nil {
		t.Fatal(err)
	}
	got, _ := readDir(t, root, parser.Options{})
	if diff := cmp.Diff([]string{"0 a.yaml:1:1 a", "1 b.yaml:1:4 b"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
