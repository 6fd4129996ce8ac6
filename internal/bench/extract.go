package bench

import (
	"archive/tar"
	"fmt"
	"io"
	"path"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

// conventionalExtract finds package.yaml in the flattened file system of an
// image, as the package manager does when no layer is annotated.
func conventionalExtract(img v1.Image) (int64, error) {
	flat := mutate.Extract(img)
	defer flat.Close()
	for files := tar.NewReader(flat); ; {
		h, err := files.Next()
		if err != nil {
			return 0, fmt.Errorf("package.yaml: %w", err)
		}
		if path.Base(h.Name) == "package.yaml" {
			return io.Copy(io.Discard, files)
		}
	}
}
