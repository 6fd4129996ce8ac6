package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

//go:embed sample
var sample embed.FS

// roundTrip takes the embedded sample on the whole way that a package goes:
// from a directory to an image, to a registry and back.
func roundTrip(ctx context.Context, env *cli.Env) (*source.Package, error) {
	img, err := buildSample(ctx)
	if err != nil {
		return nil, err
	}
	host, stop, err := serveRegistry()
	if err != nil {
		return nil, err
	}
	defer stop()
	ref := host + "/example/configuration-website:v0.1.0"
	if err := pushIndex(ctx, ref, img); err != nil {
		return nil, err
	}
	_, o, err := env.Client()
	if err != nil {
		return nil, err
	}
	// The sample is not worth a place in the user's cache.
	pulled, err := new(xpkg.Client).Image(ctx, ref, o)
	if err != nil {
		return nil, err
	}
	return source.FromImage(ctx, ref, pulled)
}

// buildSample writes the sample to a directory, as an author has it, and builds
// it from there.
func buildSample(ctx context.Context) (v1.Image, error) {
	dir, err := os.MkdirTemp("", "inspect-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	files, err := fs.Sub(sample, "sample")
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, files); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return build.Dir(ctx, root, nil)
}

// pushIndex pushes the image as one entry of an index, beside an attestation as
// build tools add them, which no reader may take for a package.
func pushIndex(ctx context.Context, ref string, img v1.Image) error {
	tag, err := name.ParseReference(ref)
	if err != nil {
		return err
	}
	digest, err := img.Digest()
	if err != nil {
		return err
	}
	attestation, err := mutate.AppendLayers(empty.Image, static.NewLayer([]byte(`{"_type":"https://in-toto.io/Statement/v1"}`), "application/vnd.in-toto+json"))
	if err != nil {
		return err
	}
	index := mutate.AppendManifests(empty.Index,
		mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: "linux", Architecture: "amd64"},
		}},
		mutate.IndexAddendum{Add: attestation, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: "unknown", Architecture: "unknown"},
			Annotations: map[string]string{
				"vnd.docker.reference.type":   "attestation-manifest",
				"vnd.docker.reference.digest": digest.String(),
			},
		}},
	)
	if err := remote.WriteIndex(tag, index, remote.WithContext(ctx)); err != nil {
		return fmt.Errorf("push %s: %w", ref, err)
	}
	return nil
}
