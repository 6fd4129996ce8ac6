//go:build unix

package xpkg_test

import "syscall"

// makeFifo puts a fifo that nobody writes to in the place of a file.
func makeFifo(path, _ string) error { return syscall.Mkfifo(path, 0o600) }
