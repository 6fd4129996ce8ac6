// Package xpkg reads Crossplane packages out of OCI images: from a registry, a
// .xpkg file, an OCI layout or an image in memory. It also publishes them and
// keeps a cache. Package xpkg/build makes images.
//
//	c := &xpkg.Client{}
//	img, err := c.Image(ctx, "xpkg.crossplane.io/crossplane-contrib/provider-nop:v0.4.0", nil)
//	if err != nil { … }
//	pkg, err := img.Package(ctx)
//	if err != nil { … }
//	fmt.Println(pkg.Meta.Kind, pkg.Meta.Name, len(pkg.Objects))
//
// An [Image] comes from [Client.Image], [OpenFile], [OpenReader] or [Open], and is
// the same from then on. It is lazy: opening reads a manifest at most, and each of its
// methods reads what it needs when it is called, under its own context.
//
//   - [Image.Package] is the package, parsed;
//   - [Image.Stream] is package.yaml as a stream of bytes;
//   - [Image.Layers], [Image.OpenLayer], [Image.LayerFS] and [Image.FS] are for those
//     who look for more, and [Image.V1] for those who copy the image;
//   - [Detect] says from a manifest alone whether it may be a package, and
//     [Client.Index] and [IndexFile] list all that a reference or a file leads to.
//
// # Which image
//
// A reference may lead to an index of images. [Select] says which of them is
// taken: the only one, whatever its platform; else the one for linux/amd64 or
// Options.Platform; never an attestation. Package content has no platform, so
// where no image of an index has one and all hold one package, any will do.
//
// # Where package.yaml is
//
// A manifest may mark one layer with the annotation io.crossplane.xpkg: base.
// Then only that layer is read, and no other and no configuration is asked for.
// Otherwise package.yaml is looked up in the file system that all layers make
// together: from the top layer down, with whiteouts, and no further than the
// layer that decides. [Image.Method] says which way it is. In docker tars, which
// have no manifest, a label of the configuration takes the annotation's place.
//
// package.yaml is the file at the root, spelt package.yaml, ./package.yaml or
// /package.yaml, and nothing in a directory. It may be a link: symbolic links
// are followed inside the finished file system, hard links to the file as it was
// when the layer was made; a link that leaves the image, leads to nothing or in
// a circle is an error. So are a directory, a device, an empty file, and two in
// one layer. The error is a [*NotPackageError], which tells what was looked at
// and what was nearly right.
//
// # What may be trusted
//
// Images come from strangers. Every blob is held against the size and digest
// that its descriptor names, every manifest against its digest; layers on disk
// too, and those of docker tars against their diff IDs. Layers are read to their
// last byte, through the checksums of gzip and zstd, also when package.yaml
// comes first. [Image.Package] returns nothing before that. A stream cannot wait
// so long: its last Read returns a [*DigestError] where io.EOF would stand, and
// its Close before the end [ErrUnverified], so that nobody takes a part for the
// whole.
//
// That an image is the one that was asked for does not say who made it: the hook
// Options.Verify is where signatures are checked, before a layer is read. See
// [Subject].
//
// What is read is bounded: see [Options]. Passing a limit is an error, never a
// short result.
//
// # Where packages are
//
// Client.Registries names the registry of references without one, rules that put
// one prefix of a name in the place of another, and mirrors, which are asked first.
// [Image.Reference] is what was declared and [Image.Resolved] what was read.
//
// # Errors
//
// Errors match a category of package meta with errors.Is (meta.ErrNotPackage,
// meta.ErrDigest, meta.ErrNotFound, meta.ErrUnauthorized, meta.ErrUnavailable,
// meta.ErrLimit, meta.ErrInvalid, meta.ErrCanceled), have a type of their own
// for errors.As, and name the reference, and the layer or manifest. Those of
// registries are [*RegistryError], with a reason and what may help, those of
// disks [*FileError], those of files of credentials [*CredentialsError].
//
// # Offline
//
// A [Client] with a [Cache] keeps manifests and layers by digest, and what tags
// name. By the [PullPolicy] Never it makes no request at all, by IfNotPresent
// none for what it knows, by Always one to see whether a tag has moved. Packages
// that no registry has are put there by hand, as files, and found by a bare name:
// see [Cache.Add].
//
// # Closing and concurrency
//
// A [Client], an [Image], a [Cache], a [Layout] and a [Repository] may be used by many
// goroutines at once and need no closing; the fields of a Client are set before its first
// call. What [Image.Stream], [Image.OpenLayer], [Repository.Blob] and [Layout.Blob]
// return is for one goroutine, and whoever asked for it closes it. A context that ends
// stops the call that it was given to, with an error that matches meta.ErrCanceled, and
// leaves nothing running.
package xpkg
