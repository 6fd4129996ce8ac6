package install

import (
	"errors"
	"math"
	"strconv"

	"github.com/xpkg-go/sdk/meta"
)

// validate tells what a package, its history and its resolution contradict
// themselves and each other in. It finds out p.resolved by the way.
func (p *planner) validate() meta.FieldErrors {
	var faults meta.FieldErrors
	if p.parent.Ref.Name == "" {
		faults = append(faults, missing(meta.Path{"ref", "name"}, "the name of the package"))
	}
	if a := p.parent.Activation; !a.Valid() {
		faults = append(faults, activationPolicyFault(meta.Path{"revisionActivationPolicy"}, a))
	}
	faults = append(faults, validateHistoryLimit(meta.Path{"revisionHistoryLimit"}, p.parent.HistoryLimit)...)
	faults = append(faults, p.resolution.validate()...)
	if p.resolution.ok() {
		name, err := p.parent.RevisionName(p.resolution.Digest)
		if err != nil && len(faults) == 0 { // it has been told what is wrong with either
			faults = append(faults, &meta.FieldError{Path: meta.Path{"digest"}, Fault: FaultReference, Err: err})
		}
		p.resolved = name
	}
	if h := p.highest; h < 0 || h > maxNumber {
		faults = append(faults, rangeFault(meta.Path{"highest"}, h, "the number of a revision"))
	}
	return append(faults, p.validateRevisions()...)
}

// validateRevisions checks each revision, and that no two of them are the same
// or share what tells them apart.
func (p *planner) validateRevisions() meta.FieldErrors {
	var faults meta.FieldErrors
	names, digests, numbers := make(map[string]bool), make(map[string]bool), make(map[int64]bool)
	for i, r := range p.revisions {
		at := meta.Path{"revisions", i}
		faults = append(faults, r.validate(at)...)
		another := func(field, what string) {
			faults = append(faults, &meta.FieldError{
				Path: join(at, field), Fault: meta.FaultDuplicate, Err: errors.New("there is another revision " + what),
			})
		}
		if names[r.Name] {
			another("name", quote(r.Name))
		}
		if r.Digest != "" && digests[r.Digest] {
			another("digest", "of "+quote(r.Digest))
		}
		if numbers[r.Number] {
			another("revision", "with the number "+strconv.FormatInt(r.Number, 10))
		}
		names[r.Name], digests[r.Digest], numbers[r.Number] = true, true, true
		if r.Name == p.resolved && p.resolved != "" && meta.IsDigest(r.Digest) && r.Digest != p.resolution.Digest {
			faults = append(faults, &meta.FieldError{
				Path: join(at, "digest"), Fault: meta.FaultDuplicate, Found: r.Digest,
				Want: p.resolution.Digest, Err: errors.New("both digests give the name " + quote(r.Name)),
			})
		}
	}
	return faults
}

func (r Resolution) validate() meta.FieldErrors {
	faults := validateDigest(meta.Path{"digest"}, r.Digest)
	if r.Image == "" {
		return faults
	}
	image, err := meta.ParseReference(r.Image)
	if err != nil {
		return append(faults, validateImage(meta.Path{"image"}, r.Image, false)...)
	}
	if image.Digest != r.Digest && len(faults) == 0 {
		faults = append(faults, imageDigestFault(meta.Path{"image"}, r.Image, r.Digest))
	}
	return faults
}

// maxNumber leaves room for the two numbers that one plan gives at most.
const maxNumber = math.MaxInt64 - 2

func (r Revision) validate(p meta.Path) meta.FieldErrors {
	faults := validateName(join(p, "name"), r.Name)
	if !r.Desired.Valid() {
		faults = append(faults, stateFault(join(p, "desiredState"), r.Desired))
	}
	if r.Observed != "" && !r.Observed.Valid() {
		faults = append(faults, stateFault(join(p, "observedState"), r.Observed))
	}
	if r.Number < 0 || r.Number > maxNumber {
		faults = append(faults, rangeFault(join(p, "revision"), r.Number, "the number of a revision"))
	}
	faults = append(faults, validateDigest(join(p, "digest"), r.Digest)...)
	// An image without a digest, or one that cannot be read, is no contradiction:
	// in a cluster there are names of cached packages, and references with a tag.
	image, err := meta.ParseReference(r.Image)
	if err == nil && image.Digest != "" && meta.IsDigest(r.Digest) && image.Digest != r.Digest {
		faults = append(faults, imageDigestFault(join(p, "image"), r.Image, r.Digest))
	}
	return faults
}

func validateDigest(p meta.Path, digest string) meta.FieldErrors {
	if digest == "" || meta.IsDigest(digest) {
		return nil
	}
	return meta.FieldErrors{{
		Path: p, Fault: FaultReference, Found: quote(digest), Want: "a digest",
		Err: errors.New(`it is not "sha256:" and 64 hexadecimal digits`),
	}}
}

func imageDigestFault(p meta.Path, image, digest string) *meta.FieldError {
	want := "an image with the digest " + digest
	if digest == "" {
		want = "an image of a known digest"
	}
	return &meta.FieldError{Path: p, Fault: FaultReference, Found: quote(image), Want: want}
}
