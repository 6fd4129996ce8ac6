package linter

// Image is what rules about images know of the one that the package came from: plain
// facts, which the caller fills from the image that it has opened, so that a rule needs
// no registry. Fields that the caller does not know stay empty, and a rule has nothing to
// say about them.
type Image struct {
	// Source is the repository that the image was asked for in, such as
	// xpkg.upbound.io/crossplane-contrib/provider-nop; empty when it is a file.
	Source string
	// Tag is what the image was asked for by, such as v1.2.0; empty when it was asked for
	// by digest, or is a file.
	Tag string
	// Digest of the image's manifest, such as sha256:….
	Digest string
	// Entries are those of the image index that leads to the image, in its order; none
	// when the manifest was reached without an index.
	Entries []ImageEntry
	// Platform is what the image's configuration says, as os/architecture or
	// os/architecture/variant; empty when it says nothing.
	Platform string
	// User is the user that the image's configuration runs as; empty is root.
	User string
	// Runtime says that the image holds a program to be run (its configuration has an
	// entrypoint or a command), rather than package.yaml alone.
	Runtime bool
	// Layers are those of the manifest, bottom first.
	Layers []ImageLayer
	// Overwritten are the paths of annotated layers that a later layer replaces or
	// deletes, by layer and path.
	Overwritten []OverwrittenPath
}

// ImageEntry is one manifest that an image index names.
type ImageEntry struct {
	// Digest of the manifest, such as sha256:….
	Digest string
	// MediaType is what the index calls it.
	MediaType string
	// Platform as os/architecture or os/architecture/variant; empty when the index names
	// none.
	Platform string
	// Attestation says that the manifest is about another one (what docker buildx writes
	// with the platform unknown/unknown) rather than an image.
	Attestation bool
}

// ImageLayer is one layer of the image.
type ImageLayer struct {
	// Digest of the blob, such as sha256:…; empty when it is unknown.
	Digest string
	// MediaType is what the manifest calls the layer.
	MediaType string
	// Mark is the annotation io.crossplane.xpkg: "base" for the layer with package.yaml,
	// another word for a layer of a third party, empty for a layer without.
	Mark string
	// HasPackage says that the layer holds package.yaml at its root.
	HasPackage bool
}

// OverwrittenPath is a file of an annotated layer that a later layer replaces or deletes,
// which is then not what someone sees who extracts the image.
type OverwrittenPath struct {
	// Path within the image, without a leading slash.
	Path string
	// Layer and By are indexes into Image.Layers: the annotated layer, and the later one.
	Layer, By int
}
