package ignore

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ignored returns the files that a walk leaves out: those that match, and those
// below a directory that does.
func ignored(l List, files []string) []string {
	var out []string
	for _, f := range files {
		for i := range len(f) + 1 {
			if (i == len(f) || f[i] == '/') && l.Match(f[:i], i < len(f)) {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

var files = []string{
	"a.yaml", "b.yaml", "a b.yaml", "ab", "a/a.yaml", "a/b.yaml", "a/b/a.yaml", "a/b/c/a.yaml", "b/a/a.yaml", "b/a.yml", "c/a/b/a.yaml",
	"c/x-1.yaml", "c/x-2.yaml", "c/[x].yaml", "c/x*.yaml", "crossplane.yaml", "doc/a.yaml", "doc/doc", "#a.yaml", "!a.yaml", "a.yaml ", "é.yaml", "tests/e2e/a.yaml",
	".hidden/a.yaml", "c/a.yaml/a.yaml", "c/]", "c/-", "c/^", "z\\z",
}

func TestMatch(t *testing.T) {
	cases := []struct {
		reason  string
		pattern string
		want    string
	}{
		{"a name, anywhere", "a.yml", "b/a.yml"},
		{"a name of a directory, with all that is in it", "doc", "doc/a.yaml doc/doc"},
		{"a name of a directory only", "doc/", "doc/a.yaml doc/doc"},
		{"a path from the root", "/a.yaml", "a.yaml"},
		{"a slash in the middle makes it one as well", "a/b.yaml", "a/b.yaml"},
		{"a directory from the root", "/b/", "b/a.yml b/a/a.yaml"},
		{"a star is within a name", "c/x*", "c/x*.yaml c/x-1.yaml c/x-2.yaml"},
		{"two are over directories", "a/**/a.yaml", "a/a.yaml a/b/a.yaml a/b/c/a.yaml"},
		{"at the start", "**/b/a.yaml", "a/b/a.yaml c/a/b/a.yaml"},
		{"and at the end, which is not the directory itself", "a/b/**", "a/b/a.yaml a/b/c/a.yaml"},
		{"behind a word, as git has it", "a**/a.yaml", "a/a.yaml a/b/a.yaml a/b/c/a.yaml"},
		{"but not behind a sign and a word", "[a]b**/a.yaml", ""},
		{"behind a word, of a directory only", "b**/**/", "b/a.yml b/a/a.yaml"},
		{"two within a name are one", "cross**.yaml", "crossplane.yaml"},
		{"one character, of a file or a directory", "c/?", "c/- c/] c/^ c/a/b/a.yaml"},
		{"a set", "c/x-[12].yaml", "c/x-1.yaml c/x-2.yaml"},
		{"all but a set", "c/x-[!1].yaml", "c/x-2.yaml"},
		{"a class", "c/x-[[:digit:]].yaml", "c/x-1.yaml c/x-2.yaml"},
		{"a bracket that is a character", `c/\[x\].yaml`, "c/[x].yaml"},
		{"an open bracket matches nothing", "c/[x.yaml", ""},
		{"what was left out is taken in again", "c/x*\n!c/x-2.yaml", "c/x*.yaml c/x-1.yaml"},
		{"but not from a directory that is left out", "tests/\n!tests/e2e/a.yaml", "tests/e2e/a.yaml"},
		{"the last pattern decides", "!c/x-2.yaml\nc/x-[12].yaml", "c/x-1.yaml c/x-2.yaml"},
		{"comments and empty lines", "# ab\n\n   \n", ""},
		{"a # that is a character", `\#a.yaml`, "#a.yaml"},
		{"a ! that is one", `\!a.yaml`, "!a.yaml"},
		{"spaces at the end do not count", "ab   ", "ab"},
		{"unless a backslash stands before them", `a.yaml\ `, "a.yaml "},
		{"line ends of Windows, and a byte order mark", "\uFEFFab\r\na.yml\r\n", "ab b/a.yml"},
		{"upper and lower case differ", "AB", ""},
		{"a slash alone", "/", ""},
		{"a pattern that would take long", strings.Repeat("*a", 30) + "b", ""},
		{"and one over directories", strings.Repeat("**/", 30) + "a/x", ""},
	}
	for _, tc := range cases {
		got := ignored(Parse(tc.pattern), files)
		slices.Sort(got)
		if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %q: -want +got:\n%s", tc.reason, tc.pattern, diff)
		}
	}
}

// TestMatchAsGit compares with git itself, over patterns put together at random.
func TestMatchAsGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("needs git, and a file system that takes any name: on Linux, apt-get install git")
	}
	dir := t.TempDir()
	run := func(stdin string, args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_DIR="+filepath.Join(dir, ".git"), "GIT_WORK_TREE="+dir)
		out, err := cmd.Output()
		if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1) { // 1 says that none is left out
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	run("", "init", "-q")
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pieces := []string{
		"a", "b", "c", "doc", "x-", "a.yaml", ".yaml", "*", "*", "**", "**/", "/", "/", "?", "[abc]", "[!a]", "[^x]", "[a-c]", "[]]", "[]-a]", "[[:alpha:]]",
		"[[:punct:]]", "[[:nope:]]", "[", "]", "[a-", "[\\]a]", "[%-9]", "\\", "\\*", "!", "#", " ", "\\ ", "/**", "/**/", "é", "-", "[[:", "[a[:b]",
		"[[:space:]x]", "[[:x]", "[a-\\]]", "[--0]", "z",
	}
	rnd := rand.New(rand.NewPCG(4, 9))
	matched := 0
	for range 400 {
		var text strings.Builder
		for range 1 + rnd.IntN(4) {
			if rnd.IntN(3) == 0 {
				text.WriteByte('!')
			}
			var line strings.Builder
			for range 1 + rnd.IntN(6) {
				line.WriteString(pieces[rnd.IntN(len(pieces))])
			}
			text.WriteString(line.String())
			text.WriteString([]string{"\n", "\r\n"}[rnd.IntN(2)])
		}
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		want := strings.Split(run(strings.Join(files, "\x00")+"\x00", "-c", "core.ignorecase=false", "check-ignore", "--no-index", "-z", "--stdin"), "\x00")
		want = want[:len(want)-1]
		got := ignored(Parse(text.String()), files)
		slices.Sort(want)
		slices.Sort(got)
		matched += len(got)
		if !slices.Equal(want, got) {
			t.Errorf("patterns %q: git leaves out %q, and we %q", text.String(), want, got)
		}
	}
	t.Logf("%d files left out", matched)
}
