package linter

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/xpkg-go/sdk/parser"
)

// maxMended is how large a document may be to be mended: each fix looks at all of it, and
// there may be many. The largest definitions that there are have a quarter of that.
const maxMended = 4 << 20

// isPlainText reports whether a document is UTF-8 and has no anchors, so that a change of
// some bytes changes what is there and nothing else. An ampersand that begins a word may
// be one.
func isPlainText(d *parser.Document) bool {
	text := d.Text()
	if len(text) > maxMended || len(d.Raw()) != len(text) {
		return false
	}
	for i := bytes.IndexByte(text, '&'); i >= 0; {
		if (i == 0 || strings.IndexByte(" \t\r\n[{,:-", text[i-1]) >= 0) &&
			i+1 < len(text) && strings.IndexByte(" \t\r\n,[]{}&", text[i+1]) < 0 {
			return false
		}
		next := bytes.IndexByte(text[i+1:], '&')
		if next < 0 {
			break
		}
		i += next + 1
	}
	return true
}

// scalarAt returns the scalar of one line that a range is, as it is written.
func scalarAt(d *parser.Document, r parser.Range) (string, bool) {
	if r.Start.Line != r.End.Line || r.End.Offset-r.Start.Offset != r.End.Column-r.Start.Column {
		return "", false
	}
	line := d.Line(r.Start.Line)
	if r.Start.Column < 1 || r.End.Column <= r.Start.Column || r.End.Column > len(line)+1 {
		return "", false
	}
	text := string(line[r.Start.Column-1 : r.End.Column-1])
	if !oneScalar.MatchString(text) || !isPlainText(d) {
		return "", false
	}
	return text, true
}

var (
	// What is one scalar, plain or quoted: neither a block text nor a collection, which may
	// stand on one line as well, with a dash or a colon and a blank behind it.
	oneScalar = regexp.MustCompile("^(?:" + `"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'` + "|(?:-[^ \t]|[^-\"'|>&*!{[?%@`])(?:[^:]|:+[^ \t:])*)$")

	plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*$`)
	// Words that some reader of YAML takes for something else than a text.
	word = regexp.MustCompile(`^(?i:true|false|null|yes|no|on|off|y|n)$`)
)

// scalar writes a text as YAML, in the quotes of what was there before, and without any
// if that had none and the text is one to all readers.
func scalar(text, old string) string {
	switch {
	case old[0] == '\'' && !strings.Contains(text, "'"):
		return "'" + text + "'"
	case old[0] != '"' && old[0] != '\'' && plain.MatchString(text) && !word.MatchString(text):
		return text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string has a JSON form, which YAML reads
	return strings.TrimSuffix(b.String(), "\n")
}

func isPrintable(s string) bool {
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}
