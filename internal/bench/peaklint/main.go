// Command peaklint lints a package stream in a file with every rule, and prints how
// many documents there are and how much memory it had resident at most, in bytes, as
// Linux tells it. With -conventional it only decodes what is in the stream, and keeps
// it, as a linter that works on decoded objects must.
//
//	peaklint [-conventional] FILE
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/xpkg-go/sdk/internal/bench/decode"
	"github.com/xpkg-go/sdk/internal/bench/resident"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/rules"
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
	way := lint
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

func lint(r io.Reader) (int, error) {
	p, err := parser.Collect(parser.Stream(context.Background(), "package.yaml", r, nil))
	if err != nil {
		return 0, err
	}
	all := slices.Concat(rules.Suite(), apiserver.Rules())
	_, err = linter.Run(context.Background(), p, &linter.Options{Rules: all})
	return len(p.Objects) + 1, err
}

func theirs(r io.Reader) (int, error) {
	c, err := decode.NewConventional()
	if err != nil {
		return 0, err
	}
	all, err := c.Package(r)
	return len(all), err
}
