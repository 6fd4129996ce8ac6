// Package meta holds what Crossplane packages say of themselves: what they are,
// what they depend on, at which versions, and under which names. It is the
// vocabulary of the other packages of this module, and needs none of them: it
// links the standard library and Masterminds/semver.
//
// # Metadata
//
// Every package has one metadata object, of kind Provider, Configuration or
// Function, in one of several API versions. [Decode] reads all of them into one
// [Package] and reports every fault with the path of the field that it is in;
// [Package.Encode] writes an equal object, whatever it had that this library does
// not know. Decode takes JSON; package parser reads YAML and knows the lines of
// the fields.
//
//	p, err := meta.Decode(data)
//	for _, d := range p.DependsOn {
//		fmt.Println(d.Package, d.Constraint)
//	}
//
// A [Dependency] is on the package at a [Source], at the versions that a
// [Constraint] allows. The kind that it names is a hint; what is true is in the
// metadata of the package that it leads to.
//
// # Sources and references
//
// A [Source] is an image repository, the identity of a package without a version.
// [ParseReference] reads references of images as Crossplane does. Texts that name
// one repository have one [Source.Identity]. [Registries] adds default registries
// and mirrors, in one order: first the default, then the mirror.
//
// # Versions and constraints
//
// A [Version] is a tag, a digest, or a tag whose digest is known. [Classify] tells
// versions from other tags: v1.2.3 is a release, v1.2.3-rc.1 a pre-release, v1 and
// v1.2 are partial and no versions, latest is none either. [Constraint.Allows]
// answers for full versions what Masterminds' Check answers, and
// [Constraint.Explain] tells why, and how to admit a pre-release. [Newest] selects.
//
//	c, err := meta.ParseConstraint(">=v1.2.0, <v2")
//	v, ok := meta.Newest(c, versions)
//
// # What a package provides
//
// [Provides] lists the API kinds, compositions and webhooks that a package brings
// and the functions and images that it calls. [XRD.Kinds] tells which kinds a
// composite resource definition makes.
//
// # Errors
//
// The errors of all packages of this module have one of the categories that are
// declared here, such as [ErrInvalid]; see [Code] for their stable names.
//
// Values of this package are safe for concurrent use as long as nobody modifies
// them. No function panics, whatever its input, and none waits.
package meta
