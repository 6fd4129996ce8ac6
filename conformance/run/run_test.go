package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const suite = ".."

// TestMain is also the programs that are wrong on purpose: the suite calls this test as
// the program that it holds to the cases.
func TestMain(m *testing.M) {
	if how := os.Getenv("CONFORMANCE_TEST_PROGRAM"); how != "" {
		os.Exit(wrong(how, os.Args[1:], os.Stdout))
	}
	os.Exit(m.Run())
}

// wrong answers without looking at its input, or looks and tells other lines.
func wrong(how string, args []string, out io.Writer) int {
	switch how {
	case "ok": // says that all is well
		fmt.Fprintln(out, `{"diagnostics": [], "objects": [], "packages": []}`)
		return 0
	case "refuse": // refuses everything
		fmt.Fprintln(out, `{"error": {"code": "invalid", "message": "no"}}`)
		return 2
	case "complain": // finds faults of every class, at no place
		var list []string
		for class := range strings.FieldsSeq(os.Getenv("CONFORMANCE_TEST_CLASSES")) {
			list = append(list, fmt.Sprintf(`{"class": %q, "severity": "error"}`, class))
		}
		fmt.Fprintf(out, `{"diagnostics": [%s]}`, strings.Join(list, ","))
		return 1
	case "silent":
		return 0
	case "talkative":
		fmt.Fprintln(out, "{}\nall is well")
		return 0
	}
	// What a right program says, each line one more.
	c := exec.Command(filepath.Join(os.Getenv("CONFORMANCE_TEST_RIGHT"), args[0]+exe()), args[1:]...)
	var stdout bytes.Buffer
	c.Stdout = &stdout
	_ = c.Run() // its exit code is its answer
	var body map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &body); err != nil {
		return 2
	}
	for _, list := range []string{"objects", "diagnostics"} {
		items, _ := body[list].([]any)
		for _, item := range items {
			if o, ok := item.(map[string]any); ok {
				if line, ok := o["line"].(float64); ok && line > 0 {
					o["line"] = line + 1
				}
			}
		}
	}
	_ = json.NewEncoder(out).Encode(body)
	return c.ProcessState.ExitCode()
}

func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// programs builds the example programs, whose answers are the contract that the suite asks for.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	c := exec.CommandContext(t.Context(), "go", "build", "-o", dir+string(filepath.Separator),
		"./examples/inspect", "./examples/lint", "./examples/resolve", "./examples/build", "./examples/migrate")
	c.Dir = filepath.Join(suite, "..")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("the example programs cannot be built: %v\n%s", err, out)
	}
	return dir
}

// The example programs pass every case.
func TestExamplePrograms(t *testing.T) {
	args := []string{"-cases", suite}
	if testing.Short() {
		args = append(args, "-run", "^[ACGI]")
	}
	var out bytes.Buffer
	if code := run(t.Context(), append(args, filepath.Join(programs(t), "{job}"+exe())), &out, &out); code != 0 {
		t.Errorf("exit code %d:\n%s", code, &out)
	}
	if runtime.GOOS == "linux" && regexp.MustCompile(`(?m)^skip`).MatchString(out.String()) {
		t.Errorf("on Linux no case is skipped, not even for root who may give up capabilities (CAP_SETPCAP):\n%s", &out)
	}
	t.Log(lastLines(out.String()))
}

func lastLines(s string) string { return s[strings.LastIndex(s, "FAMILY"):] }

// caught are the cases that a wrong program fails, of those that match.
func caught(t *testing.T, how, right, only string) (failed, all []string) {
	t.Helper()
	t.Setenv("CONFORMANCE_TEST_PROGRAM", how)
	t.Setenv("CONFORMANCE_TEST_RIGHT", right)
	known, err := readClasses(filepath.Join(suite, "classes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CONFORMANCE_TEST_CLASSES", strings.Join(slices.Collect(maps.Keys(known.named)), " "))
	o := &options{cases: suite, only: only, parallel: 2, timeout: defaultTimeout, command: []string{os.Args[0]}}
	outcomes, err := o.all(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.skipped != "" {
			continue
		}
		all = append(all, o.String())
		if len(o.wrong) > 0 {
			failed = append(failed, o.String())
		}
	}
	var report bytes.Buffer
	if code := summary(&report, outcomes, false); (code == 1) != (len(failed) > 0) {
		t.Errorf("exit code %d for %d failures", code, len(failed))
	}
	return failed, all
}

// quick are all cases but those whose inputs are large.
const quick = `^[^D]`

// No case is passed both by a program that is content with everything and by one that
// complains of everything; one that refuses everything fails nearly all. None is passed by a
// program that does not answer as the protocol has it.
func TestProgramsThatLookAtNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("a process for each of hundreds of cases; run without -short")
	}
	failed, all := caught(t, "ok", "", quick)
	var passed []string
	for _, o := range all {
		if !slices.Contains(failed, o) {
			id, _, _ := strings.Cut(o, " ")
			passed = append(passed, regexp.QuoteMeta(id))
		}
	}
	t.Logf("who is content with everything fails %d of %d cases", len(failed), len(all))
	if len(failed) < len(all)*2/3 {
		t.Error("those are too few")
	}
	failed, all = caught(t, "complain", "", "^("+strings.Join(passed, "|")+")$")
	for _, o := range all {
		if !slices.Contains(failed, o) {
			t.Errorf("%s: passed by programs that look at nothing", o)
		}
	}
	failed, all = caught(t, "refuse", "", `^[A-CEG-I]`)
	t.Logf("who refuses everything fails %d of %d cases", len(failed), len(all))
	if len(failed) < len(all)*9/10 {
		t.Error("those are too few")
	}
	for _, how := range []string{"silent", "talkative"} {
		if failed, all := caught(t, how, "", `^A`); len(failed) != len(all) {
			t.Errorf("%s passes %d cases", how, len(all)-len(failed))
		}
	}
}

