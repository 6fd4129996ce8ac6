package install

import (
	"errors"

	"github.com/xpkg-go/sdk/meta"
)

func (l *Lock) validate() meta.FieldErrors {
	var faults meta.FieldErrors
	if l.Kind != KindLock || l.APIVersion != Group+"/v1beta1" && l.APIVersion != Group+"/v1alpha1" {
		faults = append(faults, kindFault(l.APIVersion, l.Kind, Group+"/v1beta1 or "+Group+"/v1alpha1 Lock"))
	}
	faults = append(faults, validateName(meta.Path{"metadata", "name"}, l.Metadata.Name)...)
	for i, p := range l.Packages {
		faults = append(faults, p.validate(meta.Path{"packages", i})...)
	}
	return sorted(faults)
}

func (p LockPackage) validate(at meta.Path) meta.FieldErrors {
	faults := validateName(join(at, "name"), p.Name)
	faults = append(faults, validateLockKind(at, p.APIVersion, p.Kind, p.Type)...)
	faults = append(faults, validateSource(join(at, "source"), p.Source)...)
	switch _, err := meta.ParseVersion(p.Version); {
	case p.Version == "":
		faults = append(faults, missing(join(at, "version"), "a tag or a digest"))
	case err != nil:
		faults = append(faults, &meta.FieldError{
			Path: join(at, "version"), Fault: FaultReference, Found: quote(p.Version), Want: "a tag or a digest", Err: errors.Unwrap(err),
		})
	}
	if p.Dependencies == nil {
		faults = append(faults, missing(join(at, "dependencies"), "a list of dependencies, which may be empty"))
	}
	for i, d := range p.Dependencies {
		at := join(at, "dependencies", i)
		faults = append(faults, validateLockKind(at, d.APIVersion, d.Kind, d.Type)...)
		faults = append(faults, validateSource(join(at, "package"), d.Package)...)
		if _, err := meta.ParseConstraint(d.Constraints); err != nil {
			faults = append(faults, constraintFault(join(at, "constraints"), d.Constraints, err))
		}
	}
	return faults
}

func validateSource(p meta.Path, s string) meta.FieldErrors {
	if s == "" {
		return meta.FieldErrors{missing(p, "an image repository")}
	}
	if _, err := meta.ParseSource(s); err != nil {
		return meta.FieldErrors{sourceFault(p, s, err)}
	}
	return nil
}

// validateLockKind holds the two spellings of a package's kind to each other. An
// apiVersion and kind may be of any group: newer releases install other kinds.
func validateLockKind(at meta.Path, apiVersion, kind, typ string) meta.FieldErrors {
	const want = "a type of package: Provider, Configuration or Function"
	var faults meta.FieldErrors
	if typ == "" && apiVersion == "" && kind == "" {
		return meta.FieldErrors{missing(at, "an apiVersion and kind, or a type")}
	}
	switch meta.Kind(typ) {
	case "", meta.Provider, meta.Configuration, meta.Function:
	default:
		faults = append(faults, &meta.FieldError{Path: join(at, "type"), Fault: meta.FaultKind, Found: quote(typ), Want: want})
	}
	if (apiVersion == "") != (kind == "") {
		field := "kind"
		if apiVersion == "" {
			field = "apiVersion"
		}
		faults = append(faults, missing(join(at, field), "an apiVersion and kind together"))
	}
	if typ != "" && kind != "" && typ != kind {
		faults = append(faults, &meta.FieldError{
			Path: join(at, "type"), Fault: meta.FaultExclusive, Found: quote(typ), Want: "the kind " + quote(kind) + " that stands beside it",
		})
	}
	return faults
}
