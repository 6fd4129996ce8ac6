package source

import (
	"context"
	"errors"
	"path"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// Facts returns what rules about images know of the one that the package came from,
// and nil where it came from elsewhere. It reads the marked layers and those above
// them. The configuration may be out of reach, and is in no cache: the error then
// says why, and comes with all other facts.
func (p *Package) Facts(ctx context.Context) (*linter.Image, error) {
	if p.Image == nil {
		return nil, nil
	}
	facts := &linter.Image{Digest: p.Digest}
	if r, err := meta.ParseReference(p.Source); err == nil && p.Kind == Reference {
		facts.Tag = r.Tag
	}
	if p.Image.IndexDigest() != "" {
		entries, err := p.Image.Index(ctx)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			facts.Entries = append(facts.Entries, linter.ImageEntry{
				Digest: e.Digest, MediaType: e.MediaType, Platform: platform(e.Platform), Attestation: e.Role == xpkg.RoleAttestation,
			})
		}
	}
	layers, err := p.Image.Layers(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range layers {
		facts.Layers = append(facts.Layers, linter.ImageLayer{Digest: l.Digest, MediaType: l.MediaType, Mark: l.Mark})
	}
	if err := overwritten(ctx, p.Image, facts); err != nil {
		return nil, err
	}
	return facts, configuration(ctx, p.Image, facts)
}

// configuration adds what the image's configuration says. A docker tar has no
// manifest that could lead to it.
func configuration(ctx context.Context, img *xpkg.Image, facts *linter.Image) error {
	whole, err := img.V1(ctx)
	if errors.Is(err, meta.ErrInvalid) {
		return nil
	}
	if err != nil {
		return err
	}
	file, err := whole.ConfigFile()
	if err != nil {
		return err
	}
	facts.Platform = platform(file.Platform())
	facts.User = file.Config.User
	facts.Runtime = len(file.Config.Entrypoint)+len(file.Config.Cmd) > 0
	return nil
}

// platform returns os/architecture and the variant, where there is one.
func platform(p *v1.Platform) string {
	if p == nil {
		return ""
	}
	parts := []string{p.OS, p.Architecture}
	if p.Variant != "" {
		parts = append(parts, p.Variant)
	}
	return strings.TrimSuffix(path.Join(parts...), "/")
}

// maxNames bounds the names of the layers that are compared, as many as
// xpkg.Options allows in what it reads.
const maxNames = 1_000_000

// overwritten finds the paths of marked layers that layers above them replace or
// delete.
func overwritten(ctx context.Context, img *xpkg.Image, facts *linter.Image) error {
	marked := map[int]map[string]bool{} // the files of a marked layer
	left := maxNames
	for i := range facts.Layers {
		layer := &facts.Layers[i]
		if len(marked) == 0 && layer.Mark == "" {
			continue
		}
		entries, err := entriesIn(ctx, img, i, &left)
		if err != nil {
			return err
		}
		for below := range i {
			if files := marked[below]; files != nil {
				facts.Overwritten = append(facts.Overwritten, overwrites(files, entries, below, i)...)
			}
		}
		files := map[string]bool{}
		for _, n := range entries {
			if !n.directory && !n.deletes && !n.opaque {
				files[n.path] = true
			}
		}
		layer.HasPackage = files["package.yaml"]
		if layer.Mark != "" {
			marked[i] = files
		}
	}
	return nil
}
