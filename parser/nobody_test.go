//go:build !linux

package parser_test

import (
	"os"
	"runtime"
	"testing"
)

// asNobody calls f when the file system can refuse something to this user.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("nobody is refused a file by its mode here: run the test on Linux, or elsewhere as a user who is not root")
	}
	f()
}
