package xpkg_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// variant is an image with a package of its own, so that a test sees which one
// was chosen.
func variant(name string) *testImage {
	return imageOf(baseOf(file{name: "package.yaml", content: "# " + name + "\n" + packageYAML}))
}

// testIndex is an index under construction with all that it lists.
type testIndex struct {
	entries  []map[string]any
	children map[string]*testIndex // by digest of the nested index
	images   []*testImage
	missing  map[string]bool // digests that are listed and not there
}

func index() *testIndex {
	return &testIndex{children: map[string]*testIndex{}, missing: map[string]bool{}}
}

// image adds an image that is told apart by name.
func (x *testIndex) image(name, platform string) *testIndex {
	return x.add(variant(name), platform, nil)
}

func (x *testIndex) add(i *testImage, platform string, annotations map[string]string) *testIndex {
	x.images = append(x.images, i)
	x.entries = append(x.entries, entryOf(i.manifest(), i.mediaType(), platform, annotations))
	return x
}

// attestation adds what buildkit adds for each image.
func (x *testIndex) attestation() *testIndex {
	i := imageOf(testLayer{blob: fmt.Appendf(nil, `{"n": %d}`, len(x.entries)), mediaType: "application/vnd.in-toto+json"})
	return x.add(i, "unknown/unknown", map[string]string{"vnd.docker.reference.type": "attestation-manifest", "vnd.docker.reference.digest": "sha256:abc"})
}

// unmarkedAttestation adds an attestation that only its layers tell.
func (x *testIndex) unmarkedAttestation(platform string) *testIndex {
	i := imageOf(testLayer{blob: fmt.Appendf(nil, `{"n": %d}`, len(x.entries)), mediaType: "application/vnd.in-toto+json"})
	return x.add(i, platform, nil)
}

// odd sets a field of the last entry.
func (x *testIndex) odd(field string, value any) *testIndex {
	x.entries[len(x.entries)-1][field] = value
	return x
}

func (x *testIndex) nested(child *testIndex, platform string) *testIndex {
	raw := child.raw()
	x.children[digestOf(raw).String()] = child
	x.entries = append(x.entries, entryOf(raw, types.OCIImageIndex, platform, nil))
	return x
}

// lost lists an image that is not there.
func (x *testIndex) lost(name, platform string) *testIndex {
	i := variant(name)
	x.missing[i.digest().String()] = true
	return x.add(i, platform, nil)
}

func (x *testIndex) raw() []byte { return indexJSON(x.entries...) }

func (x *testIndex) blobs() map[string][]byte {
	all := map[string][]byte{digestOf(x.raw()).String(): x.raw()}
	for _, i := range x.images {
		for digest, b := range i.blobs() {
			if !x.missing[digest] {
				all[digest] = b
			}
		}
	}
	for _, child := range x.children {
		for digest, b := range child.blobs() {
			all[digest] = b
		}
	}
	return all
}

// put stores the index in a registry; tag "" is its digest.
func (x *testIndex) put(t *testing.T, r *testRegistry, tag string) string {
	for _, i := range x.images {
		r.put(t, "org/package:"+i.digest().String(), i)
	}
	for _, child := range x.children {
		child.put(t, r, "")
	}
	r.putManifest(t, "org/package", tag, types.OCIImageIndex, x.raw())
	for digest := range x.missing {
		r.on("GET manifests/"+digest, status(http.StatusNotFound))
	}
	r.took()
	return r.host + "/org/package:" + tag
}

