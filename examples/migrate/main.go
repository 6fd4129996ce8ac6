// Command migrate makes a package directory of today of a package of the v1 era, and tells
// everything that has no home there.
//
//	go run ./examples/migrate [flags] DIR|REF OUT
//
// DIR is a directory with .registry, or that directory; REF an image in a registry, a file or
// an OCI layout with such an image. OUT is the directory to make. It appears when it is whole;
// one that exists already is left as it is.
//
// Definitions are converted from apiextensions.k8s.io/v1beta1 to v1, as an API server
// converts them. The kinds that the package depends on become permissions and, where -catalog
// FILE has one package that brings them, a dependency on that.
//
// Exit codes: 0 for a directory that was made, whatever the report says; 1 for a package at
// fault, with its faults on standard output and nothing made; 2 where nothing could be done.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

func main() { cli.Main(newProgram()) }

// settings are the program's own flags.
type settings struct{ name, catalog string }

const help = `DIR is a directory with .registry, or that directory; REF an image, or a file with one.
OUT is the directory to make; it must not exist.

  migrate old new                             a directory
  migrate -catalog catalog.yaml old.tar new   packages in place of the kinds in dependsOn
  lint -profile install new                   what is still wrong with the package

Each line that is printed tells of a field that has no home in the new format, or of
something that had to be added: read them, and mend new/crossplane.yaml.

The exit code is 0 for a directory that was made, 1 for a package at fault, of which nothing
is made, 2 when nothing could be done.`

func newProgram() *cli.Program {
	s := &settings{}
	return &cli.Program{
		Name:    "migrate",
		Summary: "make a package directory of today of a package of the v1 era",
		Args:    "DIR|REF OUT",
		Help:    help,
		Flags: func(flags *flag.FlagSet) {
			flags.StringVar(&s.name, "name", "", "the `name` of the package (default: that of the image, of the Deployment, or the title)")
			flags.StringVar(&s.catalog, "catalog", "", "look up in the catalog `FILE` which packages bring the kinds that are depended on")
		},
		Run: func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, s) },
	}
}

// result is what migrate prints with -o json.
type result struct {
	Source      string           `json:"source"`
	Out         string           `json:"out"` // empty where none was made
	Kind        string           `json:"kind"`
	Name        string           `json:"name"`
	Files       []string         `json:"files"`
	Report      []line           `json:"report"`
	Diagnostics []report.Finding `json:"diagnostics"` // the faults of the old package
}

// line is a line of the report.
type line struct {
	File    string `json:"file"`
	Line    int    `json:"line"`   // 0 for the file as a whole
	Column  int    `json:"column"` // in bytes
	Path    string `json:"path"`
	Message string `json:"message"`
}

func run(ctx context.Context, env *cli.Env, s *settings) (int, error) {
	if len(env.Args) != 2 {
		return cli.Failed, &cli.UsageError{Err: fmt.Errorf("migrate takes DIR|REF and OUT, got %d arguments; flags come before them", len(env.Args))}
	}
	r := &result{Source: env.Args[0], Files: []string{}, Report: []line{}, Diagnostics: []report.Finding{}}
	o := &legacy.MigrateOptions{Name: s.name}
	if s.catalog != "" {
		kinds, err := openCatalog(ctx, s.catalog, env.Stderr)
		if err != nil {
			return cli.Failed, err
		}
		o.Packages = kinds.packages
	}
	m, err := migrate(ctx, env, o)
	if faults := (parser.ErrorList)(nil); errors.As(err, &faults) && !errors.Is(err, meta.ErrNotPackage) {
		return r.faulty(ctx, env, faults)
	}
	if err != nil {
		return cli.Failed, err
	}
	if err := m.WriteDir(env.Args[1]); err != nil {
		return cli.Failed, err
	}
	r.Out, r.Kind, r.Name = env.Args[1], string(m.Kind), m.Name
	for _, f := range m.Files {
		r.Files = append(r.Files, f.Name)
	}
	for _, l := range m.Report {
		r.Report = append(r.Report, line{l.Range.File, l.Range.Start.Line, l.Range.Start.Column, l.Path.String(), l.Text})
	}
	if env.JSON() {
		return cli.Fine, env.Print(r)
	}
	var b strings.Builder
	for _, l := range m.Report {
		fmt.Fprintln(&b, cli.Printable(l.String()))
	}
	fmt.Fprintf(&b, "%s: %s %s, %s, %s in the report\n", cli.Printable(r.Out), r.Kind, r.Name, cli.Count(len(r.Files), "file"), cli.Count(len(r.Report), "line"))
	_, err = fmt.Fprint(env.Stdout, b.String())
	return cli.Fine, err
}

// faulty prints what is wrong with the old package.
func (r *result) faulty(ctx context.Context, env *cli.Env, faults parser.ErrorList) (int, error) {
	found, err := linter.Check(ctx, nil, faults, &linter.Options{Rules: rules.Suite()})
	if err != nil {
		return cli.Failed, err
	}
	if env.JSON() {
		r.Diagnostics = report.Findings(r.Source, found.Diagnostics)
		return cli.Findings, env.Print(r)
	}
	return cli.Findings, report.Text(env.Stdout, []report.Source{{Name: r.Source, Findings: found.Diagnostics}}, nil)
}

// migrate reads the package and translates it.
func migrate(ctx context.Context, env *cli.Env, o *legacy.MigrateOptions) (*legacy.Migration, error) {
	p, err := read(ctx, env, o)
	if err != nil {
		return nil, err
	}
	return legacy.Migrate(ctx, p, o)
}
