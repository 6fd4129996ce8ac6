// Command rss reads package.yaml of one image and prints how much memory that
// took: the high-water mark of the process's resident memory in bytes. It does
// nothing else, so that the figure is that of the library and not of a test.
//
//	rss -entries N -bytes N DIR
//
// DIR is an OCI layout. With -fs it makes the flattened file system instead.
// The figure comes from /proc, so the command works on Linux only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/xpkg-go/sdk/internal/bench/resident"
	"github.com/xpkg-go/sdk/xpkg"
)

func main() {
	var o xpkg.Options
	flag.Int64Var(&o.MaxEntries, "entries", 0, "limit of tar entries, 0 for the default")
	flag.Int64Var(&o.MaxLayerBytes, "bytes", 0, "limit of decompressed bytes, 0 for the default")
	tree := flag.Bool("fs", false, "make the flattened file system")
	flag.Parse()
	if err := run(flag.Arg(0), &o, *tree); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string, o *xpkg.Options, tree bool) error {
	ctx := context.Background()
	img, err := xpkg.OpenFile(ctx, dir, o)
	if err != nil {
		return err
	}
	if tree {
		_, err = img.FS(ctx)
	} else {
		err = read(ctx, img)
	}
	if err != nil {
		return err
	}
	peak, err := resident.Peak()
	if err != nil {
		return err
	}
	fmt.Println(peak)
	return nil
}

func read(ctx context.Context, img *xpkg.Image) error {
	s, err := img.Stream(ctx)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, s)
	return errors.Join(err, s.Close())
}
