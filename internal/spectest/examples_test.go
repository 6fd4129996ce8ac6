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
	var names []string
	for _, example := range runningExamples(t, folder) {
		ast.Inspect(example.Code, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := s.X.(*ast.Ident); ok {
					names = append(names, pkg.Name+"."+s.Sel.Name)
				}
			}
			return true
		})
	}
	return names
}

// runningExamples are the examples of a folder whose output is compared.
func runningExamples(t *testing.T, folder string) []*doc.Example {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*doc.Example
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f.Name.Name, "_test") {
			continue
		}
		for _, example := range doc.Examples(f) {
			if example.Output != "" || example.EmptyOutput {
				all = append(all, example)
			}
		}
	}
	return all
}

// Each job that the library is for has an example, by its documentation's name.
func TestEveryJobHasAnExample(t *testing.T) {
	for _, job := range []struct{ job, folder, example string }{
		{"open a package in a registry", "xpkg", "Client_Image"},
		{"open a file", "xpkg", "OpenFile"},
		{"read a directory", "parser", "Dir"},
		{"read a stream", "parser", "Stream"},
		{"index", "xpkg", "Client_Index"},
		{"pull into a cache", "xpkg", "OpenCache"},
		{"check signatures", "xpkg", "Options_verify"},
		{"lint", "linter", ""},
		{"lint for an editor", "linter", "Text"},
		{"mend", "linter", "Apply"},
		{"ask the API server's code", "linter/apiserver", ""},
		{"report findings", "linter/report", "Text"},
		{"write a rule", "linter", "Rule"},
		{"build", "xpkg/build", "Dir"},
		{"edit an image", "xpkg/build", "Append"},
		{"bring marks back", "xpkg/build", "Repair"},
		{"push", "xpkg", "Client_PushFiles"},
		{"put in order", "dag", "Graph_Order"},
		{"resolve", "dag", ""},
		{"say why not", "dag", "Resolve_noSolution"},
		{"mirror", "xpkg/mirror", "Copy"},
		{"mirror over a gap", "xpkg/mirror", "ToFile"},
		{"compare", "linter/compare", "Packages"},
		{"plan revisions", "meta/install", "PlanRevisions"},
		{"migrate", "meta/legacy", "Migrate"},
	} {
		if !slices.ContainsFunc(runningExamples(t, job.folder), func(e *doc.Example) bool { return e.Name == job.example }) {
			t.Errorf("no example of %s that runs shows how to %s: want Example%s", job.folder, job.job, job.example)
		}
	}
}
