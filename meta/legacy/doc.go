// Package legacy reads packages of the v1 era, images and directories with a directory
// .registry, and tells what the package manager of that time made of them. No Crossplane
// installs them any more; registries and repositories still hold them.
//
// # Reading
//
// [Read] takes a file system: a directory, or the tree of an image (xpkg.Image.FS; opening such
// an image as a package of today fails with an error that says so, xpkg.ReasonLegacy).
//
//	p, err := legacy.Read(ctx, os.DirFS("."), &legacy.Options{Tag: "v0.3.0"})
//
// Both come back: everything that could be read, and a parser.ErrorList of everything that is
// wrong, each fault with its file, line and field. A [Package] has app.yaml ([App]),
// install.yaml ([Install]), the definitions ([CRD]) and all that describes them. Every value
// leads to its document, and parser.Document.At to the place of each field:
//
//	at := p.App.Document.At("dependsOn", 0, "crd").Value // .registry/app.yaml:24:8
//
// What the format does not have is no fault: UnknownFields, UnknownFiles and Objects list it, so
// that nothing is lost in silence. Symbolic links are not followed, not even within an image.
//
// # Which file is about which kind
//
// Names of directories mean nothing: group, kind and version are those of the definitions,
// which are in files *crd.yaml anywhere, and in any YAML file below resources, several in one
// if need be. A file that describes a kind is about the definitions in its directory and in
// those below. It may say which: with the beginning of its name, the kind and behind a dot the
// version (mysql.v1beta1.icon.svg; the plural will do), and a *resource.yaml with its id, which
// counts more. Letters may be in either case. One that says nothing is about all of them, save
// for a *resource.yaml where there are several kinds.
//
// Of several the nearest wins: the one in the deepest directory, and there the one that says the
// version, then the one that says the kind. Of icons that are alike in this, svg is preferred to
// png, jpg and gif, in this order. Of files *ui-schema.yaml all count, in the same order. The
// icon of the package is that of the kinds that have no nearer one.
//
// Some texts of the document allow for two readings. An overviewShort may be called
// shortOverview; where both are there and differ, the first counts and the other is an unknown
// field. app.yaml and install.yaml belong to the root, and group.yaml may be in any directory.
// An apiVersion in app.yaml may be missing, as it is in all packages of the time before it.
//
// # Processing
//
// [Package.Process] makes what the package manager sent to the API server: the [Record], an
// object of kind Package of packages.crossplane.io/v1alpha1, or a [StackDefinition], and the
// definitions with labels and annotations, which are added to those that a definition has
// itself and never replace one. What a file does not say is not annotated. What asked for the
// package, a [PackageInstall], may name a registry, pull secrets, a pull policy and annotations
// of the service account; it names the package, or a kind whose package an [Index] finds.
//
//	i, err := legacy.DecodePackageInstall(doc)
//	image, err := index.Find(i, "")
//	out, err := p.Process(&legacy.ProcessOptions{Install: i, Image: image})
//
// All of these are plain values with JSON tags. Nothing talks to a cluster.
//
// [Package.Permissions] tells what the controller of the package could do. Package
// linter/rules/legacy judges such packages.
//
// # Limits
//
// Input may be hostile: numbers of files, bytes, lengths of paths, faults and matches have
// limits, and beyond them there is an error that matches meta.ErrLimit. Values of this package
// do not change, save for an [Index], and may be used concurrently.
package legacy
