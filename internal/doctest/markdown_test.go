package doctest

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

const root = "../.."

// page is one Markdown file.
type page struct {
	name     string // slash-separated, from the root
	blocks   []block
	prose    string // with an empty line for each line of a fenced block
	headings []string
}

// block is what stands between two fences.
type block struct {
	language string
	line     int // of the first line of text
	text     string
	heading  string // the nearest one above
	before   string // the last line above that is not blank
}

// quote is a text of a page and the line that it begins on.
type quote struct {
	line int
	text string
}

// pages reads every Markdown file of the repository.
func pages(t *testing.T) []*page {
	t.Helper()
	var all []*page
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case !d.IsDir() && path.Ext(name) == ".md":
			all = append(all, readPage(t, name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 7 {
		t.Fatalf("only %d pages were found", len(all))
	}
	return all
}

func readPage(t *testing.T, name string) *page {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	p := &page{name: name}
	var (
		prose           strings.Builder
		fence           string
		open            block
		before, heading string
		number          int
	)
	for text := range strings.Lines(strings.ReplaceAll(string(b), "\r\n", "\n")) {
		number++
		text = strings.TrimSuffix(text, "\n")
		marks := text[:len(text)-len(strings.TrimLeft(text, "`"))]
		switch {
		case fence == "" && len(marks) >= 3:
			fence = marks
			open = block{language: strings.TrimSpace(text[len(marks):]), line: number + 1, heading: heading, before: before}
		case fence != "" && text == fence:
			p.blocks = append(p.blocks, open)
			fence, before = "", ""
		case fence != "":
			open.text += text + "\n"
		default:
			if strings.HasPrefix(text, "#") {
				heading = strings.TrimSpace(strings.TrimLeft(text, "#"))
				p.headings = append(p.headings, heading)
			}
			if strings.TrimSpace(text) != "" {
				before = text
			}
			prose.WriteString(text)
		}
		prose.WriteByte('\n')
	}
	p.prose = prose.String()
	if fence != "" {
		t.Errorf("%s:%d: the block is not closed", name, open.line)
	}
	return p
}

// anchors are the names by which a link leads to the headings of a page, made as
// GitHub makes them.
func (p *page) anchors() map[string]bool {
	all := map[string]bool{}
	for _, h := range p.headings {
		h = linked.ReplaceAllString(h, "$1")
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, h)
		for unique := name; ; unique += "-1" {
			if !all[unique] {
				all[unique] = true
				break
			}
		}
	}
	return all
}

var (
	linked   = regexp.MustCompile(`\[([^\]]*)\]\(([^)]*)\)`)
	code     = regexp.MustCompile("`[^`]+`")
	indented = regexp.MustCompile(`(?m)^    .*$`)
)

// find returns what a group of an expression matches in the prose.
func (p *page) find(e *regexp.Regexp, text string, group int) []quote {
	var all []quote
	for _, m := range e.FindAllStringSubmatchIndex(text, -1) {
		all = append(all, quote{1 + strings.Count(text[:m[0]], "\n"), text[m[2*group]:m[2*group+1]]})
	}
	return all
}

// links are the targets of the links of a page.
func (p *page) links() []quote {
	text := p.prose
	for _, e := range []*regexp.Regexp{indented, code} {
		text = e.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	}
	return p.find(linked, text, 2)
}

// codes are the texts between back quotes in the prose of a page.
func (p *page) codes() []quote {
	all := p.find(code, indented.ReplaceAllString(p.prose, ""), 0)
	for i := range all {
		text := strings.ReplaceAll(strings.Trim(all[i].text, "`"), `\|`, "|") // as it is written in a table
		all[i].text = strings.Join(strings.Fields(text), " ")
	}
	return all
}
