package xpkg

import (
	"cmp"
	"context"
	"errors"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/internal/parallel"
	"github.com/xpkg-go/sdk/meta"
)

// uploads are how many blobs a push sends at once.
const uploads = 4

// PushOptions says how files are pushed. Nil and zero fields mean the defaults.
type PushOptions struct {
	// AnyTag lets a tag be other than a full semantic version as meta.Classify tells it,
	// which is Crossplane's way: latest and v1 are none, v01.0.0 is one.
	AnyTag bool
	// Open is what the files are read with; nil is its defaults. Its Platform is not
	// looked at: all images of a file are pushed.
	Open *Options
}

// Pushed is what a registry has after a push.
type Pushed struct {
	// Reference is the complete name, with the registry and the tag or digest.
	Reference string
	// Digest is that of the manifest or the index that the reference names, as the
	// registry says.
	Digest string
	// MediaType is that of the manifest or the index.
	MediaType string
	// Images are the images, in the order of the index; one that is no index has one.
	Images []PushedImage
	// Same are images that were left out because they hold the same layers as the only
	// one of Images: the package is the same for all platforms, and a manifest alone
	// serves them all, where an index would not.
	Same []PushedImage
	// Present says that the registry had it all under that name, and nothing was sent.
	Present bool
}

// PushedImage is one image of a push.
type PushedImage struct {
	File     string       // that it is from
	Digest   string       // of its manifest
	Platform *v1.Platform // that its configuration names; nil if it names none
}

// PushFiles writes packages from files to a registry, under one reference: each file is
// one that OpenFile reads. One image becomes one manifest and never an index. Several
// become an index by the platforms that their configurations name, in the order of these.
// What a file has an OCI manifest for is pushed byte for byte, annotations and all; a file
// that holds one index of several images alone keeps that index with all that it lists. An image of a docker
// tar has no manifest: it gets an OCI one whose layers are annotated as the labels of its
// configuration say.
//
// Images of several platforms that have the same layers are one package: a package
// without a runtime, built for each platform. Then one manifest is pushed, that for
// linux/amd64 or the first by platform, since an index would keep clusters on other platforms from it;
// Pushed.Same names the others. Two images of one platform are an error.
//
// Everything is read and verified before anything is sent: each image has to hold a
// package.yaml. Then come blobs, what the registry has not sent again, manifests by
// digest, and the tag last; a push that fails leaves the tag as it was and can be tried
// again. What the registry says in the end that the reference names is compared with what
// was sent.
//
// ref is a reference as Push takes it. Its tag has to be a full semantic version, unless
// PushOptions.AnyTag; latest, which stands for no tag, is none. Errors: *TagError,
// *PlatformClashError, *NoPlatformError, *meta.ReferenceError, those of OpenFile and Image.Stream,
// *DigestError where the registry has something else in the end, *RegistryError and
// *CredentialsError. See the packages guide, "Pushing a Package".
func (c *Client) PushFiles(ctx context.Context, ref string, paths []string, o *PushOptions) (*Pushed, error) {
	if o == nil {
		o = &PushOptions{}
	}
	if len(paths) == 0 {
		return nil, missing("paths", "one file at least")
	}
	parsed, err := meta.ParseReference(ref)
	if err != nil {
		return nil, err
	}
	if err := checkPushTag(ref, parsed, o); err != nil {
		return nil, err
	}
	to, err := c.Destination(parsed.Source)
	if err != nil {
		return nil, err
	}
	to.src.ref = ref
	options := o.Open.withDefaults()
	p, err := planPush(ctx, paths, &options)
	if err != nil {
		return nil, err
	}
	root := p.parts[len(p.parts)-1]
	if parsed.Digest != "" && parsed.Digest != root.manifest.Digest {
		return nil, &DigestError{Ref: ref, What: "image", Want: parsed.Digest, Got: root.manifest.Digest, WantSize: -1}
	}
	tag := ""
	if parsed.Digest == "" {
		tag = cmp.Or(parsed.Tag, meta.DefaultTag)
	}
	done := &Pushed{Digest: root.manifest.Digest, MediaType: root.manifest.MediaType, Images: p.images, Same: p.same}
	done.Reference = to.place().Digest(done.Digest).Name()
	if tag != "" {
		done.Reference = to.place().Tag(tag).Name()
	}
	at := cmp.Or(tag, done.Digest)
	if has, err := to.Digest(ctx, at); err == nil && has == done.Digest {
		// Whatever it names was there before it.
		done.Present = true
		return done, nil
	} else if err != nil && !isAbsent(err) {
		return nil, err
	}
	if err := to.send(ctx, p.parts, tag); err != nil {
		return nil, err
	}
	has, err := to.Confirm(ctx, at)
	if err != nil {
		return nil, err
	}
	if has != done.Digest {
		return nil, &DigestError{Ref: ref, What: "image", Want: done.Digest, Got: has, WantSize: -1}
	}
	if c.Cache != nil && tag != "" {
		if h, err := v1.NewHash(has); err == nil {
			c.pushed(ctx, to.src.name, tag, h)
		}
	}
	return done, nil
}

// isAbsent reports whether a registry may simply not have what was asked for. Some deny
// who asks for a repository that is not there yet.
func isAbsent(err error) bool {
	code := meta.Code(err)
	return code == "not-found" || code == "unauthorized"
}

// send writes parts in their order, and the tag last.
func (r *Repository) send(ctx context.Context, parts []pushPart, tag string) error {
	var blobs []pushBlob
	seen := map[string]bool{}
	for _, p := range parts {
		for _, b := range p.blobs {
			if !seen[b.digest] {
				seen[b.digest] = true
				blobs = append(blobs, b)
			}
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var first error
	faults := parallel.Each(ctx, len(blobs), uploads, func(ctx context.Context, i int) error {
		if context.Cause(ctx) == errEnough {
			return nil
		}
		b := blobs[i]
		_, err := r.PutBlob(ctx, b.digest, b.size, func() (io.ReadCloser, error) { return b.open(ctx, r.client) })
		if err != nil && context.Cause(ctx) != errEnough {
			stop(errEnough) // the rest is of no use now
			return err
		}
		return nil
	})
	for _, err := range faults {
		if err != nil && first == nil {
			first = err
		}
	}
	if first != nil {
		return first
	}
	for _, p := range parts {
		if err := r.PutManifest(ctx, p.manifest.Digest, p.manifest); err != nil {
			return err
		}
	}
	if tag == "" {
		return nil
	}
	return r.PutManifest(ctx, tag, parts[len(parts)-1].manifest)
}

// errEnough ends the other uploads of a push when one has failed.
var errEnough = errors.New("another upload has failed")

// checkPushTag refuses tags that nobody could name as a version.
func checkPushTag(ref string, r meta.Reference, o *PushOptions) error {
	tag := cmp.Or(r.Tag, meta.DefaultTag)
	if o.AnyTag || r.Digest != "" && r.Tag == "" {
		return nil
	}
	if class := meta.Classify(tag); class != meta.ClassRelease && class != meta.ClassPrerelease {
		return &TagError{Ref: ref, Tag: tag, Implied: r.Tag == "", Class: class}
	}
	return nil
}
