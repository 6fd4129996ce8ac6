package parser_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// asNobody calls f in a thread that the file system can refuse. Root is refused nothing;
// so root is another user there, for files and in this thread alone.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.WriteFile(closed, nil, 0); err != nil {
		t.Fatal(err)
	}
	refused := make(chan bool)
	go func() {
		defer close(refused)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		const nobody = 65534
		if os.Getuid() == 0 && syscall.Setfsuid(nobody) != nil {
			return
		}
		if file, err := os.Open(closed); err == nil {
			file.Close()
			return
		}
		refused <- true
		f()
	}()
	if !<-refused {
		t.Skip("a file of mode 0 can be read here: run the test as a user who is not root")
	}
	<-refused // f is done
}
