package dag

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/meta"
)

// The faults of a project lock, besides those of package meta.
const (
	// FaultVersion: the text is neither a tag nor a digest, or the file format is one
	// that this package does not know.
	FaultVersion meta.Fault = "version"
	// FaultDigest: the text is no digest, or not the one that stands beside it.
	FaultDigest meta.Fault = "digest"
	// FaultRequest: the digest of the request is not that of the roots beside it, as
	// after an edit by hand.
	FaultRequest meta.Fault = "request"
)

// DecodeProjectLock reads what [ProjectLock.Encode] writes, and nothing else: fields
// that the format does not have are faults. The error is meta.FieldErrors with every
// fault, of which those beyond meta.MaxFaults are counted; there is no lock then.
func DecodeProjectLock(data []byte) (*ProjectLock, error) {
	if !utf8.Valid(data) {
		return nil, meta.FieldErrors{{Fault: meta.FaultSyntax, Err: errors.New("the document is not UTF-8")}}
	}
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return nil, meta.FieldErrors{{Fault: meta.FaultSyntax, Err: err}}
	}
	r := &lockReader{lock: &ProjectLock{Roots: []LockedRoot{}, Packages: []LockedPackage{}}, met: make(map[string]bool)}
	r.nulls = true
	r.file(data)
	if err := r.sorted(); err != nil {
		return nil, err
	}
	return r.lock, nil
}

// A lockReader reads a project lock and notes its faults.
type lockReader struct {
	jsonReader
	lock *ProjectLock
	met  map[string]bool // packages that are locked, by identity
}

func (r *lockReader) file(data json.RawMessage) {
	fields := r.fields(nil, data, []string{"lockVersion", "request", "roots", "packages"})
	if fields == nil {
		return
	}
	want := strconv.Itoa(ProjectLockVersion)
	if n := fields["lockVersion"]; string(n) != want {
		r.fail(meta.Path{"lockVersion"}, FaultVersion, foundJSON(n), want, nil)
	}
	before := len(r.faults)
	r.list(meta.Path{"roots"}, fields["roots"], r.root)
	sound := len(r.faults) == before
	p := meta.Path{"request"}
	if request, ok := r.required(p, fields["request"]); ok {
		if digest := requestDigest(r.lock.Roots); sound && request != digest {
			r.fail(p, FaultRequest, found(request), "the digest of the roots, "+digest, nil)
		}
	}
	r.list(meta.Path{"packages"}, fields["packages"], r.locked)
}

// fields are the values of an object that has no other keys than these; nil for what
// is no object.
func (r *lockReader) fields(p meta.Path, raw json.RawMessage, keys []string) map[string]json.RawMessage {
	values := make(map[string]json.RawMessage)
	if !r.object(p, raw, func(key string, _ meta.Path, raw json.RawMessage) bool {
		values[key] = raw
		return slices.Contains(keys, key)
	}) {
		return nil
	}
	return values
}

func (r *lockReader) root(p meta.Path, raw json.RawMessage) {
	fields := r.fields(p, raw, []string{"source", "constraint", "tag"})
	if fields == nil {
		return
	}
	root := LockedRoot{Source: r.source(join(p, "source"), fields["source"])}
	at := join(p, "constraint")
	text, ranged := r.optional(at, fields["constraint"])
	if ranged {
		var err error
		if root.Constraint, err = meta.ParseConstraint(text); err != nil {
			r.fail(at, meta.FaultConstraint, found(text), "a version range", errors.Unwrap(err))
		}
	}
	at = join(p, "tag")
	if tag, ok := r.optional(at, fields["tag"]); ok && ranged {
		r.fail(at, meta.FaultExclusive, "", "", errors.New("a tag and a constraint exclude each other"))
	} else if ok {
		var err error
		if root.Constraint, err = meta.ExactConstraint(tag); err != nil {
			r.fail(at, FaultVersion, found(tag), "a tag", errors.Unwrap(err))
		}
	}
	r.lock.Roots = append(r.lock.Roots, root)
}

func (r *lockReader) locked(p meta.Path, raw json.RawMessage) {
	fields := r.fields(p, raw, []string{"source", "version", "digest", "kind"})
	if fields == nil {
		return
	}
	locked := LockedPackage{Source: r.source(join(p, "source"), fields["source"])}
	if id := locked.Source.Identity(); id != "" && r.met[id] {
		r.fail(join(p, "source"), meta.FaultDuplicate, "", "", errors.New("the package "+found(id)+" is locked already"))
	} else {
		r.met[id] = true
	}
	at := join(p, "version")
	if text, ok := r.required(at, fields["version"]); ok {
		locked.Version = r.tag(at, text)
	}
	at = join(p, "digest")
	if digest, ok := r.optional(at, fields["digest"]); ok {
		if locked.Digest = digest; digest != "" && !meta.IsDigest(digest) {
			r.fail(at, FaultDigest, found(digest), "a digest", nil)
		}
	}
	kind, _ := r.optional(join(p, "kind"), fields["kind"])
	locked.Kind = meta.Kind(kind)
	r.lock.Packages = append(r.lock.Packages, locked)
}

func (r *lockReader) source(p meta.Path, raw json.RawMessage) meta.Source {
	if text, ok := r.required(p, raw); ok {
		return r.jsonReader.source(p, text)
	}
	return meta.Source{}
}

// required is a text that must be there and say something.
func (r *lockReader) required(p meta.Path, raw json.RawMessage) (string, bool) {
	text, ok := r.optional(p, raw)
	if raw == nil || ok && text == "" {
		r.fail(p, meta.FaultRequired, "", "a text", nil)
		return "", false
	}
	return text, ok
}

// optional is a text that may be there.
func (r *lockReader) optional(p meta.Path, raw json.RawMessage) (string, bool) {
	if raw == nil {
		return "", false
	}
	return r.text(p, raw)
}
