package doctest

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Every link leads to a file of the repository and, where it names one, to a
// heading of it. Of links to elsewhere only the form is looked at.
func TestLinks(t *testing.T) {
	all := pages(t)
	byName := map[string]*page{}
	for _, p := range all {
		byName[p.name] = p
	}
	links := 0
	for _, p := range all {
		for _, l := range p.links() {
			links++
			if fault := checkLink(byName, p, l.text); fault != "" {
				t.Errorf("%s:%d: the link %q %s", p.name, l.line, l.text, fault)
			}
		}
	}
	if links < 100 {
		t.Errorf("only %d links were seen", links)
	}
}

func checkLink(pages map[string]*page, from *page, link string) string {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return "is no URL"
	case u.Scheme == "https" && u.Host != "":
		return ""
	case u.Scheme != "" || u.Host != "" || path.IsAbs(u.Path):
		return "is neither https nor relative"
	}
	target := from.name
	if u.Path != "" {
		target = path.Join(path.Dir(from.name), u.Path)
	}
	if target == ".." || strings.HasPrefix(target, "../") {
		return "leads out of the repository"
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil {
		return "leads to nothing"
	}
	if u.Fragment == "" {
		return ""
	}
	to := pages[target]
	if to == nil {
		return "names a heading of something that is no page"
	}
	if !to.anchors()[u.Fragment] {
		return "names a heading that is not there"
	}
	return ""
}

// What is wrong with a link is found.
func TestCheckLink(t *testing.T) {
	p := &page{name: "docs/design.md", headings: []string{"Two words, `code`", "Two words, code"}}
	pages := map[string]*page{p.name: p, "README.md": {name: "README.md"}}
	for _, c := range []struct {
		reason, link string
		ok           bool
	}{
		{"a heading of the page itself", "#two-words-code", true},
		{"the second of two headings that are alike", "#two-words-code-1", true},
		{"no such heading", "#two-words", false},
		{"a page above", "../README.md", true},
		{"a folder", "../dag", true},
		{"no such file", "nowhere.md", false},
		{"out of the repository", "../../README.md", false},
		{"a heading of a folder", "../dag#x", false},
		{"elsewhere", "https://example.org/x#y", true},
		{"elsewhere, unencrypted", "http://example.org/x", false},
		{"no host", "https:///x", false},
		{"a place of one machine", "/etc/passwd", false},
	} {
		if fault := checkLink(pages, p, c.link); (fault == "") != c.ok {
			t.Errorf("%s: %q %s", c.reason, c.link, fault)
		}
	}
}
