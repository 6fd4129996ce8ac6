package spectest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The table of errors in docs/design.md names every sentinel and every error
// type that the public packages export, and nothing else.
func TestErrorTableIsTheCodes(t *testing.T) {
	documented := map[string]int{}
	for _, r := range rows(t, "docs/design.md") {
		if r.section != "Errors" {
			continue
		}
		for _, name := range quoted(strings.Join(r.cells, " ")) {
			if strings.Contains(name, ".") {
				documented[strings.TrimPrefix(name, "*")] = r.line
			}
		}
	}
	exported := exportedErrors(t)
	for name, file := range exported {
		if documented[name] == 0 {
			t.Errorf("%s of %s is not in the table of errors of docs/design.md", name, file)
		}
	}
	for name, line := range documented {
		if exported[name] == "" {
			t.Errorf("docs/design.md:%d: no public package exports the error %s", line, name)
		}
	}
}

// exportedErrors returns the file of every sentinel and error type that the
// public packages export, by package.Name.
func exportedErrors(t *testing.T) map[string]string {
	t.Helper()
	exported := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path == "examples" || path == "internal" || path == "tools" || strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata"):
			return fs.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			collect(t, path, exported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return exported
}

// collect adds the exported errors of a file as package.Name.
func collect(t *testing.T, path string, exported map[string]string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if strings.HasPrefix(name.Name, "Err") && name.IsExported() {
						exported[f.Name.Name+"."+name.Name] = path
					}
				}
			}
		case *ast.FuncDecl:
			if d.Name.Name != "Error" || d.Recv == nil {
				continue
			}
			receiver := d.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			if id, ok := receiver.(*ast.Ident); ok && id.IsExported() {
				exported[f.Name.Name+"."+id.Name] = path
			}
		}
	}
}
