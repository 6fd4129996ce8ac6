package legacy

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/internal/yamltree"
	"github.com/xpkg-go/sdk/linter"
	v1 "github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

const documentURL = "https://github.com/crossplane/crossplane/blob/main/design/defunct/design-doc-packages.md"

// Suite returns the rules of this package, for the v1 package that they are to judge. With nil
// they find nothing, and are there for documentation and configurations. The values are the
// caller's own.
func Suite(p *v1.Package) []*linter.Rule {
	var suite []*linter.Rule
	for _, r := range []rule{
		appIncomplete(), version(), overviewShort(), link(), contributor(), license(),
		iconRatio(), iconContent(), unknownField(), unknownFile(), object(),
		resourceID(), groupName(), crdDuplicate(), annotationSize(), controllerImage(),
		layout(), packageType(), permissionScope(), dependsOnKind(), crdV1beta1(), deploymentVersion(), noHome(),
	} {
		suite = append(suite, r.of(p))
	}
	return suite
}

// Lint judges a v1 package. faults are what Read of meta/legacy returned with it, or nil; the
// rules of o are run beside those of [Suite]. Result and error are those of linter.Check.
func Lint(ctx context.Context, p *v1.Package, faults error, o *linter.Options) (*linter.Result, error) {
	var opts linter.Options
	if o != nil {
		opts = *o
	}
	opts.Rules = append(Suite(p), opts.Rules...)
	if p == nil {
		return linter.Check(ctx, nil, faults, &opts)
	}
	return linter.Check(ctx, p.Parsed(), faults, &opts)
}

// A rule is one of a package that is not named yet.
type rule struct {
	linter.Rule
	check func(*findings, *v1.Package)
}

// of makes the rule for a package.
func (r rule) of(p *v1.Package) *linter.Rule {
	made := r.Rule
	if made.URL == "" {
		made.URL = documentURL
	}
	made.Run = func(_ context.Context, pass *linter.Pass) error {
		if p == nil {
			return nil
		}
		f := &findings{pass: pass}
		r.check(f, p)
		f.done(p)
		return nil
	}
	return &made
}

// findings are those of one rule.
type findings struct {
	pass        *linter.Pass
	told, count int
}

// maxTold is how many findings of one rule are told one by one: a hostile package could have
// as many as it has bytes, and each place is looked up.
const maxTold = 1000

// full counts a finding, and reports whether it is one too many.
func (f *findings) full() bool {
	f.count++
	return f.count > maxTold
}

// value tells of the value of a field.
func (f *findings) value(d *parser.Document, path []any, format string, args ...any) {
	if !f.full() {
		f.pass.Reportf(linter.At(d, path...), format, args...)
	}
}

// file tells of a file as a whole.
func (f *findings) file(name, format string, args ...any) {
	if !f.full() {
		f.pass.Reportf(linter.Diagnostic{Range: parser.Range{File: name}}, format, args...)
	}
}

// done tells how many findings were not told.
func (f *findings) done(p *v1.Package) {
	if more := f.count - maxTold; more > 0 {
		f.pass.Report(linter.Diagnostic{Range: parser.Range{File: p.Root}, Message: fmt.Sprintf("there are %d more such findings", more)})
	}
}

func quote(s string) string { return yamltree.Quote(s) }
