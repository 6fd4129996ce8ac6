package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/xpkg"
)

// job is what is to be done, with everything that the flags say looked up.
type job struct {
	env     *cli.Env
	sources []string
	client  *xpkg.Client
	open    *xpkg.Options
	rules   []*linter.Rule
	lint    linter.Options // Config and Image are those of a source
	failOn  linter.Severity
	config  *linter.Config // that of -config, for all sources
	fix     bool
}

// judged is one source with what was found in it.
type judged struct {
	report.Source
	failOn linter.Severity
}

func newJob(env *cli.Env, o *options) (*job, error) {
	client, open, err := env.Client()
	if err != nil {
		return nil, err
	}
	j := &job{env: env, sources: env.Args, client: client, open: open, rules: allRules(), fix: o.fix}
	j.lint = linter.Options{Rules: j.rules, Target: o.target, Profile: linter.Profile(o.profile)}
	// A package without documents tells what is wrong with the options.
	if _, err := linter.Check(context.Background(), nil, nil, &j.lint); err != nil {
		return nil, &cli.UsageError{Err: err}
	}
	if o.failOn != "" {
		if j.failOn, err = linter.ParseSeverity(o.failOn); err != nil {
			return nil, &cli.UsageError{Err: fmt.Errorf("-fail-on: %w", err)}
		}
	}
	if o.config != "" {
		file, err := filepath.EvalSymlinks(o.config) // the user's own may lead anywhere
		if err != nil {
			return nil, err
		}
		if j.config, err = j.readConfig(filepath.Split(file)); err != nil {
			return nil, err
		}
	}
	if len(j.sources) == 0 {
		if _, err := os.Stat("crossplane.yaml"); err != nil {
			return nil, &cli.UsageError{Err: errors.New("lint takes a SOURCE, or is started in a directory with crossplane.yaml; -h shows how")}
		}
		j.sources = []string{"."}
	}
	return j, nil
}

// allRules returns the rules of the Crossplane documents and of the API server.
func allRules() []*linter.Rule { return append(rules.Suite(), apiserver.Rules()...) }

// all judges every source. Where one cannot be judged, the error says so of each that
// cannot.
func (j *job) all(ctx context.Context) ([]judged, error) {
	var all []judged
	var errs []error
	for _, name := range j.sources {
		one, err := j.one(ctx, name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, one)
	}
	return all, errors.Join(errs...)
}

func (j *job) one(ctx context.Context, name string) (judged, error) {
	p, err := j.read(ctx, name)
	if err != nil {
		return judged{}, err
	}
	o := j.lint
	if o.Config = j.config; o.Config == nil && p.Kind == source.Directory {
		if o.Config, err = j.readConfig(name, linter.ConfigFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return judged{}, err
		}
	}
	if o.Image, err = p.Facts(ctx); err != nil && (o.Image == nil || ctx.Err() != nil) {
		return judged{}, err
	} else if err != nil {
		fmt.Fprintf(j.env.Stderr, "%s: not judged by its configuration: %v\n", name, err)
	}
	result, err := p.Lint(ctx, &o)
	if err == nil && j.fix {
		p, result, err = j.mend(ctx, p, result, &o)
	}
	if err != nil {
		return judged{}, fmt.Errorf("%s: %w", name, err)
	}
	out := judged{failOn: cmp.Or(j.failOn, linter.Error), Source: report.Source{
		Name: name, Dir: dirOf(p), Findings: result.Diagnostics, Ignored: result.Ignored,
		Skipped: result.Skipped, Failed: result.Failed, Line: linesOf(p),
	}}
	if o.Config != nil {
		out.failOn = cmp.Or(j.failOn, o.Config.FailOn, linter.Error)
	}
	return out, nil
}

func (j *job) read(ctx context.Context, name string) (*source.Package, error) {
	if kind, err := source.KindOf(name); err == nil && j.fix && kind != source.Directory && kind != source.File {
		return nil, &cli.UsageError{Err: fmt.Errorf("-fix mends package directories and package.yaml files, and %s is neither", name)}
	}
	return source.Read(ctx, name, j.client, j.open, j.env.Stdin)
}
