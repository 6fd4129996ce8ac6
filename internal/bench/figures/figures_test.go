package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// action is what a figure comes from.
var action = regexp.MustCompile(`\{\{.*?\}\}`)

// The page is what the template gives for some figures: text that was changed in one of both
// alone is found here.
func TestPageIsMade(t *testing.T) {
	made, err := os.ReadFile("../../../" + output)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(string(made), "\n")
	want := strings.Split(page, "\n")
	for i := range max(len(got), len(want)) {
		if i == len(got) || i == len(want) {
			t.Fatalf("%s has %d lines and the template %d", output, len(got), len(want))
		}
		if !as(want[i]).MatchString(got[i]) {
			t.Fatalf("%s:%d: %q is not as the template has it, %q; run go run ./internal/bench/figures", output, i+1, got[i], want[i])
		}
	}
}

// as matches a line of a template with any figures.
func as(line string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.Join(mapped(action.Split(line, -1), regexp.QuoteMeta), "[^|]+") + "$")
}

func mapped(all []string, to func(string) string) []string {
	for i, s := range all {
		all[i] = to(s)
	}
	return all
}

// No figure is typed by hand: numbers stand where a row says which input it is about, in
// commands, and in what a figure is made from.
func TestNoFigureTyped(t *testing.T) {
	named := regexp.MustCompile("`[^`]*`|SHA-256|sigs\\.k8s\\.io/yaml|102 MB with 2,066 documents|2,000 definitions|16 MiB|with 10 MB|of 10,000")
	for i, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, "    ") {
			continue
		}
		text := action.ReplaceAllString(line, "")
		if strings.HasPrefix(text, "| ") {
			text = strings.SplitN(text, "|", 3)[2]
		}
		if text = named.ReplaceAllString(text, ""); strings.ContainsAny(text, "0123456789") {
			t.Errorf("performance.md.tmpl:%d: %q has a number that no run gave", i+1, text)
		}
	}
}

// Every result that a row asks for is one that a single command of the page makes, as far as
// patterns tell.
func TestRowsHaveCommands(t *testing.T) {
	all := commands(page)
	seen := 0
	values := func(name string, _ ...string) []float64 {
		seen++
		var by []string
		for _, c := range all {
			if selects(c, name) {
				by = append(by, c)
			}
		}
		if len(by) != 1 {
			t.Errorf("%s is made by %q, want one command", name, by)
		}
		return []float64{1}
	}
	for line := range strings.Lines(page) {
		if _, err := execute(line, "2 cores", values); err != nil {
			t.Error(err)
		}
	}
	if seen < 100 {
		t.Errorf("only %d results are asked for", seen)
	}
}

var (
	pattern = regexp.MustCompile(` -bench='([^']*)'`)
	onCores = regexp.MustCompile(` -cpu=(\S+)`)
)

// selects says whether a command runs a benchmark, with the number of cores that is asked for.
func selects(command, name string) bool {
	cores := strings.TrimPrefix(procs.FindString(name), "-")
	listed := onCores.FindStringSubmatch(command)
	if (listed == nil) != (cores == "") || listed != nil && !strings.Contains(","+listed[1]+",", ","+cores+",") {
		return false
	}
	parts := strings.Split("Benchmark"+procs.ReplaceAllString(name, ""), "/")
	// Bars in parentheses have no slash beside them here, so those between patterns begin anew with ^B.
	for _, one := range strings.Split(pattern.FindStringSubmatch(command)[1], "|^B") {
		one = "^B" + strings.TrimPrefix(one, "^B")
		fits := true
		for i, p := range strings.Split(one, "/") {
			fits = fits && i < len(parts) && regexp.MustCompile(p).MatchString(parts[i])
		}
		if fits {
			return true
		}
	}
	return false
}

