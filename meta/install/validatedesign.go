package install

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

func (r *PackageRevision) validate() meta.FieldErrors {
	faults := validateDesignKind(r.APIVersion, r.Kind, KindPackageRevision)
	faults = append(faults, validateName(meta.Path{"metadata", "name"}, r.Metadata.Name)...)
	for _, list := range []struct {
		field string
		types []TypeReference
	}{
		{"customResourceDefinitions", r.Spec.CustomResourceDefinitions},
		{"infrastructureDefinitions", r.Spec.InfrastructureDefinitions},
		{"infrastructurePublications", r.Spec.InfrastructurePublications},
		{"compositions", r.Spec.Compositions},
	} {
		for i, t := range list.types {
			faults = append(faults, validateType(meta.Path{"spec", list.field, i}, t)...)
		}
	}
	for i, rule := range r.Spec.Permissions.Rules {
		faults = append(faults, rule.validate(meta.Path{"spec", "permissions", "rules", i})...)
	}
	for i, d := range r.Spec.DependsOn {
		faults = append(faults, d.validate(meta.Path{"spec", "dependsOn", i})...)
	}
	if s := r.Spec.DesiredState; !s.Valid() {
		faults = append(faults, stateFault(meta.Path{"spec", "desiredState"}, s))
	}
	if n := r.Spec.Revision; n < 1 {
		faults = append(faults, rangeFault(meta.Path{"spec", "revision"}, n, "the number of a revision, from 1"))
	}
	return sorted(faults)
}

func validateType(p meta.Path, t TypeReference) meta.FieldErrors {
	var faults meta.FieldErrors
	if t.APIVersion == "" {
		faults = append(faults, missing(join(p, "apiVersion"), "an apiVersion"))
	}
	if t.Kind == "" {
		faults = append(faults, missing(join(p, "kind"), "a kind"))
	}
	return faults
}

// validate holds a rule to what the Kubernetes API demands of every rule:
// verbs, and something to apply them to.
func (r Rule) validate(p meta.Path) meta.FieldErrors {
	var faults meta.FieldErrors
	if len(r.Verbs) == 0 {
		faults = append(faults, missing(join(p, "verbs"), "one verb at least"))
	}
	if len(r.NonResourceURLs) > 0 {
		if len(r.APIGroups)+len(r.Resources)+len(r.ResourceNames) > 0 {
			faults = append(faults, &meta.FieldError{
				Path: join(p, "nonResourceURLs"), Fault: meta.FaultExclusive,
				Err: errors.New("a rule is about resources or about URLs, and this one names both"),
			})
		}
		return faults
	}
	if len(r.APIGroups) == 0 {
		faults = append(faults, missing(join(p, "apiGroups"), `one API group at least, "" for that of Secrets`))
	}
	if len(r.Resources) == 0 {
		faults = append(faults, missing(join(p, "resources"), "one resource at least"))
	}
	return faults
}

// validate checks that a dependency is on exactly one thing, and that this is
// well formed.
func (d Dependency) validate(p meta.Path) meta.FieldErrors {
	var faults meta.FieldErrors
	var named []string
	for _, f := range []struct{ name, value string }{{"package", d.Package}, {"crd", d.CRD}, {"crossplane", d.Crossplane}} {
		if f.value != "" {
			named = append(named, f.name)
		}
	}
	switch {
	case len(named) == 0:
		return meta.FieldErrors{missing(p, "one of package, crd and crossplane")}
	case len(named) > 1:
		faults = append(faults, &meta.FieldError{
			Path: p, Fault: meta.FaultExclusive,
			Err: errors.New(strings.Join(named, " and ") + " exclude each other: a dependency is on one thing"),
		})
	}
	if d.Version != "" && d.Package == "" {
		faults = append(faults, &meta.FieldError{
			Path: join(p, "version"), Fault: meta.FaultExclusive, Err: errors.New("a version belongs to a package"),
		})
	}
	if d.Package != "" {
		if _, err := meta.ParseSource(d.Package); err != nil {
			faults = append(faults, sourceFault(join(p, "package"), d.Package, err))
		}
	}
	if d.CRD != "" {
		if _, err := meta.ParseCRDRef(d.CRD); err != nil {
			faults = append(faults, &meta.FieldError{
				Path: join(p, "crd"), Fault: meta.FaultCRD, Found: quote(d.CRD),
				Want: "a group, version and kind: KIND.GROUP/VERSION or *.GROUP/VERSION",
			})
		}
	}
	if _, err := meta.ParseConstraint(d.Crossplane); err != nil {
		faults = append(faults, constraintFault(join(p, "crossplane"), d.Crossplane, err))
	}
	if _, err := parseVersion(d.Version); err != nil {
		faults = append(faults, constraintFault(join(p, "version"), d.Version, err))
	}
	return faults
}

