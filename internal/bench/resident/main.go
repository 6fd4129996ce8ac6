package resident

import (
	"flag"
	"fmt"
	"io"
	"os"
)

// Main is the program of a command that measures itself: it opens the file that the
// command line names, has it read in one of two ways, and prints how many documents
// there are and the most memory that was resident, in bytes. The flag -conventional
// takes the other way; conventional may be nil, and there is no such flag then.
func Main(ours, conventional func(io.Reader) (int, error)) {
	way := ours
	if conventional != nil {
		flag.BoolFunc("conventional", "read in the way that the field does", func(string) error {
			way = conventional
			return nil
		})
	}
	flag.Parse()
	if err := measure(flag.Arg(0), way); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func measure(name string, way func(io.Reader) (int, error)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := way(f)
	if err != nil {
		return err
	}
	peak, err := Peak()
	if err != nil {
		return err
	}
	fmt.Println(n, peak)
	return nil
}
