package build_test

import (
	"archive/tar"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// Oracle: the reader of flattened file systems of package xpkg, which knows nothing of
// what is refused. Whatever layer of random entries is taken, it finds the same
// package.yaml as before.
func TestAppendedLayersLeaveThePackageAlone(t *testing.T) {
	base := dir(t, directory(t, map[string]string{"crossplane.yaml": crossplaneYAML}), nil)
	parts := []string{"package.yaml", ".wh.package.yaml", ".wh..wh..opq", ".", "..", "a", "b", ".wh.a", "", ".wh.."}
	r := rand.New(rand.NewPCG(3, 5))
	name := func() string {
		var all []string
		for range 1 + r.IntN(3) {
			all = append(all, parts[r.IntN(len(parts))])
		}
		return strings.Join(all, "/")
	}
	taken, refused := 0, 0
	for range 400 {
		var headers []tar.Header
		for range 1 + r.IntN(3) {
			h := tar.Header{Name: name(), Typeflag: []byte{tar.TypeReg, tar.TypeReg, tar.TypeDir, tar.TypeSymlink, tar.TypeLink}[r.IntN(5)]}
			if strings.Trim(h.Name, "/") == "" {
				h.Name = "x"
			}
			switch h.Typeflag {
			case tar.TypeDir:
				h.Name += "/"
			case tar.TypeReg:
				h.Name = strings.TrimRight(h.Name, "/")
			default:
				h.Linkname = name()
			}
			headers = append(headers, h)
		}
		l := layerOf(t, headers...)
		img, err := build.Append(t.Context(), base, "docs", l)
		if err != nil {
			if !errors.Is(err, meta.ErrInvalid) {
				t.Fatalf("%+v: %v", headers, err)
			}
			refused++
			continue
		}
		taken++
		if _, err := build.VerifyAdditive(t.Context(), base, img); err != nil {
			t.Fatalf("%+v is taken and then harm: %v", headers, err)
		}
		layers, err := img.Layers()
		if err != nil {
			t.Fatal(err)
		}
		flat, err := mutate.AppendLayers(runtimeImage(t), layers...) // without annotations
		if err != nil {
			t.Fatal(err)
		}
		if method, err := xpkg.Open(flat, nil).Method(t.Context()); err != nil || method != xpkg.MethodFlattened {
			t.Fatalf("got %s (%v)", method, err)
		}
		if got := packageYAML(t, flat); got != crossplaneYAML {
			t.Fatalf("%+v makes another package of it:\n%s", headers, got)
		}
	}
	if taken < 40 || refused < 40 {
		t.Errorf("%d layers were taken and %d refused, too few of one for this test", taken, refused)
	}
}
