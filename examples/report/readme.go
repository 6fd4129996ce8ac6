package main

import (
	"bytes"
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"
)

// Limits of a readme that is read as Markdown. What is beyond them takes a time that grows with
// the square of its length, and is shown as it is written.
const (
	maxReadme = 64 << 10 // bytes
	maxNested = 30       // quotes and lists that one line opens
	maxLinks  = 1500
)

// maxText bounds a text that is shown as it is written, in bytes.
const maxText = 1 << 20

// A readme is the longer description of a package: as HTML or, where it is too long for that, as
// text.
type readme struct {
	HTML template.HTML
	Text string
}

// newReadme reads Markdown. What it says stays text: HTML in it loses its tags, a link leads to
// where safeLink says or nowhere, and an image is a link to it, since the page loads nothing.
func newReadme(text string) readme {
	if !readable(text) {
		return readme{Text: cut(text, maxText)}
	}
	var b bytes.Buffer
	markdown := goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), // styles are for the page alone
			extension.Strikethrough, extension.Linkify,
		),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(&plain{level: sectionLevel}, 0))),
	)
	if err := markdown.Convert([]byte(text), &b); err != nil {
		return readme{Text: text}
	}
	return readme{HTML: template.HTML(b.String())}
}

// readable reports whether a text is within the limits of Markdown.
func readable(text string) bool {
	if len(text) > maxReadme || strings.Count(text, "](") > maxLinks {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		opens := 0
		for _, r := range line {
			switch r {
			case '>', '-', '*', '+', '.', ')': // the ends of what opens a quote or an item
				opens++
				continue
			case ' ', '\t', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
				continue
			}
			break
		}
		if opens > maxNested && strings.ContainsAny(strings.TrimSpace(line), "> \t") {
			return false
		}
	}
	return true
}

// sectionLevel is that of the heading above the readme.
const sectionLevel = 2

// plain renders what Markdown can do more than a stranger's text should.
type plain struct {
	level int // of the heading before
}

// RegisterFuncs tells goldmark what is rendered here.
func (p *plain) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHeading, p.heading)
	reg.Register(ast.KindLink, p.link)
	reg.Register(ast.KindAutoLink, p.autoLink)
	reg.Register(ast.KindImage, p.image)
	reg.Register(ast.KindRawHTML, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkSkipChildren, nil
	})
	reg.Register(ast.KindHTMLBlock, p.htmlBlock)
}

// heading goes at most one level deeper than the heading before, below the page's own.
func (p *plain) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = w.WriteString("</h" + string(rune('0'+p.level)) + ">\n")
		return ast.WalkContinue, nil
	}
	p.level = min(n.(*ast.Heading).Level+sectionLevel, p.level+1, 6)
	_, _ = w.WriteString("<h" + string(rune('0'+p.level)) + ">")
	return ast.WalkContinue, nil
}

func (p *plain) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if href := safeLink(string(n.(*ast.Link).Destination)); href != "" {
		anchor(w, href, entering)
	}
	return ast.WalkContinue, nil
}

func (p *plain) autoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	l := n.(*ast.AutoLink)
	href := string(l.URL(source))
	if l.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(href), "mailto:") {
		href = "mailto:" + href
	}
	href = safeLink(href)
	if href != "" {
		anchor(w, href, true)
	}
	_, _ = w.Write(util.EscapeHTML(l.Label(source)))
	if href != "" {
		anchor(w, href, false)
	}
	return ast.WalkContinue, nil
}

func (p *plain) image(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	href := safeLink(string(n.(*ast.Image).Destination))
	for at := n.Parent(); at != nil; at = at.Parent() {
		if at.Kind() == ast.KindLink { // a badge: the link that it is in will do
			href = ""
		}
	}
	if href != "" {
		anchor(w, href, entering)
	}
	if entering && !n.HasChildren() {
		_, _ = w.WriteString("image")
	}
	return ast.WalkContinue, nil
}

// htmlBlock writes the text in it.
func (p *plain) htmlBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.HTMLBlock)
	raw := block.Lines().Value(source)
	if block.HasClosure() {
		raw = append(bytes.Clone(raw), block.ClosureLine.Value(source)...)
	}
	if text := strings.TrimSpace(textOf(raw)); text != "" {
		_, _ = w.WriteString("<p>")
		_, _ = w.Write(util.EscapeHTML([]byte(text)))
		_, _ = w.WriteString("</p>\n")
	}
	return ast.WalkContinue, nil
}

// textOf returns the text of HTML, without scripts and styles.
func textOf(raw []byte) string {
	var b strings.Builder
	skip := false
	for z := html.NewTokenizer(bytes.NewReader(raw)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken:
			name, _ := z.TagName()
			skip = string(name) == "script" || string(name) == "style"
		case html.EndTagToken:
			skip = false
		case html.TextToken:
			if !skip {
				b.WriteString(html.UnescapeString(string(z.Raw())))
			}
		}
	}
}

func anchor(w util.BufWriter, href string, entering bool) {
	if !entering {
		_, _ = w.WriteString("</a>")
		return
	}
	_, _ = w.WriteString(`<a rel="noopener noreferrer" href="`)
	_, _ = w.Write(util.EscapeHTML([]byte(href)))
	_, _ = w.WriteString(`">`)
}
