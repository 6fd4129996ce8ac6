package doctest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const diagrams = root + "/docs/diagrams"

func readDiagram(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(diagrams, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

// A drawing says of which text it is made, is XML, shows every label of the text, and
// takes nothing from elsewhere and no program along.
func TestDrawings(t *testing.T) {
	sources, err := filepath.Glob(filepath.Join(diagrams, "*.mmd"))
	if err != nil || len(sources) != 2 {
		t.Fatalf("got %q (%v), want two texts", sources, err)
	}
	for _, path := range sources {
		name := filepath.Base(path)
		text := readDiagram(t, name)
		drawing := readDiagram(t, strings.TrimSuffix(name, ".mmd")+".svg")
		sum := sha256.Sum256([]byte(text))
		want := fmt.Sprintf("<!-- made of %s, sha256:%s -->\n", name, hex.EncodeToString(sum[:]))
		if !strings.HasPrefix(drawing, want) {
			t.Errorf("the drawing of %s is of another text; draw it anew: bash docs/diagrams/render", name)
		}
		shown := textOf(t, drawing)
		for _, label := range labels(text) {
			for _, part := range strings.Split(label, "<br/>") {
				if !strings.Contains(shown, strings.Join(strings.Fields(part), "")) {
					t.Errorf("the drawing of %s does not show %q", name, part)
				}
			}
		}
		for _, foreign := range []string{"<script", "<foreignObject", "<image", "@import", "file:", "href=\"http"} {
			if strings.Contains(drawing, foreign) {
				t.Errorf("the drawing of %s has %s in it", name, foreign)
			}
		}
	}
}

// textOf is the text of a drawing without white space.
func textOf(t *testing.T, drawing string) string {
	t.Helper()
	var b strings.Builder
	for dec := xml.NewDecoder(strings.NewReader(drawing)); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(strings.Fields(b.String()), "")
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			b.Write(text)
		}
	}
}

var label = regexp.MustCompile(`"([^"]*)"`)

func labels(text string) []string {
	var all []string
	for _, m := range label.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

var (
	box   = regexp.MustCompile(`(?m)^ +(\w+)\["([^"]+)"\]$`)
	arrow = regexp.MustCompile(`(?m)^ +(\w+) --> (\w+)$`)
)

// The drawing of the packages has every public package, and its arrows are the
// imports of the code: each is one, and together they lead wherever imports lead.
func TestPackagesDiagram(t *testing.T) {
	text := readDiagram(t, "packages.mmd")
	names := map[string]string{}
	drawn := map[string][]string{}
	for _, m := range box.FindAllStringSubmatch(text, -1) {
		names[m[1]] = m[2]
		drawn[m[2]] = nil
	}
	imported := publicImports(t)
	for _, m := range arrow.FindAllStringSubmatch(text, -1) {
		from, to := names[m[1]], names[m[2]]
		drawn[from] = append(drawn[from], to)
		if !slices.Contains(imported[from], to) {
			t.Errorf("%s does not import %s, and the drawing has an arrow", from, to)
		}
	}
	for folder := range imported {
		if _, ok := drawn[folder]; !ok {
			t.Errorf("the drawing does not have %s", folder)
			continue
		}
		want, got := reached(imported, folder), reached(drawn, folder)
		for to := range want {
			if !got[to] {
				t.Errorf("%s imports %s, and no arrow leads there", folder, to)
			}
		}
	}
	for folder := range drawn {
		if _, ok := imported[folder]; !ok {
			t.Errorf("the drawing has %s, which is no package", folder)
		}
	}
}

// publicImports are the public packages that each public package imports, by folder.
func publicImports(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f", `{{if ne .Name "main"}}{{.ImportPath}}{{range .Imports}} {{.}}{{end}}{{end}}`, "./...", "./linter/apiserver/...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	imported := map[string][]string{}
	for l := range strings.Lines(string(out)) {
		var folders []string
		for _, from := range strings.Fields(l) {
			if folder, ours := strings.CutPrefix(from, module+"/"); ours && !strings.Contains("/"+folder+"/", "/internal/") {
				folders = append(folders, folder)
			} else if len(folders) == 0 {
				break // the package itself is not public, or is documentation
			}
		}
		if len(folders) > 0 {
			imported[folders[0]] = folders[1:]
		}
	}
	return imported
}

// reached are the nodes to which arrows lead from one.
func reached(arrows map[string][]string, from string) map[string]bool {
	all := map[string]bool{}
	for todo := slices.Clone(arrows[from]); len(todo) > 0; {
		next := todo[0]
		todo = todo[1:]
		if !all[next] {
			all[next] = true
			todo = append(todo, arrows[next]...)
		}
	}
	return all
}
