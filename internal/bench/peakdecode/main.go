// Command peakdecode decodes every object of a package stream in a file, and prints
// how many there are and how much memory it had resident at most, in bytes, as Linux
// tells it. Neither way holds an object longer than it takes to decode it.
//
//	peakdecode [-conventional] FILE
package main

import (
	"context"
	"io"

	"github.com/xpkg-go/sdk/internal/bench/decode"
	"github.com/xpkg-go/sdk/internal/bench/resident"
	"github.com/xpkg-go/sdk/parser"
)

func main() { resident.Main(sdk, theirs) }

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
