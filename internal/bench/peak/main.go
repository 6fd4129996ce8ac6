// Command peak reads what every object of a package stream is and where it stands,
// and prints how many there are and how much memory it had resident at most, in
// bytes, as Linux tells it.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/xpkg-go/sdk/parser"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	n := 0
	for _, err := range parser.Stream(context.Background(), name, f, nil) {
		if err != nil {
			return err
		}
		n++
	}
	peak, err := peakBytes()
	if err != nil {
		return err
	}
	fmt.Println(n, peak)
	return nil
}

// peakBytes returns the most memory that was resident. The system's account of a
// child process is no help: it begins with the memory of the parent.
func peakBytes() (int64, error) {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			var kib int64
			_, err := fmt.Sscan(rest, &kib)
			return kib << 10, err
		}
	}
	return 0, errors.New("/proc/self/status has no VmHWM")
}
