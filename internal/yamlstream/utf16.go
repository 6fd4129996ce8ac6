package yamlstream

import (
	"bytes"
	"io"
	"math"
	"unicode/utf16"
	"unicode/utf8"
)

// An Encoding is how the bytes of a stream stand for characters.
type Encoding uint8

// The encodings that are read. All but UTF-8 are turned into it before the stream
// is cut; offsets remain those of the original.
const (
	UTF8 Encoding = iota
	UTF16LE
	UTF16BE
)

// encodingOf finds the encoding at the start of a stream, which is a byte order
// mark or a character of ASCII (YAML 1.2, section 5.2). It is not asked about
// UTF-32, which comes first.
func encodingOf(head []byte) Encoding {
	switch {
	case len(head) < 2:
		return UTF8
	case head[0] == 0xFE && head[1] == 0xFF, head[0] == 0 && isASCII(head[1]):
		return UTF16BE
	case head[0] == 0xFF && head[1] == 0xFE, head[1] == 0 && isASCII(head[0]):
		return UTF16LE
	}
	return UTF8
}

func isASCII(c byte) bool { return c != 0 && c < utf8.RuneSelf }

// Size returns how many bytes a text in UTF-8 has in the encoding. A text that
// the decoder made may hold the three bytes of a lone surrogate.
func (e Encoding) Size(text []byte) int {
	if e == UTF8 {
		return len(text)
	}
	n := 0
	for _, c := range text {
		switch {
		case c == halfUnit:
			n++
		case c >= 0xF0:
			n += 4
		case c < 0x80 || c >= 0xC0:
			n += 2
		}
	}
	return n
}

// Encode returns a text in UTF-8 in the encoding.
func (e Encoding) Encode(text []byte) []byte {
	if e == UTF8 {
		return text
	}
	out := make([]byte, 0, e.Size(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if text = text[n:]; r > 0xFFFF {
			high, low := utf16.EncodeRune(r)
			out = e.appendUnit(out, high)
			r = low
		}
		out = e.appendUnit(out, r)
	}
	return out
}

func (e Encoding) appendUnit(out []byte, unit rune) []byte {
	if e == UTF16BE {
		return append(out, byte(unit>>8), byte(unit))
	}
	return append(out, byte(unit), byte(unit>>8))
}

// unit returns the first two bytes of b.
func (e Encoding) unit(b []byte) rune {
	if e == UTF16BE {
		return rune(b[0])<<8 | rune(b[1])
	}
	return rune(b[1])<<8 | rune(b[0])
}

// halfUnit stands for the last byte of a text that ends within a character. It is
// in no UTF-8, so it is found as what it is.
const halfUnit = 0xFF

// A decoder reads a stream in UTF-16 as UTF-8. What is no character, a lone
// surrogate or half of one at the end, becomes bytes that are not UTF-8, so that it is
// found in its place.
type decoder struct {
	r       io.Reader
	from    Encoding
	left    int64  // bytes that may be read
	buf     []byte // what raw lies in
	raw     []byte // read, and not decoded yet
	decoded []byte // decoded, and not given yet
	err     error
}

// Read implements io.Reader.
func (d *decoder) Read(p []byte) (int, error) {
	for len(d.decoded) == 0 {
		if d.err != nil {
			return 0, d.err
		}
		d.fill()
	}
	n := copy(p, d.decoded)
	d.decoded = d.decoded[n:]
	return n, nil
}

// fill reads once and decodes what is whole.
func (d *decoder) fill() {
	if d.buf == nil {
		d.buf = make([]byte, firstSize)
	}
	whole := copy(d.buf, d.raw) // at most three bytes
	n, err := 0, io.ErrNoProgress
	for range 100 {
		if n, err = d.r.Read(d.buf[whole:]); n != 0 || err != nil {
			break
		}
		err = io.ErrNoProgress
	}
	switch {
	case n < 0 || n > len(d.buf)-whole:
		n, err = 0, errBadCount
	case int64(n) > d.left:
		n, err = int(d.left), ErrStreamTooLarge
	}
	d.left -= int64(n)
	d.raw, d.err = d.buf[:whole+n], err
	d.decoded = d.decoded[:0]
	for len(d.raw) >= 2 {
		unit := d.from.unit(d.raw)
		if unit >= 0xD800 && unit < 0xDC00 && len(d.raw) < 4 && d.err == nil {
			return // the other half is not there yet
		}
		d.raw = d.raw[2:]
		if !utf16.IsSurrogate(unit) {
			d.decoded = utf8.AppendRune(d.decoded, unit)
			continue
		}
		if len(d.raw) >= 2 {
			if r := utf16.DecodeRune(unit, d.from.unit(d.raw)); r != utf8.RuneError {
				d.raw = d.raw[2:]
				d.decoded = utf8.AppendRune(d.decoded, r)
				continue
			}
		}
		d.decoded = append(d.decoded, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0x3F, 0x80|byte(unit)&0x3F)
	}
	if len(d.raw) == 1 && d.err == io.EOF {
		d.raw = nil
		d.decoded = append(d.decoded, halfUnit)
	}
}

// decoded returns a source that reads the same stream as UTF-8.
func (s *source) decoded(e Encoding) source {
	var rest io.Reader = endWith{s.err}
	if s.err == nil {
		rest = s.r
	}
	d := &decoder{r: io.MultiReader(bytes.NewReader(s.buf), rest), from: e, left: s.limits.Stream}
	return source{r: d, limits: Limits{Stream: math.MaxInt64, Document: s.limits.Document}}
}

// endWith is a reader at its end.
type endWith struct{ err error }

// Read implements io.Reader.
func (e endWith) Read([]byte) (int, error) { return 0, e.err }
