package main

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/examples/internal/cli"
)

//go:embed page.html
var layout string

//go:embed page.css
var style string

//go:embed page.js
var script string

// page is what the template shows.
type page struct {
	*metadata
	Dependencies *dependencies
	Findings     *findings
	Objects      *objects

	Policy string
	Style  template.CSS
	Script template.JS
}

// write writes the page, whole with how it looks and acts. The policy lets a browser run that
// script and use that style, and nothing else, and load nothing.
func (p *page) write(w io.Writer) error {
	p.Style, p.Script = template.CSS(style), template.JS(script)
	p.Policy = "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) +
		"; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
	t, err := template.New("page").Funcs(template.FuncMap{"count": count, "number": number, "short": short}).Parse(layout)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 64<<10)
	if err := t.Execute(b, p); err != nil {
		return err
	}
	return b.Flush()
}

// hash names a text as a content security policy does.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// count is a number with its noun: 2,065 objects.
func count(n int, noun string) string {
	digits, word, _ := strings.Cut(cli.Count(n, noun), " ")
	return grouped(digits) + " " + word
}

func number(n int) string { return grouped(strconv.Itoa(n)) }

// grouped sets off the thousands of a number that is not negative.
func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