func TestSelect(t *testing.T) {
	t.Parallel()
	arm := &v1.Platform{OS: "linux", Architecture: "arm64"}
	nestedDeep := index().image("deep", "linux/arm64")
	for range 60 {
		nestedDeep = index().nested(nestedDeep, "")
	}
	three := index().nested(index().nested(index().image("three", "linux/arm64"), ""), "")
	twin := imageOf(baseOf(file{name: "package.yaml", content: packageYAML}))
	plain := imageOf(layerOf(file{name: "package.yaml", content: packageYAML}))
	plain2 := &testImage{layers: plain.layers, config: []byte(`{"os":"linux"}`)}
	foreign := func(mediaType, artifactType string) *testIndex {
		x := index().image("foreign", "")
		if mediaType != "" {
			x.entries[0]["mediaType"] = mediaType
		}
		if artifactType != "" {
			x.entries[0]["artifactType"] = artifactType
		}
		return x
	}
	twin2 := &testImage{layers: twin.layers, config: []byte(`{"os":"linux"}`)}

	cases := []struct {
		name, reason string
		index        *testIndex
		platform     *v1.Platform
		chosen       string // name of the variant
		is           error
		not          xpkg.Reason
		says         []string
		saysNot      string
	}{
		{name: "one of any platform", reason: "one manifest is used whatever its platform", index: index().image("arm", "linux/arm64"), chosen: "arm"},
		{name: "one, another asked for", reason: "also when another platform was asked for", index: index().image("amd", "linux/amd64"), platform: arm, chosen: "amd"},
		{name: "one without a platform", reason: "one manifest without a platform", index: index().image("none", ""), chosen: "none"},
		{name: "one of the unknown platform", reason: "one manifest of the unknown platform is no attestation", index: index().image("unknown", "unknown/unknown"), chosen: "unknown"},
		{name: "other platforms", reason: "no linux/amd64: the platforms there are", index: index().image("arm", "linux/arm64").image("mac", "darwin/arm64"),
			is: meta.ErrNotFound, says: []string{"linux/amd64", "linux/arm64, darwin/arm64"}},
		{name: "other platforms, twice", reason: "each platform once, attestations counted",
			index: index().image("a", "linux/arm64").image("b", "linux/arm64").attestation().image("c", "linux/s390x").attestation(),
			is:    meta.ErrNotFound, says: []string{"it has linux/arm64, linux/s390x;", "2 attestations"}, saysNot: "unknown"},
		{name: "beside an attestation", reason: "an attestation is passed over", index: index().attestation().image("amd", "linux/amd64"), chosen: "amd"},
		{name: "another platform beside an attestation", reason: "one real image beside its attestation", index: index().image("arm", "linux/arm64").attestation(), chosen: "arm"},
		{name: "attestation, unmarked", reason: "in-toto layers tell an attestation that the index does not mark",
			index: index().image("arm", "linux/arm64").unmarkedAttestation("unknown/unknown"), chosen: "arm"},
		{name: "attestation, unmarked, first", reason: "wherever it stands",
			index: index().unmarkedAttestation("unknown/unknown").unmarkedAttestation("unknown/unknown").image("arm", "linux/arm64"), chosen: "arm"},
		{name: "attestation, of a platform", reason: "whatever platform the index gives it",
			index: index().unmarkedAttestation("linux/amd64").image("arm", "linux/arm64"), chosen: "arm"},
		{name: "attestation, of no platform", reason: "or none",
			index: index().unmarkedAttestation("").image("arm", "linux/arm64"), chosen: "arm"},
		{name: "attestation, nested", reason: "in an index within the index as well",
			index: index().image("arm", "linux/arm64").nested(index().unmarkedAttestation("unknown/unknown"), ""), chosen: "arm"},
		{name: "attestation alone, unmarked", reason: "and alone it is no package", index: index().unmarkedAttestation("unknown/unknown"),
			is: meta.ErrNotPackage, not: xpkg.ReasonOnlyAttestations, says: []string{"the only manifest", "attestation"}},
		{name: "unknown platform, image", reason: "the platform alone makes no attestation, so there are two images to choose from",
			index: index().image("other", "unknown/unknown").image("arm", "linux/arm64"), is: meta.ErrNotFound, says: []string{"unknown/unknown, linux/arm64"}},
		{name: "unknown platform, asked", reason: "it can be asked for", index: index().image("other", "unknown/unknown").image("arm", "linux/arm64"),
			platform: &v1.Platform{OS: "unknown", Architecture: "unknown"}, chosen: "other"},
		{name: "artifact, unmarked", reason: "a manifest with the configuration of something else, beside an image, is none",
			index: index().add(&testImage{layers: []testLayer{{blob: []byte("chart")}}, extra: map[string]any{"config": map[string]any{
				"mediaType": "application/vnd.cncf.helm.config.v1+json", "digest": digestOf([]byte("{}")), "size": 2}}}, "", nil).image("arm", "linux/arm64"), chosen: "arm"},
		{name: "artifact, of a platform", reason: "or with an artifact type",
			index: index().add(&testImage{layers: []testLayer{{blob: []byte("sig")}}, extra: map[string]any{"artifactType": "application/vnd.example.sig"}}, "linux/amd64", nil).
				image("arm", "linux/arm64"), chosen: "arm"},
		{name: "artifact type on a package", reason: "a marked layer says that it is a package all the same",
			index: index().add(&testImage{layers: variant("typed").layers, extra: map[string]any{"artifactType": "application/vnd.crossplane.package"}}, "linux/amd64", nil).
				image("arm", "linux/arm64"), chosen: "typed"},
		{name: "default variant", reason: "arm64 is arm64/v8", index: index().image("amd", "linux/amd64").image("arm", "linux/arm64"),
			platform: &v1.Platform{OS: "linux", Architecture: "arm64", Variant: "v8"}, chosen: "arm"},
		{name: "other variant", reason: "and not arm64/v9", index: index().image("amd", "linux/amd64").image("arm", "linux/arm64"),
			platform: &v1.Platform{OS: "linux", Architecture: "arm64", Variant: "v9"}, is: meta.ErrNotFound, says: []string{"linux/arm64/v9", "linux/amd64, linux/arm64"}},
		{name: "unknown platform beside an attestation", reason: "one image of the unknown platform beside its attestation is used", index: index().image("only", "unknown/unknown").attestation(), chosen: "only"},
		{name: "behind one without a platform", reason: "linux/amd64 and not one without a platform", index: index().image("none", "").image("amd", "linux/amd64"), chosen: "amd"},
		{name: "empty", reason: "an index must list a manifest", index: index(), is: meta.ErrNotPackage, not: xpkg.ReasonNoManifest, says: []string{"no manifest"}},
		{name: "nested", reason: "nested single indexes are one manifest", index: three, chosen: "three"},
		{name: "nested too deep", reason: "nesting is bounded", index: nestedDeep, is: meta.ErrLimit, says: []string{"8 levels"}},
		{name: "variant", reason: "a variant satisfies the platform without one", index: index().image("arm", "linux/arm64").image("v3", "linux/amd64/v3"), chosen: "v3"},
		{name: "variant asked for", reason: "a variant that is asked for must be there", index: index().image("plain", "linux/arm").image("v6", "linux/arm/v6").image("v7", "linux/arm/v7"),
			platform: &v1.Platform{OS: "linux", Architecture: "arm", Variant: "v7"}, chosen: "v7"},
		{name: "os.version", reason: "so must a version of the system", index: index().image("old", "windows/amd64:10.0.1").image("new", "windows/amd64:10.0.2"),
			platform: &v1.Platform{OS: "windows", Architecture: "amd64", OSVersion: "10.0.2"}, chosen: "new"},
		{name: "any system", reason: "an empty field matches anything", index: index().image("amd", "linux/amd64").image("mac", "darwin/arm64"),
			platform: &v1.Platform{Architecture: "arm64"}, chosen: "mac"},
		{name: "any system missing", reason: "and has a name in errors", index: index().image("amd", "linux/amd64").image("mac", "darwin/arm64"),
			platform: &v1.Platform{Architecture: "s390x"}, is: meta.ErrNotFound, says: []string{"*/s390x"}},
		{name: "first", reason: "the first of several that match, as OCI says", index: index().image("one", "linux/amd64").image("two", "linux/amd64"), chosen: "one"},
		{name: "missing", reason: "the digest of what is missing is told", index: index().image("arm", "linux/arm64").lost("amd", "linux/amd64"),
			is: meta.ErrNotFound, says: []string{variant("amd").digest().String()}},
		{name: "only an attestation", reason: "an attestation is no package", index: index().attestation(), is: meta.ErrNotPackage, not: xpkg.ReasonOnlyAttestations, says: []string{"the only manifest", "attestation"}},
		{name: "only attestations", reason: "nor are two", index: index().attestation().attestation(), is: meta.ErrNotPackage, not: xpkg.ReasonOnlyAttestations, says: []string{"all 2"}},
		{name: "nested beside", reason: "an index within the index counts as what it lists",
			index: index().image("arm", "linux/arm64").nested(index().image("amd", "linux/amd64").image("mac", "darwin/amd64"), ""), chosen: "amd"},
		{name: "nested attestations", reason: "attestations in it do not count", index: index().image("arm", "linux/arm64").nested(index().attestation(), ""), chosen: "arm"},
		{name: "nested empty", reason: "an empty index in an index", index: index().nested(index(), ""), is: meta.ErrNotPackage, not: xpkg.ReasonNoManifest},
		{name: "same twice", reason: "one digest is one image", index: index().image("arm", "linux/arm64").image("arm", "linux/arm64"), chosen: "arm"},
		{name: "no platforms, same package", reason: "what a push of two Configurations writes", index: index().add(twin, "", nil).add(twin2, "", nil), chosen: "*"},
		{name: "no platforms, other packages", reason: "nothing says which one", index: index().image("a", "").image("b", ""),
			is: meta.ErrNotFound, says: []string{"without a platform", variant("a").digest().String(), variant("b").digest().String()}},
		{name: "no platforms, unmarked", reason: "the same layers are the same package, marked or not", index: index().add(plain, "", nil).add(plain2, "", nil), chosen: "*"},
		{name: "no platforms, unmarked others", reason: "other layers may hold the same package, which nobody has said",
			index: index().add(plain, "", nil).add(imageOf(layerOf(file{name: "package.yaml", content: "# b\n" + packageYAML})), "", nil),
			is:    meta.ErrNotFound, says: []string{"not all are marked"}, saysNot: "different packages"},
		{name: "other platforms, same package", reason: "where the base layer is the same the platform does not matter",
			index: index().add(twin, "linux/arm64", nil).add(twin2, "darwin/arm64", nil), chosen: "*"},
		{name: "other platforms, one broken", reason: "what there is to choose from is told",
			index: index().image("arm", "linux/arm64").lost("mac", "darwin/arm64"), is: meta.ErrNotFound, says: []string{"it has linux/arm64, darwin/arm64"}},
		{name: "foreign media type", reason: "what is neither image nor index does not count", index: foreign("application/vnd.example+json", "").image("arm", "linux/arm64"), chosen: "arm"},
		{name: "foreign artifact", reason: "nor what says that it is something else", index: foreign("", "application/vnd.dev.cosign.artifact.sig.v1+json").image("arm", "linux/arm64"), chosen: "arm"},
		{name: "artifact type of an image", reason: "an image may name the type of its configuration",
			index: foreign("", "application/vnd.oci.image.config.v1+json").image("arm", "linux/arm64"), platform: arm, chosen: "arm"},
		{name: "asked", reason: "the platform that was asked for", index: index().image("amd", "linux/amd64").image("arm", "linux/arm64"), platform: arm, chosen: "arm"},
	}
	check := func(t *testing.T, img *xpkg.Image, err error, i int) {
		t.Helper()
		c := cases[i]
		if c.is != nil {
			checkError(t, err, c.is, c.says...)
			var not *xpkg.NotPackageError
			if errors.As(err, &not); c.not != "" && (not == nil || not.Reason != c.not) {
				t.Errorf("got %#v, want the reason %q", err, c.not)
			}
			if c.saysNot != "" {
				checkSaysNot(t, err, c.saysNot)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		want := "# " + c.chosen + "\n" + packageYAML
		if c.chosen == "*" {
			want = packageYAML
		}
		if got, err := read(t, img); err != nil || got != want {
			t.Errorf("got %q (%v), want the package of %s: %s", got, err, c.chosen, c.reason)
		}
	}
	for i, c := range cases {
		o := &xpkg.Options{Platform: c.platform}
		t.Run(c.name, func(t *testing.T) {
			if c.name != "nested too deep" { // would need many requests to store
				t.Run("registry", func(t *testing.T) {
					r := newRegistry(t)
					ref := c.index.put(t, r, "v1")
					img, err := r.client().Image(t.Context(), ref, o)
					if n := len(r.took()); n > 40 {
						t.Errorf("%d requests", n)
					}
					check(t, img, err, i)
				})
			}
			dir := writeLayout(t, c.index.blobs(), c.index.entries...)
			t.Run("layout", func(t *testing.T) {
				img, err := xpkg.OpenFile(t.Context(), dir, o)
				check(t, img, err, i)
			})
			t.Run("Select", func(t *testing.T) {
				idx, err := layout.ImageIndexFromPath(dir)
				if err != nil {
					t.Fatal(err)
				}
				var img *xpkg.Image
				chosen, err := xpkg.Select(t.Context(), idx, c.platform)
				if err == nil {
					img = xpkg.Open(chosen, nil)
				}
				check(t, img, err, i)
			})
		})
	}
}

func checkSaysNot(t *testing.T, err error, text string) {
	t.Helper()
	if strings.Contains(err.Error(), text) {
		t.Errorf("got the error %q, want it not to say %q", err, text)
	}
}

func TestWhatWasChosen(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	x := index().image("arm", "linux/arm64").image("amd", "linux/amd64")
	ref := x.put(t, r, "v1")
	img, err := r.client().Image(t.Context(), ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := img.Digest(t.Context())
	if want := variant("amd").digest().String(); err != nil || digest != want {
		t.Errorf("got the digest %s (%v), want %s", digest, err, want)
	}
	if want := digestOf(x.raw()).String(); img.IndexDigest() != want {
		t.Errorf("got the index %s, want %s", img.IndexDigest(), want)
	}
	if got := img.Platform().String(); got != "linux/amd64" {
		t.Errorf("got the platform %s", got)
	}
	if img.Reference() != ref {
		t.Errorf("got the reference %s, want %s", img.Reference(), ref)
	}
	if want := []string{"GET manifests/v1", "GET manifests/" + digest}; !slices.Equal(r.took(), want) {
		t.Errorf("want the requests %q", want)
	}
}

func TestWhatIsNoImage(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, reason string
		mediaType    types.MediaType
		raw          string
		is           error
		says         string
	}{
		{"docker schema 1", "docker schema 1", types.DockerManifestSchema1Signed, `{"schemaVersion":1,"name":"x","tag":"v1","fsLayers":[{"blobSum":"sha256:abc"}]}`, meta.ErrNotPackage, "schema 1"},
		{"artifact", "an artifact manifest has no layers", "application/vnd.oci.artifact.manifest.v1+json", `{"mediaType":"application/vnd.oci.artifact.manifest.v1+json","blobs":[]}`, meta.ErrNotPackage, "artifact"},
		{"other", "another media type", "application/json", `{"mediaType":"application/vnd.example+json"}`, meta.ErrNotPackage, "vnd.example"},
		{"both", "an index and an image at once", types.OCIManifestSchema1, `{"schemaVersion":2,"manifests":[],"layers":[]}`, meta.ErrInvalid, "both"},
		{"html", "a captive portal", "text/html", `<html>please pay</html>`, meta.ErrInvalid, "JSON"},
		{"digest", "a layer without a digest", types.OCIManifestSchema1, `{"layers":[{"size":1}]}`, meta.ErrInvalid, "layers[0]"},
		{"bad digest", "a layer with a digest that is none", types.OCIManifestSchema1, `{"layers":[{"size":1,"digest":"sha256:../../x"}]}`, meta.ErrInvalid, "JSON"},
		{"size", "a layer of a negative size", types.OCIManifestSchema1, `{"layers":[{"size":-1,"digest":"` + digestOf(nil).String() + `"}]}`, meta.ErrInvalid, "-1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			r.on("GET manifests/v1", serve(string(c.mediaType), []byte(c.raw)))
			_, err := r.client().Image(t.Context(), r.host+"/org/package:v1", nil)
			checkError(t, err, c.is, c.says, r.host)
		})
	}
}

func TestImagesThatAreNoPackages(t *testing.T) {
	t.Parallel()
	img, err := random.Image(100, 3)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := img.Layers()
	if err != nil {
		t.Fatal(err)
	}
	_, err = xpkg.Open(img, nil).Package(t.Context())
	checkError(t, err, meta.ErrNotPackage, "no package.yaml", "3 layers")
	for _, l := range layers {
		digest, err2 := l.Digest()
		if err2 != nil {
			t.Fatal(err2)
		}
		checkError(t, err, meta.ErrNotPackage, digest.String()) // Which layers were looked at
	}
	_, err = xpkg.Open(empty.Image, nil).Package(t.Context())
	checkError(t, err, meta.ErrNotPackage, "no layers")
}

func TestSelectReadsFew(t *testing.T) {
	t.Parallel()
	// Many indexes beside each other: an answer or an error within bounds.
	x := index()
	for n := range 100 {
		x.nested(index().image(fmt.Sprint(n), "linux/arm64"), "")
	}
	_, err := xpkg.OpenFile(t.Context(), writeLayout(t, x.blobs(), x.entries...), nil)
	checkError(t, err, meta.ErrLimit, "32 manifests")
}

// An index as large as a manifest may be, of images each of which has a platform
// of its own, is refused in a time that grows with its size and not with its
// square. Names that a terminal would act on are quoted.
func TestSelectFromAVeryLargeIndex(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"schemaVersion":2,"manifests":[`)
	for n := range 30_000 {
		fmt.Fprintf(&b, `{"digest":"sha256:%064x","platform":{"os":"\u001b[2J%d"}},`, n, n)
	}
	b.WriteString(`{"digest":"sha256:` + strings.Repeat("f", 64) + `"}]}`)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.json"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := xpkg.OpenFile(t.Context(), dir, nil)
	checkError(t, err, meta.ErrNotFound, `"\x1b[2J0"`, "and 29993 more")
	var platforms *xpkg.PlatformError
	if !errors.As(err, &platforms) || len(platforms.Have) != 30_001 || len(platforms.Digests) != 30_001 {
		t.Errorf("got %.100v", err)
	}
}

// Registries refuse such indexes; a layout may be anything.
func TestSelectOddDescriptors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		field  string
		value  any
	}{
		{"a platform that is none counts as none", "platform", "linux/arm64"},
		{"annotations that are none are none", "annotations", []string{"x"}},
		{"annotations may hold what is no text", "annotations", map[string]any{"vnd.docker.reference.type": 1}},
		{"a media type that is no text is none", "mediaType", 7},
		{"an artifact type that is no text is none", "artifactType", []int{1}},
		{"fields that nobody knows", "example.org/x", map[string]any{"y": 1}},
	} {
		x := index().image("only", "linux/amd64").odd(c.field, c.value)
		dir := writeLayout(t, x.blobs(), x.entries...)
		img, err := xpkg.OpenFile(t.Context(), dir, nil)
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		if _, err := img.Package(t.Context()); err != nil {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}
