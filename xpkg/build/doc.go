// Package build makes a package image out of a package directory or of parsed
// documents, changes images without touching what they hold, and writes them to files.
//
//	root, err := os.OpenRoot("configuration-website")
//	img, err := build.Dir(ctx, root, nil)
//	err = build.WriteFile(ctx, "configuration-website.xpkg", img, build.OCI)
//
// A package directory has a crossplane.yaml at its root and any number of YAML
// files below it (package format v2, "An On-Disk Format"). The image that comes
// of it has exactly one layer with exactly one file, package.yaml, unless there are
// examples, which have a layer of their own, or a runtime. The layer is
// annotated io.crossplane.xpkg: base in the manifest and labelled in the
// configuration, so that OCI registries and docker tars both tell where the
// package is (specification, "Manifests" and "Layers").
//
// # What is kept
//
// package.yaml holds the author's bytes: every document of the directory as it
// is written, with its comments, field order and number formats, one after
// another with a line "---" between them. Nothing is encoded anew, no document is
// left out, and one that cannot be read is an error. What stands outside of the
// documents, such as a comment before the first "---" of a file, is not kept. A
// file that does not end with a line break gets one when a document follows; where
// that would change the text of a block scalar (| or >), its header is made to say
// |- or >-, and that is the only byte that ever changes. The
// metadata object comes first, so that who reads the stream knows at once what the
// package is; the other documents stand in the order of their files'
// slash-separated paths, compared byte by byte, and within a file in the file's
// order. So the name of a file decides where its documents stand and is otherwise
// not kept. What a file .xpkgignore leaves out is no part of the package.
//
// # The same input gives the same image
//
// The digest depends on the documents, their order and Options, and on
// nothing else: not on times, modes, owners, the order in which a directory
// lists its files, the number of cores, the machine or the clock. The layers do not
// depend on Created either. Another version of the compressor may compress
// differently; the decompressed layers, and so their diff IDs, stay the same.
//
// # What it takes
//
// Dir without a judge holds the compressed package and a few files at a time; of a
// file it needs the whole. An image of this package holds its own layers, compressed,
// in memory; those of a runtime or of an image that was changed are read where they
// are when they are asked for.
//
// # Images that exist
//
// Append puts a layer of a third party on an image, Annotate and Relabel set
// annotations and labels, and nothing else changes. VerifyAdditive says what became of
// an image, and whether all annotated layers are unharmed. Repair brings back the
// annotations that docker does not keep.
//
// # Errors and concurrency
//
// Faults of a directory are those of package parser, refusals of the caller's judge a
// [*JudgeError], layers that cannot be read or put on an image a [*LayerError], changes
// that harm a package an [*AdditiveError], marks that cannot be brought back a
// [*RepairError]; all match meta.ErrInvalid, unless their cause has a category of its own.
// What cannot be written is an *xpkg.FileError, and leaves nothing half written.
//
// All functions may be called by many goroutines at once. Images do not change and may be
// read by many; nothing is closed but the os.Root of [Dir], by whoever opened it, when Dir
// has returned.
package build
