//go:build linux || darwin

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the resident memory that a process had at most, in bytes. Linux counts what the
// runner had when it started the process, which is little: inputs are written as they are made.
func peak(s *os.ProcessState) int64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return int64(usage.Maxrss) << 10
}
