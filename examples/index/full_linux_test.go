package main

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/cli"
)

const fullEnv = "XPKG_TEST_INDEX_FULL"

// A disk that is full, which a limit on the size of files stands for: exit code 2, and whole
// lines. When there is room again, the same command goes on.
func TestFullDisk(t *testing.T) {
	r := pushed(t, "a", "b", "c", "d", "e", "f")
	file := filepath.Join(t.TempDir(), "index.jsonl")
	args := []string{"-out", file}
	for _, tag := range []string{"a", "b", "c", "d", "e", "f"} {
		args = append(args, r.host+"/org/small:"+tag)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestFullDiskChild$")
	cmd.Env = append(os.Environ(), fullEnv+"="+strings.Join(args, " "))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != cli.Failed || !strings.Contains(string(out), syscall.EFBIG.Error()) {
		t.Fatalf("%v: %s", err, out)
	}
	text := readFile(t, file)
	if n := len(decoded(t, text)); n < 1 || n > 5 || !strings.HasSuffix(text, "\n") {
		t.Errorf("got %d lines: %q", n, text)
	}
	if code, _, stderr := call(t, args...); code != 0 || len(decoded(t, readFile(t, file))) != 6 {
		t.Errorf("again: got the exit code %d and %s", code, stderr)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); err != nil || len(left) > 0 {
		t.Errorf("%q is left (%v)", left, err)
	}
}

func TestFullDiskChild(t *testing.T) {
	args := os.Getenv(fullEnv)
	if args == "" {
		t.Skip("runs in the process that TestFullDisk starts")
	}
	signal.Ignore(syscall.SIGXFSZ)
	const room = 2500 // a line of these has about 800 bytes
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: room, Max: room}); err != nil {
		t.Fatal(err)
	}
	os.Exit(newProgram().Exec(t.Context(), strings.Fields(args), strings.NewReader(""), os.Stdout, io.Discard))
}

// Where nothing takes the lines, the reason is on standard error.
func TestFullOutput(t *testing.T) {
	r := pushed(t, "v1.0.0")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("%v: this system has no /dev/full; run the test on Linux", err)
	}
	defer full.Close()
	cmd, output := child(t, t.TempDir(), r.host+"/org/small:v1.0.0")
	cmd.Stdout = full
	_ = cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(output.String(), "no space left") {
		t.Errorf("got the exit code %d and %q", code, output)
	}
}
