package linter_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

func TestEdits(t *testing.T) {
	rewrite := func(text string, path ...any) func(*parser.Document) []linter.Fix {
		return func(d *parser.Document) []linter.Fix { return linter.Rewrite(d, text, path...) }
	}
	rename := func(key string, path ...any) func(*parser.Document) []linter.Fix {
		return func(d *parser.Document) []linter.Fix { return linter.Rename(d, key, path...) }
	}
	remove := func(path ...any) func(*parser.Document) []linter.Fix {
		return func(d *parser.Document) []linter.Fix { return linter.Remove(d, path...) }
	}
	add := func(key, text string, path ...any) func(*parser.Document) []linter.Fix {
		return func(d *parser.Document) []linter.Fix { return linter.Append(d, key, text, path...) }
	}
	before := func(key, text string, path ...any) func(*parser.Document) []linter.Fix {
		return func(d *parser.Document) []linter.Fix { return linter.Prepend(d, key, text, path...) }
	}
	const none = "no fix"
	cases := map[string]struct {
		reason string
		text   string
		fix    func(*parser.Document) []linter.Fix
		want   string
	}{
		"Plain":             {"no quotes are needed", "a: b # c\n", rewrite("d-1", "a"), "a: d-1 # c\n"},
		"PlainWord":         {"a text that would be another value gets quotes", "a: b\n", rewrite("yes", "a"), "a: \"yes\"\n"},
		"PlainSign":         {"a text with a meaning in YAML gets quotes", "a: b\n", rewrite(">=v1", "a"), "a: \">=v1\"\n"},
		"PlainColon":        {"so does one with a colon", "a: b\n", rewrite("b: c", "a"), "a: \"b: c\"\n"},
		"Number":            {"a number is no text", "a: b\n", rewrite("1.0", "a"), "a: \"1.0\"\n"},
		"Single":            {"the author's quotes stay", "a: 'b'\n", rewrite("d e", "a"), "a: 'd e'\n"},
		"SingleIn":          {"unless the text has one", "a: 'b'\n", rewrite("d'e", "a"), "a: \"d'e\"\n"},
		"Double":            {"the author's quotes stay, and what is in them is escaped", `a: "b"`, rewrite(`d"\<`, "a"), `a: "d\"\\<"`},
		"Item":              {"an item of a sequence", "a:\n- b\n- c\n", rewrite("d", "a", 1), "a:\n- b\n- d\n"},
		"Flow":              {"in flow style", "a: {b: c, d: [e, f]}\n", rewrite("g", "a", "d", 0), "a: {b: c, d: [g, f]}\n"},
		"JSON":              {"in JSON", `{"a": {"b": "c"}}`, rewrite("v1", "a", "b"), `{"a": {"b": "v1"}}`},
		"CRLF":              {"line ends stay", "a: b\r\nc: d\r\n", rewrite("e", "c"), "a: b\r\nc: e\r\n"},
		"BOM":               {"offsets are those of the file", "\ufeffa: b\n", rewrite("e", "a"), "\ufeffa: e\n"},
		"Letters":           {"columns are bytes", "{é: è, a: b}\n", rewrite("e", "a"), "{é: è, a: e}\n"},
		"Tag":               {"a tag stays", "a: !!str b\n", rewrite("e", "a"), "a: !!str e\n"},
		"Missing":           {"there is nothing to write over", "a: b\n", rewrite("e", "c"), none},
		"Mapping":           {"a mapping is no scalar", "a: {b: c}\n", rewrite("e", "a"), none},
		"Block":             {"a block scalar is not of one line", "a: |\n  b\n", rewrite("e", "a"), none},
		"Folded":            {"nor is a plain one of several", "a: b\n  c\n", rewrite("e", "a"), none},
		"Alias":             {"what an alias names is several values", "a: &x b\nc: *x\n", rewrite("e", "c"), none},
		"Anchor":            {"and so is what an anchor names", "a: &x b\nc: *x\n", rewrite("e", "a"), none},
		"Ampersand":         {"an ampersand alone is no anchor", "a: b & c\nd: R&D\n", rewrite("e", "d"), "a: b & c\nd: e\n"},
		"Control":           {"a text that does not print is not written", "a: b\n", rewrite("\x01", "a"), none},
		"Null":              {"there is no text", "a:\nb: c\n", rewrite("e", "a"), none},
		"Key":               {"another key", "aa: b\n", rename("c", "aa"), "c: b\n"},
		"KeyQuoted":         {"in the author's quotes", "{\"aa\": 'b'}\n", rename("c", "aa"), "{\"c\": 'b'}\n"},
		"KeySpaces":         {"with the author's spaces", "a : b\n", rename("c", "a"), "c : b\n"},
		"KeyTaken":          {"there is one already", "a: b\nc: d\n", rename("c", "a"), none},
		"KeyOfItem":         {"an item has no key", "a: [b]\n", rename("c", "a", 0), none},
		"KeyExplicit":       {"a key with a question mark", "? aa\n: b\n", rename("c", "aa"), "? c\n: b\n"},
		"Line":              {"a field and its line", "a: b # c\nd: e\n", remove("a"), "d: e\n"},
		"Lines":             {"a field and its lines", "a:\n  b:\n  - c\n  - d\n  e: f\n", remove("a", "b"), "a:\n  e: f\n"},
		"LinesBlock":        {"a block scalar", "a: |\n  b\n\n  c\nd: e\n", remove("a"), "d: e\n"},
		"ItemLines":         {"an item and its lines", "a:\n- b: c\n  d: e\n- f\n", remove("a", 0), "a:\n- f\n"},
		"ItemDash":          {"a dash on another line is not known", "a:\n-\n  b: c\n- d\n", remove("a", 0), none},
		"ItemIn":            {"two dashes on a line", "a:\n- - b\n  - c\n- d\n", remove("a", 0, 0), none},
		"FirstOfItem":       {"a field behind a dash", "a:\n- b: c\n  d: e\n", remove("a", 0, "b"), none},
		"LastLine":          {"a line without an end", "a: b\nc: d", remove("c"), none},
		"Last":              {"a last line with an end", "a: b\nc: d\n", remove("c"), "a: b\n"},
		"BeforeLast":        {"a line before it", "a: b\nc: d", remove("a"), "c: d"},
		"BeforeMark":        {"a line before a separator", "a: b\nc: d\n---\ne: f\n", remove("c"), "a: b\n---\ne: f\n"},
		"RemoveComment":     {"the comment above a field is about it", "a: b\n# c\n# d\ne: f\ng: h\n", remove("e"), "a: b\ng: h\n"},
		"RemoveCommentItem": {"and so it is above an item", "a:\n- b\n# c\n- d # e\n- f\n", remove("a", 1), "a:\n- b\n- f\n"},
		"RemoveCommentCRLF": {"whatever lines end in", "a: b\r\n# c\r\nd: e\r\n", remove("d"), "a: b\r\n"},
		"CommentApart":      {"a blank line keeps it apart", "a: b\n# c\n\nd: e\n", remove("d"), "a: b\n# c\n\n"},
		"CommentPartly":     {"and parts two", "a: b\n# c\n\n# d\ne: f\n", remove("e"), "a: b\n# c\n\n"},
		"CommentDeeper":     {"one that is deeper is about what is above it", "a:\n  b: c\n  # d\ne: f\n", remove("e"), "a:\n  b: c\n  # d\n"},
		"CommentFlatter":    {"one that is not as deep is about what comes next", "a:\n- b\n# c\n  # d\n- e\n", remove("a", 1), "a:\n- b\n# c\n  # d\n"},
		"CommentOfLine":     {"one at the end of a line is about that line", "a: b # c\nd: e\n", remove("d"), "a: b # c\n"},
		"CommentOfAll":      {"one above the first field is about the document", "# a\nb: c\nd: e\n", remove("b"), "# a\nd: e\n"},
		"NoComment":         {"what only looks like a comment is the end of a text", "a: \"b\n  # c\"\nd: \"e\n# f\"\ng: h\n", remove("g"), "a: \"b\n  # c\"\nd: \"e\n# f\"\n"},
		"NoCommentBehind":   {"also with a comment behind it", "a: \"b\n# c\" # d\n# e\nf: g\n", remove("f"), "a: \"b\n# c\" # d\n# e\n"},
		"CommentQuote":      {"an apostrophe is in many", "a: b\n# don't\nc: d\n", remove("c"), "a: b\n"},
		"RemoveFlow":        {"flow style has no lines", "a: {b: c, d: e}\n", remove("a", "b"), none},
		"RemoveJSON":        {"nor has JSON", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", remove("b"), none},
		"RemoveCRLF":        {"with its line end", "a: b\r\nc: d\r\n", remove("a"), "c: d\r\n"},
		"RemoveCR":          {"of whatever sort", "a: b\rc: d\r", remove("a"), "c: d\r"},
		"RemoveMixed":       {"lines end in one way", "a: b\r\nc: d\n", remove("a"), none},
		"Add":               {"a line below", "a:\n- b: c # d\n", add("e", "f", "a", 0, "b"), "a:\n- b: c # d\n  e: \"f\"\n"},
		"AddLast":           {"below a line without an end", "a: b", add("c", "d", "a"), "a: b\nc: \"d\""},
		"AddFlow":           {"in flow style", "a: {b: c, d: e}\n", add("f", "g", "a", "b"), "a: {b: c, f: \"g\", d: e}\n"},
		"AddJSON":           {"in JSON", "{\n  \"a\": \"b\"\n}\n", add("c", "d", "a"), "{\n  \"a\": \"b\", \"c\": \"d\"\n}\n"},
		"AddThere":          {"there is one already", "a: b\nc: d\n", add("c", "e", "a"), none},
		"AddFolded":         {"the value goes on", "a: b\n  c\n", add("c", "e", "a"), none},
		"AddCRLF":           {"lines end as the others", "a: b\r\n", add("c", "e", "a"), "a: b\r\nc: \"e\"\r\n"},
		"AddCR":             {"in one way", "a: b\rd: e\r", add("c", "e", "a"), "a: b\rc: \"e\"\rd: e\r"},
		"Before":            {"a line above, whatever the value", "a:\n- b: {c: d}\n", before("e", "f", "a", 0, "b"), "a:\n- e: f\n  b: {c: d}\n"},
		"BeforeQuoted":      {"quotes where the text needs them", "a: b\n", before("c", "yes", "a"), "c: \"yes\"\na: b\n"},
		"BeforeFlow":        {"in flow style", "a: {b: c}\n", before("e", "f", "a", "b"), "a: {e: f, b: c}\n"},
		"BeforeJSON":        {"in JSON", `{"a": [1]}`, before("b", "c", "a"), `{"b": "c", "a": [1]}`},
		"BeforeThere":       {"there is one already", "a: b\nc: d\n", before("c", "e", "a"), none},
		"BeforeCRLF":        {"lines end as the others", "a: b\r\n", before("c", "e", "a"), "c: e\r\na: b\r\n"},
		"BeforeAnchor":      {"a document with anchors", "a: &x b\nc: *x\n", before("e", "f", "a"), none},
		"Large":             {"a document that is very large is left alone", "a: b\nc: " + strings.Repeat("d", 5<<20) + "\n", rewrite("e", "a"), none},
		"RenameIndent":      {"the value of a renamed key stays where it is", "aa:\n    b: c\n", rename("d", "aa"), "d:\n    b: c\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := none
			for d, err := range parser.Bytes("a.yaml", []byte(tc.text), nil) {
				if err != nil && d == nil && err.(*parser.Error).Rule == parser.RuleSyntax {
					t.Fatal(err)
				}
				if fixes := tc.fix(d); d != nil && len(fixes) > 0 {
					got = apply(tc.text, fixes[0].Edits)
				}
				break
			}
			if got != tc.want {
				t.Errorf("%s\ngot:  %q\nwant: %q", tc.reason, got, tc.want)
			}
		})
	}
}

// A file in UTF-16 would need other bytes.
func TestEditsUTF16(t *testing.T) {
	text := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune("apiVersion: v1\nkind: b\nc: d\n")) {
		text = append(text, byte(u), byte(u>>8))
	}
	for d, err := range parser.Bytes("a.yaml", text, nil) {
		if err != nil {
			t.Fatal(err)
		}
		fixes := append(linter.Rewrite(d, "e", "c"), linter.Rename(d, "e", "c")...)
		if fixes = append(fixes, linter.Remove(d, "kind")...); len(fixes) > 0 {
			t.Errorf("there are fixes: %v", fixes)
		}
	}
}

func apply(text string, edits []linter.Edit) string {
	out, at := "", 0
	for _, e := range edits {
		out += text[at:e.Range.Start.Offset] + e.New
		at = e.Range.End.Offset
	}
	return out + text[at:]
}
