package yamlstream

import "unicode/utf8"

// A Flaw is a character that YAML does not allow.
type Flaw struct {
	Offset int
	Byte   bool // the byte at Offset is not UTF-8
	Rune   rune // the character, when it is one
}

// CheckText returns the first flaw of text (YAML 1.2, section 5.1), and whether
// text holds one of the characters that YAML 1.1 took for line breaks and
// YAML 1.2 does not: U+0085, U+2028 and U+2029.
func CheckText(text []byte) (flaw *Flaw, oldBreaks bool) {
	for i := 0; i < len(text); {
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

// plainByte holds the ASCII characters that YAML allows.
var plainByte = func() (t [256]bool) {
	for c := 0x20; c < 0x7F; c++ {
		t[c] = true
	}
	t['\t'], t['\n'], t['\r'] = true, true, true
	return t
}()
