// Package resident tells how much memory a process took. It links nothing else, so
// that the commands which measure themselves stay as lean as what they measure.
package resident

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Peak returns the most memory that this process had resident so far, in bytes, as
// Linux tells it in /proc. The system's account of a child process would be no help:
// it begins with the memory of the parent.
func Peak() (int64, error) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			var kib int64
			_, err := fmt.Sscan(rest, &kib)
			return kib << 10, err
		}
	}
	return 0, errors.Join(errors.New("/proc/self/status has no VmHWM"), lines.Err())
}
