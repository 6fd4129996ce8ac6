package doctest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const (
	path10minutes = "Ten minutes"
	address       = "https://github.com/xpkg-go/sdk"
)

// ends says which commands of the way are to end with an exit code other than 0, as
// the text above each says.
var ends = regexp.MustCompile(`(?i)exit code\s+(?:is\s+)?(\d)`)

// A newcomer clones the repository and copies the commands of the README one after
// the other. Each ends as the page says, and what the page shows of its output is
// there, in this order. The clone comes from this working tree, and nothing but the
// loopback is in reach.
func TestNewcomer(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds every example program in another place; run without -short")
	}
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed: apt-get install git")
	}
	origin, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.CommandContext(t.Context(), git, "-C", origin, "rev-parse", "HEAD").Run(); err != nil {
		t.Skip("these files are no clone of a git repository, so they cannot be cloned: git clone " + address)
	}
	v := &visitor{dir: t.TempDir(), git: git, origin: origin, environment: onlyLoopback(t)}
	readme := readPage(t, "README.md")
	commands := 0
	for _, b := range readme.blocks {
		switch {
		case b.heading != path10minutes:
		case b.language == "sh":
			v.output.Reset()
			want := "0"
			if m := ends.FindStringSubmatch(readme.above(b.line)); m != nil {
				want = m[1]
			}
			for i, command := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
				commands++
				if got := v.run(t, command); got != want {
					t.Fatalf("README.md:%d: %s: exit code %s, want %s\n%s", b.line+i, command, got, want, v.output.String())
				}
			}
		case b.language == "text":
			checkShown(t, b, v.output.String())
		}
	}
	if commands < 8 {
		t.Errorf("only %d commands were copied", commands)
	}
	// The two commands that the page begins with; the second is what runs this test.
	v.output.Reset()
	if got := v.run(t, "go run ./examples/inspect"); got != "0" || !strings.Contains(v.output.String(), "3 objects, 0 findings") {
		t.Errorf("go run ./examples/inspect: exit code %s\n%s", got, v.output.String())
	}
}

// above is the paragraph above the fence of a block that begins at a line.
func (p *page) above(line int) string {
	lines := strings.Split(p.prose, "\n")[:line-2]
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	from := len(lines)
	for from > 0 && strings.TrimSpace(lines[from-1]) != "" {
		from--
	}
	return strings.Join(lines[from:], "\n")
}

// checkShown holds the lines of a block against an output. Other lines may stand
// between them.
func checkShown(t *testing.T, b block, output string) {
	t.Helper()
	left := strings.Split(strings.ReplaceAll(output, "\r\n", "\n"), "\n")
	for i, want := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
		at := slices.Index(left, want)
		if at < 0 {
			t.Errorf("README.md:%d: the output does not have the line %q here:\n%s", b.line+i, want, output)
			return
		}
		left = left[at+1:]
	}
}

// visitor is somebody who copies commands into a shell.
type visitor struct {
	dir, git, origin string
	environment      []string
	output           bytes.Buffer
}

// run runs a command and returns its exit code.
func (v *visitor) run(t *testing.T, command string) string {
	t.Helper()
	args := words(command)
	switch args[0] {
	case "cd":
		v.dir = filepath.Join(v.dir, args[1])
		return "0"
	case "git":
		i := slices.Index(args, address)
		if i < 0 || args[1] != "clone" {
			t.Fatalf("%s is no clone of %s", command, address)
		}
		args = []string{v.git, "clone", "--quiet", v.origin, "sdk"}
	case "go":
	default:
		t.Fatalf("%s is none of the commands that a newcomer has", command)
	}
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = v.dir, v.environment
	cmd.Stdout, cmd.Stderr = &v.output, &v.output
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		// go run ends with 1 whatever its program ended with, and tells that.
		if m := exitStatus.FindStringSubmatch(v.output.String()); m != nil {
			return m[1]
		}
		return "go"
	} else if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return "0"
}

var exitStatus = regexp.MustCompile(`(?m)^exit status (\d+)\r?\n?\z`)

// onlyLoopback is the environment of a child that reaches hosts of the loopback only:
// everything else goes by a proxy that is not there. It has a home of its own, and
// what Go has built and downloaded before.
func onlyLoopback(t *testing.T) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n")
	environment := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GOWORK", "GOFLAGS", "NO_PROXY", "no_proxy", "XPKG_CORPUS"}, name)
	})
	home := t.TempDir()
	environment = append(environment, "HOME="+home, "XDG_CACHE_HOME="+home, "LocalAppData="+home,
		"GOCACHE="+values[0], "GOMODCACHE="+values[1], "GOPATH="+values[2], "GOPROXY=off", "GOTOOLCHAIN=local")
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		if runtime.GOOS != "windows" || strings.ToUpper(name) == name {
			environment = append(environment, name+"=http://127.0.0.1:9")
		}
	}
	return environment
}
