//go:build linux || darwin

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the resident memory that a process had at most, in bytes.
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
