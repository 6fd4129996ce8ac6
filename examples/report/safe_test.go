package main

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

func TestSafeLink(t *testing.T) {
	for _, tc := range []struct{ reason, text, want string }{
		{"the web", "https://example.org/a?b#c", "https://example.org/a?b#c"},
		{"without encryption", "http://example.org", "http://example.org"},
		{"mail", "mailto:a@example.org", "mailto:a@example.org"},
		{"space around it", "  https://example.org\n", "https://example.org"},
		{"any case", "HTTPS://example.org", "https://example.org"},
		{"a quote does not end the attribute", `https://example.org/"onload=`, "https://example.org/%22onload="},
		{"a script", "javascript:alert(1)", ""},
		{"a script in other letters", "jAvAsCrIpT:alert(1)", ""},
		{"a script behind a control character", "java\nscript:alert(1)", ""},
		{"a script behind a byte", "\x01javascript:alert(1)", ""},
		{"data", "data:text/html,a", ""},
		{"a file", "file:///etc/passwd", ""},
		{"no scheme", "example.org/a", ""},
		{"a path", "/a", ""},
		{"the scheme of the page", "//example.org", ""},
		{"no host", "https:a", ""},
		{"nothing", "", ""},
	} {
		if got := safeLink(tc.text); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
		}
	}
}

func TestIcon(t *testing.T) {
	gif := "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	svg := func(text string) string {
		return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(text))
	}
	const square = `<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>`
	for _, tc := range []struct{ reason, uri, want, fault string }{
		{"a picture", gif, gif, ""},
		{"of any case", strings.Replace(gif, "data:image/gif", "DATA:image/GIF", 1), gif, ""},
		{"without padding", strings.TrimRight(svg(square), "="), svg(square), ""},
		{"an SVG", svg(square), svg(square), ""},
		{"an SVG as text", "data:image/svg+xml;utf8," + url.PathEscape(square), svg(square), ""},
		{"an address", "https://example.org/icon.png", "", "loads nothing"},
		{"a script", "javascript:alert(1)", "", "loads nothing"},
		{"a page", "data:text/html;base64,PHNjcmlwdD4=", "", "no picture"},
		{"a page that says it is a picture", "data:image/png;base64,PHNjcmlwdD4=", "", "not of the type"},
		{"a picture of another type", strings.Replace(gif, "gif", "png", 1), "", "not of the type"},
		{"an SVG with a script", svg(`<svg><script>alert(1)</script></svg>`), "", "not only a picture"},
		{"an SVG with an event", svg(`<svg onload="alert(1)"/>`), "", "not only a picture"},
		{"an SVG that loads", svg(`<svg xmlns:x="http://www.w3.org/1999/xlink"><image x:href="https://example.org/a.png"/></svg>`), "", "not only a picture"},
		{"an SVG with a page in it", svg(`<svg><foreignObject><p/></foreignObject></svg>`), "", "not only a picture"},
		{"an SVG with entities", svg(`<!DOCTYPE svg [<!ENTITY a "b">]><svg/>`), "", "not only a picture"},
		{"an SVG that is deep", svg(strings.Repeat("<svg>", 200) + strings.Repeat("</svg>", 200)), "", "not only a picture"},
		{"other XML", svg(`<html/>`), "", "not only a picture"},
		{"no XML", svg(`<svg`), "", "not well-formed"},
		{"no base64", "data:image/png;base64,!", "", "cannot be decoded"},
		{"too large", "data:image/png;base64," + strings.Repeat("A", 2*maxIcon), "", "larger"},
		{"far too large", "data:image/png," + strings.Repeat("A", 5*maxIcon), "", "larger"},
	} {
		got, err := icon(tc.uri)
		if string(got) != tc.want || (err == nil) != (tc.fault == "") || err != nil && !strings.Contains(err.Error(), tc.fault) {
			t.Errorf("%s: got %.100q, %v; want %.100q, %q", tc.reason, got, err, tc.want, tc.fault)
		}
	}
}