func constraintFault(p meta.Path, s string, err error) *meta.FieldError {
	return &meta.FieldError{Path: p, Fault: meta.FaultConstraint, Found: quote(s), Want: "a version range", Err: errors.Unwrap(err)}
}

func sourceFault(p meta.Path, s string, err error) *meta.FieldError {
	e := &meta.FieldError{Path: p, Fault: meta.FaultSource, Found: quote(s), Want: "an image repository", Err: err}
	var cause *meta.ReferenceError
	if errors.As(err, &cause) {
		e.Err = cause.Err // the text is quoted once already
		if cause.Tagged {
			e.Fault = meta.FaultTagged
		}
	}
	return e
}

// validate holds a claim to what makes a valid lock.
func (c Claim) validate() meta.FieldErrors {
	faults := validateName(meta.Path{"package"}, c.Package)
	faults = append(faults, validateImage(meta.Path{"image"}, c.Image, true)...)
	for i, name := range c.CRDs {
		faults = append(faults, validateName(meta.Path{"crds", i}, name)...)
	}
	for i, name := range c.Compositions {
		faults = append(faults, validateName(meta.Path{"compositions", i}, name)...)
	}
	for i, d := range c.DependsOn {
		if d.Package.IsZero() {
			continue
		}
		if err := d.Package.Err(); err != nil {
			faults = append(faults, sourceFault(meta.Path{"dependsOn", i, "package"}, d.Package.String(), err))
		}
	}
	return faults
}

func (l *PackageLock) validate() meta.FieldErrors {
	faults := validateDesignKind(l.APIVersion, l.Kind, KindPackageLock)
	faults = append(faults, validateName(meta.Path{"metadata", "name"}, l.Metadata.Name)...)
	installed := make(map[string]bool)
	for i, p := range l.Spec.Packages {
		at := meta.Path{"spec", "packages", i}
		faults = append(faults, validateName(join(at, "name"), p.Name)...)
		if installed[p.Name] {
			faults = append(faults, &meta.FieldError{
				Path: join(at, "name"), Fault: meta.FaultDuplicate,
				Err: errors.New("the package " + quote(p.Name) + " is recorded already"),
			})
		}
		if p.Name != "" {
			installed[p.Name] = true
		}
		faults = append(faults, validateImage(join(at, "image"), p.Image, true)...)
		for j, d := range p.Dependencies {
			if _, err := meta.ParseSource(d); err != nil {
				faults = append(faults, sourceFault(join(at, "dependencies", j), d, err))
			}
		}
	}
	for _, record := range []struct {
		field string
		owner map[string]string
	}{
		{"compositions", l.Spec.Compositions},
		{"customResourceDefinitions", l.Spec.CustomResourceDefinitions},
	} {
		for _, object := range slices.Sorted(maps.Keys(record.owner)) {
			faults = append(faults, validateName(meta.Path{"spec", record.field, object}, object)...)
			if owner := record.owner[object]; !installed[owner] {
				faults = append(faults, &meta.FieldError{
					Path: meta.Path{"spec", record.field, object}, Fault: meta.FaultRequired,
					Found: quote(owner), Want: "the name of a package in spec.packages",
				})
			}
		}
	}
	return sorted(faults)
}

func stateFault(p meta.Path, s State) *meta.FieldError {
	e := &meta.FieldError{Path: p, Fault: FaultState, Want: "a state: Active or Inactive"}
	if s != "" {
		e.Found = quote(string(s))
	}
	return e
}

// validateName checks the name of an object: a DNS subdomain, as Kubernetes
// demands of the kinds that are named here.
func validateName(p meta.Path, name string) meta.FieldErrors {
	const want = "the name of an object"
	if name == "" {
		return meta.FieldErrors{missing(p, want)}
	}
	var cause *meta.NameError
	if !errors.As(meta.CheckName(name), &cause) {
		return nil
	}
	return meta.FieldErrors{{Path: p, Fault: FaultName, Found: quote(name), Want: want, Err: errors.New(cause.Reason)}}
}
