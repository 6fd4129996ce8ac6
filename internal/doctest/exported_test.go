package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Who reads a declaration finds what it is about: every exported name of every
// package, and every exported method of any type, has a comment. In the public
// packages the comment of what returns an error says something about errors, that of
// what returns something to close says who closes it, and that of an error type says
// what it matches.
func TestEveryNameIsDocumented(t *testing.T) {
	names := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"testdata", "tools"}, d.Name())):
			return fs.SkipDir
		case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
			names += checkFile(t, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if names < 1500 {
		t.Errorf("only %d names were seen", names)
	}
}

func checkFile(t *testing.T, file string) (names int) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filepath.Join(root, filepath.FromSlash(file)), nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	public := f.Name.Name != "main" && !strings.Contains("/"+path.Dir(file)+"/", "/internal/") && !strings.HasPrefix(file, "examples/")
	fault := func(at ast.Node, text string) {
		t.Errorf("%s:%d: %s", file, fset.Position(at.Pos()).Line, text)
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if !d.Name.IsExported() {
				continue
			}
			names++
			for _, text := range functionFaults(d, public) {
				fault(d, text)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				n, texts := specFaults(d, spec, public)
				names += n
				for _, text := range texts {
					fault(spec, text)
				}
			}
		}
	}
	return names
}

var (
	aboutErrors  = regexp.MustCompile(`(?i)\berr|error|\bfaults?\b`)
	aboutClosing = regexp.MustCompile(`(?i)clos`)
	aboutMatches = regexp.MustCompile(`(?i)match`)
)

func functionFaults(d *ast.FuncDecl, public bool) []string {
	name := path.Join(receiver(d), d.Name.Name)
	doc := d.Doc.Text()
	switch {
	case doc == "":
		return []string{name + " has no comment"}
	case !strings.HasPrefix(doc, d.Name.Name+" "):
		return []string{"the comment of " + name + " does not begin with its name"}
	case !public || d.Recv != nil && !ast.IsExported(receiver(d)) || d.Name.Name == "Unwrap":
		return nil
	}
	var faults []string
	for _, result := range results(d) {
		if result == "error" && !aboutErrors.MatchString(doc) {
			faults = append(faults, "the comment of "+name+" says nothing about errors")
		}
		if strings.HasSuffix(result, "ReadCloser") && !aboutClosing.MatchString(doc) {
			faults = append(faults, "the comment of "+name+" does not say who closes")
		}
	}
	return faults
}

// results are the names of the types that a function returns, where they have one.
func results(d *ast.FuncDecl) []string {
	if d.Type.Results == nil {
		return nil
	}
	var all []string
	for _, r := range d.Type.Results.List {
		switch e := r.Type.(type) {
		case *ast.Ident:
			all = append(all, e.Name)
		case *ast.SelectorExpr:
			all = append(all, e.Sel.Name)
		}
	}
	return all
}

func specFaults(d *ast.GenDecl, spec ast.Spec, public bool) (names int, faults []string) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return 0, nil
		}
		doc := s.Doc.Text() + d.Doc.Text()
		if doc == "" {
			faults = append(faults, s.Name.Name+" has no comment")
		}
		if public && strings.HasSuffix(s.Name.Name, "Error") && !aboutMatches.MatchString(doc) {
			faults = append(faults, "the comment of "+s.Name.Name+" does not say which category it matches")
		}
		return 1, faults
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if !name.IsExported() {
				continue
			}
			names++
			if s.Doc.Text()+s.Comment.Text()+d.Doc.Text() == "" {
				faults = append(faults, name.Name+" has no comment")
			}
		}
	}
	return names, faults
}

// The comment of a public package is a manual: it shows how the package is called,
// says what its errors are, and what may be shared between goroutines.
func TestPackageComments(t *testing.T) {
	for folder := range publicImports(t) {
		doc := packageComment(t, folder)
		for what, e := range map[string]*regexp.Regexp{
			"shows no code":                regexp.MustCompile(`(?m)^\t\S`),
			"says nothing about errors":    aboutErrors,
			"says nothing of goroutines":   regexp.MustCompile(`(?i)goroutine|concurren|parallel`),
			"does not begin with its name": regexp.MustCompile(`^Package ` + path.Base(folder) + ` `),
		} {
			if !e.MatchString(doc) {
				t.Errorf("the comment of package %s %s", folder, what)
			}
		}
	}
}

func packageComment(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil {
			return f.Doc.Text()
		}
	}
	return ""
}
