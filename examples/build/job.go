package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// job is what is to be done, with what the flags say looked at.
type job struct {
	*options
	env     *cli.Env
	dir     string
	created time.Time
	client  *xpkg.Client
	open    *xpkg.Options
}

func newJob(env *cli.Env, o *options) (*job, error) {
	usage := func(format string, args ...any) error { return &cli.UsageError{Err: fmt.Errorf(format, args...)} }
	j := &job{options: o, env: env, dir: "."}
	switch len(env.Args) {
	case 0:
		if _, err := os.Stat("crossplane.yaml"); err != nil {
			return nil, usage("build takes a DIR, or is started in a directory with crossplane.yaml; -h shows how")
		}
	case 1:
		j.dir = env.Args[0]
	default:
		return nil, usage("build takes one DIR, got %d; flags come before it", len(env.Args))
	}
	if f := build.Format(o.format); f != build.OCI && f != build.Docker {
		return nil, usage("-format %q: want oci or docker", o.format)
	}
	if c := build.Compression(o.compression); c != build.Gzip && c != build.Zstd {
		return nil, usage("-compression %q: want gzip or zstd", o.compression)
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil || seconds < 0 || seconds > 253402300799 {
			return nil, usage("SOURCE_DATE_EPOCH=%q: want seconds since 1970, up to the year 9999", epoch)
		}
		j.created = time.Unix(seconds, 0)
	}
	var err error
	j.client, j.open, err = env.Client()
	return j, err
}

func (j *job) run(ctx context.Context) (*result, error) {
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	examples, ignore, done, err := j.examplesOf(ctx, root)
	if err != nil {
		return nil, err
	}
	defer done()
	p, err := source.FromDirectory(ctx, j.dir, root, append(ignore, j.ignore...))
	if err != nil {
		return nil, err
	}
	r := &result{source: j.dir, headless: p.Meta == nil}
	if r.found, err = j.judge(ctx, p); err != nil {
		return nil, err
	}
	r.leftOut(p.Skipped, examples == nil)
	if p.Meta == nil || linter.MaxSeverity(r.found) >= linter.Error && !j.force {
		return r, nil
	}
	file := j.options.out
	if file == "" {
		if file, err = beside(j.dir, p.Meta.Name); err != nil {
			return nil, err
		}
	}
	bar, size := j.env.Progress(), sizeOf(p.Package)
	defer bar.Done()
	o := &build.Options{
		Force: j.force, Examples: examples, Created: j.created, Compression: build.Compression(j.compression),
		Event: func(e build.Event) {
			r.event(e)
			if e.Kind == build.Packed {
				bar.Show("package.yaml", e.Bytes, size)
			}
		},
	}
	if o.Runtime, err = j.runtimeOf(ctx); err != nil {
		return nil, err
	}
	img, err := build.Package(ctx, p.Package, o)
	if err != nil {
		return nil, err
	}
	if err := build.WriteFile(ctx, file, img, build.Format(j.format)); err != nil {
		return nil, err
	}
	written, err := xpkg.OpenFile(ctx, file, nil)
	if err != nil {
		return nil, err
	}
	r.File = file
	r.Digest, err = written.Digest(ctx)
	linter.Sort(r.found)
	return r, err
}

// judge says what would keep Crossplane from installing the package, and what else there is
// to say.
func (j *job) judge(ctx context.Context, p *source.Package) ([]linter.Diagnostic, error) {
	all := append(rules.Suite(), apiserver.Rules()...)
	o := &linter.Options{Rules: all, Profile: linter.Install}
	var err error
	if o.Config, err = source.Config(j.dir, linter.ConfigFile, all); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	checked, err := p.Lint(ctx, o)
	if err != nil {
		return nil, err
	}
	return checked.Diagnostics, nil
}

// examplesOf returns the examples, nil for none, and the pattern that keeps them out of the
// package where they are below DIR under another name. done closes what was opened.
func (j *job) examplesOf(ctx context.Context, root *os.Root) (docs iter.Seq2[*parser.Document, error], ignore []string, done func(), err error) {
	done = func() {}
	if j.examples == "" {
		return nil, nil, done, nil
	}
	if filepath.Clean(j.examples) == "examples" { // as DIR has them, or not
		return parser.Examples(ctx, root, nil), nil, done, nil
	}
	dir := j.examples
	if filepath.IsLocal(dir) {
		if info, err := root.Stat(dir); err == nil && info.IsDir() {
			ignore = []string{"/" + escape(filepath.ToSlash(filepath.Clean(dir))) + "/"}
			dir = filepath.Join(j.dir, dir)
		}
	}
	elsewhere, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, done, err
	}
	return parser.Dir(ctx, elsewhere, nil), ignore, func() { _ = elsewhere.Close() }, nil
}

// escape makes a path a pattern that matches it and nothing else.
func escape(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, " ", `\ `).Replace(path)
}

// runtimeOf opens the image of the program, or returns nil for none.
func (j *job) runtimeOf(ctx context.Context) (v1.Image, error) {
	if j.runtime == "" {
		return nil, nil
	}
	kind, err := source.KindOf(j.runtime)
	if err != nil {
		return nil, err
	}
	switch kind {
	case source.Image:
		return build.RuntimeFile(ctx, j.runtime, j.open)
	case source.Reference:
		img, err := j.client.Image(ctx, j.runtime, j.open)
		if err != nil {
			return nil, err
		}
		return img.V1(ctx)
	}
	return nil, &cli.UsageError{Err: fmt.Errorf("-runtime %s: want an image reference, a docker or OCI tar, or an OCI layout", j.runtime)}
}

// beside returns NAME.xpkg beside a directory.
func beside(dir, name string) (string, error) {
	if strings.Trim(name, ".") == "" || !filepath.IsLocal(name) || strings.ContainsAny(name, "/\\") || cli.Printable(name) != name {
		return "", &cli.UsageError{Err: fmt.Errorf("the package is called %s, which makes no file name: say -out FILE", strconv.Quote(name))}
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if filepath.IsAbs(dir) {
		return filepath.Join(filepath.Dir(whole), name+".xpkg"), nil
	}
	file := filepath.Join(filepath.Dir(whole), name+".xpkg")
	if here, err := os.Getwd(); err == nil { // as the user would say it
		if short, err := filepath.Rel(here, file); err == nil {
			file = short
		}
	}
	return file, nil
}

// sizeOf returns the bytes of all documents, without the comments around them.
func sizeOf(p *parser.Package) (n int64) {
	for d := range p.Documents() {
		n += int64(d.Range.End.Offset - d.Range.Start.Offset)
	}
	return n
}
