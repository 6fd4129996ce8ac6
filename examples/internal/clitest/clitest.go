// Package clitest runs the scripts that show an example program: what it prints
// and its exit code, as a user sees them.
package clitest

import (
	"errors"
	"flag"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what cmp compares into the scripts anew")

// Run runs the scripts below testdata/script, each with a home and a cache of its
// own and with more variables, and with two more commands, exits and terminal; and looks at
// what -h tells of the program, which has the name of its folder, and at what comes of a wrong call.
func Run(t *testing.T, variables map[string]string) {
	t.Helper()
	t.Run("help", help)
	t.Run("wrong call", wrongCall)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/.cache")
			env.Setenv("LocalAppData", env.WorkDir+"/.cache")
			for name, value := range variables {
				env.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "terminal": terminal},
	})
}

// exits runs a command that must end with an exit code: exits 1 inspect DIR.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE command [arguments]")
	}
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if args[0] != strconv.Itoa(code) {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}
