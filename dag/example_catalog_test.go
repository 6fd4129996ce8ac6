package dag_test

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// A catalog file tells which kinds packages bring, so that a dependency on a kind is
// followed to a package, and which images they run.
func Example_catalogFile() {
	c, err := dag.DecodeCatalog([]byte(`{"packages": [
		{"source": "acme.io/app", "versions": [
			{"version": "v1.0.0", "kind": "Configuration", "dependsOn": [{"crd": "Redis.cache.acme.io/v1"}]}]},
		{"source": "acme.io/cache", "versions": [
			{"version": "v1.0.0", "kind": "Provider"},
			{"version": "v2.0.0", "kind": "Provider", "provides": ["Redis.cache.acme.io/v1"], "images": ["acme.io/redis:v2"]}]}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	app, _ := meta.ParseSource("acme.io/app")
	followed := dag.ByKind(c, dag.NewKindIndex(c.Releases()...))
	closure, err := dag.ClosureOf(context.Background(), []meta.Dependency{{Package: app}}, followed, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range closure.Packages {
		fmt.Println(p.Source, p.Version, p.Images)
	}
	// Output:
	// acme.io/cache v2.0.0 [acme.io/redis:v2]
	// acme.io/app v1.0.0 []
}
