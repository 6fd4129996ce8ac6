// Command push writes a package to a registry.
//
//	go run ./examples/push [flags] [-f FILE]… REF
//
// A FILE is an .xpkg file: an OCI layout as a tar or directory, or a docker tar. Without -f
// it is the only .xpkg file of the working directory. One file becomes one manifest;
// several become an index by the platforms that their images name. Files of several
// platforms that hold the same layers are one package, of which one manifest is pushed: it
// serves every platform, and push says which files it left out.
//
// REF names its tag, which has to be a full semantic version: ranges of versions find no
// other. -any-tag pushes to any, latest among them. A REF without a registry is one of Docker Hub.
//
// Everything is read and verified before anything is sent, and the tag is written last: a
// push that fails leaves it as it was. Blobs that the registry has are not sent
// again, so that a push that was interrupted goes on where it was. What is printed is
// what the registry has in the end.
//
// Exit codes: 0 for a package that is there now, 2 where that could not be.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/xpkg"
)

func main() { cli.Main(newProgram()) }

// list is a flag that may be given several times.
type list []string

// String implements flag.Value.
func (l *list) String() string { return strings.Join(*l, " ") }

// Set adds a value.
func (l *list) Set(s string) error {
	*l = append(*l, s)
	return nil
}

const help = `Without -f, the only .xpkg file of the working directory is pushed. Several files
become an index by the platforms of their images, or one manifest where they hold
the same package. The tag of REF is a full semantic version, such as v1.2.3.

  push registry.example.org/org/package:v1.0.0
  push -f amd64.xpkg -f arm64.xpkg registry.example.org/org/provider:v1.0.0
  push -any-tag -f package.xpkg registry.example.org/org/package:latest

All is verified before anything is sent, and the tag is written last.

The exit code is 0 when the package is there, 2 when that could not be.`

func newProgram() *cli.Program {
	var files list
	var anyTag bool
	return &cli.Program{
		Name:    "push",
		Summary: "write a package to a registry",
		Args:    "REF",
		Help:    help,
		Flags: func(flags *flag.FlagSet) {
			flags.Var(&files, "f", "push the package in `FILE`; several for several platforms")
			flags.BoolVar(&anyTag, "any-tag", false, "push to a tag that is no semantic version as well")
		},
		Run: func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, files, anyTag) },
	}
}

// image is one image of a push.
type image struct {
	Platform string `json:"platform,omitempty"`
	Digest   string `json:"digest"`
	File     string `json:"file"`
}

// result is what push prints with -o json.
type result struct {
	Reference string  `json:"reference"`
	Digest    string  `json:"digest"`
	MediaType string  `json:"mediaType"`
	Platforms []image `json:"platforms"`
	Same      []image `json:"same,omitempty"` // left out: the same package
	Present   bool    `json:"present"`        // it was there already
}

func run(ctx context.Context, env *cli.Env, files []string, anyTag bool) (int, error) {
	if len(env.Args) != 1 {
		return cli.Failed, &cli.UsageError{Err: fmt.Errorf("push takes one REF, got %d; flags come before it", len(env.Args))}
	}
	client, o, err := env.Client()
	if err != nil {
		return cli.Failed, err
	}
	if len(files) == 0 {
		file, err := xpkg.FindPackage(".")
		if err != nil {
			return cli.Failed, fmt.Errorf("%w; -f FILE names the one to push", err)
		}
		files = []string{file}
	}
	bar := env.Progress()
	defer bar.Done()
	tell := client.Event
	client.Event = func(e xpkg.Event) {
		if e.Kind != xpkg.Uploading {
			tell(e)
			return
		}
		bar.Show(e.Name, e.Bytes, e.Total)
	}
	pushed, err := client.PushFiles(ctx, env.Args[0], files, &xpkg.PushOptions{AnyTag: anyTag, Open: o})
	bar.Done()
	if err != nil {
		return cli.Failed, err
	}
	r := &result{
		Reference: pushed.Reference, Digest: pushed.Digest, MediaType: pushed.MediaType,
		Platforms: images(pushed.Images), Same: images(pushed.Same), Present: pushed.Present,
	}
	for _, same := range r.Same {
		fmt.Fprintf(env.Stderr, "warning: %s holds the same package as %s, which serves every platform; it is left out\n",
			cli.Printable(same.File), cli.Printable(r.Platforms[0].File))
	}
	if env.JSON() {
		return cli.Fine, env.Print(r)
	}
	return cli.Fine, r.text(env.Stdout)
}

func images(pushed []xpkg.PushedImage) []image {
	all := []image{}
	for _, p := range pushed {
		all = append(all, image{Platform: platform(p.Platform), Digest: p.Digest, File: p.File})
	}
	return all
}

func platform(p *v1.Platform) string {
	if p == nil {
		return ""
	}
	return p.String()
}

func (r *result) text(w io.Writer) error {
	text := fmt.Sprintf("%s\n  digest  %s\n", cli.Printable(r.Reference), r.Digest)
	for _, p := range r.Platforms {
		text += strings.TrimRight(fmt.Sprintf("  image   %s %s", p.Digest, cli.Printable(p.Platform)), " ") + "\n"
	}
	if r.Present {
		text += "  the registry had it already\n"
	}
	_, err := io.WriteString(w, text)
	return err
}
