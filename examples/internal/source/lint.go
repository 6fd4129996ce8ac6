package source

import (
	"context"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// Lint judges the package: the faults of reading it, what the rules find, and what
// was passed over in a directory and may have been meant to be in the package.
func (p *Package) Lint(ctx context.Context, o *linter.Options) (*linter.Result, error) {
	var faults error
	if len(p.Faults) > 0 {
		faults = p.Faults
	}
	result, err := linter.Check(ctx, p.Package, faults, o)
	if err != nil {
		return nil, err
	}
	for _, e := range p.Skipped {
		if d, tell := skipped(e); tell {
			result.Diagnostics = append(result.Diagnostics, d)
		}
	}
	linter.Sort(result.Diagnostics)
	return result, nil
}

// skipped makes a warning of something in a directory that was passed over and
// that its author may have meant to be in the package.
func skipped(e parser.Event) (linter.Diagnostic, bool) {
	if e.Kind == parser.SkippedExamples || e.Kind == parser.SkippedIgnored { // as its author wants it
		return linter.Diagnostic{}, false
	}
	return linter.Diagnostic{
		Rule:     string(e.Kind),
		Severity: linter.Warning,
		Range:    parser.Range{File: e.File, Start: first, End: first},
		Message:  strings.TrimPrefix(e.String(), e.File+": "),
	}, true
}
