package legacy_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/xpkg-go/sdk/linter/rules/legacy"
	v1 "github.com/xpkg-go/sdk/meta/legacy"
)

func ExampleLint() {
	fsys := fstest.MapFS{
		".registry/app.yaml": {Data: []byte("apiVersion: 0.1.0\ntitle: Sample\npackageType: Addon\npermissionScope: cluster\n")},
		".registry/icon.svg": {Data: []byte("<svg viewBox='0 0 64 32'/>")},
	}
	p, faults := v1.Read(context.Background(), fsys, nil)
	r, err := legacy.Lint(context.Background(), p, faults, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range r.Diagnostics {
		fmt.Println(d.Severity, d)
	}
	// Output:
	// warning .registry/app.yaml:1:1: legacy-layout: Crossplane v1.0 and later do not read this format
	// warning .registry/app.yaml:3:14: legacy-package-type: there is no Addon today (Provider or Configuration takes its place) (packageType)
	// error .registry/app.yaml:4:18: metadata-invalid: "cluster" is not a scope of permissions (want Cluster, Namespaced) (permissionScope)
	// warning .registry/icon.svg: legacy-icon-ratio: the icon is 64 wide and 32 high (the ratio 1:1 is expected)
}
