package compare

import (
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// metadata compares what the packages declare of themselves. Where one of them has no
// metadata object nothing is compared.
func metadata(old, new *parser.Package) []Change {
	if old.Meta == nil || new.Meta == nil {
		return nil
	}
	d := &diff{old: old.Header, new: new.Header}
	was, is := old.Meta, new.Meta
	about := func(path ...any) subject { return subject{old: path, new: path} }
	switch {
	case was.Kind != is.Kind:
		d.add(RulePackageKind, linter.Error, about("kind"), "the package was a %s and is a %s now", plain(string(was.Kind)), plain(string(is.Kind)))
	case was.Group() != is.Group():
		d.add(RulePackageKind, linter.Error, about("apiVersion"), "the group of the metadata changed from %s to %s", plain(was.Group()), plain(is.Group()))
	}
	if was.Name != is.Name {
		d.add(RulePackageName, linter.Info, about("metadata", "name"), "the name changed from %s to %s", quote(was.Name), quote(is.Name))
	}
	d.crossplane(was, is)
	d.dependencies(was.DependsOn, is.DependsOn)
	if was.Kind == is.Kind {
		d.capabilities(was, is)
		d.permissions(was, is)
	}
	return d.changes
}

// crossplane compares which versions of Crossplane will do, whichever field says so.
func (d *diff) crossplane(was, is *meta.Package) {
	v, narrowed := lost(was.CrossplaneConstraints(), is.CrossplaneConstraints())
	if !narrowed {
		return
	}
	severity := linter.Error
	if v.Class() != meta.ClassRelease { // nobody is promised that those work
		severity = linter.Warning
	}
	path := meta.Path{"spec", "crossplane", "version"}
	d.add(RuleCrossplane, severity, subject{old: path, new: path}, "Crossplane %s would do and would not any more: the range changed from %s to %s",
		v, ranges(was.CrossplaneConstraints()), ranges(is.CrossplaneConstraints()))
}

// capabilities compares what the package claims to be able to do. A Function without
// capabilities is one for compositions to releases that know of no others.
func (d *diff) capabilities(was, is *meta.Package) {
	for i, c := range was.Capabilities {
		if is.HasCapability(c) || slices.IndexFunc(was.Capabilities, func(o string) bool { return sameCapability(o, c) }) < i {
			continue
		}
		severity := linter.Warning
		called := sameCapability(c, meta.CapabilityComposition) || sameCapability(c, meta.CapabilityOperation)
		if was.Kind == meta.Function && called && len(is.Capabilities) > 0 {
			severity = linter.Error
		}
		d.add(RuleCapability, severity, subject{old: meta.Path{"spec", "capabilities", i}, new: meta.Path{"spec", "capabilities"}}, "the package does not claim the capability %s any more", quote(c))
	}
}

func sameCapability(a, b string) bool {
	p := &meta.Package{Capabilities: []string{a}}
	return a == b || p.HasCapability(b)
}

// dependencies compares what the packages depend on.
func (d *diff) dependencies(was, is []meta.Dependency) {
	olds, news := byIdentity(was), byIdentity(is)
	for _, key := range olds.order {
		a, b := olds.all[key], news.all[key]
		if b == nil {
			d.add(RuleDependencyRemoved, linter.Warning, subject{old: a[0].Path(""), new: meta.Path{"spec", "dependsOn"}}, "the package does not depend on %s any more", nameOf(a[0]))
			continue
		}
		v, narrowed := lost(constraintsOf(a), constraintsOf(b))
		if narrowed {
			d.add(RuleDependencyRange, linter.Warning, subject{old: a[0].Path("version"), new: b[0].Path("version")}, "%s %s would do and would not any more: the range changed from %s to %s",
				nameOf(a[0]), v, ranges(constraintsOf(a)), ranges(constraintsOf(b)))
		}
	}
	for _, key := range news.order {
		if b := news.all[key]; olds.all[key] == nil {
			d.add(RuleDependencyAdded, linter.Warning, subject{old: meta.Path{"spec", "dependsOn"}, new: b[0].Path("")}, "the package depends on %s now, %s", nameOf(b[0]), ranges(constraintsOf(b)))
		}
	}
}

// dependencySet is dependencies by what they are on. A package may be there more than
// once; all of its ranges count.
type dependencySet struct {
	order []string
	all   map[string][]meta.Dependency
}

func byIdentity(list []meta.Dependency) dependencySet {
	set := dependencySet{all: map[string][]meta.Dependency{}}
	for _, dep := range list {
		key := ""
		switch {
		case !dep.CRD.IsZero():
			key = "crd " + strings.ToLower(dep.CRD.String())
		case !dep.Package.IsZero():
			key = "package " + dep.Package.Identity()
		default: // on Crossplane, or on nothing
			continue
		}
		if set.all[key] == nil {
			set.order = append(set.order, key)
		}
		set.all[key] = append(set.all[key], dep)
	}
	return set
}

func nameOf(dep meta.Dependency) string {
	if !dep.CRD.IsZero() {
		return "the kind " + plain(dep.CRD.String())
	}
	return plain(dep.Package.String())
}

func constraintsOf(list []meta.Dependency) []meta.Constraint {
	var out []meta.Constraint
	for _, dep := range list {
		out = append(out, dep.Constraint)
	}
	return out
}
