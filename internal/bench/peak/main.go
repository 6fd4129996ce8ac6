// Command peak reads what every object of a package stream is and where it stands,
// and prints how many there are and how much memory it had resident at most, in
// bytes, as Linux tells it.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/xpkg-go/sdk/internal/bench/resident"
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
	peak, err := resident.Peak()
	if err != nil {
		return err
	}
	fmt.Println(n, peak)
	return nil
}
