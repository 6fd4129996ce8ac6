package xpkg_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// Every real package in which nothing is wrong is built, pushed, copied by another
// client to another repository, to a layout and back, and pulled: the same digest all
// the way, and the same documents, byte for byte.
func TestCorpusThroughRegistries(t *testing.T) {
	corpus := os.Getenv("XPKG_CORPUS")
	if corpus == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	peer(t, "skopeo")
	r := startDockerRegistry(t, registrySetup{})
	found, err := filepath.Glob(filepath.Join(corpus, "packages", "*", "crossplane.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for n, path := range found {
		root, err := os.OpenRoot(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := parser.Collect(parser.Dir(t.Context(), root, nil))
		root.Close()
		if err != nil {
			continue
		}
		result, err := linter.Check(t.Context(), pkg, nil, &linter.Options{Rules: rules.Suite()})
		if err != nil {
			t.Fatal(err)
		}
		if linter.MaxSeverity(result.Diagnostics) == linter.Error {
			continue
		}
		judged++
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			img, err := build.Package(t.Context(), pkg, nil)
			if err != nil {
				t.Fatal(err)
			}
			digest, err := img.Digest()
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "package.xpkg")
			if err := build.WriteFile(t.Context(), file, img, build.OCI); err != nil {
				t.Fatal(err)
			}
			ref := fmt.Sprintf("%s/org/p%d:v1.0.0", r.host, n)
			pushed, err := r.client.PushFiles(t.Context(), ref, []string{file}, nil)
			if err != nil || pushed.Digest != digest.String() {
				t.Fatalf("got %+v, want %s (%v)", pushed, digest, err)
			}
			layout := "oci:" + filepath.Join(t.TempDir(), "layout") + ":v1.0.0"
			second, third := strings.Replace(ref, "/org/", "/second/", 1), strings.Replace(ref, "/org/", "/third/", 1)
			skopeoCopy(t, "docker://"+ref, "docker://"+second)
			skopeoCopy(t, "docker://"+second, layout)
			skopeoCopy(t, layout, "docker://"+third)
			pulled, err := r.client.Image(t.Context(), third, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkDigest(t, pulled, digest.String())
			got, err := pulled.Package(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want := append([]*parser.Document{pkg.Header}, pkg.Objects...)
			have := append([]*parser.Document{got.Header}, got.Objects...)
			if len(have) != len(want) {
				t.Fatalf("got %d documents, want %d", len(have), len(want))
			}
			for i := range want {
				// What stands at the end of a file without a line break gets one.
				if string(have[i].Text()) != string(want[i].Text()) && string(have[i].Text()) != string(want[i].Text())+"\n" {
					t.Errorf("document %d is %q, want %q", i, have[i].Text(), want[i].Text())
				}
			}
		})
	}
	if judged < 5 {
		t.Errorf("nothing is wrong with %d of %d packages", judged, len(found))
	}
	t.Logf("%d of %d packages", judged, len(found))
}

// The registry of the distribution project resumes, indexes and names as ours expects.
func TestPushFilesToDockerRegistry(t *testing.T) {
	t.Parallel()
	r := startDockerRegistry(t, registrySetup{auth: true})
	amd, arm := platformed("linux", "amd64", "amd"), platformed("linux", "arm64", "arm")
	ref := r.host + "/org/package:v1.0.0"
	stranger := &xpkg.Client{Transport: r.requests, Keychain: keychain{}}
	_, err := stranger.PushFiles(t.Context(), ref, []string{amd.layout(t)}, nil)
	checkError(t, err, meta.ErrUnauthorized, ref)
	c := &xpkg.Client{Transport: r.requests, Keychain: keychain{host: r.host, auth: &authn.Basic{Username: registryUser, Password: registryPassword}}}
	got, err := c.PushFiles(t.Context(), ref, []string{tarDir(t, arm.layout(t)), amd.layout(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	img, err := c.Image(t.Context(), ref, nil)
	want{content: packageYAML, method: xpkg.MethodAnnotation}.check(t, img, err)
	if img.IndexDigest() != got.Digest {
		t.Errorf("got the index %s, want %s", img.IndexDigest(), got.Digest)
	}
	if again, err := c.PushFiles(t.Context(), ref, []string{amd.layout(t), arm.layout(t)}, nil); err != nil || !again.Present {
		t.Errorf("got %+v (%v)", again, err)
	}
}
