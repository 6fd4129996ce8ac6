package yamltree

import (
	"bytes"
	"encoding/json"
)

// asJSON returns a feed that go-yaml takes of a document that is JSON, for when it has
// refused it: every JSON text is YAML (YAML 1.2, section 1.3), but go-yaml knows neither
// tabs before the first bracket nor a line break between a key and its colon. So all is
// put on one line, each character for one. ok is false when the document is no JSON.
func (f *feed) asJSON(original []byte) (flat feed, ok bool) {
	separator := 0
	if isSeparator(f.text) {
		separator = 3
	}
	// A mark that was taken out behind the first character would move what follows it.
	if !json.Valid(f.text[separator:]) || bytes.Contains(original[f.starts[0]:], byteOrderMark) {
		return feed{}, false
	}
	flat = *f
	flat.text, flat.starts = bytes.Clone(f.text), f.starts[:1]
	inText := false
	for i := 0; i < len(flat.text); i++ {
		switch c := flat.text[i]; {
		case c == '"':
			inText = !inText
		case inText && c == '\\':
			i++
		case !inText && isSpace(c):
			flat.text[i] = ' '
		}
	}
	return flat, true
}
