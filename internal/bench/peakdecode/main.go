// Command peakdecode decodes every object of a package stream in a file, and prints
// how many there are and how much memory it had resident at most, in bytes, as Linux
// tells it. Neither way holds an object longer than it takes to decode it.
//
//	peakdecode [-conventional] FILE
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/xpkg-go/sdk/internal/bench/decode"
	"github.com/xpkg-go/sdk/internal/bench/resident"
	"github.com/xpkg-go/sdk/parser"
)

func main() {
	conventional := flag.Bool("conventional", false, "decode in the way that the field does")
	flag.Parse()
	if err := run(flag.Arg(0), *conventional); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(name string, conventional bool) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	way := sdk
	if conventional {
		way = theirs
	}
	n, err := way(f)
	if err != nil {
		return err
	}
	peak, err := resident.Peak()
	if err != nil {
		return err
	}
	fmt.Println(n, peak)
	return nil
}

func sdk(r io.Reader) (int, error) {
	return decode.SDK(parser.Stream(context.Background(), "package.yaml", r, nil))
}

func theirs(r io.Reader) (int, error) {
	c, err := decode.NewConventional()
	if err != nil {
		return 0, err
	}
	return c.Stream(r)
}