// A program that finds everything and tells other lines fails wherever a line is asked for.
func TestProgramThatTellsOtherLines(t *testing.T) {
	if testing.Short() {
		t.Skip("two processes for each case; run without -short")
	}
	failed, _ := caught(t, "lines", programs(t), `^(E|F1|I16|I17|crd-scope|yaml-syntax)`)
	for _, name := range []string{"E00", "E05", "E61", "F11", "F13", "I16", "I17", "crd-scope/bad", "yaml-syntax/bad"} {
		if !slices.Contains(failed, name) {
			t.Errorf("%s passes with other lines", name)
		}
	}
}

// A program that cannot be started, and one without an end, fail and are told.
func TestProgramsThatDoNotAnswer(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"-cases", suite, "-run", "^A01$", filepath.Join(t.TempDir(), "nothing")}, &out, &out); code != 1 {
		t.Errorf("exit code %d: %s", code, &out)
	}
	for _, args := range [][]string{{}, {"-cases", t.TempDir(), "x"}, {"-run", "no such case", "-cases", suite, "x"}, {"-run", "[", "-cases", suite, "x"}, {"-no-such-flag"}} {
		if code := run(t.Context(), args, io.Discard, io.Discard); code != 2 {
			t.Errorf("%q: exit code %d, want 2", args, code)
		}
	}
}

// A command is found as it is written where the runner is started, though it is called in
// the directory of a case.
func TestCommandFromHere(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"bin", "bin/inspect", "reader.py"} {
		var err error
		if name == "bin" {
			err = os.Mkdir(name, 0o777)
		} else {
			err = os.WriteFile(name, nil, 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.Getwd() // which may be by another way
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string][]string{
		"bin/{job}":            {filepath.Join(dir, "bin", "inspect")},
		"./bin/inspect {job}":  {filepath.Join(dir, "bin", "inspect"), "inspect"},
		"python3 reader.py -v": {"python3", filepath.Join(dir, "reader.py"), "-v", "inspect"},
		"inspect bin":          {"inspect", "bin", "inspect"},
	} {
		p := &program{command: strings.Fields(command)}
		if got, err := p.line("inspect"); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q (%v)", command, got, want, err)
		}
	}
	here, err := filepath.Rel(dir, os.Args[0])
	if err != nil {
		t.Skip("the test is on another volume than the directory for temporary files: set TMPDIR")
	}
	t.Setenv("CONFORMANCE_TEST_PROGRAM", "ok")
	p := &program{command: []string{here}, timeout: defaultTimeout}
	if _, err := p.run(t.Context(), t.TempDir(), t.TempDir(), &step{Job: "inspect"}, nil); err != nil {
		t.Error(err)
	}
}

// Every family is there, every name once, and every class of the table is told by a case.
func TestSuiteIsWhole(t *testing.T) {
	cases, known, err := load(suite)
	if err != nil {
		t.Fatal(err)
	}
	names, families, told := map[string]bool{}, map[string]int{}, map[string]bool{}
	for _, c := range cases {
		if names[c.ID] {
			t.Errorf("%s is there twice", c.ID)
		}
		names[c.ID] = true
		families[c.family]++
		if c.Reason == "" {
			t.Errorf("%s has no reason", c.ID)
		}
		for _, s := range c.Steps {
			for _, v := range s.Verdict {
				for _, f := range v.Faults {
					for _, class := range append(f.Any, f.Class) {
						told[class] = true
					}
				}
			}
		}
	}
	for _, family := range []string{"A", "B", "C", "D", "E", "F", "G", "H", "I"} {
		if families[family] < 10 {
			t.Errorf("family %s has %d cases, want ten", family, families[family])
		}
	}
	for class := range known.named {
		if !told[class] {
			t.Errorf("no case tells of class %s", class)
		}
	}
	t.Logf("%d cases: %v", len(cases), families)
}

// The protocol is not Go's: a reader of layouts in another language passes the cases that
// it has code for, and fails those that it has none for.
func TestOtherLanguage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not there: apt-get install python3")
	}
	script, err := filepath.Abs("testdata/layouts.py")
	if err != nil {
		t.Fatal(err)
	}
	o := &options{cases: suite, only: "^(A01|A05|A05-asked|A07|A08|A10|A13|A16|A17|B01|B02|B04|B05|B07|B10|B25|B35|B41|B52|C01)$", parallel: 2, timeout: defaultTimeout, command: []string{python, script}}
	outcomes, err := o.all(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.as != "layout" {
			continue
		}
		fails := slices.Contains([]string{"B02", "C01"}, o.c.ID) // the flattened file system
		if fails != (len(o.wrong) > 0) {
			t.Errorf("%s: %q", o, o.wrong)
		}
	}
}

// What -write writes is the same in every run, and does not need the program.
func TestWrite(t *testing.T) {
	var last string
	for range 2 {
		dir := t.TempDir()
		var out bytes.Buffer
		if code := run(t.Context(), []string{"-cases", suite, "-run", "^(A05|E02|G04|H20|crd-scope/bad)$", "-write", dir}, &out, &out); code != 0 {
			t.Fatalf("exit code %d: %s", code, &out)
		}
		var tree strings.Builder
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			fmt.Fprintf(&tree, "%s %q\n", strings.TrimPrefix(path, dir), b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if last != "" && tree.String() != last {
			t.Error("two runs write other bytes")
		}
		last = tree.String()
	}
	for _, want := range []string{"case.yaml", "crd-scope_bad/package/package.yaml", "A05/image/index.json"} {
		if !strings.Contains(filepath.ToSlash(last), want) {
			t.Errorf("%s is not written", want)
		}
	}
}
