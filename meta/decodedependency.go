package meta

import "errors"

func (d *decoder) dependsOn(path Path, n *node) {
	if !d.is(path, n, array) {
		return
	}
	d.p.DependsOn = make([]Dependency, len(n.members))
	for i := range n.members {
		dep := &d.p.DependsOn[i]
		dep.Index = i
		if n := &n.members[i].value; d.isElement(path, i, n, object) {
			d.dependency(dep, path.join(i), n)
		}
	}
}

// dependency reads an entry of spec.dependsOn. The names of what it depends on
// exclude each other, and there must be one.
func (d *decoder) dependency(dep *Dependency, path Path, n *node) {
	var named []Spelling
	var apiVersion, kind *node
	d.fields(n, path, func(key string, path Path, n *node) bool {
		switch key {
		case "apiVersion":
			apiVersion = n
			dep.APIVersion, _ = d.text(path, n)
		case "kind":
			kind = n
			dep.Kind, _ = d.text(path, n)
		case "version":
			if s, ok := d.text(path, n); ok {
				d.dependencyVersion(dep, path, s)
			}
		default:
			s := Spelling(key)
			if !s.known() {
				return false
			}
			if n.kind != null {
				named = append(named, s)
			}
		}
		return true
	})
	switch len(named) {
	case 0:
		d.fail(&FieldError{
			Path: path, Fault: FaultRequired,
			Want: "one of provider, configuration, function, or apiVersion, kind and package",
			Err:  errors.New("it does not say what it depends on"),
		})
		if apiVersion != nil || kind != nil {
			dep.Spelling = SpellingPackage
		}
		return
	}
	dep.Spelling = named[0]
	d.dependencyName(dep, path, n)
	d.dependencyKind(dep, path, present(apiVersion), present(kind))
	for _, s := range named[1:] {
		d.fail(&FieldError{
			Path: path.join(string(s)), Fault: FaultExclusive,
			Err: errors.New(string(named[0]) + " is there too; a dependency has one of provider, configuration, function, package, crd and crossplane"),
		})
		// What the field says counts for nothing, but it may be at fault as well.
		d.dependencyName(&Dependency{Spelling: s}, path, n)
	}
}

func present(n *node) bool { return n != nil && n.kind != null }

func (s Spelling) known() bool {
	for _, k := range spellings() {
		if s == k {
			return true
		}
	}
	return false
}

func (d *decoder) dependencyVersion(dep *Dependency, path Path, s string) {
	c, err := ParseDependencyConstraint(d.p.APIVersion, s)
	if err != nil {
		d.constraint(path, s, err)
	}
	dep.Constraint = c
}

// dependencyName reads the field of an entry that names what is depended on, the
// one that the spelling says.
func (d *decoder) dependencyName(dep *Dependency, path Path, entry *node) {
	path = path.join(string(dep.Spelling))
	n := entry.get(string(dep.Spelling))
	if s := dep.Spelling; (s == SpellingCRD || s == SpellingCrossplane) && filled(entry.get("version")) {
		d.fail(&FieldError{Path: path, Fault: FaultExclusive, Err: errors.New("version is there too; " + s.versionPlace())})
	}
	if dep.Spelling == SpellingCRD && n.kind == object {
		d.crdObject(dep, path, n)
		return
	}
	s, ok := d.text(path, n)
	if !ok {
		return
	}
	switch dep.Spelling {
	case SpellingCrossplane:
		dep.Constraint = d.crossplaneRange(path, s)
		return
	case SpellingCRD:
		ref, err := ParseCRDRef(s)
		if err != nil {
			d.fail(&FieldError{Path: path, Fault: FaultCRD, Found: quote(s), Want: "the name of a kind", Err: errCRDForm})
			return
		}
		dep.CRD = ref
		return
	}
	if s == "" {
		d.fail(&FieldError{Path: path, Fault: FaultRequired, Found: `""`, Want: "an image repository"})
		return
	}
	src, err := ParseSource(s)
	if err != nil {
		var ref *ReferenceError
		fault := FaultSource
		if errors.As(err, &ref) && ref.Tagged {
			fault = FaultTagged
		}
		d.fail(&FieldError{Path: path, Fault: fault, Found: quote(s), Want: "an image repository", Err: errors.Unwrap(err)})
		src = invalidSource(s)
	}
	dep.Package = src
}

// versionPlace says where the version of what is no package belongs.
func (s Spelling) versionPlace() string {
	if s == SpellingCrossplane {
		return "the versions of Crossplane are given here"
	}
	return "the version of a kind is given here"
}

// crdObject reads a kind that is given by its apiVersion and kind.
func (d *decoder) crdObject(dep *Dependency, path Path, n *node) {
	var apiVersion, kind string
	d.fields(n, path, func(key string, path Path, n *node) bool {
		switch key {
		case "apiVersion":
			apiVersion, _ = d.text(path, n)
		case "kind":
			kind, _ = d.text(path, n)
		default:
			return false
		}
		return true
	})
	group, version := SplitAPIVersion(apiVersion)
	ref := CRDRef{Name: kind, Group: group, Version: version, object: true}
	switch {
	case group == "" || version == "" || kind == "":
		d.fail(&FieldError{Path: path, Fault: FaultCRD, Want: "the apiVersion, with a group, and the kind"})
	case !isKindName(kind) || !ref.isGroupVersion():
		d.fail(&FieldError{Path: path, Fault: FaultCRD, Found: quote(apiVersion + " " + kind), Want: "the apiVersion and kind of a kind"})
	default:
		dep.CRD = ref
	}
}

// dependencyKind checks that apiVersion and kind are where they belong, and
// derives them where the spelling says them.
func (d *decoder) dependencyKind(dep *Dependency, path Path, hasVersion, hasKind bool) {
	if dep.Spelling == SpellingPackage {
		// The packages v2 design has the package alone.
		if hasVersion != hasKind {
			missing := "kind"
			if hasKind {
				missing = "apiVersion"
			}
			d.fail(&FieldError{
				Path: path.join(missing), Fault: FaultRequired,
				Want: "the " + missing + " by which the package is installed", Err: errors.New("apiVersion and kind come together"),
			})
		}
		return
	}
	misplaced := func(key string) {
		d.fail(&FieldError{
			Path: path.join(key), Fault: FaultExclusive,
			Err: errors.New("it belongs with package, and here is " + string(dep.Spelling)),
		})
	}
	if hasVersion {
		misplaced("apiVersion")
	}
	if hasKind {
		misplaced("kind")
	}
	if k := dep.Spelling.kind(); k != "" {
		dep.APIVersion, dep.Kind = impliedAPIVersion(d.p.APIVersion), string(k)
	}
}

// impliedAPIVersion is the API version by which a dependency is installed if
// metadata of the given apiVersion says only what kind it is.
func impliedAPIVersion(apiVersion string) string {
	if group, _ := SplitAPIVersion(apiVersion); group == GroupIBM {
		return InstallGroupIBM + "/v1"
	}
	return InstallGroup + "/v1"
}
