package spectest

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Who meets an error looks it up: every error type and sentinel that a public
// package exports is in an example of that package that runs, so that its page
// shows how it comes about and what it tells.
func TestEveryErrorHasAnExample(t *testing.T) {
	shown := map[string][]string{} // folder -> errors that an example of it names
	for name, file := range exportedErrors(t) {
		folder := filepath.Dir(file)
		if shown[folder] == nil {
			shown[folder] = namedInExamples(t, folder)
		}
		if !slices.Contains(shown[folder], name) {
			t.Errorf("no example of %s that runs names %s", folder, name)
		}
	}
}

// namedInExamples returns what the examples of a folder name as package.Name;
// an example without an output is compiled only, and does not count.
func namedInExamples(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f.Name.Name, "_test") {
			continue
		}
		for _, example := range doc.Examples(f) {
			if example.Output == "" && !example.EmptyOutput {
				continue
			}
			ast.Inspect(example.Code, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if pkg, ok := s.X.(*ast.Ident); ok {
						names = append(names, pkg.Name+"."+s.Sel.Name)
					}
				}
				return true
			})
		}
	}
	return names
}
