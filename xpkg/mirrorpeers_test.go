package xpkg_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// What is mirrored from the registry of the distribution project, to another repository
// of it and into a layout, another client reads, with what is attached to it.
func TestMirrorWithPeers(t *testing.T) {
	t.Parallel()
	peer(t, "skopeo")
	r := startDockerRegistry(t, registrySetup{})
	x := index()
	amd, arm := platformed("linux", "amd64", "amd"), platformed("linux", "arm64", "arm")
	x.add(amd, "linux/amd64", nil).add(arm, "linux/arm64", nil)
	r.pushIndex(t, "org/provider:v1.0.0", x)
	digest := digestOf(x.raw()).String()
	// A signature as cosign keeps it, and one that refers to the index: this registry has
	// no endpoint for those, so its client lists it under a tag.
	signature := configured(imageOf(layerOf(file{name: "signature", content: "of the index"})))
	r.push(t, "org/provider:"+strings.Replace(digest, ":", "-", 1)+".sig", signature.image(t))
	bundle := configured(imageOf(layerOf(file{name: "bundle", content: "of the index"})))
	bundle.extra = map[string]any{
		"artifactType": "application/vnd.dev.sigstore.bundle.v0.3+json",
		"subject":      map[string]any{"mediaType": types.OCIImageIndex, "digest": digest, "size": len(x.raw())},
	}
	d, under := r.repository(t, "org/provider"), strings.Replace(digest, ":", "-", 1)
	for _, blob := range [][]byte{bundle.layers[0].blob, bundle.config} {
		if _, err := d.PutBlob(t.Context(), digestOf(blob).String(), int64(len(blob)), opening(blob)); err != nil {
			t.Fatal(err)
		}
	}
	list := indexJSON(entryOf(bundle.manifest(), bundle.mediaType(), "", nil))
	for _, put := range []struct {
		name string
		raw  []byte
	}{{bundle.digest().String(), bundle.manifest()}, {under, list}} {
		m, err := xpkg.NewRawManifest(put.raw, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := d.PutManifest(t.Context(), put.name, m); err != nil {
			t.Fatal(err)
		}
	}

	ref, err := meta.ParseReference(r.host + "/org/provider:v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	refs := []meta.Reference{ref}
	file, dir := filepath.Join(t.TempDir(), "mirror.tar"), filepath.Join(t.TempDir(), "mirror")
	rules := mirror.Below(r.host+"/m", refs...)
	for name, to := range map[string]*mirror.Target{"registry": mirror.ToRegistries(r.client, rules), "file": mirror.ToFile(file), "directory": mirror.ToDirectory(dir)} {
		result, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(r.client), to, nil)
		if err != nil || result.Copied != 1 || len(result.Lock.Entries[0].Attached) != 2 {
			t.Fatalf("%s: got %+v (%v)", name, result, err)
		}
	}
	// Whoever pulls by the declared name, by the rules of the mirror, gets it from there.
	c := &xpkg.Client{Transport: r.requests, Registries: meta.Registries{Rewrites: rules}}
	r.requests.took()
	img, err := c.Image(t.Context(), ref.String(), nil)
	want{content: packageYAML, method: xpkg.MethodAnnotation}.check(t, img, err)
	if img.IndexDigest() != digest {
		t.Errorf("got the index %s, want %s", img.IndexDigest(), digest)
	}
	mirrored := strings.TrimPrefix(rules[0].To, r.host+"/") + "org/provider"
	for _, from := range []string{"docker://" + r.host + "/" + mirrored + ":v1.0.0", "oci-archive:" + file + ":" + ref.Name(), "oci:" + dir + ":" + ref.Name()} {
		if got := skopeo(t, "inspect", "--tls-verify=false", "--raw", from); got != string(x.raw()) {
			t.Errorf("%s: skopeo sees %s, want %s", from, got, x.raw())
		}
	}
	if got := skopeo(t, "inspect", "--tls-verify=false", "--raw", "docker://"+r.host+"/"+mirrored+":"+strings.Replace(digest, ":", "-", 1)+".sig"); got != string(signature.manifest()) {
		t.Errorf("the signature is %s", got)
	}
	m, err := r.repository(t, mirrored).Referrers(t.Context(), digest)
	if err != nil || m == nil || !strings.Contains(string(m.Raw), bundle.digest().String()) {
		t.Errorf("got the referrers %+v (%v)", m, err)
	}
	// Out of the layout and into a registry by the other client, with all platforms.
	skopeoCopy(t, "oci:"+dir+":"+ref.Name(), "docker://"+r.host+"/by/skopeo:v1.0.0", "--all")
	if got, err := r.repository(t, "by/skopeo").Digest(t.Context(), "v1.0.0"); err != nil || got != digest {
		t.Errorf("got %s, want %s (%v)", got, digest, err)
	}
}

// repository is a repository of the registry, to be written.
func (r *dockerRegistry) repository(t *testing.T, name string) *xpkg.Repository {
	t.Helper()
	d, err := r.client.Destination(parseSource(t, r.host+"/"+name))
	if err != nil {
		t.Fatal(err)
	}
	return d
}
