package xpkg

import (
	"bytes"
	"unicode/utf8"
)

// maxHead is how much of a content is kept to tell what it looks like.
const maxHead = 64

// looksLike says in a word what content begins with head.
func looksLike(head []byte) string {
	text := bytes.TrimSpace(head)
	switch {
	case len(head) == 0:
		return "nothing"
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return "gzip inside of the compression"
	case isZstd(head):
		return "zstd inside of the compression"
	case bytes.HasPrefix(text, []byte("{")), bytes.HasPrefix(text, []byte("[")):
		return "what looks like JSON"
	case isText(head):
		return "what looks like text"
	}
	return "something else"
}

// isText reports whether head has no control characters but white space. A
// character may be cut at its end.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		if r == utf8.RuneError && size == 1 {
			return !utf8.FullRune(head)
		}
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f {
			return false
		}
		head = head[size:]
	}
	return true
}
