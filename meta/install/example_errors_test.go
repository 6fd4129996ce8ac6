package install_test

import (
	"errors"
	"fmt"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// A package whose dependencies are not in the lock is not given its objects.
func ExampleMissingError() {
	source, err := meta.ParseSource("example.org/provider-gcp")
	if err != nil {
		fmt.Println(err)
		return
	}
	lock := &install.PackageLock{}
	_, err = lock.Claim(install.Claim{
		Package:   "platform",
		Image:     "example.org/platform:v1.0.0",
		DependsOn: []meta.Dependency{{Package: source}},
	})
	var missing *install.MissingError
	if errors.As(err, &missing) {
		for _, m := range missing.Missing {
			fmt.Println(missing.Package, "needs", m.Dependency.Package)
		}
	}
	// Output: platform needs example.org/provider-gcp
}

// Two image configurations that rewrite one prefix to different places contradict
// each other, and no order of them would be the right one.
func ExampleRewriteConflictError() {
	config := func(name, to string) *install.ImageConfig {
		c, err := install.DecodeImageConfig([]byte(`{"apiVersion": "pkg.crossplane.io/v1beta1", "kind": "ImageConfig",
			"metadata": {"name": "` + name + `"},
			"spec": {"matchImages": [{"prefix": "xpkg.crossplane.io/"}], "rewriteImage": {"prefix": "` + to + `"}}}`))
		if err != nil {
			fmt.Println(err)
		}
		return c
	}
	_, err := install.ImageRewrites(config("a", "one.example.org/"), config("b", "two.example.org/"))
	var conflict *install.RewriteConflictError
	if errors.As(err, &conflict) {
		for _, c := range conflict.Conflicts {
			fmt.Println(c.From, c.To, c.Configs)
		}
	}
	// Output: xpkg.crossplane.io/ [one.example.org/ two.example.org/] [a b]
}

// A plan that was made by an older lock is not carried out.
func ExampleStaleLockError() {
	lock := &install.Lock{Metadata: install.Metadata{Name: "lock", ResourceVersion: "8"}}
	err := lock.Unchanged("7")
	var stale *install.StaleLockError
	if errors.As(err, &stale) {
		fmt.Println("planned by", stale.Planned, "and it is", stale.Current)
	}
	// Output: planned by 7 and it is 8
}
