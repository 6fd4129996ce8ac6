package xpkg

import (
	"context"
	"errors"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Release reads what one published version of a package is: its digest, its
// kind, the Crossplane versions that it works with and its dependencies. The
// digest is the one that the reference leads to, which is that of the index
// when there is one. Provides is left out; [Details]
// has it.
//
// The package is read as Image.Package reads it. Faults of its objects do not
// matter here; faults of its metadata are the error, since a dependency or a
// range that could not be read would count as absent.
//
// With Tags it makes a Client a dag.Catalog. Errors are those of Client.Image,
// Image.Package and *meta.ReferenceError.
func (c *Client) Release(ctx context.Context, source meta.Source, version meta.Version) (*meta.Release, error) {
	r, _, err := c.read(ctx, source, version, nil)
	return r, err
}

// read is the release and the package that it was read from.
func (c *Client) read(ctx context.Context, source meta.Source, version meta.Version, o *Options) (*meta.Release, *parser.Package, error) {
	ref := source.WithTag(version.OCITag())
	ref.Digest = version.Digest()
	img, err := c.Image(ctx, ref.String(), o)
	if err != nil {
		return nil, nil, err
	}
	pkg, err := img.Package(ctx)
	if pkg == nil {
		return nil, nil, err
	}
	if err := metadataFaults(pkg, err); err != nil {
		return nil, nil, &ReleaseError{Ref: ref.String(), Err: err}
	}
	if pkg.Meta == nil {
		return nil, nil, &ReleaseError{Ref: ref.String(), Err: meta.ErrNotPackage}
	}
	r := &meta.Release{
		Source: source, Version: version, Digest: img.IndexDigest(),
		Kind: pkg.Meta.Kind, Crossplane: pkg.Meta.Crossplane, DependsOn: pkg.Meta.DependsOn,
	}
	if r.Digest == "" {
		if r.Digest, err = img.Digest(ctx); err != nil {
			return nil, nil, err
		}
	}
	return r, pkg, nil
}

// ReleaseError says that the metadata of a published package has faults. It
// matches what they match; errors.As finds the parser.ErrorList.
type ReleaseError struct {
	Ref string
	Err error
}

// Error implements error.
func (e *ReleaseError) Error() string { return e.Ref + ": " + e.Err.Error() }

// Unwrap returns the faults.
func (e *ReleaseError) Unwrap() error { return e.Err }

// metadataFaults keeps of a parser's faults those that leave the metadata
// unknown: those of the metadata object, such as a dependsOn that is there twice,
// and those that may hide it.
func metadataFaults(pkg *parser.Package, err error) error {
	var all parser.ErrorList
	if !errors.As(err, &all) {
		return err
	}
	var faults parser.ErrorList
	for _, fault := range all {
		switch fault.Rule {
		case parser.RuleMetadataMissing, parser.RuleMetadataMultiple, parser.RuleMetadataInvalid, parser.RuleConstraint,
			parser.RuleLimit, parser.RuleUnreadable:
			faults = append(faults, fault)
		default:
			if pkg.Header != nil && fault.Index == pkg.Header.Index {
				faults = append(faults, fault)
			}
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return faults
}
