package xpkg_test

import (
	"bytes"
	"encoding/json"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// FuzzManifest holds what Detect reads out of a manifest against what
// go-containerregistry does, wherever that accepts it: the layers that are marked
// as base layers, and whether there are any.
func FuzzManifest(f *testing.F) {
	for _, i := range []*testImage{pkg(), imageOf(), imageOf(layerOf(file{name: "x"})), imageOf(baseOf(file{name: "a"}), baseOf(file{name: "b"}))} {
		f.Add(i.manifest())
	}
	f.Add(index().image("a", "linux/amd64").attestation().raw())
	f.Add(index().raw())
	f.Add([]byte(`{"schemaVersion":1,"fsLayers":[]}`))
	f.Add([]byte(`{"layers":[{"size":-1}],"mediaType":7}`))
	f.Add(append(imageOf().manifest(), ','))
	f.Fuzz(executions.Many(func(t *testing.T, raw []byte) {
		got := xpkg.Detect(raw)
		if again := xpkg.Detect(raw); again.Answer != got.Answer {
			t.Errorf("got %s and then %s", got.Answer, again.Answer)
		}
		if (got.Err != nil) != (got.Answer == xpkg.DetectedNo) {
			t.Errorf("got %s with the error %v", got.Answer, got.Err)
		}
		if got.Err != nil {
			switch meta.Code(got.Err) {
			case "invalid", "not-a-package":
			default:
				t.Errorf("got the error %v of the category %s", got.Err, meta.Code(got.Err))
			}
		}
		if !json.Valid(raw) { // the others read as far as the first value
			return
		}
		m, err := v1.ParseManifest(bytes.NewReader(raw))
		idx, notIndex := v1.ParseIndexManifest(bytes.NewReader(raw))
		if err != nil || notIndex != nil || len(idx.Manifests) > 0 || len(m.Layers) == 0 {
			return
		}
		bases := 0
		for _, l := range m.Layers {
			if l.Digest == (v1.Hash{}) || l.Size < 0 || l.MediaType == "application/vnd.in-toto+json" {
				return
			}
			if l.Annotations[xpkg.AnnotationKey] == xpkg.BaseAnnotation {
				bases++
			}
		}
		want := map[int]xpkg.Answer{0: xpkg.DetectedMaybe, 1: xpkg.DetectedYes}[bases]
		if bases > 1 {
			want = xpkg.DetectedNo
		}
		if got.Answer != want && !bytes.Contains(bytes.ToLower(raw), []byte("manifests")) {
			t.Errorf("got %s (%v), want %s for %d base layers", got.Answer, got.Err, want, bases)
		}
	}))
}
