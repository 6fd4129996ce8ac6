package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// name is one of a package of this library, such as xpkg.Client.Image.
var name = regexp.MustCompile(`^[*&]?([a-z][a-z0-9]*)\.([A-Z]\w*)(?:\.([A-Z]\w*))?(?:\(.*\)|\{.*\})?$`)

// Names of the API in the prose are names that there are. The change log also names
// what is gone.
func TestNames(t *testing.T) {
	apis := map[string]map[string]bool{}
	for short, from := range imports {
		if folder, ours := strings.CutPrefix(from, module+"/"); ours {
			apis[short] = exported(t, folder)
		}
	}
	missing := func(text string) (string, bool) {
		m := name.FindStringSubmatch(text)
		if m == nil || apis[m[1]] == nil {
			return "", false
		}
		for _, full := range []string{m[2], path.Join(m[2], m[3])} {
			if !apis[m[1]][full] {
				return "package " + m[1] + " has no " + strings.ReplaceAll(full, "/", "."), true
			}
		}
		return "", true
	}
	seen := 0
	for _, p := range pages(t) {
		if p.name == "CHANGELOG.md" || p.name == "docs/spec.md" {
			continue // spec.md names tests, as folder.TestName
		}
		for _, c := range p.codes() {
			fault, isName := missing(c.text)
			if isName {
				seen++
			}
			if fault != "" {
				t.Errorf("%s:%d: %s", p.name, c.line, fault)
			}
		}
	}
	for _, l := range labels(readDiagram(t, "way.mmd")) {
		for _, word := range strings.FieldsFunc(l, func(r rune) bool { return strings.ContainsRune(" ,<>", r) }) {
			if fault, _ := missing(word); fault != "" {
				t.Errorf("docs/diagrams/way.mmd: %s", fault)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d names were seen", seen)
	}
}

// exported are the exported names of a package, and methods and fields as Type/Name.
func exported(t *testing.T, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				names[path.Join(receiver(d), d.Name.Name)] = true
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					addSpec(names, spec)
				}
			}
		}
	}
	return names
}

func addSpec(names map[string]bool, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, id := range s.Names {
			names[id.Name] = true
		}
	case *ast.TypeSpec:
		names[s.Name.Name] = true
		switch kind := s.Type.(type) {
		case *ast.StructType:
			for _, field := range kind.Fields.List {
				for _, id := range field.Names {
					names[path.Join(s.Name.Name, id.Name)] = true
				}
			}
		case *ast.InterfaceType:
			for _, method := range kind.Methods.List {
				for _, id := range method.Names {
					names[path.Join(s.Name.Name, id.Name)] = true
				}
			}
		}
	}
}

// receiver is the type that a method is of, and empty for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	e := d.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
