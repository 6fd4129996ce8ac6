package spectest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A row of docs/spec.md ends with the tests that show its requirement, as
// `folder.TestName` or `folder.ExampleName`, or with "outside: why a library cannot
// do it". One that says "open: what is missing" is work that is still to be done.
func TestEveryRequirementHasATestAGapOrAReason(t *testing.T) {
	all := rows(t, "docs/spec.md")
	if len(all) < 100 {
		t.Fatalf("docs/spec.md has %d rows, far fewer than the documents have requirements", len(all))
	}
	known := map[string]map[string]bool{}
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
				t.Errorf("docs/spec.md:%d: the requirement is open: %s", r.line, reason)
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
	t.Logf("%d requirements", len(all))
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

var foreign = regexp.MustCompile(`OCI \w+ specification`)

var cited = regexp.MustCompile(`(?i)\b(specification|packages guide|package format v2|packages v2 design|packages v1), ((?:"[^"]+"(?: and |, )?)+)`)

// A comment that cites a section of one of the format's documents cites one whose
// requirements docs/spec.md lists. The specifications of others have other sections.
func TestCitedSectionsAreThere(t *testing.T) {
	sections := map[string]bool{}
	document := ""
	for _, r := range rows(t, "docs/spec.md") {
		document = strings.TrimPrefix(strings.ToLower(strings.TrimSuffix(r.section, ", earlier text")), "xpkg ")
		sections[document+", "+strings.ReplaceAll(r.cells[0], "`", "")] = true
	}
	cites := 0
	for _, folder := range []string{"dag", "linter", "linter/rules", "meta", "parser", "xpkg", "xpkg/build"} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := foreign.ReplaceAllString(strings.ReplaceAll(string(b), "\n// ", " "), "")
			for _, m := range cited.FindAllStringSubmatch(text, -1) {
				for i, section := range strings.Split(m[2], `"`) {
					if i%2 == 0 {
						continue
					}
					cites++
					if cite := strings.ToLower(m[1]) + ", " + section; !sections[cite] {
						t.Errorf("%s cites a section that docs/spec.md does not have: %s", filepath.Join(folder, filepath.Base(file)), cite)
					}
				}
			}
		}
	}
	if cites < 20 {
		t.Errorf("only %d cites were seen", cites)
	}
}
