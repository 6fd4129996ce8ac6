package main

import (
	"path/filepath"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
	"github.com/xpkg-go/sdk/xpkg"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"index": func() { cli.Main(newProgram()) }})
}

const configuration = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: sample
  annotations:
    meta.crossplane.io/license: Apache-2.0
spec:
  crossplane:
    version: ">=v1.14.0"
  dependsOn:
  - provider: acme.io/org/provider
    version: ">=v1.0.0"
---
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xapps.acme.io
spec:
  group: acme.io
  names: {kind: XApp, plural: xapps}
  claimNames: {kind: App, plural: apps}
  versions:
  - name: v1
    served: true
    referenceable: true
    schema:
      openAPIV3Schema: {type: object}
---
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: app
spec:
  compositeTypeRef: {apiVersion: acme.io/v1, kind: XApp}
  mode: Pipeline
  pipeline:
  - step: one
    functionRef: {name: function-one}
`

// The scripts call index as a user does and look at what it prints, at its exit code and
// at what is left behind.
func TestScripts(t *testing.T) {
	r := newRegistry(t)
	repository := r.host + "/org/sample"
	img := clitest.Image(t, configuration)
	for _, tag := range []string{"v1.0.0", "v1.1.0"} {
		if _, err := (&xpkg.Client{}).Push(t.Context(), repository+":"+tag, img); err != nil {
			t.Fatal(err)
		}
	}
	arm := mutate.Annotations(img, map[string]string{"for": "arm"}).(v1.Image)
	r.put(t, "org/sample", "", arm)
	r.put(t, "org/sample", "v2.0.0", mutate.AppendManifests(empty.Index,
		mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "amd64"}}},
		mutate.IndexAddendum{Add: arm, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "arm64", Variant: "v8"}}},
	))
	digest, err := img.Digest()
	if err != nil {
		t.Fatal(err)
	}
	r.put(t, "org/sample", "sha256-"+digest.Hex+".sig", mutate.Annotations(empty.Image, map[string]string{"of": digest.Hex}).(v1.Image))
	for suffix, kind := range map[string]types.MediaType{".att": "application/vnd.dsse.envelope.v1+json", ".sbom": "text/spdx+json"} {
		about, err := mutate.AppendLayers(empty.Image, static.NewLayer([]byte(digest.Hex), kind))
		if err != nil {
			t.Fatal(err)
		}
		r.put(t, "org/sample", "sha256-"+digest.Hex+suffix, about)
	}
	mediaType, err := img.MediaType()
	if err != nil {
		t.Fatal(err)
	}
	for _, artifact := range []string{"application/vnd.cncf.notary.signature", "application/spdx+json"} {
		about := mutate.ConfigMediaType(empty.Image, types.MediaType(artifact))
		r.put(t, "org/sample", "", mutate.Subject(about, v1.Descriptor{MediaType: mediaType, Digest: digest, Size: 1}).(v1.Image))
	}
	clitest.Push(t, r.host+"/org/faulty:v1.0.0", "apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: faulty}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n")
	r.put(t, "org/image", "v1.0.0", empty.Image)
	list := filepath.Join(t.TempDir(), "references.txt")
	write(t, list, "\uFEFF# references\n"+repository+":v1.0.0   # the same as an argument\r\n\n"+
		repository+":v1.1.0\n"+repository+"@"+digest.String()+"\n\t"+repository+":v9.0.0")
	clitest.Run(t, map[string]string{"REGISTRY": r.host, "DIGEST": digest.String(), "LIST": list})
}
