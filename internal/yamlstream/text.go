package yamlstream

import (
	"encoding/binary"
	"unicode/utf8"
)

// A Flaw is a character that YAML does not allow.
type Flaw struct {
	Offset int
	Byte   bool // the byte at Offset is not UTF-8
	Rune   rune // the character, when it is one
}

// IsPlain reports whether text is nothing but printable ASCII and line feeds, as most texts
// are: then it has no flaw, and no line breaks but those.
func IsPlain(text []byte) bool {
	i := skipPlain(text, 0)
	for ; i+8 <= len(text) && notPlain(binary.LittleEndian.Uint64(text[i:])) == 0; i += 8 {
	}
	for ; i < len(text) && (text[i] == '\n' || text[i] >= 0x20 && text[i] < 0x7F); i++ {
	}
	return i == len(text)
}

// CheckText returns the first flaw of text (YAML 1.2, section 5.1), and whether
// text holds one of the characters that YAML 1.1 took for line breaks and
// YAML 1.2 does not: U+0085, U+2028 and U+2029.
func CheckText(text []byte) (flaw *Flaw, oldBreaks bool) {
	for i := 0; i < len(text); {
		if i+8 <= len(text) && notPlain(binary.LittleEndian.Uint64(text[i:])) == 0 {
			i = skipPlain(text, i+8)
			continue
		}
		if plainByte[text[i]] {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return &Flaw{Offset: i, Byte: true}, oldBreaks
		case r == 0x85 || r == 0x2028 || r == 0x2029:
			oldBreaks = true
		case r < 0xA0 || r == 0xFFFE || r == 0xFFFF:
			return &Flaw{Offset: i, Rune: r}, oldBreaks
		}
		i += n
	}
	return nil, oldBreaks
}

// skipPlain returns the offset from which on 32 bytes are no longer printable ASCII or line
// feeds: most texts are nothing else, and asking of so many at once takes half the time.
func skipPlain(text []byte, i int) int {
	for ; i+32 <= len(text); i += 32 {
		w := text[i : i+32]
		if notPlain(binary.LittleEndian.Uint64(w))|notPlain(binary.LittleEndian.Uint64(w[8:]))|
			notPlain(binary.LittleEndian.Uint64(w[16:]))|notPlain(binary.LittleEndian.Uint64(w[24:])) != 0 {
			break
		}
	}
	return i
}

// notPlain returns 0 when eight bytes are printable ASCII or line feeds.
func notPlain(w uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	printable := w + 0x60*ones              // has the high bit for every byte from 0x20 on
	feeds := ^((w ^ '\n'*ones) + 0x7F*ones) // and this one for a line feed
	return (w | (w + ones) | ^(printable | feeds)) & highs
}

// plainByte holds the ASCII characters that YAML allows.
var plainByte = func() (t [256]bool) {
	for c := 0x20; c < 0x7F; c++ {
		t[c] = true
	}
	t['\t'], t['\n'], t['\r'] = true, true, true
	return t
}()
