package doctest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/xpkg-go/sdk"

// imports are the packages that a block may use without an import declaration, by
// the name that it calls them.
var imports = map[string]string{
	"bytes": "bytes", "context": "context", "errors": "errors", "filepath": "path/filepath", "fmt": "fmt", "fs": "io/fs",
	"http": "net/http", "io": "io", "json": "encoding/json", "log": "log", "os": "os", "slices": "slices", "strings": "strings",

	"authn": "github.com/google/go-containerregistry/pkg/authn",
	"v1":    "github.com/google/go-containerregistry/pkg/v1",

	"apiserver":  module + "/linter/apiserver",
	"build":      module + "/xpkg/build",
	"compare":    module + "/linter/compare",
	"dag":        module + "/dag",
	"install":    module + "/meta/install",
	"legacy":     module + "/meta/legacy",
	"linter":     module + "/linter",
	"lintertest": module + "/linter/lintertest",
	"meta":       module + "/meta",
	"mirror":     module + "/xpkg/mirror",
	"parser":     module + "/parser",
	"report":     module + "/linter/report",
	"rules":      module + "/linter/rules",
	"xpkg":       module + "/xpkg",
}

// Every block of Go compiles, and go vet has nothing against it: a program as it is,
// anything else as the body of a function that has a context ctx and returns an error.
func TestGoBlocks(t *testing.T) {
	dir := t.TempDir()
	var blocks int
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			if b.language != "go" {
				continue
			}
			source, err := program(fmt.Sprintf("%s:%d", p.name, b.line), b.text)
			if err != nil {
				t.Errorf("%s:%d: %v", p.name, b.line, err)
				continue
			}
			folder := filepath.Join(dir, fmt.Sprintf("block%d", blocks))
			blocks++
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(folder, "block.go"), source)
		}
	}
	if blocks == 0 {
		t.Fatal("no blocks were seen")
	}
	inWorkspace(t, dir)
	cmd := exec.CommandContext(t.Context(), "go", "vet", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// program makes a file of a block; place is that of its first line.
func program(place, text string) (string, error) {
	text = "//line " + place + "\n" + text
	if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly); err == nil {
		return text, nil
	}
	body := text
	if _, err := parser.ParseFile(token.NewFileSet(), "", "package block\n"+text, parser.SkipObjectResolution); err != nil {
		body = "func _(ctx context.Context) error {\n" + text
		if !strings.HasPrefix(text[strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1:], "return ") {
			body += "return nil\n"
		}
		body += "}\n"
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package block\n"+body, 0)
	if err != nil {
		return "", err
	}
	var missing []string
	for _, id := range f.Unresolved {
		if from, ok := imports[id.Name]; ok && usedAsPackage(f, id) && !slices.Contains(missing, from) {
			missing = append(missing, from)
		}
	}
	slices.Sort(missing)
	header := "package block\n"
	for _, from := range missing {
		header += fmt.Sprintf("import %q\n", from)
	}
	return header + body, nil
}

// usedAsPackage reports whether a name that is declared nowhere stands before a dot.
func usedAsPackage(f *ast.File, id *ast.Ident) bool {
	used := false
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.X == ast.Expr(id) {
			used = true
		}
		return !used
	})
	return used
}

// inWorkspace makes a module of a folder, in a workspace with the modules of this
// repository, so that it sees them as they are here.
func inWorkspace(t *testing.T, dir string) {
	t.Helper()
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	work := "go 1.25.0\n"
	for _, m := range []string{dir, here, filepath.Join(here, "examples"), filepath.Join(here, "linter", "apiserver")} {
		work += fmt.Sprintf("use %q\n", m)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.work.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.work"), work)
	write(t, filepath.Join(dir, "go.work.sum"), string(sums))
	write(t, filepath.Join(dir, "go.mod"), "module example.org/blocks\n\ngo 1.25.0\n")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
