// Command peak reads what every object of a package stream is and where it stands,
// and prints how many there are and how much memory it had resident at most, in
// bytes, as Linux tells it.
package main

import (
	"context"
	"io"

	"github.com/xpkg-go/sdk/internal/bench/resident"
	"github.com/xpkg-go/sdk/parser"
)

func main() { resident.Main(identify, nil) }

func identify(r io.Reader) (n int, err error) {
	for _, err := range parser.Stream(context.Background(), "package.yaml", r, nil) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
