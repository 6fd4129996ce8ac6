package build_test

import (
	"archive/tar"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/xpkg/build"
)

// What is pinned here is a promise: the diff ID of a layer stays for ever, and its
// digest for as long as the compressor has the version that go.mod names. A new
// version of that may change the second, which a release has to say.
func TestPinnedDigests(t *testing.T) {
	const diffID = "sha256:e986770c967fde0e5ce37b83e9d1568cf85f5cb8f6f39b784965c65904366fff"
	for c, want := range map[build.Compression]string{
		build.Gzip: "sha256:59930e96870f3c6ef7be761e418a59828ff98e9740b5038512789f66f76ac7ba",
		build.Zstd: "sha256:6fa5134a286563c14574471d054671a46a50a64d5718b1571349e48d3ea6fe99",
	} {
		layers, err := dir(t, directory(t, plain()), &build.Options{Compression: c}).Layers()
		if err != nil {
			t.Fatal(err)
		}
		got, err := layers[0].Digest()
		if err != nil || got.String() != want {
			t.Errorf("%s: got the digest %s (%v), want %s", c, got, err, want)
		}
		if got, err := layers[0].DiffID(); err != nil || got.String() != diffID {
			t.Errorf("%s: got the diff ID %s (%v), want %s", c, got, err, diffID)
		}
	}
}

// The order in which a directory was made, its times, the permissions that a umask
// leaves and the time zone do not count.
func TestReproducible(t *testing.T) {
	want := digest(t, dir(t, directory(t, sample()), nil))
	for n := range 12 {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		zone := (r.IntN(25) - 12) * 3600
		umask := []os.FileMode{0, 0o022, 0o027, 0o077}[n%4]
		folder := t.TempDir()
		names := slices.Sorted(maps.Keys(sample()))
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			path := filepath.Join(folder, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o777&^umask); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(sample()[name]), 0o666&^umask); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, 0o666&^umask); err != nil {
				t.Fatal(err)
			}
			at := time.Unix(r.Int64N(1<<31), 0)
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		if got := digestElsewhere(t, folder, zone); got != want {
			t.Errorf("order %v, umask %o, %d seconds east: got %s, want %s", names, umask, zone, got, want)
		}
	}
}

// What a process is told that builds in another time zone: the zone is of a process, and
// goroutines that other tests have left, such as those of mutate.Extract, read it.
const (
	folderElsewhere = "XPKG_TEST_FOLDER"
	zoneElsewhere   = "XPKG_TEST_ZONE"
)

// digestElsewhere builds a folder in a process of its own, so many seconds east of Greenwich.
func digestElsewhere(t *testing.T, folder string, zone int) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, "-test.run=^TestElsewhere$", "-test.v")
	c.Env = append(os.Environ(), folderElsewhere+"="+folder, zoneElsewhere+"="+strconv.Itoa(zone))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, rest, _ := strings.Cut(string(out), "digest=")
	got, _, found := strings.Cut(rest, ";")
	if !found {
		t.Fatalf("no digest in %q", out)
	}
	return got
}

// TestElsewhere is what digestElsewhere runs.
func TestElsewhere(t *testing.T) {
	folder := os.Getenv(folderElsewhere)
	if folder == "" {
		t.Skip("it is run by TestReproducible")
	}
	zone, err := strconv.Atoi(os.Getenv(zoneElsewhere))
	if err != nil {
		t.Fatal(err)
	}
	time.Local = time.FixedZone("here", zone)
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	fmt.Printf("digest=%s;\n", digest(t, dir(t, root, nil)))
}

// fileOf returns the only file of a layer.
func fileOf(t testing.TB, l v1.Layer, name string) string {
	t.Helper()
	rc, err := l.Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	r := tar.NewReader(rc)
	h, err := r.Next()
	if err != nil || h.Name != name || h.Typeflag != tar.TypeReg {
		t.Fatalf("got the entry %+v (%v), want a file %s", h, err, name)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if h, err := r.Next(); err != io.EOF {
		t.Fatal(fmt.Errorf("a second entry %+v (%w)", h, err))
	}
	return string(content)
}
