package dag

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
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
	// FaultDigest: the text is no digest.
	FaultDigest meta.Fault = "digest"
	// FaultRequest: the digest of the request is not that of the roots beside it, as
	// after an edit by hand.
	FaultRequest meta.Fault = "request"
)

// DecodeProjectLock reads what [ProjectLock.Encode] writes, and nothing else: fields
// that the format does not have are faults. The error is meta.FieldErrors with every
// fault; there is no lock then.
func DecodeProjectLock(data []byte) (*ProjectLock, error) {
	r := &lockReader{}
	if !utf8.Valid(data) {
		return nil, meta.FieldErrors{{Fault: meta.FaultSyntax, Err: errors.New("the document is not UTF-8")}}
	}
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return nil, meta.FieldErrors{{Fault: meta.FaultSyntax, Err: err}}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	l := r.lock(r.value(nil, dec))
	if len(r.faults) > 0 {
		slices.SortStableFunc(r.faults, func(a, b *meta.FieldError) int { return a.Path.Compare(b.Path) })
		return nil, r.faults
	}
	return l, nil
}

// A lockReader reads a project lock and notes its faults.
type lockReader struct{ faults meta.FieldErrors }

func (r *lockReader) fault(p meta.Path, fault meta.Fault, found, want string, err error) {
	r.faults = append(r.faults, &meta.FieldError{Path: p, Fault: fault, Found: found, Want: want, Err: err})
}

// value reads the next value of valid JSON, and notes keys that are there twice. How
// deep it may go, encoding/json has limited before.
func (r *lockReader) value(p meta.Path, dec *json.Decoder) any {
	token, err := dec.Token()
	if err != nil {
		return nil // not reached: the JSON is valid
	}
	switch token {
	case json.Delim('{'):
		object := make(map[string]any)
		for dec.More() {
			token, _ := dec.Token()
			key, _ := token.(string)
			at := under(p, key)
			if _, twice := object[key]; twice {
				r.fault(at, meta.FaultDuplicate, "", "", errors.New("the field is there twice"))
			}
			object[key] = r.value(at, dec)
		}
		_, _ = dec.Token() // the brace, as the JSON is valid
		return object
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			list = append(list, r.value(under(p, len(list)), dec))
		}
		_, _ = dec.Token()
		return list
	}
	return token
}

// under is the path of what a path holds, in memory of its own.
func under(p meta.Path, element any) meta.Path { return append(slices.Clip(p), element) }

func (r *lockReader) lock(v any) *ProjectLock {
	file := r.object(nil, v, "lockVersion", "request", "roots", "packages")
	if file == nil {
		return nil
	}
	want := strconv.Itoa(ProjectLockVersion)
	if n, ok := file["lockVersion"].(json.Number); !ok || n.String() != want {
		r.fault(meta.Path{"lockVersion"}, FaultVersion, found(file["lockVersion"]), want, nil)
	}
	l := &ProjectLock{Roots: []LockedRoot{}, Packages: []LockedPackage{}}
	sound := len(r.faults)
	for i, v := range r.list(meta.Path{"roots"}, file["roots"]) {
		l.Roots = append(l.Roots, r.root(meta.Path{"roots", i}, v))
	}
	p := meta.Path{"request"}
	request, ok := r.text(p, file, true)
	if digest := requestDigest(l.Roots); ok && request != digest && len(r.faults) == sound {
		r.fault(p, FaultRequest, found(request), "the digest of the roots, "+digest, nil)
	}
	met := make(map[string]bool)
	for i, v := range r.list(meta.Path{"packages"}, file["packages"]) {
		at := meta.Path{"packages", i}
		locked := r.locked(at, v)
		if id := locked.Source.Identity(); id != "" && met[id] {
			r.fault(under(at, "source"), meta.FaultDuplicate, "", "", errors.New("the package "+found(id)+" is locked already"))
		} else {
			met[id] = true
		}
		l.Packages = append(l.Packages, locked)
	}
	return l
}

