package yamlstream

import (
	"bytes"
	"testing"
)

// Text is looked at by 8 and by 32 bytes at a time; wherever a byte stands, it is judged alike.
func TestCheckTextByWords(t *testing.T) {
	for c := range 256 {
		wantFlaw := c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c >= 0x7F
		for at := range 100 {
			text := bytes.Repeat([]byte("a\n"), 50)
			text[at] = byte(c)
			if plain := c == '\n' || c >= 0x20 && c < 0x7F; IsPlain(text) != plain || IsPlain(text[:at+1]) != plain {
				t.Fatalf("byte %#x at %d: it is not plain %v", c, at, plain)
			}
			flaw, oldBreaks := CheckText(text)
			if (flaw != nil) != wantFlaw || flaw != nil && flaw.Offset != at || oldBreaks {
				t.Fatalf("byte %#x at %d: flaw %+v, want one: %v", c, at, flaw, wantFlaw)
			}
		}
	}
	for at := range 80 {
		text := append(bytes.Repeat([]byte("x"), at), "\u2028é😀 and more text"...)
		if flaw, oldBreaks := CheckText(text); flaw != nil || !oldBreaks {
			t.Errorf("a line break of YAML 1.1 at %d: flaw %+v, %v", at, flaw, oldBreaks)
		}
	}
}
