package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Every page has landmarks, headings in order, names for what can be used, and ids that are
// used once, whatever the package.
func TestAccessible(t *testing.T) {
	pages := map[string]string{
		"sample": makePage(t, nil, filepath.Join("..", "inspect", "sample")),
		"shop":   shopPage(t),
		"probes": makePage(t, nil, probePackage(t)),
		"empty":  makePage(t, strings.NewReader(""), "-"),
	}
	if corpus := os.Getenv("XPKG_CORPUS"); corpus != "" {
		dirs, err := filepath.Glob(filepath.Join(corpus, "packages", "*", "crossplane.yaml"))
		if err != nil || len(dirs) == 0 {
			t.Fatalf("%d packages, %v", len(dirs), err)
		}
		for _, file := range dirs {
			dir := filepath.Dir(file)
			pages[filepath.Base(dir)] = makePage(t, nil, "-catalog", filepath.Join(corpus, "catalog.yaml"), dir)
		}
	}
	for name, file := range pages {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range inaccessible(t, text) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// inaccessible tells what keeps somebody from a page.
func inaccessible(t *testing.T, text []byte) (faults []string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	ids := map[string]bool{}
	var used []string // ids that something refers to
	level := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
		}
		if id, ok := attr["id"]; ok {
			if ids[id] {
				faults = append(faults, "the id "+id+" is there twice")
			}
			ids[id] = true
		}
		for _, key := range []string{"aria-labelledby", "aria-describedby", "for"} {
			used = append(used, strings.Fields(attr[key])...)
		}
		if href := attr["href"]; strings.HasPrefix(href, "#") {
			used = append(used, href[1:])
		}
		_, named := attr["aria-label"]
		_, labelled := attr["aria-labelledby"]
		switch n.Data {
		case "html":
			if attr["lang"] == "" {
				faults = append(faults, "no lang")
			}
		case "h1", "h2", "h3", "h4", "h5", "h6":
			next, _ := strconv.Atoi(n.Data[1:])
			if next > level+1 {
				faults = append(faults, "h"+strconv.Itoa(level)+" is followed by h"+strconv.Itoa(next))
			}
			level = next
			if strings.TrimSpace(textIn(n)) == "" {
				faults = append(faults, n.Data+" is empty")
			}
		case "img":
			if _, ok := attr["alt"]; !ok {
				faults = append(faults, "a picture without alt")
			}
		case "input":
			if !bytes.Contains(text, []byte(`<label for="`+attr["id"]+`"`)) {
				faults = append(faults, "an input without a label")
			}
		case "nav", "aside", "section", "form":
			if !named && !labelled {
				faults = append(faults, n.Data+" without a name")
			}
		case "a", "summary", "button":
			if strings.TrimSpace(textIn(n)) == "" {
				faults = append(faults, n.Data+" without a text")
			}
		}
		if attr["tabindex"] == "0" && n.Data != "pre" && !named {
			faults = append(faults, n.Data+" is a stop of the keyboard without a name")
		}
	}
	for _, want := range []string{"h1", "header", "nav", "main", "footer", "title"} {
		if n := count[want]; n != 1 && (want != "title" || n < 1) {
			faults = append(faults, strconv.Itoa(n)+" "+want)
		}
	}
	for _, id := range used {
		if !ids[id] {
			faults = append(faults, "nothing has the id "+id)
		}
	}
	return faults
}

func textIn(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// What is read, and what shows where the keyboard is, stands out from what it is on by 4.5 to 1 at
// least (WCAG 2.2, 1.4.3 and 1.4.11), in light and dark; and nothing moves.
func TestContrast(t *testing.T) {
	light, dark, ok := strings.Cut(style, "@media (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("there are no dark colours")
	}
	colour := regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6});`)
	for mode, text := range map[string]string{"light": light, "dark": dark} {
		colours := map[string]float64{} // their luminance
		for _, m := range colour.FindAllStringSubmatch(text, -1) {
			colours[m[1]] = luminance(t, m[2])
		}
		least := map[[2]string]float64{}
		for _, on := range []string{"page", "surface", "raised"} {
			for _, what := range []string{"text", "muted", "accent", "error", "warning"} {
				least[[2]string{what, on}] = 4.5
			}
		}
		for _, what := range []string{"accent", "error", "warning", "info", "fine"} {
			least[[2]string{what, what + "-soft"}] = 4.5
		}
		for _, what := range []string{"text", "muted", "warning"} { // a field that a link leads to
			least[[2]string{what, "accent-soft"}] = 4.5
		}
		for pair, want := range least {
			a, known := colours[pair[0]]
			b, both := colours[pair[1]]
			if !known || !both {
				t.Fatalf("%s: there is no colour %s or %s", mode, pair[0], pair[1])
			}
			if got := (max(a, b) + 0.05) / (min(a, b) + 0.05); got < want {
				t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", mode, pair[0], pair[1], got, want)
			}
		}
	}
	if strings.Contains(style, "transition") || strings.Contains(style, "animation") || !strings.Contains(style, "prefers-reduced-motion") {
		t.Error("something moves for who does not want it")
	}
	if n := len(regexp.MustCompile(`#[0-9a-f]{3,6}\b`).FindAllString(style, -1)); n != 2*16 {
		t.Errorf("%d colours are written out, want those of the two lists only", n)
	}
}

// luminance is that of WCAG 2.2.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(colour[1:], 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	part := func(shift int) float64 {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}
