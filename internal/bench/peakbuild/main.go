// Command peakbuild builds a package directory to a file, and prints how many bytes
// that file has and how much memory the process had resident at most, in bytes, as
// Linux tells it.
//
//	peakbuild DIR FILE
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/xpkg-go/sdk/internal/bench/resident"
	"github.com/xpkg-go/sdk/xpkg/build"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(dir, file string) error {
	ctx := context.Background()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	img, err := build.Dir(ctx, root, nil)
	if err != nil {
		return err
	}
	if err := build.WriteFile(ctx, file, img, build.OCI); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	peak, err := resident.Peak()
	if err != nil {
		return err
	}
	fmt.Println(info.Size(), peak)
	return nil
}
