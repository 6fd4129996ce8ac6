package spectest

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// limited are the packages whose limits docs/security.md lists.
var limited = []string{"dag", "meta", "meta/legacy", "parser", "xpkg", "xpkg/build", "xpkg/mirror"}

var limit = regexp.MustCompile(`^(Default)?Max[A-Z]`)

// The tables of limits in docs/security.md name every limit that a public package
// exports, and nothing that is none, with the values of the code.
func TestLimitsAreTheCodes(t *testing.T) {
	constants := map[string]string{} // package.Name to the text of the value
	for _, folder := range limited {
		collectConstants(t, folder, constants)
	}
	documented := map[string]bool{}
	for _, r := range rows(t, "docs/security.md") {
		if r.section != "Limits" {
			continue
		}
		name := strings.Trim(r.cells[0], "`")
		documented[name] = true
		value, ok := constants[name]
		if !ok {
			t.Errorf("docs/security.md:%d: there is no constant %s", r.line, name)
			continue
		}
		if got := spelt(t, name, value); got != r.cells[1] {
			t.Errorf("docs/security.md:%d: %s is %s, and the page says %s", r.line, name, got, r.cells[1])
		}
	}
	for name := range constants {
		if _, short, _ := strings.Cut(name, "."); limit.MatchString(short) && !documented[name] {
			t.Errorf("docs/security.md does not list %s", name)
		}
	}
}

// collectConstants adds the constants of a folder whose values are written out.
func collectConstants(t *testing.T, folder string, constants map[string]string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				continue
			}
			for _, spec := range d.Specs {
				s := spec.(*ast.ValueSpec)
				for i, v := range s.Values {
					constants[f.Name.Name+"."+s.Names[i].Name] = types.ExprString(v)
				}
			}
		}
	}
}

// spelt is the value of a constant as the page spells it: bytes in MiB and the like,
// numbers with commas.
func spelt(t *testing.T, name, expression string) string {
	t.Helper()
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, expression)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	n, exact := constant.Int64Val(v.Value)
	if !exact {
		t.Fatalf("%s is no number", name)
	}
	if strings.Contains(expression, "<< 10") && !strings.HasPrefix(expression, "1 ") || strings.Contains(expression, "<< 20") || strings.Contains(expression, "<< 30") {
		for _, unit := range []struct {
			name string
			size int64
		}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
			if n%unit.size == 0 {
				return strconv.FormatInt(n/unit.size, 10) + " " + unit.name
			}
		}
	}
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
