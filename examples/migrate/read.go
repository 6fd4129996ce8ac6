package main

import (
	"context"
	"fmt"
	"os"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/xpkg"
)

// read reads the package that is named, and says in the options which image it came from.
func read(ctx context.Context, env *cli.Env, o *legacy.MigrateOptions) (*legacy.Package, error) {
	name := env.Args[0]
	kind, err := source.KindOf(name)
	if err != nil {
		return nil, err
	}
	var img *xpkg.Image
	switch kind {
	case source.Directory:
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		return packageOf(legacy.Read(ctx, root.FS(), nil))
	case source.Reference:
		client, open, err := env.Client()
		if err != nil {
			return nil, err
		}
		defer env.Watch(client)()
		if img, err = client.Image(ctx, name, open); err != nil {
			return nil, err
		}
		o.Image = name
	case source.Image:
		_, open, err := env.Client()
		if err != nil {
			return nil, err
		}
		if img, err = xpkg.OpenFile(ctx, name, open); err != nil {
			return nil, err
		}
	default:
		return nil, &cli.UsageError{Err: fmt.Errorf("%s is neither a directory nor an image", name)}
	}
	tree, err := img.FS(ctx)
	if err != nil {
		return nil, err
	}
	return packageOf(legacy.Read(ctx, tree, &legacy.Options{Tag: tagOf(o.Image)}))
}

// packageOf leaves out what could be read of a package that is at fault: half of it is not
// migrated.
func packageOf(p *legacy.Package, err error) (*legacy.Package, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// tagOf is the tag of an image, which the version of the package must equal; "" where it
// is none that says a version, such as latest.
func tagOf(image string) string {
	ref, err := meta.ParseReference(image)
	if err != nil {
		return ""
	}
	switch meta.Classify(ref.Tag) {
	case meta.ClassRelease, meta.ClassPrerelease:
		return ref.Tag
	}
	return ""
}
