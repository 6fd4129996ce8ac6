package build_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// exampleDir makes a package directory with a crossplane.yaml.
func exampleDir(crossplaneYAML string) (root *os.Root, remove func()) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	if crossplaneYAML != "" {
		if err := os.WriteFile(filepath.Join(dir, "crossplane.yaml"), []byte(crossplaneYAML), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	if root, err = os.OpenRoot(dir); err != nil {
		log.Fatal(err)
	}
	return root, func() {
		root.Close()
		os.RemoveAll(dir)
	}
}

func ExampleDir() {
	ctx := context.Background()
	root, remove := exampleDir(crossplaneYAML)
	defer remove()

	img, err := build.Dir(ctx, root, &build.Options{
		Judge: func(_ context.Context, p *parser.Package) error {
			if p.Meta.Kind != meta.Configuration {
				return fmt.Errorf("a %s, expected a Configuration", p.Meta.Kind)
			}
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(root.Name(), "configuration-test.xpkg")
	if err := build.WriteFile(ctx, path, img, build.OCI); err != nil {
		log.Fatal(err)
	}

	opened, err := xpkg.OpenFile(ctx, path, nil)
	if err != nil {
		log.Fatal(err)
	}
	pkg, err := opened.Package(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pkg.Meta.Name)
	// Output: configuration-test
}

func ExampleDir_failure() {
	root, remove := exampleDir("")
	defer remove()

	_, err := build.Dir(context.Background(), root, nil)
	fmt.Println(errors.Is(err, meta.ErrNotPackage))
	// Output: true
}
