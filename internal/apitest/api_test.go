package apitest

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/api.txt from the code")

const (
	root    = "../.."
	listing = root + "/docs/api.txt"
)

func TestExportedAPI(t *testing.T) {
	got := strings.Join(exported(t), "\n") + "\n"
	if *update {
		if err := os.WriteFile(listing, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	b, err := os.ReadFile(listing)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(string(b), "\r\n", "\n")
	if got == want {
		return
	}
	was, is := lines(want), lines(got)
	for _, l := range was {
		if !slices.Contains(is, l) {
			t.Errorf("gone from the API: %s", l)
		}
	}
	for _, l := range is {
		if !slices.Contains(was, l) {
			t.Errorf("new in the API: %s", l)
		}
	}
	t.Error("the exported API is not docs/api.txt; if that is meant: go test ./internal/apitest -update, and a line in CHANGELOG.md")
}

func lines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// exported returns one line for each exported declaration of the public
// packages, sorted by package.
func exported(t *testing.T) []string {
	t.Helper()
	var all []string
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"examples", "internal", "tools", "testdata", "docs"}, d.Name())):
			return fs.SkipDir
		case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
			all = append(all, declarations(t, file)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// declarations returns the exported declarations of one file, each on one line.
func declarations(t *testing.T, file string) []string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filepath.Join(root, file), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if !ast.FileExports(f) {
		return nil
	}
	var all []string
	for _, decl := range f.Decls {
		for _, node := range split(decl) {
			var b bytes.Buffer
			if err := printer.Fprint(&b, fset, node); err != nil {
				t.Fatal(err)
			}
			text := strings.Join(strings.Fields(b.String()), " ")
			all = append(all, path.Dir(file)+": "+text)
		}
	}
	return all
}

// split returns the parts of a declaration that a reviewer looks at one by one.
// The values of variables are left out: only that they exist is API.
func split(decl ast.Decl) []any {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && !ast.IsExported(receiver(d)) {
			return nil
		}
		d.Body, d.Doc = nil, nil
		return []any{d}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return nil
		}
		var parts []any
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
				v.Values = nil
			}
			parts = append(parts, &ast.GenDecl{Tok: d.Tok, Specs: []ast.Spec{spec}})
		}
		return parts
	}
	return nil
}

// receiver returns the name of the type that a method is of.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.IndexExpr: // a type with a parameter
			t = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}
