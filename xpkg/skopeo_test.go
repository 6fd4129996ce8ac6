package xpkg_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// The tests here have a second client write what ours reads, and read what ours
// writes: skopeo, which shares no code with go-containerregistry.

// skopeo runs it, away from what the user of this machine has configured, and
// returns what it prints.
func skopeo(t testing.TB, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	args = append([]string{"--insecure-policy", "--registries.d", dir, "--registries-conf", writeTemp(t, "registries.conf", nil), "--tmpdir", dir}, args...)
	cmd := exec.CommandContext(t.Context(), peer(t, "skopeo"), args...)
	// As root it would remember in the system's files which registry has which
	// blob, and copy less next time.
	cmd.Env = []string{"HOME=" + dir, "_CONTAINERS_ROOTLESS_UID=1000"}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("skopeo %s: %v: %s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String()
}

// skopeoCopy copies between places that need no TLS.
func skopeoCopy(t testing.TB, from, to string, flags ...string) {
	t.Helper()
	skopeo(t, slices.Concat([]string{"copy", "--src-tls-verify=false", "--dest-tls-verify=false"}, flags, []string{from, to})...)
}

// configured gives an image the configuration that other tools insist on.
func configured(i *testImage) *testImage {
	var diffIDs []string
	for _, l := range i.layers {
		diffIDs = append(diffIDs, digestOf(gunzipped(l.blob)).String())
	}
	i.config = mustJSON(map[string]any{
		"architecture": "amd64", "os": "linux",
		"rootfs": map[string]any{"type": "layers", "diff_ids": diffIDs},
	})
	return i
}

// checkDigest holds the digest of an image against what it should be.
func checkDigest(t *testing.T, img *xpkg.Image, want string) {
	t.Helper()
	if got, err := img.Digest(t.Context()); err != nil || got != want {
		t.Errorf("got the digest %s (%v), want %s", got, err, want)
	}
}

func TestSkopeoReadsWhatWasPushed(t *testing.T) {
	t.Parallel()
	peer(t, "skopeo")
	r := startDockerRegistry(t, registrySetup{})
	content := file{name: "package.yaml", content: packageYAML}
	lower := layerOf(file{name: "package.yaml", content: "no: package\n"})
	cases := []struct {
		name, reason string
		image        v1.Image
		method       xpkg.Method // where the manifest is kept
		docker       xpkg.Method // where it is not
	}{
		{"built", "its labels name the layer by the digest of its content as well, which it keeps in a docker tar", sample(), xpkg.MethodAnnotation, xpkg.MethodLabel},
		{"marked", "the upper layer is not the package", configured(imageOf(baseOf(content), layerOf(file{name: "a", content: "b"}))).image(t), xpkg.MethodAnnotation, xpkg.MethodFlattened},
		{"flattened", "the upper layer counts", configured(imageOf(lower, layerOf(content))).image(t), xpkg.MethodFlattened, xpkg.MethodFlattened},
	}
	for n, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ref := r.push(t, fmt.Sprintf("org/package:v%d", n), c.image)
			manifest, err := c.image.RawManifest()
			if err != nil {
				t.Fatal(err)
			}
			if got := skopeo(t, "inspect", "--tls-verify=false", "--raw", "docker://"+ref); got != string(manifest) {
				t.Errorf("skopeo sees the manifest %s, want %s", got, manifest)
			}
			dir := t.TempDir()
			for _, to := range []struct {
				transport, path, more string
				method                xpkg.Method
			}{
				{"oci", filepath.Join(dir, "layout"), ":v1", c.method},
				{"oci-archive", filepath.Join(dir, "oci.tar"), ":v1", c.method},
				{"docker-archive", filepath.Join(dir, "docker.tar"), ":org/package:v1", c.docker},
			} {
				skopeoCopy(t, "docker://"+ref, to.transport+":"+to.path+to.more)
				img, err := xpkg.OpenFile(t.Context(), to.path, nil)
				want{content: packageYAML, method: to.method}.check(t, img, err)
				if to.transport != "docker-archive" {
					checkDigest(t, img, digestOf(manifest).String())
				}
			}
		})
	}
	tags, err := r.client.Tags(t.Context(), parseSource(t, r.host+"/org/package"))
	if err != nil {
		t.Fatal(err)
	}
	var seen struct{ Tags []string }
	if err := json.Unmarshal([]byte(skopeo(t, "list-tags", "--tls-verify=false", "docker://"+r.host+"/org/package")), &seen); err != nil {
		t.Fatal(err)
	}
	slices.Sort(seen.Tags)
	if !slices.Equal(tags, seen.Tags) || len(tags) != len(cases) {
		t.Errorf("got the tags %q, skopeo sees %q, want %d", tags, seen.Tags, len(cases))
	}
}

