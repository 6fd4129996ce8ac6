package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A command is go run of an example program or go test, as it stands in a block of
// shell, in an indented block or between back quotes.
var command = regexp.MustCompile(`^(?:[A-Z_]+=\S* )*go (?:run \./examples|test )`)

// Every command names a program, flags, folders and tests that there are.
func TestCommands(t *testing.T) {
	seen := 0
	for _, p := range pages(t) {
		for _, c := range p.commands() {
			seen++
			for _, fault := range checkCommand(t, words(c.text)) {
				t.Errorf("%s:%d: %s: %s", p.name, c.line, c.text, fault)
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d commands were seen", seen)
	}
}

func (p *page) commands() []quote {
	var all []quote
	add := func(q quote) {
		q.text, _, _ = strings.Cut(q.text, " #")
		if q.text = strings.TrimSpace(q.text); command.MatchString(q.text) {
			all = append(all, q)
		}
	}
	for _, b := range p.blocks {
		if b.language != "sh" {
			continue
		}
		text := strings.ReplaceAll(b.text, "\\\n", "  ")
		for i, l := range strings.Split(text, "\n") {
			add(quote{b.line + i, l})
		}
	}
	for _, q := range append(p.codes(), p.find(indented, p.prose, 0)...) {
		add(q)
	}
	return all
}

// words splits a command as a shell does that knows single and double quotes.
func words(command string) []string {
	var (
		all    []string
		word   strings.Builder
		inside bool
		quote  rune
	)
	for _, r := range command + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inside = r, true
		case quote == 0 && r == ' ':
			if inside {
				all = append(all, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	return all
}

func checkCommand(t *testing.T, args []string) []string {
	t.Helper()
	var environment []string
	for len(args) > 0 && strings.Contains(args[0], "=") {
		environment = append(environment, args[0][:strings.Index(args[0], "=")])
		args = args[1:]
	}
	if args[1] == "run" {
		return checkRun(t, args[2], args[3:])
	}
	return checkTest(t, environment, args[2:])
}

// checkRun looks at the program and its flags, which stand before its arguments.
func checkRun(t *testing.T, program string, args []string) []string {
	t.Helper()
	if program == "./examples/NAME" {
		return nil
	}
	folder := filepath.Join(root, filepath.FromSlash(program))
	if _, err := os.Stat(filepath.Join(folder, "main.go")); err != nil {
		return []string{"there is no such program"}
	}
	flags := declaredFlags(t, folder)
	for name, kind := range declaredFlags(t, filepath.Join(root, "examples", "internal", "cli")) {
		flags[name] = kind
	}
	var faults []string
	for i := 0; i < len(args) && strings.HasPrefix(args[i], "-") && args[i] != "-"; i++ {
		name, _, assigned := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		kind, ok := flags[name]
		switch {
		case !ok && name != "h":
			faults = append(faults, "it has no flag -"+name)
		case !assigned && kind != "BoolVar" && name != "h":
			i++ // its value
		}
	}
	return faults
}

// declaredFlags are the flags that the files of a folder declare, with the method
// of flag.FlagSet that declares each.
func declaredFlags(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if on, ok := method.X.(*ast.Ident); !ok || on.Name != "flags" && on.Name != "flag" {
				return true
			}
			for _, arg := range call.Args {
				if text, ok := arg.(*ast.BasicLit); ok && text.Kind == token.STRING {
					name, _ := strconv.Unquote(text.Value)
					flags[name] = method.Sel.Name
					break
				}
			}
			return true
		})
	}
	return flags
}

// testFlags are flags of go test, and whether a value follows that is not joined by =.
var testFlags = map[string]bool{
	"run": true, "bench": true, "fuzz": true, "timeout": true, "count": true, "benchtime": true, "cpu": true, "parallel": true,
	"v": false, "race": false, "short": false, "benchmem": false, "shuffle": true, "fuzztime": true, "fuzzminimizetime": true,
}

// checkTest looks at the folders, the tests that -run, -bench and -fuzz select, flags
// of the tests' own, and variables of the environment that they read.
func checkTest(t *testing.T, environment, args []string) []string {
	t.Helper()
	var (
		faults, folders, own, patterns []string
	)
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") {
			folders = append(folders, args[i])
			continue
		}
		name, value, assigned := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		takesValue, known := testFlags[name]
		if !known {
			own = append(own, name)
			continue
		}
		if takesValue && !assigned {
			if i++; i == len(args) {
				return append(faults, "-"+name+" has no value")
			}
			value = args[i]
		}
		if (name == "run" || name == "bench" || name == "fuzz") && value != "^$" {
			patterns = append(patterns, value)
		}
	}
	var sources string
	for _, folder := range folders {
		if folder == "work" {
			continue
		}
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(path.Clean(folder)), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if len(names) == 0 {
			faults = append(faults, folder+" has no tests")
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sources += string(b)
		}
	}
	for _, name := range own {
		if !strings.Contains(sources, `flag.Bool("`+name+`"`) {
			faults = append(faults, "the tests have no flag -"+name)
		}
	}
	for _, name := range environment {
		if !strings.Contains(sources, `"`+name+`"`) {
			faults = append(faults, "the tests do not read "+name)
		}
	}
	return append(faults, unselected(sources, patterns)...)
}

