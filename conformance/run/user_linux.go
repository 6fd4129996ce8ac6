package main

import (
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// What lets root read and write files whose mode says otherwise, by linux/capability.h.
const (
	capDACOverride   = 1
	capDACReadSearch = 2
)

// asUser calls f in a thread of its own that file modes can refuse, and so are the programs
// that f starts, even where root runs the suite: then the thread has given up what root
// is more than the owner of its files. Where the system does not let it, f is called as it is.
func asUser(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		giveUp(capDACOverride, capDACReadSearch)
		done <- f()
	}()
	return <-done
}

// giveUp takes capabilities from this thread, and from what is started by it, which would
// get them back by being root's. A thread that has none of them has nothing to lose.
func giveUp(capabilities ...uint) {
	header := struct {
		version uint32 // _LINUX_CAPABILITY_VERSION_3
		pid     int32  // 0 is this thread
	}{version: 0x20080522}
	var sets [2]struct{ effective, permitted, inheritable uint32 }
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CAPGET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&sets)), 0); errno != 0 {
		return
	}
	for _, c := range capabilities {
		if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_CAPBSET_DROP, uintptr(c), 0); errno != 0 && os.Geteuid() == 0 {
			return // what is started would have it again
		}
		sets[0].effective &^= 1 << c
		sets[0].permitted &^= 1 << c
		sets[0].inheritable &^= 1 << c
	}
	_, _, _ = syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&sets)), 0)
}
