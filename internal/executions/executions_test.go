package executions

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// FuzzSelf fails where it is asked to, for the test below.
func FuzzSelf(f *testing.F) {
	f.Add("a: b\n", 1, uint16(2), []byte("c"))
	f.Add("d\n", 3, uint16(4), []byte{})
	runs := 0
	f.Fuzz(Many(func(t *testing.T, text string, n int, m uint16, data []byte) {
		runs++
		switch os.Getenv("XPKG_TEST") {
		case "count":
			t.Logf("run %d", runs)
		case "error":
			if strings.Contains(text, "\xff") {
				t.Error("there is a byte that is no text")
			}
		case "skip":
			if n < 0 {
				t.Skip()
			}
		case "panic":
			if len(data) > 4 {
				panic("too long")
			}
		}
	}))
}

// So many executions are made as are asked for, of mutants of what fuzzing found too, and a
// mutant that fails is told.
func TestMany(t *testing.T) {
	found := t.TempDir()
	input := "go test fuzz v1\nstring(\"only\\xffhere\")\nint(-5)\nuint16(7)\n[]byte(\"x\")\n"
	for name, text := range map[string]string{"of this target": input, "of an older one": "go test fuzz v1\nstring(\"\")\n"} {
		if err := os.WriteFile(filepath.Join(found, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(do, executions string) (string, error) {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^FuzzSelf$", "-test.v")
		c.Env = append(os.Environ(), "XPKG_TEST="+do, "XPKG_EXECUTIONS="+executions, "XPKG_INTERESTING="+found)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for _, tc := range []struct{ executions, want string }{
		{"", "run 2\n"},        // the seeds, as Go runs them
		{"1200", "run 2402\n"}, // and for each of them so many mutants
		{"1", "run 4\n"},       // fewer than a batch
	} {
		out, err := run("count", tc.executions)
		if err != nil || strings.Count(out, ": run ") != strings.Count(out[:strings.Index(out, tc.want)], ": run ")+1 {
			t.Errorf("%q executions: the last is not %q: %v", tc.executions, tc.want, err)
		}
	}
	for do, want := range map[string]string{"error": "there is a byte that is no text", "panic": "too long", "skip": "not to skip"} {
		if out, err := run(do, ""); err != nil {
			t.Errorf("%s: the seeds alone fail: %v\n%s", do, err, out)
		}
		out, err := run(do, "100000")
		if err == nil || !strings.Contains(out, want) || !strings.Contains(out, `the arguments: string("`) {
			t.Errorf("%s: got %v\n%.2000s", do, err, out)
		}
	}
}

// Every target of the repository is one that can be run many times.
func TestEveryTarget(t *testing.T) {
	call := regexp.MustCompile(`\.Fuzz\((executions\.Many\()?`)
	targets := 0
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") || d.Name() == "executions_test.go" {
			return err
		}
		text, err := os.ReadFile(name)
		for _, m := range call.FindAllStringSubmatch(string(text), -1) {
			targets++
			if m[1] == "" {
				t.Errorf("%s has a target that does not begin with f.Fuzz(executions.Many(", name)
			}
		}
		return err
	})
	if err != nil || targets < 40 {
		t.Errorf("%d targets were found (%v)", targets, err)
	}
}
