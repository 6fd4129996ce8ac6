package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/clitest"
	"github.com/xpkg-go/sdk/xpkg"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"pull": func() { cli.Main(newProgram()) }})
}

// sample pushes a package to a registry on the loopback.
func sample(t testing.TB) string {
	t.Helper()
	ref := clitest.Registry(t) + "/org/sample:v1.0.0"
	clitest.Push(t, ref, "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: sample\n")
	return ref
}

// The scripts call pull as a user does and look at what it prints, at its exit
// code and at what is left behind.
func TestScripts(t *testing.T) { clitest.Run(t, map[string]string{"REF": sample(t)}) }

func pull(t *testing.T, args ...string) (r result) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := newProgram().Exec(t.Context(), append([]string{"-o", "json"}, args...), nil, &stdout, &stderr)
	if code != cli.Fine {
		t.Fatalf("pull %q: exit code %d: %s%s", args, code, &stdout, &stderr)
	}
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatalf("%v in %s", err, &stdout)
	}
	return r
}

func TestPullPolicies(t *testing.T) {
	ref, cache := sample(t), t.TempDir()
	cold := pull(t, "-cache", cache, ref)
	if cold.Cached || cold.Requests != 2 || !strings.HasPrefix(cold.Digest, "sha256:") || cold.Reference != ref {
		t.Errorf("cold: got %+v, want the manifest and the base layer", cold)
	}
	for policy, requests := range map[string]int64{"IfNotPresent": 0, "Never": 0, "Always": 1} {
		got := pull(t, "-cache", cache, "-pull", policy, ref)
		if !got.Cached || got.Requests != requests || got.Digest != cold.Digest {
			t.Errorf("%s: got %+v, want %d requests", policy, got, requests)
		}
	}
}

func TestPullOut(t *testing.T) {
	ref, file := sample(t), t.TempDir()+"/sample.xpkg"
	got := pull(t, "-cache", t.TempDir(), "-out", file, ref)
	img, err := xpkg.OpenFile(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := img.Digest(t.Context())
	if err != nil || digest != got.Digest || got.File != file {
		t.Errorf("the file has the digest %s (%v), pull says %+v", digest, err, got)
	}
	if pkg, err := img.Package(t.Context()); err != nil || pkg.Meta.Name != "sample" {
		t.Errorf("got %v (%v)", pkg, err)
	}
}