func TestSkopeoPushesWhatWasBuilt(t *testing.T) {
	t.Parallel()
	peer(t, "skopeo")
	r := startDockerRegistry(t, registrySetup{})
	built := sample()
	manifest, err := built.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	digest, err := built.Digest()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ociTar, dockerTar := filepath.Join(dir, "oci.xpkg"), filepath.Join(dir, "docker.xpkg")
	for path, format := range map[string]build.Format{ociTar: build.OCI, dockerTar: build.Docker} {
		if err := build.WriteFile(t.Context(), path, built, format); err != nil {
			t.Fatal(err)
		}
	}
	layout := untar(t, ociTar)
	cases := []struct {
		name, reason string
		from         string
		flags        []string
		kept         bool // the manifest and the layer's bytes
		method       xpkg.Method
	}{
		{"layout", "an OCI layout", "oci:" + layout, nil, true, xpkg.MethodAnnotation},
		{"archive", "the same in a tar", "oci-archive:" + ociTar, nil, true, xpkg.MethodAnnotation},
		{"preserved", "skopeo would fail if it had to change anything", "oci-archive:" + ociTar, []string{"--preserve-digests"}, true, xpkg.MethodAnnotation},
		{"docker tar", "it has no manifest to keep, and skopeo compresses anew", "docker-archive:" + dockerTar, nil, false, xpkg.MethodFlattened},
		{"zstd", "another blob with the same content, whose annotation some versions lose", "oci-archive:" + ociTar, []string{"--dest-compress-format", "zstd"}, false, ""},
		{"schema 2", "a docker manifest has no place for annotations", "oci-archive:" + ociTar, []string{"--format", "v2s2"}, false, xpkg.MethodFlattened},
	}
	for n, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			// Of its own, for what a repository has already is not sent again.
			ref := fmt.Sprintf("%s/org/package-%d:v1", r.host, n)
			skopeoCopy(t, c.from, "docker://"+ref, c.flags...)
			img, err := r.client.Image(t.Context(), ref, nil)
			want{content: packageYAML, method: c.method}.check(t, img, err)
			layers, err := img.Layers(t.Context())
			if err != nil || len(layers) != 1 {
				t.Fatalf("got %d layers (%v), want one", len(layers), err)
			}
			if strings.HasSuffix(layers[0].MediaType, "+zstd") != (c.name == "zstd") {
				t.Errorf("the layer is %s", layers[0].MediaType)
			}
			if c.kept {
				checkDigest(t, img, digest.String())
				if layers[0].Digest != manifest.Layers[0].Digest.String() {
					t.Errorf("got the base layer %s, want %s", layers[0].Digest, manifest.Layers[0].Digest)
				}
			}
		})
	}
}