var declared = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz|Benchmark)\w*)\(`)

// unselected are the alternatives of patterns that select no test of the sources. What
// they say of subtests is not looked at.
func unselected(sources string, patterns []string) []string {
	var names []string
	for _, m := range declared.FindAllStringSubmatch(sources, -1) {
		names = append(names, m[1])
	}
	var faults []string
	for _, pattern := range patterns {
		for _, one := range alternatives(pattern) {
			one, _, _ = strings.Cut(one, "/")
			e, err := regexp.Compile(one)
			if err != nil {
				faults = append(faults, one+" is no pattern")
			} else if !slices.ContainsFunc(names, e.MatchString) {
				faults = append(faults, one+" selects nothing")
			}
		}
	}
	return faults
}

// alternatives splits a pattern at the bars that stand in no brackets.
func alternatives(pattern string) []string {
	var all []string
	depth, from := 0, 0
	for i, r := range pattern + "|" {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == '|' && depth == 0:
			all = append(all, pattern[from:i])
			from = i + 1
		}
	}
	return all
}

// What is wrong with a command is found.
func TestCheckCommand(t *testing.T) {
	for _, c := range []struct {
		reason, command string
		ok              bool
	}{
		{"a program with flags, one that has a value", "go run ./examples/lint -o sarif -fix ./my-package", true},
		{"a hyphen is an argument", "go run ./examples/inspect -", true},
		{"no such program", "go run ./examples/nothing", false},
		{"no such flag", "go run ./examples/lint -fxi .", false},
		{"a flag of another program", "go run ./examples/push -fix .", false},
		{"what stands behind the first argument is no flag", "go run ./examples/lint . -fxi", true},
		{"two tests", "go test -run 'TestCommands|TestLinks' ./internal/doctest", true},
		{"one of two is not there", "go test -run 'TestCommands|TestNothing' ./internal/doctest", false},
		{"a part of a name", "go test -run=Commands -count=1 ./internal/doctest", true},
		{"no such folder", "go test ./nothing", false},
		{"a flag of the tests", "go test ./internal/apitest -update", true},
		{"no such flag of the tests", "go test ./internal/doctest -udpate", false},
		{"a variable that nobody reads", "XPKG_NOTHING=1 go test ./internal/doctest", false},
		{"a subtest", "go test -bench='^BenchmarkLint$/real' -run='^$' ./internal/bench", true},
	} {
		if !command.MatchString(c.command) {
			t.Errorf("%s: %s is taken for no command", c.reason, c.command)
		}
		if faults := checkCommand(t, words(c.command)); (len(faults) == 0) != c.ok {
			t.Errorf("%s: %s: %q", c.reason, c.command, faults)
		}
	}
}
