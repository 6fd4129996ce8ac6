package install

import (
	"errors"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// Validate returns every fault of the manifest at once, as meta.FieldErrors
// sorted by path, or nil. It needs no cluster and no registry, so it does not
// know whether names that the manifest mentions exist.
func (m *Manifest) Validate() error { return orNil(m.validate()) }

func (m *Manifest) validate() meta.FieldErrors {
	faults := validateKind(m.APIVersion, m.Kind)
	faults = append(faults, validateName(meta.Path{"metadata", "name"}, m.Metadata.Name)...)
	faults = append(faults, m.Spec.validatePackage()...)
	at := func(path ...any) meta.Path { return append(meta.Path{"spec"}, path...) }
	if p := m.Spec.PackagePullPolicy; !p.Valid() {
		faults = append(faults, pullPolicyFault(at("packagePullPolicy"), p))
	}
	if p := m.Spec.RevisionActivationPolicy; !p.Valid() {
		faults = append(faults, activationPolicyFault(at("revisionActivationPolicy"), p))
	}
	faults = append(faults, validateHistoryLimit(at("revisionHistoryLimit"), m.Spec.RevisionHistoryLimit)...)
	faults = append(faults, validateReferences(at("packagePullSecrets"), m.Spec.PackagePullSecrets)...)
	if ref := m.Spec.ControllerConfigRef; ref != nil {
		if m.Kind != meta.Provider {
			faults = append(faults, &meta.FieldError{
				Path: at("controllerConfigRef"), Fault: FaultNotForKind,
				Err: errors.New("only a Provider has this field, and the object is a " + clip(string(m.Kind))),
			})
		}
		faults = append(faults, validateName(at("controllerConfigRef", "name"), ref.Name)...)
	}
	return sorted(faults)
}

// validatePackage checks spec.package. With PullNever no registry is involved,
// and the name of a cached file will do.
func (s *ManifestSpec) validatePackage() meta.FieldErrors {
	return validateImage(meta.Path{"spec", "package"}, s.Package, s.PackagePullPolicy == PullNever)
}

func (p *Package) validate() meta.FieldErrors {
	faults := validateDesignKind(p.APIVersion, p.Kind, KindPackage)
	faults = append(faults, validateName(meta.Path{"metadata", "name"}, p.Metadata.Name)...)
	at := func(path ...any) meta.Path { return append(meta.Path{"spec"}, path...) }
	faults = append(faults, validateImage(at("package"), p.Spec.Package, false)...)
	if policy := p.Spec.ImagePullPolicy; !policy.Valid() {
		faults = append(faults, pullPolicyFault(at("imagePullPolicy"), policy))
	}
	if policy := p.Spec.RevisionActivationPolicy; policy != nil && !policy.Valid() {
		faults = append(faults, activationPolicyFault(at("revisionActivationPolicy"), *policy))
	}
	faults = append(faults, validateHistoryLimit(at("revisionHistoryLimit"), p.Spec.RevisionHistoryLimit)...)
	faults = append(faults, validateReferences(at("imagePullSecrets"), p.Spec.ImagePullSecrets)...)
	return sorted(faults)
}

func (c *ControllerConfig) validate() meta.FieldErrors {
	var faults meta.FieldErrors
	if c.APIVersion != ControllerConfigAPIVersion || c.Kind != KindControllerConfig {
		faults = append(faults, kindFault(c.APIVersion, c.Kind, ControllerConfigAPIVersion+" "+KindControllerConfig))
	}
	faults = append(faults, validateName(meta.Path{"metadata", "name"}, c.Metadata.Name)...)
	at := func(path ...any) meta.Path { return append(meta.Path{"spec"}, path...) }
	if p := c.Spec.ImagePullPolicy; !p.Valid() {
		faults = append(faults, pullPolicyFault(at("imagePullPolicy"), p))
	}
	if n := c.Spec.Replicas; n != nil && *n < 0 {
		faults = append(faults, rangeFault(at("replicas"), int64(*n), "a number of Pods from 0"))
	}
	faults = append(faults, validateReferences(at("imagePullSecrets"), c.Spec.ImagePullSecrets)...)
	return sorted(faults)
}

func validateKind(apiVersion string, kind meta.Kind) meta.FieldErrors {
	if knownVersion(apiVersion, kind) {
		return nil
	}
	versions := APIVersions(groupOf(apiVersion), kind)
	if len(versions) == 0 {
		if groupOf(apiVersion) == GroupIBM {
			return meta.FieldErrors{kindFault(apiVersion, string(kind), "a Provider or Configuration of "+GroupIBM)}
		}
		return meta.FieldErrors{kindFault(apiVersion, string(kind), "a Provider, Configuration or Function of "+Group)}
	}
	return meta.FieldErrors{kindFault(apiVersion, string(kind), "a known version of "+string(kind)+": "+strings.Join(versions, ", "))}
}

// kindFault complains about apiVersion and kind at once: neither is wrong
// without the other.
func kindFault(apiVersion, kind, want string) *meta.FieldError {
	e := &meta.FieldError{Path: meta.Path{"apiVersion"}, Fault: meta.FaultKind, Want: want}
	if apiVersion != "" || kind != "" {
		e.Found = quote(apiVersion + " " + kind)
	}
	if meta.IsMeta(apiVersion) {
		e.Err = errors.New("this group describes what is in a package; the one that installs it is " + Group)
	}
	return e
}

func validateDesignKind(apiVersion, kind, want string) meta.FieldErrors {
	if apiVersion == DesignAPIVersion && kind == want {
		return nil
	}
	return meta.FieldErrors{kindFault(apiVersion, kind, DesignAPIVersion+" "+want)}
}

func validateImage(p meta.Path, s string, cacheName bool) meta.FieldErrors {
	if s == "" {
		return meta.FieldErrors{missing(p, "an image reference")}
	}
	if IsGitSource(s) {
		return meta.FieldErrors{{
			Path: p, Fault: FaultGitSource, Found: quote(s), Want: "an image reference",
			Err: errors.New("packages cannot be installed from Git sources: push the package to a registry"),
		}}
	}
	r, err := meta.ParseReference(s)
	if err == nil {
		err = checkElements(r.Source)
	}
	want := "an image reference"
	if cacheName {
		want = "an image reference or the name of a cached package"
	}
	var cause *meta.ReferenceError
	switch {
	case err == nil || cacheName && isFileName(s):
		return nil
	case errors.As(err, &cause):
		err = cause.Err // the text is quoted once already
	}
	return meta.FieldErrors{{Path: p, Fault: FaultReference, Found: quote(s), Want: want, Err: err}}
}

// checkElements refuses references that look like paths of files. No registry
// has a repository of such a name, and a cache that is asked for one must not
// leave its directory.
func checkElements(s meta.Source) error {
	for element := range strings.SplitSeq(s.String(), "/") {
		if element == "" || element == "." || element == ".." {
			return errors.New(`it has the path element "` + element + `"`)
		}
	}
	return nil
}

// isFileName says whether s can be the name, without .xpkg, of a file in the
// package cache: one that is portable between file systems (POSIX), and not
// hidden.
func isFileName(s string) bool {
	return len(s) <= maxFileName && s[0] != '.' && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}

// maxFileName leaves room for .xpkg in the 255 bytes that file systems allow.
const maxFileName = 250

func pullPolicyFault(p meta.Path, policy PullPolicy) *meta.FieldError {
	e := &meta.FieldError{
		Path: p, Fault: FaultPullPolicy, Found: quote(string(policy)),
		Want: "a pull policy: IfNotPresent, Always or Never",
	}
	if ActivationPolicy(policy).Valid() {
		e.Err = errors.New("it is a revisionActivationPolicy")
	}
	return e
}

func activationPolicyFault(p meta.Path, policy ActivationPolicy) *meta.FieldError {
	e := &meta.FieldError{
		Path: p, Fault: FaultActivationPolicy, Found: quote(string(policy)),
		Want: "an activation policy: Automatic or Manual",
	}
	if PullPolicy(policy).Valid() {
		e.Err = errors.New("it is a packagePullPolicy")
	}
	return e
}

func validateHistoryLimit(p meta.Path, limit *int64) meta.FieldErrors {
	if limit == nil || *limit >= 0 {
		return nil
	}
	f := rangeFault(p, *limit, "a number of revisions from 0")
	f.Err = errors.New("0 keeps all")
	return meta.FieldErrors{f}
}

func validateReferences(p meta.Path, refs []LocalReference) meta.FieldErrors {
	var faults meta.FieldErrors
	for i, r := range refs {
		faults = append(faults, validateName(join(p, i, "name"), r.Name)...)
	}
	return faults
}

func rangeFault(p meta.Path, n int64, want string) *meta.FieldError {
	return &meta.FieldError{Path: p, Fault: FaultRange, Found: "the number " + strconv.FormatInt(n, 10), Want: want}
}

func referenceKindFault(r ReferenceKind) *meta.FieldError {
	kinds := []string{string(ReferenceSemverTag), string(ReferenceDigest), string(ReferenceChannelTag)}
	return &meta.FieldError{Fault: FaultReference, Found: quote(string(r)), Want: "a kind of reference: " + strings.Join(kinds, ", ")}
}
