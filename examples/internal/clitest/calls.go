package clitest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// program calls the program that is tested, which has the name of its folder.
func program(t *testing.T, args ...string) (name string, code int, stdout, stderr string) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Base(dir)
	c := exec.CommandContext(t.Context(), name, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return name, c.ProcessState.ExitCode(), out.String(), errs.String()
}

// wrongCall holds a call that makes no sense to the contract of all programs: exit code 2,
// and the reason as one JSON object with -o json, and else on standard error.
func wrongCall(t *testing.T) {
	name, code, stdout, stderr := program(t, "-o", "json", "-no-such-flag")
	var body struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal([]byte(stdout), &body); err != nil || code != 2 || stderr != "" || body.Error.Code != "usage" || !strings.Contains(body.Error.Message, "no-such-flag") {
		t.Errorf("with -o json: exit code %d, standard output %q, standard error %q", code, stdout, stderr)
	}
	_, code, stdout, stderr = program(t, "-o", "nothing")
	if code != 2 || stdout != "" || !strings.HasPrefix(stderr, name+": -o nothing: want ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit code %d, standard output %q, standard error %q", code, stdout, stderr)
	}
}

// help holds what -h tells to what somebody needs who has never called the program: calls
// to copy, of flags that there are, and what the exit codes mean.
func help(t *testing.T) {
	name, code, stdout, text := program(t, "-h")
	if code != 0 || stdout != "" {
		t.Errorf("-h: exit code %d, standard output %q", code, stdout)
	}
	if !strings.HasPrefix(text, name+": ") || !strings.Contains(text, "\n\nusage: "+name+" [flags] ") {
		t.Errorf("-h does not begin with what the program does and its usage:\n%s", text)
	}
	for _, code := range []string{"exit code is 0", "2 when"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), code) {
			t.Errorf("-h does not say %q:\n%s", code, text)
		}
	}
	flags := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  (-[a-z-]+)(?: |$)`).FindAllStringSubmatch(text, -1) {
		flags[m[1]] = true
	}
	calls := regexp.MustCompile(`(?m)^  (?:\S+ [|] |[A-Z_]+=\S+ )?`+name+` .*$`).FindAllString(text, -1)
	if len(calls) < 2 {
		t.Errorf("-h shows %d calls, want two:\n%s", len(calls), text)
	}
	for _, call := range calls {
		for word := range strings.FieldsSeq(call) {
			if strings.HasPrefix(word, "-") && word != "-" && !flags[word] {
				t.Errorf("-h shows %q, and there is no flag %s", call, word)
			}
		}
	}
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "    \t") { // what a flag does is one line, by package flag
			continue
		}
		if n := len([]rune(line)); n > 100 {
			t.Errorf("line %d of -h has %d letters, want at most 100: %s", i+1, n, line)
		}
	}
}
