package main

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/xpkg-go/sdk/internal/executions"
)

func TestReadme(t *testing.T) {
	for _, tc := range []struct{ reason, text, want string }{
		{"none", "", ""},
		{"headings go below the section's", "# One\n\n### Three\n\n# Again", "<h3>One</h3>\n<h4>Three</h4>\n<h3>Again</h3>\n"},
		{"and never deeper than six", "# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6", "<h3>1</h3>\n<h4>2</h4>\n<h5>3</h5>\n<h6>4</h6>\n<h6>5</h6>\n<h6>6</h6>\n"},
		{"a link", "[a](https://example.org/?b=1&c)", `<p><a rel="noopener noreferrer" href="https://example.org/?b=1&amp;c">a</a></p>` + "\n"},
		{"a link to mail", "<someone@example.org>", `<p><a rel="noopener noreferrer" href="mailto:someone@example.org">someone@example.org</a></p>` + "\n"},
		{"a bare address", "see https://example.org.", `<p>see <a rel="noopener noreferrer" href="https://example.org">https://example.org</a>.</p>` + "\n"},
		{"a link within the repository leads nowhere here", "[a](docs/a.md)", "<p>a</p>\n"},
		{"a script is no place", "[a](javascript:alert) <JavaScript:alert>", "<p>a JavaScript:alert</p>\n"},
		{"nor is data", "[a](data:text/html,b)", "<p>a</p>\n"},
		{"a picture is a link to it", "![a](https://example.org/a.png)", `<p><a rel="noopener noreferrer" href="https://example.org/a.png">a</a></p>` + "\n"},
		{"a badge is its link", "[![a](https://example.org/a.png)](https://example.org/)", `<p><a rel="noopener noreferrer" href="https://example.org/">a</a></p>` + "\n"},
		{"tags go, and their text stays", "a <b onclick=x>b</b>", "<p>a b</p>\n"},
		{"a block of HTML is its text", "<div align=center>\n<p>a &amp; b</p><script>c</script>\n</div>", "<p>a &amp; b</p>\n"},
		{"a comment goes", "<!-- a -->", ""},
		{"code stays as it is", "`<b>`", "<p><code>&lt;b&gt;</code></p>\n"},
	} {
		if got := string(newReadme(tc.text).HTML); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
		}
	}
	for _, tc := range []struct {
		reason, text string
		markdown     bool
	}{
		{"a long one", strings.Repeat("a", maxReadme+1), false},
		{"one that is nested deeply", strings.Repeat("> - ", maxNested) + "a", false},
		{"one of links", strings.Repeat("[](", maxLinks+1), false},
		{"lines and rules", strings.Repeat("-", 80) + "\n\n" + strings.Repeat("=", 80) + "\n" + strings.Repeat("*", 80) + " \n", true},
		{"a table", "|" + strings.Repeat("--|", 50), true},
		{"quotes of many lines", strings.Repeat("> > a\n", 1000), true},
	} {
		got := newReadme(tc.text)
		if tc.markdown != (got.HTML != "") || !tc.markdown && got.Text != tc.text {
			t.Errorf("%s: as Markdown %t, want %t", tc.reason, got.HTML != "", tc.markdown)
		}
	}
	if got := newReadme(strings.Repeat("a", maxText+1)); len(got.Text) > maxText+100 {
		t.Errorf("%d bytes are shown", len(got.Text))
	}
}

// Whatever a readme says, the page gets no element that could do anything, no attribute but
// those of links and tables, and links to the web and to mail only.
func FuzzReadme(f *testing.F) {
	for _, p := range probes {
		f.Add("# " + p + "\n[" + p + "](" + p + ") ![" + p + "](<" + p + ">) <" + p + ">\n\n|a|\n|:-:|\n|" + p + "|\n")
	}
	f.Add(strings.Repeat(">", 3000) + "a")
	f.Add(strings.Repeat("[", 3000) + "a" + strings.Repeat("](b)", 3000))
	f.Add(strings.Repeat("- ", 3000))
	f.Add(strings.Repeat("*a **b ", 1000))
	f.Add("[a]: javascript:b\n[a] [a][] ![a]\n\n<a\nhref=b>")
	allowed := map[string]bool{}
	for name := range strings.FieldsSeq("a blockquote br code del em h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul") {
		allowed[name] = true
	}
	f.Fuzz(executions.Many(func(t *testing.T, text string) {
		shown := string(newReadme(text).HTML)
		z := html.NewTokenizer(strings.NewReader(shown))
		for z.Next() != html.ErrorToken {
			token := z.Token()
			switch token.Type {
			case html.CommentToken, html.DoctypeToken:
				t.Fatalf("%q has %s", text, token)
			case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
				if !allowed[token.Data] {
					t.Fatalf("%q has an element %s in %q", text, token.Data, shown)
				}
			}
			for _, a := range token.Attr {
				switch {
				case token.Data == "a" && a.Key == "rel" && a.Val == "noopener noreferrer":
				case token.Data == "a" && a.Key == "href" && safeLink(a.Val) == a.Val:
				case token.Data == "ol" && a.Key == "start", token.Data == "code" && a.Key == "class" && strings.HasPrefix(a.Val, "language-"):
				case (token.Data == "td" || token.Data == "th") && a.Key == "align":
				default:
					t.Fatalf("%q has %s=%q of %s in %q", text, a.Key, a.Val, token.Data, shown)
				}
			}
		}
	}))
}
