package rules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
)

func TestImages(t *testing.T) {
	base := linter.ImageLayer{Digest: "sha256:aa", Mark: "base", HasPackage: true}
	plain := linter.ImageLayer{Digest: "sha256:bb"}
	mark := func(mark string) linter.ImageLayer { return linter.ImageLayer{Digest: "sha256:cc", Mark: mark} }
	entry := func(digest, platform string) linter.ImageEntry {
		return linter.ImageEntry{Digest: digest, Platform: platform}
	}
	attestation := linter.ImageEntry{Digest: "sha256:ee", Platform: "unknown/unknown", Attestation: true}
	amd, arm := entry("sha256:11", "linux/amd64"), entry("sha256:22", "linux/arm64")
	cases := map[string]struct {
		reason  string
		image   *linter.Image
		install bool
		want    []string
	}{
		"None":          {"a package that came from elsewhere has no image", nil, false, nil},
		"Unknown":       {"of an image of which nothing is known nothing is said", &linter.Image{}, false, nil},
		"Good":          {"a base layer, others, two platforms, a version", &linter.Image{Tag: "v1.0.0", Layers: []linter.ImageLayer{base, plain, mark("upbound")}, Entries: []linter.ImageEntry{amd, arm, attestation, attestation}, Runtime: true, Platform: "linux/amd64"}, false, nil},
		"SameMark":      {"other marks may be there twice: that is their consumers' business", &linter.Image{Layers: []linter.ImageLayer{base, mark("a"), mark("a")}}, false, nil},
		"NoBase":        {"every layer has to be looked at", &linter.Image{Layers: []linter.ImageLayer{plain, mark("upbound")}}, false, []string{"warning image-base: none of 2 layers has the annotation io.crossplane.xpkg: base"}},
		"NoBaseOne":     {"which costs little where there is one", &linter.Image{Layers: []linter.ImageLayer{plain}}, false, []string{"info image-base: the layer has no annotation io.crossplane.xpkg: base"}},
		"TwoBase":       {"one may be the base", &linter.Image{Layers: []linter.ImageLayer{base, plain, base}}, true, []string{"error image-base: 2 layers are annotated base, first sha256:aa and sha256:aa (one is expected)"}},
		"Overwritten":   {"the base layer is not what someone sees who extracts the image", &linter.Image{Layers: []linter.ImageLayer{base, plain}, Overwritten: []linter.OverwrittenPath{{Path: "package.yaml", Layer: 0, By: 1}}}, true, []string{`warning image-overwritten: "package.yaml" of layer sha256:aa (annotated base) is replaced or deleted by layer sha256:bb`}},
		"OverwrittenBy": {"any annotated layer counts, and a layer without a digest has its number", &linter.Image{Layers: []linter.ImageLayer{base, mark("upbound"), {}}, Overwritten: []linter.OverwrittenPath{{Path: "schema.json", Layer: 1, By: 2}, {Path: "x", Layer: 9, By: -1}}}, true, []string{`warning image-overwritten: "schema.json" of layer sha256:cc (annotated upbound) is replaced or deleted by layer number 3`, `warning image-overwritten: "x" of layer number 10 (annotated) is replaced or deleted by layer number 0`}},
		"SamePlatform":  {"the second is never used", &linter.Image{Entries: []linter.ImageEntry{amd, arm, entry("sha256:33", "linux/amd64")}}, true, []string{"warning image-platform: two manifests of the index are for linux/amd64, sha256:11 and sha256:33"}},
		"Variants":      {"a variant is another platform", &linter.Image{Entries: []linter.ImageEntry{arm, entry("sha256:33", "linux/arm64/v8")}}, true, nil},
		"OnePlatform":   {"the program runs on one kind of machine", &linter.Image{Runtime: true, Platform: "linux/amd64"}, false, []string{"info image-platform: the program of the package runs on linux/amd64 only"}},
		"OneInIndex":    {"an attestation is no platform", &linter.Image{Runtime: true, Entries: []linter.ImageEntry{arm, attestation}}, false, []string{"info image-platform: the program of the package runs on linux/arm64 only"}},
		"OneInstalled":  {"it installs all the same", &linter.Image{Runtime: true, Platform: "linux/amd64"}, true, nil},
		"NoRuntime":     {"a package without a program is for all machines", &linter.Image{Platform: "linux/amd64", Entries: []linter.ImageEntry{amd}}, false, nil},
		"Partial":       {"no dependency is resolved to it", &linter.Image{Tag: "v1"}, false, []string{`warning image-tag: the tag "v1" is a partial version, which no dependency is resolved to (v1.2.3 is expected)`}},
		"Latest":        {"nor to this one", &linter.Image{Tag: "latest"}, false, []string{`warning image-tag: the tag "latest" is not a semantic version, so that no dependency is resolved to it (v1.2.3 is expected)`}},
		"Prerelease":    {"a pre-release is a version", &linter.Image{Tag: "v1.0.0-rc.1"}, false, nil},
		"Itself":        {"the image tells that a dependency is the package itself, under another name of its registry", &linter.Image{Source: "index.docker.io/example/self"}, true, []string{`error dependency-itself: "example/self" is the package itself`}},
		"Other":         {"and that one of its name is not", &linter.Image{Source: "example.org/other"}, true, nil},
		"NoSource":      {"what is no repository is not known", &linter.Image{Source: "Hello World"}, true, []string{`warning dependency-itself: "example/self" has the kind and the name of the package itself`}},
	}
	const text = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: self
spec:
  dependsOn:
  - configuration: example/self
    version: v1.0.0
`
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(text), nil))
			if err != nil {
				t.Fatal(err)
			}
			o := &linter.Options{Rules: rules.Suite(), Image: tc.image, Profile: linter.Publish}
			if tc.install {
				o.Profile = linter.Install
			}
			found, err := linter.Run(t.Context(), pkg, o)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range found {
				if d.Rule == "dependency-itself" && (tc.image == nil || tc.image.Source == "") ||
					d.Rule != "dependency-itself" && d.Object != (linter.ObjectRef{}) {
					continue // of the package, not of its image
				}
				got = append(got, d.Severity.String()+" "+d.Rule+": "+d.Message)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestImagesSkipped: without an image the rules about images have not passed.
func TestImagesSkipped(t *testing.T) {
	r, err := linter.Text(t.Context(), "crossplane.yaml", []byte("apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: a}\n"), &linter.Options{Rules: rules.Suite()})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Skipped {
		if s.Reason == "is for a package from an image" {
			got = append(got, s.Rule)
		}
	}
	if diff := cmp.Diff([]string{"image-base", "image-overwritten", "image-platform", "image-tag"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
