package clitest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// help holds what -h tells to what somebody needs who has never called the program: calls
// to copy, of flags that there are, and what the exit codes mean.
func help(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(dir)
	c := exec.CommandContext(t.Context(), name, "-h")
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil || stdout.Len() > 0 {
		t.Errorf("-h: %v, standard output %q", err, &stdout)
	}
	text := stderr.String()
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
