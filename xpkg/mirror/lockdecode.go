package mirror

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/meta"
)

// The faults of a lock, besides those of package meta.
const (
	// FaultVersion: the file format is one that this package does not know.
	FaultVersion meta.Fault = "version"
	// FaultDigest: the text is no digest.
	FaultDigest meta.Fault = "digest"
	// FaultReference: the text is no reference, or one with a digest.
	FaultReference meta.Fault = "reference"
	// FaultForm: what is there could be written by Encode, and was not: it is there
	// twice, in another order, or under another case.
	FaultForm meta.Fault = "form"
)

// DecodeLock reads what [Lock.Encode] writes, and nothing else: only white space may
// differ. The error is meta.FieldErrors with every fault; there is no lock then.
func DecodeLock(data []byte) (*Lock, error) {
	syntax := func(err error) (*Lock, error) {
		return nil, meta.FieldErrors{{Fault: meta.FaultSyntax, Err: err}}
	}
	if !utf8.Valid(data) {
		return syntax(errors.New("the document is not UTF-8"))
	}
	var f lockFile
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return syntax(jsonCause(err))
	}
	if dec.InputOffset() < int64(len(bytes.TrimRight(data, " \t\r\n"))) {
		return syntax(errors.New("something stands behind the document"))
	}
	d := &lockDecoder{lock: &Lock{}}
	d.decode(&f)
	if len(d.faults) > 0 {
		return nil, d.faults
	}
	again, err := d.lock.Encode()
	if err != nil {
		return syntax(err)
	}
	if !sameJSON(again, data) {
		d.fault(FaultForm, "another text", "the one that the lock is written as: fields once, under their names and in their order, and lists sorted")
		return nil, d.faults
	}
	return d.lock, nil
}

// sameJSON reports whether two JSON texts differ in white space only.
func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// lockDecoder makes a lock and notes the faults.
type lockDecoder struct {
	lock   *Lock
	faults meta.FieldErrors
}

func (d *lockDecoder) fault(fault meta.Fault, found, want string, path ...any) {
	d.faults = append(d.faults, &meta.FieldError{Path: path, Fault: fault, Found: found, Want: want})
}

func (d *lockDecoder) decode(f *lockFile) {
	if f.LockVersion != LockVersion {
		d.fault(FaultVersion, strconv.Itoa(f.LockVersion), strconv.Itoa(LockVersion), "lockVersion")
	}
	for i, r := range f.Rules {
		if r.From == "" || r.To == "" {
			d.fault(meta.FaultRequired, "a rule from "+quote(r.From)+" to "+quote(r.To), "both", "rules", i)
		}
		d.lock.Rules = append(d.lock.Rules, meta.Rewrite(r))
	}
	for i, p := range f.Packages {
		if !meta.IsDigest(p.Digest) {
			d.fault(FaultDigest, quote(p.Digest), "a digest such as sha256:…", "packages", i, "digest")
		}
		e := Entry{
			Declared: d.reference(p.Declared, p.Digest, "packages", i, "declared"), Mirrored: d.reference(p.Mirrored, p.Digest, "packages", i, "mirrored"),
			MediaType: p.MediaType,
		}
		for n, a := range p.Attached {
			if !meta.IsDigest(a.Digest) {
				d.fault(FaultDigest, quote(a.Digest), "a digest such as sha256:…", "packages", i, "attached", n, "digest")
			}
			e.Attached = append(e.Attached, Attached(a))
		}
		d.lock.Entries = append(d.lock.Entries, e)
	}
}

func (d *lockDecoder) reference(text, digest string, path ...any) meta.Reference {
	r, err := meta.ParseReference(text)
	if err == nil && r.Digest != "" {
		err = errors.New("it has a digest, which has a field of its own")
	}
	if err != nil {
		d.faults = append(d.faults, &meta.FieldError{Path: path, Fault: FaultReference, Found: quote(text), Want: "a reference without a digest", Err: err})
	}
	r.Digest = digest
	return r
}
