package rules

import (
	"context"
	"path"
	"slices"

	"github.com/xpkg-go/sdk/internal/nearmiss"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

func metadataFile() *linter.Rule {
	return &linter.Rule{
		ID: "metadata-file",
		Doc: "The metadata object of a package directory is in the file crossplane.yaml at its root, where tools look for it. " +
			"A stream has no such file, and is itself called package.yaml, which may be what a directory has instead: the rule " +
			"looks at directories, at other packages of several files, and at files of nearly one of these names.",
		Bad:      "-- definition.yaml --\n" + headXRD + "-- metadata.yaml --\n" + headConfiguration,
		Good:     "-- crossplane.yaml --\n" + headConfiguration + "-- definition.yaml --\n" + headXRD,
		URL:      formatURL + "#an-on-disk-format",
		Severity: linter.Warning,
		Run: func(_ context.Context, p *linter.Pass) error {
			const file, stream = "crossplane.yaml", "package.yaml"
			h := p.Package.Header
			if h == nil || h.Range.File == file {
				return nil
			}
			name := path.Base(h.Range.File)
			misspelt := name != file && name != stream && nearmiss.Nearest(name, []string{file, stream}) != ""
			alone := h.InDir() && h.Range.File != stream
			if misspelt || alone || slices.ContainsFunc(p.Package.Objects, func(d *parser.Document) bool { return d.Range.File != h.Range.File }) {
				p.Reportf(linter.At(h), "the metadata object is in %s (%s at the root is expected)", quote(h.Range.File), file)
			}
			return nil
		},
	}
}
