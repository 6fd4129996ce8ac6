// Command peakresolve resolves a generated catalog of a thousand sources with a hundred
// versions each, and prints how many packages are planned and how much memory it had
// resident at most, in bytes, as Linux tells it. The catalog is part of that; with
// -catalog nothing is resolved, and it is all of that.
//
//	peakresolve [-catalog] SORT SEED
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/internal/bench/resident"
	"github.com/xpkg-go/sdk/internal/fixture/catalogs"
)

func main() {
	alone := flag.Bool("catalog", false, "make the catalog only")
	flag.Parse()
	if err := run(catalogs.Sort(flag.Arg(0)), flag.Arg(1), *alone); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(sort catalogs.Sort, text string, alone bool) error {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return err
	}
	releases, roots := catalogs.Generate(seed, 1000, 100, sort)
	c := dag.NewStaticCatalog(releases...)
	planned := 0
	if !alone {
		plan, err := dag.Resolve(context.Background(), roots, c, nil)
		if (sort == catalogs.Unsatisfiable) != errors.As(err, new(*dag.NoSolutionError)) || plan == nil {
			return fmt.Errorf("%s, seed %d: %w", sort, seed, err)
		}
		planned = len(plan.Packages)
	}
	peak, err := resident.Peak()
	if err != nil {
		return err
	}
	fmt.Println(planned, peak)
	return nil
}
