package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/internal/nearmiss"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

func metadataGroup() *linter.Rule {
	return &linter.Rule{
		ID: "metadata-group",
		Doc: "The metadata object of a package is of the group meta.pkg.crossplane.io. An object of the same kind in the group " +
			"pkg.crossplane.io is how a package is installed: it names an image, and is no part of one. Once it is " +
			"mended, the package is judged by the rules for its kind, which may find more.",
		Bad:      but(headConfiguration, "meta.", ""),
		Good:     headConfiguration,
		URL:      formatURL + "#the-packaged-format",
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			for d := range p.Package.Documents() {
				switch {
				case !isPackageKind(d.Kind):
				case !meta.IsMeta(d.APIVersion):
					// Beside a metadata object it is one that a package may not hold.
					if p.Package.Header == nil {
						reportGroup(p, d)
					}
				case d.At("spec", "package").Found:
					at := linter.At(d, "apiVersion")
					at.Severity = linter.Warning
					p.Reportf(at, "%s with spec.package is how a package is installed, which is of group %s",
						d.Ref(), installGroup(metaGroup(d)))
				}
			}
			return nil
		},
	}
}

func isPackageKind(kind string) bool { return slices.Contains(meta.Kinds(), meta.Kind(kind)) }

func metaGroup(d *parser.Document) string {
	group, _ := meta.SplitAPIVersion(d.APIVersion)
	return group
}

// installGroup is the group by which packages with metadata of a group are installed.
func installGroup(group string) string {
	if group == meta.GroupIBM {
		return meta.InstallGroupIBM
	}
	return meta.InstallGroup
}

// reportGroup reports a document that was probably meant to be the metadata object.
func reportGroup(p *linter.Pass, d *parser.Document) {
	group, version := meta.SplitAPIVersion(d.APIVersion)
	if group == "" && strings.Contains(version, ".") {
		group, version = version, ""
	}
	want := meantGroup(group)
	if want == "" {
		return
	}
	versions := meta.Versions(want, meta.Kind(d.Kind))
	if len(versions) == 0 {
		return
	}
	if !slices.Contains(versions, version) {
		version = versions[0]
	}
	want += "/" + version
	at := linter.At(d, "apiVersion")
	if d.At("spec", "package").Found {
		p.Reportf(at, "%s is how a package is installed, and no metadata of one (%s is expected)", d.Ref(), want)
		return
	}
	at.Fixes = linter.Rewrite(d, want, "apiVersion")
	p.Reportf(at, "%s is no metadata of a package (%s is expected)", d.Ref(), want)
}

// meantGroup is the group of metadata that another one was probably meant to be: that
// of what installs packages, or a misspelled one; "" if it is neither.
func meantGroup(group string) string {
	switch {
	case group == meta.InstallGroup:
		return meta.Group
	case group == meta.InstallGroupIBM:
		return meta.GroupIBM
	case strings.HasPrefix(group, "meta.") || strings.HasSuffix(group, ".crossplane.io"):
		return nearmiss.Nearest(group, []string{meta.Group, meta.GroupIBM})
	default:
		return ""
	}
}
