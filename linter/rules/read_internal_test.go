package rules

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/internal/executions"
)

// FuzzRead holds the reader against encoding/json: of valid JSON it reads the same,
// and of a part that is passed over what is behind it. Documents are valid UTF-8. Of anything else it ends.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, `[1,-2.5e3,true,false,null,"a\\","\"","\u00e4\\\""]`, ` { "a" : [ { } , [ ] ] , "b" : "" } `,
		`{"a":{"b":[{"c":"]}\\\"","d":{}},2]},"e":"x"}`, `[`, `{"a"`, `{"a":}`, `"`, `[,]`, `{,}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(executions.Many(func(t *testing.T, raw []byte) {
		var want any
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		v := readValue(raw, whole)
		if !json.Valid(raw) || !utf8.Valid(raw) || d.Decode(&want) != nil {
			return
		}
		if diff := cmp.Diff(want, v.plain()); diff != "" {
			t.Errorf("-encoding/json +reader:\n%s", diff)
		}
		behind := append(append([]byte(`{"skipped":`), raw...), `,"read":"x"}`...)
		v = readValue(behind, fields(map[string]*shape{"read": aText}))
		if got := v.get("read").text; got != "x" {
			t.Errorf("behind what was passed over: %q", got)
		}
	}))
}
