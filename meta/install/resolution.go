package install

import "github.com/xpkg-go/sdk/meta"

// A Resolution is what asking for a package came to: a digest, or a failed
// pull, or, when both are absent, nothing yet.
type Resolution struct {
	// Digest is what the package reference names now. After a failed pull it
	// may be set too, when the registry told the digest and not the contents.
	Digest string `json:"digest,omitempty"`
	// Image is the reference of the image, with its digest; empty means that it
	// is made of the declared source and the digest.
	Image string `json:"image,omitempty"`
	// Annotations are those that the revision is to bear:
	// meta.Package.RevisionAnnotations.
	Annotations map[string]string `json:"annotations,omitempty"`
	// Failed is the attempt that failed, if the pull did; its Cause says how.
	Failed *Attempt `json:"failed,omitempty"`
}

// Resolved returns the resolution of a package that was pulled: its digest and
// its metadata, which may be nil when only the digest is known.
func Resolved(digest string, pkg *meta.Package) Resolution {
	r := Resolution{Digest: digest}
	if pkg != nil {
		r.Annotations = pkg.RevisionAnnotations()
	}
	return r
}

func (r Resolution) ok() bool { return r.Digest != "" && r.Failed == nil }
