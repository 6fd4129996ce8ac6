package clitest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// terminal runs a command whose standard output or standard error is a terminal, and writes
// all that the terminal got into a file: terminal stderr FILE push -f a.xpkg REF. What ttyout
// of testscript holds may lack the end, since it stops reading when the command ends.
func terminal(ts *testscript.TestScript, neg bool, args []string) {
	to := map[string]string{"stdout": ">", "stderr": "2>"}
	if len(args) < 3 || to[args[0]] == "" {
		ts.Fatalf("usage: [!] terminal stdout|stderr FILE command [arguments]")
	}
	screen, name, err := open()
	ts.Check(err)
	defer screen.Close()
	// Held open, so that the screen does not end before the command has begun.
	tty, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	ts.Check(err)
	shown := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(screen) // the error says that nobody has the terminal open any more
		shown <- b
	}()
	err = ts.Exec("sh", append([]string{"-c", `"$@" ` + to[args[0]] + `"$0"`, name}, args[2:]...)...)
	tty.Close()
	b := <-shown
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || neg != (err != nil) {
		ts.Fatalf("the command ends with %v", err)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b, 0o666))
}

// open makes a terminal: its screen, and its name for those who write there.
func open() (screen *os.File, name string, err error) {
	if screen, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		return nil, "", err
	}
	raw, err := screen.SyscallConn()
	if err != nil {
		screen.Close()
		return nil, "", err
	}
	n := uint32(0)
	control := raw.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			n, err = unix.IoctlGetUint32(int(fd), unix.TIOCGPTN)
		}
	})
	if err == nil {
		err = control
	}
	if err != nil {
		screen.Close()
		return nil, "", err
	}
	return screen, fmt.Sprintf("/dev/pts/%d", n), nil
}
