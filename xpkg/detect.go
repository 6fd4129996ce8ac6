package xpkg

import (
	"context"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Answer is what a manifest alone says about whether an image is a package.
type Answer string

const (
	// DetectedYes: one layer is marked as the base layer. That it holds a
	// package.yaml, only reading it can tell.
	DetectedYes Answer = "yes"
	// DetectedMaybe: no layer is marked, so package.yaml may be anywhere in the
	// flattened file system; or it is an index, whose images may be packages.
	DetectedMaybe Answer = "maybe"
	// DetectedNo: no package can be read from it.
	DetectedNo Answer = "no"
)

// Detection is what Detect finds.
type Detection struct {
	Answer Answer
	// Err is, with the answer no, the error that reading would end with: of the
	// types of Client.Image and Image.Stream.
	Err error
}

// Detect says from the bytes of a manifest or an index, and nothing else, whether
// it is a package (specification, "Manifests"): for those who look through a
// registry and read only what may be one. It holds nothing against a digest; who
// has one does that before. The size is that of raw: who takes it from strangers
// bounds it.
func Detect(raw []byte) Detection {
	m, err := parseManifest("image", v1.Hash{}, "", raw)
	if err != nil {
		return Detection{Answer: DetectedNo, Err: err}
	}
	if m.index {
		return detectIndex(m)
	}
	return detectImage("image", newContent(m))
}

// Detect says the same of an image whose manifest has been read, or is read now.
// For a docker tar it is what the labels of the configuration say. The error is
// that of reading the manifest.
func (i *Image) Detect(ctx context.Context) (Detection, error) {
	c, err := i.contents(ctx)
	if err != nil {
		return Detection{}, err
	}
	return detectImage(i.ref, c), nil
}

func detectIndex(m *manifest) Detection {
	attestations := 0
	for i := range m.manifests {
		if m.manifests[i].role() == RoleAttestation {
			attestations++
		}
	}
	switch {
	case attestations < len(m.manifests):
		return Detection{Answer: DetectedMaybe}
	case len(m.manifests) == 0:
		return Detection{Answer: DetectedNo, Err: noManifest("image")}
	}
	return Detection{Answer: DetectedNo, Err: onlyAttestations("image", attestations)}
}

func detectImage(ref string, c *content) Detection {
	no := func(err error) Detection { return Detection{Answer: DetectedNo, Err: err} }
	switch {
	case len(c.layers) == 0:
		return no(noLayers(ref))
	case len(c.base) > 1:
		return no(multipleBaseLayers(ref, c))
	case len(c.base) == 1:
		return Detection{Answer: DetectedYes}
	case c.manifest != nil && c.manifest.attestation():
		return no(onlyAttestations(ref, 1))
	}
	return Detection{Answer: DetectedMaybe}
}
