package mirror

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// LockVersion is the version of the file format of a [Lock].
const LockVersion = 1

// A Lock is what is in a mirror: every package that was copied there, by the name that
// it was declared by and the one that it has there, and the rules that lead from one to
// the other.
type Lock struct {
	// Rules are the rules that the mirror was filled by; none for a layout, where
	// packages keep their names.
	Rules []meta.Rewrite
	// Entries are the packages, in any order.
	Entries []Entry
}

// Entry is one package of a mirror. Both references have the digest, which is one and
// the same, and the tag if there is one.
type Entry struct {
	Declared meta.Reference
	Mirrored meta.Reference
	// MediaType is that of the manifest or the index.
	MediaType string
	// Attached is what came along: signatures, attestations, bills of materials.
	Attached []Attached
}

// Attached is something that is attached to a package, or to something that is.
type Attached struct {
	// Tag is the tag that it stands under, such as sha256-….sig; "" for a referrer.
	Tag string
	// Digest is that of its manifest.
	Digest string
	// ArtifactType is what a referrer is said to be; it may be empty.
	ArtifactType string
}

// Registries says where the packages are: for a client that pulls them from the
// mirror by the names that were declared.
func (l *Lock) Registries() meta.Registries {
	return meta.Registries{Rewrites: slices.Clone(l.Rules)}
}

// lockFile is a Lock as it is written.
type lockFile struct {
	LockVersion int         `json:"lockVersion"`
	Rules       []lockRule  `json:"rules"`
	Packages    []lockEntry `json:"packages"`
}

type lockRule struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type lockEntry struct {
	Declared  string         `json:"declared"`
	Mirrored  string         `json:"mirrored"`
	Digest    string         `json:"digest"`
	MediaType string         `json:"mediaType,omitempty"`
	Attached  []lockAttached `json:"attached,omitempty"`
}

type lockAttached struct {
	Tag          string `json:"tag,omitempty"`
	Digest       string `json:"digest"`
	ArtifactType string `json:"artifactType,omitempty"`
}

// Encode is the lock as indented JSON that ends with a line feed: the same bytes for
// the same mirror, in whichever order it was filled. There is no error.
func (l *Lock) Encode() ([]byte, error) {
	f := lockFile{LockVersion: LockVersion, Rules: []lockRule{}, Packages: []lockEntry{}}
	for _, r := range l.Rules {
		f.Rules = append(f.Rules, lockRule(r))
	}
	slices.SortFunc(f.Rules, func(a, b lockRule) int { return compareRules(meta.Rewrite(a), meta.Rewrite(b)) })
	f.Rules = slices.Compact(f.Rules)
	for _, e := range l.Entries {
		entry := lockEntry{
			Declared: withoutDigest(e.Declared), Mirrored: withoutDigest(e.Mirrored),
			Digest: e.Declared.Digest, MediaType: e.MediaType,
		}
		for _, a := range e.Attached {
			entry.Attached = append(entry.Attached, lockAttached(a))
		}
		slices.SortFunc(entry.Attached, func(a, b lockAttached) int {
			return cmp.Or(strings.Compare(a.Tag, b.Tag), strings.Compare(a.Digest, b.Digest), strings.Compare(a.ArtifactType, b.ArtifactType))
		})
		entry.Attached = slices.Compact(entry.Attached)
		f.Packages = append(f.Packages, entry)
	}
	slices.SortStableFunc(f.Packages, func(a, b lockEntry) int {
		return cmp.Or(strings.Compare(a.Declared, b.Declared), strings.Compare(a.Digest, b.Digest), strings.Compare(a.Mirrored, b.Mirrored))
	})
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(f)
	return b.Bytes(), err
}

// withoutDigest is a reference by its tag or, if it has none, its repository alone:
// the digest has a field of its own.
func withoutDigest(r meta.Reference) string {
	r.Digest = ""
	return r.String()
}

// MarshalJSON is [Lock.Encode]. There is no error.
func (l *Lock) MarshalJSON() ([]byte, error) { return l.Encode() }

// UnmarshalJSON is [DecodeLock], with its errors.
func (l *Lock) UnmarshalJSON(data []byte) error {
	decoded, err := DecodeLock(data)
	if err == nil {
		*l = *decoded
	}
	return err
}

// WriteLock writes a lock to a file, whole or not at all. The error is an
// *xpkg.FileError.
func WriteLock(path string, l *Lock) error {
	raw, err := l.Encode()
	if err != nil {
		return err
	}
	return writeFile(path, raw)
}
