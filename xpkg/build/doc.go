// Package build makes a package image out of a package directory or of parsed
// documents, and writes it to a file.
//
//	root, err := os.OpenRoot("configuration-website")
//	img, err := build.Dir(ctx, root, nil)
//	err = build.WriteFile(ctx, "configuration-website.xpkg", img, build.OCI)
//
// A package directory has a crossplane.yaml at its root and any number of YAML
// files below it (package format v2, "An On-Disk Format"). The image that comes
// of it has exactly one layer with exactly one file, package.yaml. The layer is
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
// file that does not end with a line break gets one, and so does the text of a
// block scalar (| or >, without -) that is the last thing in such a file. The
// metadata object comes first, so that who reads the stream knows at once what the
// package is; the other documents stand in the order of their files'
// slash-separated paths, compared byte by byte, and within a file in the file's
// order. So the name of a file decides where its documents stand and is otherwise
// not kept. The directory examples at the root is no part of the package, nor
// is what a file .xpkgignore leaves out.
//
// # The same input gives the same image
//
// The digest depends on the documents, their order and Options.Created, and on
// nothing else: not on times, modes, owners, the order in which a directory
// lists its files, the machine or the clock. The layer does not depend on
// Created either. Another version of the compressor may compress differently;
// the decompressed layer stays the same.
package build
