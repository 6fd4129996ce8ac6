// Package mirror copies packages, with all that belongs to them, from registries to
// other registries, and to and from an OCI layout, as a directory or one file, that is
// carried over a gap.
//
//	from := mirror.FromRegistries(&xpkg.Client{})
//	rules := mirror.Below("registry.internal/mirror", refs...)
//	to := mirror.ToRegistries(&xpkg.Client{}, rules)
//	result, err := mirror.Copy(ctx, refs, from, to, nil)
//
// Which packages make a closure, package dag tells; here they are a list of references.
//
// # What is copied
//
// Manifests and blobs are copied byte for byte, so that every digest is the same; an
// index comes with all platforms and everything else that it lists. What is attached to
// a manifest comes with it: what the registry lists as its referrers (OCI distribution
// specification, "Listing Referrers" and "Referrers Tag Schema"), what refers to those in
// turn, and what cosign keeps under the tags sha256-….sig, sha256-….att and sha256-….sbom.
// Layers that their media type says not to be distributed, and that name another place
// to have them from, are left there.
//
// # In which order
//
// Blobs come first, then manifests by digest, what is listed before what lists it, then
// what is attached, and the name of the package last: under it nothing is ever half. All
// content is held against its digest while it is copied, and none that is wrong is kept.
// What is there already is not copied again, so that a run that was interrupted goes on
// where it was, and one that is repeated only asks.
//
// # Names
//
// Where a package is kept in the mirror is said by rules that replace the beginning of
// its complete name, which are those of meta.Registries and of Crossplane's ImageConfig:
// the same rules lead whoever pulls. [Lock] keeps what was declared, where it is, and the
// rules. In a layout every package keeps its declared name, as the annotation
// org.opencontainers.image.ref.name of its entry in index.json.
//
// # Errors and concurrency
//
// A package that fails does not stop the others: the error of [Copy] joins an [*ItemError]
// for each, and the [Result] says what is there. A name that two packages would have is a
// [*ClashError], one that is wanted with two contents a [*MovedError], a name that no rule
// is for [ErrNoRule], a manifest that does not say what it consists of a [*ManifestError],
// and a registry that has something else than was written a [*WrittenError].
//
// Blobs are copied by several goroutines, of which none is left when Copy returns; when
// its context ends the error matches meta.ErrCanceled. A [Source] may be used by several
// copies at once, a [Target] by one at a time; neither needs closing.
package mirror