func (r *lockReader) root(p meta.Path, v any) LockedRoot {
	var root LockedRoot
	object := r.object(p, v, "source", "constraint", "tag")
	if object == nil {
		return root
	}
	root.Source = r.source(p, object)
	at := under(p, "constraint")
	s, ranged := r.text(at, object, false)
	if ranged {
		var err error
		if root.Constraint, err = meta.ParseConstraint(s); err != nil {
			r.fault(at, meta.FaultConstraint, found(s), "a version range", errors.Unwrap(err))
		}
	}
	at = under(p, "tag")
	if s, ok := r.text(at, object, false); ok && ranged {
		r.fault(at, meta.FaultExclusive, "", "", errors.New("a tag and a constraint exclude each other"))
	} else if ok {
		var err error
		if root.Constraint, err = meta.ExactConstraint(s); err != nil {
			r.fault(at, FaultVersion, found(s), "a tag", errors.Unwrap(err))
		}
	}
	return root
}

func (r *lockReader) locked(p meta.Path, v any) LockedPackage {
	var locked LockedPackage
	object := r.object(p, v, "source", "version", "digest", "kind")
	if object == nil {
		return locked
	}
	locked.Source = r.source(p, object)
	at := under(p, "version")
	if s, ok := r.text(at, object, true); ok {
		var err error
		if locked.Version, err = meta.ParseVersion(s); err != nil {
			r.fault(at, FaultVersion, found(s), "a tag or a digest", errors.Unwrap(err))
		}
	}
	at = under(p, "digest")
	if s, ok := r.text(at, object, false); ok {
		if locked.Digest = s; s != "" && !meta.IsDigest(s) {
			r.fault(at, FaultDigest, found(s), "a digest", nil)
		}
	}
	kind, _ := r.text(under(p, "kind"), object, false)
	locked.Kind = meta.Kind(kind)
	return locked
}

func (r *lockReader) source(p meta.Path, object map[string]any) meta.Source {
	at := under(p, "source")
	s, ok := r.text(at, object, true)
	if !ok {
		return meta.Source{}
	}
	source, err := meta.ParseSource(s)
	if err != nil {
		var cause *meta.ReferenceError
		if errors.As(err, &cause) {
			err = cause.Err // the text is quoted once already
		}
		r.fault(at, meta.FaultSource, found(s), "an image repository", err)
	}
	return source
}

// object is an object that has no other keys than these; nil for what is none.
func (r *lockReader) object(p meta.Path, v any, keys ...string) map[string]any {
	object, ok := v.(map[string]any)
	if !ok {
		r.fault(p, meta.FaultType, found(v), "an object", nil)
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(keys, key) {
			r.fault(under(p, key), meta.FaultNotInFormat, "", "", errors.New("a project lock has no such field"))
		}
	}
	return object
}

func (r *lockReader) list(p meta.Path, v any) []any {
	list, ok := v.([]any)
	if !ok {
		r.fault(p, meta.FaultType, found(v), "an array", nil)
	}
	return list
}

// text is the text that an object has at the end of a path. It is false when there is
// none, which is a fault where there must be one.
func (r *lockReader) text(p meta.Path, object map[string]any, required bool) (string, bool) {
	key, _ := p[len(p)-1].(string)
	v, there := object[key]
	s, ok := v.(string)
	switch {
	case !there && !required:
		return "", false
	case !there || s == "" && ok && required:
		r.fault(p, meta.FaultRequired, "", "a text", nil)
		return "", false
	case !ok:
		r.fault(p, meta.FaultType, found(v), "a string", nil)
	}
	return s, ok
}

// found is a value as it may follow "this is", cut short.
func found(v any) string {
	switch v := v.(type) {
	case string:
		const most = 60
		if len(v) > most {
			cut := most
			for cut > 0 && !utf8.RuneStart(v[cut]) {
				cut--
			}
			v = v[:cut] + "…"
		}
		return strconv.Quote(v)
	case json.Number:
		if len(v) > 30 {
			return "a number"
		}
		return "the number " + v.String()
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	}
	return ""
}
