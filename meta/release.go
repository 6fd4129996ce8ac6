package meta

// A Release is one published version of a package, as far as somebody who
// resolves dependencies must know it. It is what a catalog answers.
type Release struct {
	// Source and Version are what the release was asked for by; the version has a
	// digest if one is known.
	Source  Source
	Version Version

	// Digest is the digest of the image, or of the index if the reference leads to
	// one; "" if it is not known.
	Digest string

	// Kind is what the package says that it is, which a dependency on it can only
	// hint at.
	Kind Kind

	// Crossplane is which versions of Crossplane it is compatible with.
	Crossplane Constraint

	// DependsOn are its dependencies.
	DependsOn []Dependency

	// Provides is what it brings and calls; nil if that was not looked at.
	Provides *Provides
}
