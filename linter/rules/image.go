package rules

import (
	"context"
	"slices"
	"strconv"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

const manifestsURL = specURL + "#manifests"

func imageBase() *linter.Rule {
	return &linter.Rule{
		ID: "image-base",
		Doc: "One layer of an image carries the annotation io.crossplane.xpkg: base, and it is the one with package.yaml. " +
			"Two are an error. Without one every layer has to be fetched and looked at, which is a warning where there are several.",
		Bad: `A manifest with the layers

sha256:aaa…
sha256:bbb…, with package.yaml
`,
		Good: `A manifest with the layers

sha256:aaa…
sha256:bbb…, with package.yaml, annotated io.crossplane.xpkg: base
`,
		URL:      manifestsURL,
		Severity: linter.Error,
		OfImage:  true,
		Run: eachImage(func(p *linter.Pass, img *linter.Image) {
			var base []linter.ImageLayer
			for _, l := range img.Layers {
				if l.Mark == "base" {
					base = append(base, l)
				}
			}
			at := linter.Diagnostic{Severity: linter.Warning}
			switch {
			case len(base) > 1:
				at.Severity = linter.Error
				p.Reportf(at, "%d layers are annotated base, first %s and %s (one is expected)", len(base), clip(base[0].Digest), clip(base[1].Digest))
			case len(base) == 1 || len(img.Layers) == 0:
			case len(img.Layers) == 1:
				at.Severity = linter.Info
				p.Reportf(at, "the layer has no annotation io.crossplane.xpkg: base")
			default:
				p.Reportf(at, "none of %d layers has the annotation io.crossplane.xpkg: base", len(img.Layers))
			}
		}),
	}
}

func imageOverwritten() *linter.Rule {
	return &linter.Rule{
		ID: "image-overwritten",
		Doc: "No layer replaces or deletes a file of an annotated layer below it. Crossplane reads the annotated layer, and " +
			"whoever extracts the image sees the file of the other.",
		Bad: `A manifest with the layers

sha256:aaa…, with package.yaml, annotated io.crossplane.xpkg: base
sha256:bbb…, with package.yaml
`,
		Good: `A manifest with the layers

sha256:aaa…, with package.yaml, annotated io.crossplane.xpkg: base
sha256:bbb…, with usr/local/bin/provider
`,
		URL:      manifestsURL,
		Severity: linter.Warning,
		OfImage:  true,
		Run: eachImage(func(p *linter.Pass, img *linter.Image) {
			for i, o := range img.Overwritten {
				if i == maxPlaced {
					p.Reportf(linter.Diagnostic{}, "%d more files of annotated layers are replaced or deleted", len(img.Overwritten)-i)
					return
				}
				p.Reportf(linter.Diagnostic{}, "%s of layer %s (%s) is replaced or deleted by layer %s",
					quote(o.Path), layerName(img, o.Layer), layerMark(img, o.Layer), layerName(img, o.By))
			}
		}),
	}
}

// layerName names a layer by its digest, as far as it is known, and its number from 1.
func layerName(img *linter.Image, i int) string {
	if i < 0 || i >= len(img.Layers) || img.Layers[i].Digest == "" {
		return "number " + strconv.Itoa(i+1)
	}
	return clip(img.Layers[i].Digest)
}

func layerMark(img *linter.Image, i int) string {
	if i < 0 || i >= len(img.Layers) || img.Layers[i].Mark == "" {
		return "annotated"
	}
	return "annotated " + clip(img.Layers[i].Mark)
}

func imagePlatform() *linter.Rule {
	return &linter.Rule{
		ID: "image-platform",
		Doc: "An index has one image for each platform: of two, the second is never used. " +
			"A package that is a program as well has more than one platform, as it runs on one kind of machine only otherwise; " +
			"that is told as information.",
		Bad: `An index with the manifests

sha256:aaa… for linux/amd64
sha256:bbb… for linux/amd64
`,
		Good: `An index with the manifests

sha256:aaa… for linux/amd64
sha256:bbb… for linux/arm64
`,
		URL:      specURL + "#indexes",
		Severity: linter.Warning,
		OfImage:  true,
		Run: eachImage(func(p *linter.Pass, img *linter.Image) {
			first := map[string]string{} // platform -> digest
			for _, e := range img.Entries {
				if e.Attestation || e.Platform == "" {
					continue
				}
				if was, ok := first[e.Platform]; ok {
					p.Reportf(linter.Diagnostic{}, "two manifests of the index are for %s, %s and %s", clip(e.Platform), clip(was), clip(e.Digest))
					continue
				}
				first[e.Platform] = e.Digest
			}
			platform := img.Platform
			for only := range first {
				platform = only
			}
			if p.Profile == linter.Publish && img.Runtime && len(first) < 2 && platform != "" && !hasNameless(img) {
				p.Reportf(linter.Diagnostic{Severity: linter.Info}, "the program of the package runs on %s only", clip(platform))
			}
		}),
	}
}

// hasNameless reports whether an index names an image without saying for which platform.
func hasNameless(img *linter.Image) bool {
	return slices.ContainsFunc(img.Entries, func(e linter.ImageEntry) bool { return !e.Attestation && e.Platform == "" })
}

func imageTag() *linter.Rule {
	return &linter.Rule{
		ID: "image-tag",
		Doc: "A package is published under a tag that is a full semantic version: no other is ever taken for a version that " +
			"a dependency may have.",
		Bad:      "example.org/demo:v1\n",
		Good:     "example.org/demo:v1.0.0\n",
		URL:      "https://semver.org/",
		Severity: linter.Warning,
		Profile:  linter.Publish,
		OfImage:  true,
		Run: eachImage(func(p *linter.Pass, img *linter.Image) {
			switch class := meta.Classify(img.Tag); {
			case img.Tag == "" || class == meta.ClassRelease || class == meta.ClassPrerelease:
			case class == meta.ClassPartial:
				p.Reportf(linter.Diagnostic{}, "the tag %s is a partial version, which no dependency is resolved to (v1.2.3 is expected)", quote(img.Tag))
			default:
				p.Reportf(linter.Diagnostic{}, "the tag %s is not a semantic version, so that no dependency is resolved to it (v1.2.3 is expected)", quote(img.Tag))
			}
		}),
	}
}

// eachImage makes the Run function of a rule about the image that a package came from,
// which is known (Rule.OfImage). What it finds has no place in the package.
func eachImage(look func(*linter.Pass, *linter.Image)) func(context.Context, *linter.Pass) error {
	return func(_ context.Context, p *linter.Pass) error {
		look(p, p.Image)
		return nil
	}
}
