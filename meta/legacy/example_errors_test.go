package legacy_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing/fstest"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
)

// What exists is never written over.
func ExampleExistsError() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	p, err := legacy.Read(ctx, exampleFiles(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := legacy.Migrate(ctx, p, &legacy.MigrateOptions{Name: "sample"})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = m.WriteDir(dir)
	var exists *legacy.ExistsError
	fmt.Println(errors.As(err, &exists) && exists.Dir == dir, errors.Is(err, meta.ErrInvalid))
	// Output: true true
}

// A file that the format knows, and that is none, is a fault with a reason.
func ExampleFileError() {
	_, err := legacy.Read(context.Background(), fstest.MapFS{
		".registry/app.yaml": {Data: []byte("elsewhere"), Mode: os.ModeSymlink},
	}, nil)
	var file *legacy.FileError
	if errors.As(err, &file) {
		fmt.Println(file.File, file.Problem)
	}
	// Output: .registry/app.yaml link
}

// A kind that two packages bring names neither of them.
func ExampleOwnerError() {
	p, err := legacy.Read(context.Background(), exampleFiles(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var x legacy.Index
	x.Add("acme/sample:v0.1.0", p)
	x.Add("other/sample:v0.1.0", p)
	_, err = x.Find(&legacy.PackageInstall{Spec: legacy.PackageInstallSpec{CRD: "mysqls.example.org/v1alpha1"}}, "")
	var owners *legacy.OwnerError
	if errors.As(err, &owners) {
		fmt.Println(owners.CRD, owners.Packages)
	}
	fmt.Println(errors.Is(err, meta.ErrInvalid))
	// Output:
	// mysqls.example.org/v1alpha1 [acme/sample:v0.1.0 other/sample:v0.1.0]
	// true
}
