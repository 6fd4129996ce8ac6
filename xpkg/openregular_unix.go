//go:build unix

package xpkg

import "syscall"

// openNonblock makes opening a fifo return at once.
const openNonblock = syscall.O_NONBLOCK
