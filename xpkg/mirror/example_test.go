package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/empty"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// startRegistry starts a registry on the loopback, with an image when it has a name.
func startRegistry(name string) (host string, stop func()) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	host = strings.TrimPrefix(server.URL, "http://")
	if name != "" {
		if _, err := (&xpkg.Client{}).Push(context.Background(), host+"/"+name, empty.Image); err != nil {
			log.Fatal(err)
		}
	}
	return host, server.Close
}

func reference(text string) meta.Reference {
	r, err := meta.ParseReference(text)
	if err != nil {
		log.Fatal(err)
	}
	return r
}

func ExampleCopy() {
	ctx := context.Background()
	origin, stop := startRegistry("org/provider:v1.0.0")
	defer stop()
	internal, stop := startRegistry("")
	defer stop()

	refs := []meta.Reference{reference(origin + "/org/provider:v1.0.0")}
	c := &xpkg.Client{}
	rules := []meta.Rewrite{{From: origin + "/", To: internal + "/mirror/"}}
	result, err := mirror.Copy(ctx, refs, mirror.FromRegistries(c), mirror.ToRegistries(c, rules), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Copied, "copied,", result.Present, "there already")

	// Whoever pulls by these rules gets it from the mirror.
	there := &xpkg.Client{Registries: result.Lock.Registries()}
	r, err := there.Repository(refs[0].Source)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.TrimPrefix(r.Name(), internal))
	// Output:
	// 1 copied, 0 there already
	// /mirror/org/provider
}

// Over a gap: one file is written here and read there.
func ExampleToFile() {
	ctx := context.Background()
	origin, stop := startRegistry("org/provider:v1.0.0")
	defer stop()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "mirror.tar")
	c := &xpkg.Client{}
	refs := []meta.Reference{reference(origin + "/org/provider:v1.0.0")}
	if _, err := mirror.Copy(ctx, refs, mirror.FromRegistries(c), mirror.ToFile(file), nil); err != nil {
		log.Fatal(err)
	}

	internal, stop := startRegistry("")
	defer stop()
	l, err := xpkg.OpenLayout(ctx, file, nil)
	if err != nil {
		log.Fatal(err)
	}
	held, err := mirror.References(l)
	if err != nil {
		log.Fatal(err)
	}
	result, err := mirror.Copy(ctx, held, mirror.FromLayout(l), mirror.ToRegistries(c, mirror.Below(internal, held...)), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(held), "held,", result.Copied, "copied")
	// Output:
	// 1 held, 1 copied
}

// One package that cannot be had does not stop the others. Each has its error.
func ExampleCopy_failure() {
	ctx := context.Background()
	origin, stop := startRegistry("org/provider:v1.0.0")
	defer stop()
	c := &xpkg.Client{}
	refs := []meta.Reference{
		reference(origin + "/org/provider:v1.0.0"), reference(origin + "/org/provider:v2.0.0"), reference("example.org/org/other:v1.0.0"),
	}
	rules := []meta.Rewrite{{From: origin + "/", To: origin + "/mirror/"}}
	result, err := mirror.Copy(ctx, refs, mirror.FromRegistries(c), mirror.ToRegistries(c, rules), nil)
	fmt.Println(result.Copied, "copied")
	fmt.Println("no rule:", errors.Is(err, mirror.ErrNoRule))
	fmt.Println("not there:", errors.Is(err, meta.ErrNotFound))
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var item *mirror.ItemError
		if errors.As(e, &item) {
			fmt.Println(strings.TrimPrefix(item.Ref, origin+"/"))
		}
	}
	// Output:
	// 1 copied
	// no rule: true
	// not there: true
	// example.org/org/other:v1.0.0
	// org/provider:v2.0.0
}

// Two registries may have packages of one name, and a mirror keeps them apart, or says
// that its rules do not.
func ExampleClashError() {
	ctx := context.Background()
	c := &xpkg.Client{}
	refs := []meta.Reference{reference("a.example/org/provider:v1.0.0"), reference("b.example/org/provider:v1.0.0")}
	for _, r := range mirror.Below("registry.internal", refs...) {
		fmt.Println(r.From, "to", r.To)
	}
	// A context that has ended: nothing is asked for.
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	rules := []meta.Rewrite{{From: "a.example/", To: "registry.internal/"}, {From: "b.example/", To: "registry.internal/"}}
	_, err := mirror.Copy(ctx, refs, mirror.FromRegistries(c), mirror.ToRegistries(c, rules), nil)
	var clash *mirror.ClashError
	if errors.As(err, &clash) {
		fmt.Println(clash)
	}
	// Output:
	// a.example/ to registry.internal/a.example/
	// b.example/ to registry.internal/b.example/
	// a.example/org/provider and b.example/org/provider would both be registry.internal/org/provider in the mirror
}

// What Crossplane is told so that it pulls from the mirror.
func ExampleLock_ImageConfigs() {
	refs := []meta.Reference{reference("xpkg.crossplane.io/crossplane-contrib/provider-nop:v0.4.0")}
	l := &mirror.Lock{Rules: mirror.Below("registry.internal/mirror", refs...)}
	for _, c := range l.ImageConfigs("mirror") {
		fmt.Println(c.Metadata.Name)
		fmt.Println(c.Spec.MatchImages[0].Prefix, "to", c.Spec.RewriteImage.Prefix)
	}
	// Output:
	// mirror-xpkg.crossplane.io
	// xpkg.crossplane.io/ to registry.internal/mirror/xpkg.crossplane.io/
}

// A lock that was edited by hand is refused, with every fault.
func ExampleDecodeLock() {
	_, err := mirror.DecodeLock([]byte(`{"lockVersion": 2, "rules": [], "packages": [{"declared": "a:v1", "mirrored": "b:v1", "digest": "v1"}]}`))
	var faults meta.FieldErrors
	if errors.As(err, &faults) {
		for _, f := range faults {
			fmt.Println(f.Path, f.Fault)
		}
	}
	// Output:
	// lockVersion version
	// packages[0].digest digest
}