// untar writes the files of a tar to a directory.
func untar(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dir := t.TempDir()
	in := tar.NewReader(f)
	for {
		h, err := in.Next()
		if err == io.EOF {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSkopeoCopiesIndexes(t *testing.T) {
	t.Parallel()
	peer(t, "skopeo")
	r := startDockerRegistry(t, registrySetup{})
	// Skopeo knows no attestations: to it they are images like others.
	x := index().add(configured(variant("amd")), "linux/amd64", nil).add(configured(variant("arm")), "linux/arm64", nil).attestation()
	ref := r.pushIndex(t, "org/package:v1", x)
	arm := &xpkg.Options{Platform: &v1.Platform{OS: "linux", Architecture: "arm64"}}
	check := func(img *xpkg.Image, err error, name string) {
		t.Helper()
		want{content: "# " + name + "\n" + packageYAML, method: xpkg.MethodAnnotation}.check(t, img, err)
		if got := img.IndexDigest(); got != digestOf(x.raw()).String() {
			t.Errorf("got the index %q, want %s", got, digestOf(x.raw()))
		}
	}
	layout, archive := filepath.Join(t.TempDir(), "layout"), filepath.Join(t.TempDir(), "oci.tar")
	skopeoCopy(t, "docker://"+ref, "oci:"+layout+":v1", "--all", "--preserve-digests")
	skopeoCopy(t, "docker://"+ref, "oci-archive:"+archive+":v1", "--all", "--preserve-digests")
	for _, path := range []string{layout, archive} {
		for name, o := range map[string]*xpkg.Options{"amd": nil, "arm": arm} {
			img, err := xpkg.OpenFile(t.Context(), path, o)
			check(img, err, name)
		}
	}
	skopeoCopy(t, "oci:"+layout+":v1", "docker://"+r.host+"/org/copied:v1", "--all", "--preserve-digests")
	for name, o := range map[string]*xpkg.Options{"amd": nil, "arm": arm} {
		img, err := r.client.Image(t.Context(), r.host+"/org/copied:v1", o)
		check(img, err, name)
	}
	// Without --all one of the images is copied, and the index is not.
	one := filepath.Join(t.TempDir(), "one")
	skopeo(t, "--override-arch", "arm64", "--override-os", "linux", "copy", "--src-tls-verify=false", "docker://"+ref, "oci:"+one+":v1")
	img, err := xpkg.OpenFile(t.Context(), one, nil)
	want{content: "# arm\n" + packageYAML}.check(t, img, err)
	checkDigest(t, img, x.images[1].digest().String())
}

func TestSkopeoDeletes(t *testing.T) {
	t.Parallel()
	peer(t, "skopeo")
	r := startDockerRegistry(t, registrySetup{})
	ref := r.push(t, "org/package:v1", pkg().image(t))
	skopeo(t, "delete", "--tls-verify=false", "docker://"+ref)
	_, err := r.client.Image(t.Context(), ref, nil)
	checkError(t, err, meta.ErrNotFound, ref)
}

// A Client without a keychain uses what podman and skopeo log in with. Not
// parallel, for the environment is everybody's.
func TestSkopeoLogsIn(t *testing.T) {
	peer(t, "skopeo")
	r := startDockerRegistry(t, registrySetup{auth: true, tls: true})
	logins := filepath.Join(t.TempDir(), "auth.json")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	t.Setenv("REGISTRY_AUTH_FILE", logins)
	ref := r.host + "/org/package:v1"
	_, err := (&xpkg.Client{Transport: r.transport}).Push(t.Context(), ref, sample())
	checkError(t, err, meta.ErrUnauthorized, r.host)

	skopeo(t, "login", "--authfile", logins, "--cert-dir", r.certs, "--username", registryUser, "--password", registryPassword, r.host)
	c := &xpkg.Client{Transport: r.transport}
	if _, err := c.Push(t.Context(), ref, sample()); err != nil {
		t.Fatal(err)
	}
	if got, err := get(t, c, ref); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	layout := filepath.Join(t.TempDir(), "layout")
	skopeo(t, "copy", "--src-authfile", logins, "--src-cert-dir", r.certs, "docker://"+ref, "oci:"+layout+":v1")
	img, err := xpkg.OpenFile(t.Context(), layout, nil)
	want{content: packageYAML, method: xpkg.MethodAnnotation}.check(t, img, err)
}