const (
	rows = `Text of {{machine}}.

    go test -run='^$' -bench='^BenchmarkA$' ./a

| work | library | beside it | ratio | asked |
| a | {{time "A/sdk"}} | {{time "A/conventional-1"}} | {{faster (time "A/sdk") (time "A/conventional-1")}} | {{atLeast "40 times as fast" (faster (time "A/sdk") (time "A/conventional-1"))}} |
| b | {{mb "B"}}, {{mb "B" "B/op"}} | {{num "B" "references/s"}} | {{time "B" "max-ms"}} | {{atMost "2 s" (time "B") (time "B" "max-ms")}} |
The runs of a differ by {{spread "A/sdk"}}.
`
	golden = `Text of 2 cores, linux/amd64, go1.26, AMD EPYC.

    go test -run='^$' -bench='^BenchmarkA$' ./a

| work | library | beside it | ratio | asked |
| a | 210 ms | 13.9 s | 66.2 times as fast | at least 40 times as fast |
| b | 14.6 MB, 24.1 MB | 1,001 | 340 ms | **at most 2 s: not met** |
The runs of a differ by 5.71 %.
`
)

// A page is made from what a run has printed, and the middle one of three runs counts.
func TestRender(t *testing.T) {
	f, err := os.Open("testdata/raw.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := parse(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := render(rows, r)
	if err != nil || got != golden {
		t.Errorf("%v\n%s\nwant\n%s", err, got, golden)
	}
}

// Whatever is missing or failed is named, all of it, and there is no page.
func TestMissing(t *testing.T) {
	const begin, end = "machine: 2 cores, linux/amd64\n$ go test -bench=A ./a\n", "ok  \ta\t1s\n"
	for _, tc := range []struct {
		reason, raw string
		want        []string
	}{
		{"nothing was run", "", []string{"does not name the machine"}},
		{"results that are not there are told with their rows", begin + "BenchmarkA/sdk-2 \t 1\t 5 ns/op\nBenchmarkB-2 \t 1\t 5 ns/op\t 6 MB-resident\n" + end,
			[]string{"a: A/conventional-1 has no result in ns/op", "b: B has no result in references/s", "b: B has no result in max-ms"}},
		{"another number of cores is another result", begin + "BenchmarkA/sdk \t 1\t 5 ns/op\n" + end, []string{"a: A/sdk has no result"}},
		{"what is skipped says why", begin + "BenchmarkA\n    a_test.go:1: XPKG_CORPUS is not set: set it\n--- SKIP: BenchmarkA\n" + end,
			[]string{"a: A/sdk is skipped: XPKG_CORPUS is not set: set it"}},
		{"a benchmark that fails is told, and its command", begin + "--- FAIL: BenchmarkA/sdk\nFAIL\n", []string{"A/sdk failed", "go test -bench=A ./a: it failed or was broken off"}},
		{"one command that fails is not mended by another", begin + "$ go test ./b\n" + end, []string{"go test -bench=A ./a: it failed or was broken off"}},
		{"two commands that run one benchmark make no figure", begin + "BenchmarkA-2 \t 1\t 5 ns/op\n" + end + "$ go test ./b\nBenchmarkA-2 \t 1\t 6 ns/op\n" + end,
			[]string{"A-2 is run by two commands: go test -bench=A ./a; go test ./b"}},
		{"a value without a unit is none", begin + "BenchmarkA-2 \t 1\t 5 ns/op\t 6\n" + end, []string{"is no value with a unit"}},
	} {
		r, err := parse(strings.NewReader(tc.raw))
		if err == nil {
			_, err = render(rows, r)
		}
		for _, want := range tc.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", tc.reason, err, want)
			}
		}
	}
}

// Figures have three digits, and what is asked of one is compared with what is shown.
func TestFigures(t *testing.T) {
	for _, tc := range []struct {
		f    figure
		want string
	}{
		{figure{3.3e0, "ns"}, "3.30 ns"},
		{figure{6020, "ns"}, "6.02 µs"},
		{figure{12_345_678, "ns"}, "12.3 ms"},
		{figure{98.66e9, "ns"}, "98.7 s"},
		{figure{999.7e6, "ns"}, "1,000 ms"},
		{figure{9.996, "times"}, "10.0 times"},
		{figure{4, ""}, "4"},
		{figure{1.98, ""}, "1.98"},
		{figure{1_234_567, ""}, "1,234,567"},
		{figure{0.753, "times"}, "0.75 times"},
		{figure{265, "MB"}, "265 MB"},
	} {
		if got := fmt.Sprint(tc.f); got != tc.want {
			t.Errorf("%v is shown as %q, want %q", tc.f.value, got, tc.want)
		}
	}
	for _, tc := range []struct {
		reason, demand string
		least          bool
		f              figure
		want           string
	}{
		{"reached", "40 times", true, figure{66, "times"}, "x 40 times"},
		{"not reached", "40 times", true, figure{39.9, "times"}, "**x 40 times: not met**"},
		{"as it is shown", "2 times", false, figure{2.003, "times"}, "x 2 times"},
		{"above, as it is shown", "2 times", false, figure{2.006, "times"}, "**x 2 times: not met**"},
		{"time has units", "5 ms", false, figure{12e6, "ns"}, "**x 5 ms: not met**"},
		{"another unit", "5 MB", false, figure{1, "times"}, ""},
		{"no number", "few", false, figure{1, ""}, ""},
	} {
		got, err := asked("x", tc.demand, tc.least, []figure{tc.f})
		if got != tc.want || (err != nil) != (tc.want == "") {
			t.Errorf("%s: %q, %v, want %q", tc.reason, got, err, tc.want)
		}
	}
}

