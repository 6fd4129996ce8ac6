package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// attached is what a registry says to belong to a digest. Who pushes to a repository writes
// it: it proves nothing.
type attached struct {
	// Signatures are what cosign keeps under its tag for them, and the referrers that say
	// that they are signatures.
	Signatures []signature `json:"signatures"`
	// Referrers are those, and the attestations and bills of materials that cosign keeps
	// under tags.
	Referrers []referrer `json:"referrers"`
	// AttachedError is why the two lists may lack something.
	AttachedError *cli.Fault `json:"attachedError,omitempty"`
}

type signature struct {
	Digest string `json:"digest"` // of the manifest that holds it
	Type   string `json:"type"`
}

type referrer struct {
	Digest       string `json:"digest"`
	MediaType    string `json:"mediaType"`
	ArtifactType string `json:"artifactType"`
}

// cosignType is the media type of the signatures under cosign's tag.
const cosignType = "application/vnd.dev.cosign.simplesigning.v1+json"

// newAttached asks for what belongs to a digest.
func newAttached(ctx context.Context, repository *xpkg.Repository, digest string) attached {
	a := attached{Signatures: []signature{}, Referrers: []referrer{}}
	for _, suffix := range []string{".sig", ".att", ".sbom"} {
		m, err := repository.Manifest(ctx, strings.Replace(digest, ":", "-", 1)+suffix)
		switch {
		case errors.Is(err, meta.ErrNotFound):
		case err != nil:
			a.AttachedError = cli.NewFault(err)
		case suffix == ".sig":
			a.Signatures = append(a.Signatures, signature{m.Digest, cosignType})
		default:
			a.Referrers = append(a.Referrers, referrer{m.Digest, m.MediaType, layerType(m)})
		}
	}
	if err := a.refer(ctx, repository, digest); err != nil {
		a.AttachedError = cli.NewFault(err)
	}
	return a
}

// refer adds the referrers, each once, by digest: registries list them in any order.
func (a *attached) refer(ctx context.Context, repository *xpkg.Repository, digest string) error {
	list, err := repository.Referrers(ctx, digest)
	if err != nil {
		return err
	}
	index := &v1.IndexManifest{}
	if list != nil {
		if index, err = v1.ParseIndexManifest(bytes.NewReader(list.Raw)); err != nil {
			return fmt.Errorf("the list of referrers of %s is %w: %w", digest, meta.ErrInvalid, err)
		}
	}
	for _, d := range index.Manifests {
		r := referrer{d.Digest.String(), string(d.MediaType), d.ArtifactType}
		a.Referrers = append(a.Referrers, r)
		if isSignature(&d) {
			a.Signatures = append(a.Signatures, signature{r.Digest, r.ArtifactType})
		}
	}
	slices.SortFunc(a.Referrers, func(x, y referrer) int {
		return cmp.Or(cmp.Compare(x.Digest, y.Digest), cmp.Compare(x.ArtifactType, y.ArtifactType), cmp.Compare(x.MediaType, y.MediaType))
	})
	a.Referrers = slices.Compact(a.Referrers)
	slices.SortFunc(a.Signatures, func(x, y signature) int { return cmp.Or(cmp.Compare(x.Digest, y.Digest), cmp.Compare(x.Type, y.Type)) })
	a.Signatures = slices.Compact(a.Signatures)
	return nil
}

// layerType is the type of what cosign keeps in a manifest, which has no artifactType: that
// of its first layer, or empty.
func layerType(m *xpkg.RawManifest) string {
	parsed, err := v1.ParseManifest(bytes.NewReader(m.Raw))
	if err != nil || len(parsed.Layers) == 0 {
		return ""
	}
	return string(parsed.Layers[0].MediaType)
}

// isSignature reports whether a referrer says that it is a signature: one of cosign or of
// the Notary Project, or a bundle of sigstore, which may be an attestation as well.
func isSignature(d *v1.Descriptor) bool {
	switch d.ArtifactType {
	case "application/vnd.dev.cosign.artifact.sig.v1+json", "application/vnd.cncf.notary.signature":
		return true
	}
	return strings.HasPrefix(d.ArtifactType, "application/vnd.dev.sigstore.bundle") &&
		d.Annotations["dev.sigstore.bundle.content"] == "message-signature"
}
