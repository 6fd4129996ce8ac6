// Command pull brings a package into the cache, verified, and with -out its whole
// image into a file.
//
//	go run ./examples/pull [flags] REF
//
// What is pulled is what reading the package needs: its manifest and the layer with
// package.yaml. It is read to its end, so that a package which pull has brought can
// be read offline, with -pull Never, by every program here. -out FILE writes an OCI
// layout as a tar with every layer of the image and the same digest.
//
// A package of the cache is not asked for again: `cached` is true when no layer had
// to be downloaded, and `requests` counts what was asked of registries. The
// handshake that finds out how a registry wants to be spoken to, GET /v2/, does not
// count.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

func main() { cli.Main(newProgram()) }

const help = `What is pulled is what reading the package needs; every program here can read it then
without a registry, with -pull Never.

  pull xpkg.crossplane.io/org/package:v1.0.0
  pull -out package.xpkg org/package:v1.0.0       the whole image as a file, same digest
  pull -o json -pull Always org/package:v1.0.0    the digest of today

The exit code is 0 when the package is there, 2 when that could not be.`

func newProgram() *cli.Program {
	var out string
	return &cli.Program{
		Name:    "pull",
		Summary: "bring a package into the cache, verified",
		Args:    "REF",
		Help:    help,
		Flags: func(flags *flag.FlagSet) {
			flags.StringVar(&out, "out", "", "also write the whole image to `FILE`")
		},
		Run: func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, out) },
	}
}

// result is what pull prints with -o json.
type result struct {
	Reference string `json:"reference"`
	Resolved  string `json:"resolved"` // after the default registry
	Digest    string `json:"digest"`
	Index     string `json:"index,omitempty"` // that the image was chosen from
	Platform  string `json:"platform,omitempty"`
	Cached    bool   `json:"cached"`
	Requests  int64  `json:"requests"`
	File      string `json:"file,omitempty"`
}

func run(ctx context.Context, env *cli.Env, out string) (int, error) {
	if len(env.Args) != 1 {
		return cli.Failed, &cli.UsageError{Err: fmt.Errorf("pull takes one REF, got %d; flags come before it", len(env.Args))}
	}
	client, o, err := env.Client()
	if err != nil {
		return cli.Failed, err
	}
	requests := &counter{rt: remote.DefaultTransport}
	client.Transport = requests
	bar := env.Progress()
	defer bar.Done()
	var layers atomic.Int64 // that were downloaded, or begun
	tell := client.Event
	client.Event = func(e xpkg.Event) {
		if e.Kind != xpkg.Downloading {
			tell(e)
			return
		}
		layers.Add(1)
		bar.Show(e.Name, e.Bytes, e.Total)
	}
	r := &result{Reference: env.Args[0], File: out}
	if err := r.pull(ctx, client, o, out); err != nil {
		return cli.Failed, err
	}
	r.Requests, r.Cached = requests.n.Load(), layers.Load() == 0
	bar.Done()
	if env.JSON() {
		return cli.Fine, env.Print(r)
	}
	return cli.Fine, r.text(env.Stdout)
}

func (r *result) pull(ctx context.Context, client *xpkg.Client, o *xpkg.Options, out string) error {
	img, err := client.Image(ctx, r.Reference, o)
	if err != nil {
		return err
	}
	if r.Digest, err = img.Digest(ctx); err != nil {
		return err
	}
	r.Resolved, r.Index = img.Resolved(), img.IndexDigest()
	if p := img.Platform(); p != nil {
		r.Platform = p.String()
	}
	stream, err := img.Stream(ctx)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, stream)
	if closed := stream.Close(); err == nil {
		err = closed
	}
	if err != nil || out == "" {
		return err
	}
	whole, err := img.V1(ctx)
	if err != nil {
		return err
	}
	return build.WriteFile(ctx, out, whole, build.OCI)
}

func (r *result) text(w io.Writer) error {
	how := fmt.Sprintf("downloaded with %s", cli.Count(int(r.Requests), "request"))
	if r.Cached {
		how = fmt.Sprintf("in the cache, %s made", cli.Count(int(r.Requests), "request"))
	}
	text := fmt.Sprintf("%s\n  digest  %s\n  %s\n", cli.Printable(r.Resolved), r.Digest, how)
	if r.File != "" {
		text += fmt.Sprintf("  file    %s\n", cli.Printable(r.File))
	}
	_, err := io.WriteString(w, text)
	return err
}

// counter counts requests but for the handshake.
type counter struct {
	rt http.RoundTripper
	n  atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != "/v2/" {
		c.n.Add(1)
	}
	return c.rt.RoundTrip(r)
}
