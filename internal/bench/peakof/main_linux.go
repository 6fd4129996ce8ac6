// Command peakof runs a program and prints its exit code and how much memory it had
// resident at most, in bytes, as Linux tells a parent. That account begins with what the
// parent itself had, so this one has next to nothing.
//
//	peakof PROGRAM [ARGUMENT…]
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(program string, args []string) error {
	c := exec.Command(program, args...)
	c.Stderr = os.Stderr
	var failed *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &failed) {
		return err
	}
	usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return errors.New("the system does not tell how much memory was resident")
	}
	fmt.Println(c.ProcessState.ExitCode(), usage.Maxrss<<10)
	return nil
}
