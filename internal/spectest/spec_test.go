package spectest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A row of docs/spec.md ends with the tests that show its requirement, as
// `folder.TestName` or `folder.ExampleName`, or with "open: what is missing",
// or with "outside: why a library cannot do it".
func TestEveryRequirementHasATestAGapOrAReason(t *testing.T) {
	all := rows(t, "docs/spec.md")
	if len(all) < 100 {
		t.Fatalf("docs/spec.md has %d rows, far fewer than the documents have requirements", len(all))
	}
	known := map[string]map[string]bool{}
	open := 0
	for _, r := range all {
		if len(r.cells) != 3 {
			t.Errorf("docs/spec.md:%d: %d cells, want section, requirement, shown by", r.line, len(r.cells))
			continue
		}
		shown := r.cells[2]
		reason, isOpen := strings.CutPrefix(shown, "open: ")
		if !isOpen {
			reason, _ = strings.CutPrefix(shown, "outside: ")
		}
		if reason != shown {
			if len(reason) < 10 {
				t.Errorf("docs/spec.md:%d: %q does not say what is missing or why", r.line, shown)
			}
			if isOpen {
				open++
			}
			continue
		}
		tests := quoted(shown)
		if len(tests) == 0 {
			t.Errorf("docs/spec.md:%d: neither a test, nor open:, nor outside: in %q", r.line, shown)
		}
		for _, name := range tests {
			dot := strings.LastIndex(name, ".")
			if dot < 0 {
				t.Errorf("docs/spec.md:%d: %s is not folder.TestName", r.line, name)
				continue
			}
			folder, test := name[:dot], name[dot+1:]
			if known[folder] == nil {
				known[folder] = functions(t, folder)
			}
			if !known[folder][test] {
				t.Errorf("docs/spec.md:%d: there is no %s in %s", r.line, test, folder)
			}
		}
	}
	t.Logf("%d requirements, %d of them open", len(all), open)
}

var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz|Benchmark)\w*)\(`)

// functions returns the names of the tests, examples and fuzz targets of a
// folder.
func functions(t *testing.T, folder string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testFunction.FindAllSubmatch(b, -1) {
			names[string(m[1])] = true
		}
	}
	return names
}