// Commands run one after the other, one that fails stops no other, and what they print is kept.
func TestRun(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("commands are run by a shell, and there is no sh")
	}
	var printed strings.Builder
	if err := run(t.Context(), []string{"echo 'a  b'", "false", "echo c"}, &printed); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(printed.String(), "\n")
	if want := "$ echo 'a  b'\na  b -v -timeout=0\n$ false\n$ echo c\nc -v -timeout=0\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, []string{"echo a"}, &printed); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was canceled", err)
	}
}

// The page stays what it was when a run was of other commands, and is replaced as a whole.
func TestWhole(t *testing.T) {
	raw, err := filepath.Abs("testdata/raw.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := figures(t.Context(), "", raw, ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want that this is no repository", err)
	}
	if err := os.Mkdir("docs", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"before", "after"} {
		if err := write(output, text); err != nil {
			t.Fatal(err)
		}
		if err := figures(t.Context(), "", raw, ""); err == nil || !strings.Contains(err.Error(), "is not what the page's commands printed") {
			t.Errorf("%v, want that other commands were run", err)
		}
		if got, err := os.ReadFile(output); err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
	}
	if all, err := os.ReadDir("docs"); err != nil || len(all) != 1 {
		t.Errorf("%v, %v, want one file", all, err)
	}
}

// A run that has printed every result makes the page, in one piece and always the same.
func TestFrom(t *testing.T) {
	raw := "machine: 2 cores, linux/amd64, go1.26\n"
	for line := range strings.Lines(page) {
		_, err := execute(line, "", func(name string, unit ...string) []float64 {
			if !procs.MatchString(name) {
				name += "-2"
			}
			raw += fmt.Sprintf("Benchmark%s \t       1\t 5 %s\n", strings.TrimSuffix(name, "-1"), append(unit, "ns/op")[0])
			return []float64{1}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range commands(page) {
		raw += "$ " + c + "\nok  \tpackage\t1s\n"
	}
	t.Chdir(t.TempDir())
	if err := errors.Join(os.Mkdir("docs", 0o777), os.WriteFile(output, nil, 0o666), os.WriteFile("raw.txt", []byte(raw), 0o666)); err != nil {
		t.Fatal(err)
	}
	var first string
	for range 2 {
		if err := figures(t.Context(), "", "raw.txt", ""); err != nil {
			t.Fatal(err)
		}
		made, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(made)
		}
		if string(made) != first || strings.Contains(first, "{{") || strings.Count(first, "\n") != strings.Count(page, "\n") {
			t.Errorf("the page is %q, and was %q", made, first)
		}
	}
}

// What cannot be a row is told with it.
func TestRowFaults(t *testing.T) {
	for _, line := range []string{"| {{time}} |", `| {{times (time "A") (mb "A")}} |`, `| {{atMost "5 MB" (time "A")}} |`, `| {{nothing "A"}} |`} {
		if _, err := execute(line, "", func(string, ...string) []float64 { return []float64{1} }); err == nil || !strings.HasPrefix(err.Error(), line) {
			t.Errorf("%v, want a fault of %s", err, line)
		}
	}
}

// A section has its heading and its commands.
func TestSection(t *testing.T) {
	got, err := section(page, "Pages")
	if err != nil || !strings.HasPrefix(got, "## Pages\n") || len(commands(got)) != 1 || strings.Count(got, "## ") != 1 {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := section(page, "Nothing"); err == nil {
		t.Error("there is a section Nothing")
	}
}
