package meta

import (
	"maps"
	"strings"
)

// A Property is something that annotations of a metadata object tell about the
// package. See the specification, "Object Annotations".
type Property string

// The properties of packages.
const (
	PropertyMaintainer   Property = "maintainer"    // the maintainers, a short opaque text
	PropertySource       Property = "source"        // the URL of the source code
	PropertyLicense      Property = "license"       // an SPDX license identifier
	PropertyDescription  Property = "description"   // one sentence
	PropertyReadme       Property = "readme"        // a longer description, usually Markdown
	PropertyFriendlyName Property = "friendly-name" // a name to show, of the marketplace
	PropertyIcon         Property = "icon"          // the URI of an icon, often a data URI, of the marketplace
	PropertyCompany      Property = "company"       // of package format v2
	PropertyKeywords     Property = "keywords"      // of package format v2, separated by commas
)

// The prefixes of the marketplace's annotations that name groups and kinds.
const (
	friendlyGroupPrefix = "friendly-group-name." + annotationDomain + "/"
	friendlyKindPrefix  = "friendly-kind-name." + annotationDomain + "/"

	annotationDomain = "meta.crossplane.io"
)

// Properties are all properties, those of the xpkg specification first.
func Properties() []Property {
	return []Property{
		PropertyMaintainer, PropertySource, PropertyLicense, PropertyDescription, PropertyReadme,
		PropertyFriendlyName, PropertyIcon, PropertyCompany, PropertyKeywords,
	}
}

// Keys are the annotations that can tell the property, the one that wins first:
// meta.crossplane.io/* of the xpkg specification is to be honored "over any
// competing annotations", which are the plain keys of package format v2.
func (p Property) Keys() []string {
	switch p {
	case PropertyMaintainer, PropertySource, PropertyLicense, PropertyReadme:
		return []string{annotationDomain + "/" + string(p), string(p)}
	case PropertyDescription:
		return []string{annotationDomain + "/description", "description", "descriptionShort"}
	case PropertyFriendlyName:
		return []string{"friendly-name." + annotationDomain}
	case PropertyIcon:
		return []string{annotationDomain + "/iconURI"}
	case PropertyCompany, PropertyKeywords:
		return []string{string(p)}
	default:
		return nil
	}
}

// An Annotation is a value and the key that it was found under.
type Annotation struct {
	Key, Value string
}

// Property is what the annotations of the package tell about it, without white
// space around it, and the key that told it. An annotation that is blank tells
// nothing and loses to a competitor. It is false if there is none.
func (p *Package) Property(property Property) (Annotation, bool) {
	for _, key := range property.Keys() {
		if v := strings.TrimSpace(p.Annotations[key]); v != "" {
			return Annotation{Key: key, Value: v}, true
		}
	}
	return Annotation{}, false
}

// FriendlyGroupName is the name to show for an API group of the package, as the
// marketplace's annotations have it; "" if there is none.
func (p *Package) FriendlyGroupName(group string) string {
	return p.Annotations[friendlyGroupPrefix+group]
}

// FriendlyKindName is the name to show for a kind of the package, as the
// marketplace's annotations have it; "" if there is none.
func (p *Package) FriendlyKindName(kind, group string) string {
	return p.Annotations[friendlyKindPrefix+strings.ToLower(kind)+"."+group]
}

// RevisionAnnotations are the annotations that the revision of the package gets
// when it is installed: all of its own, unmodified. The map is the caller's.
func (p *Package) RevisionAnnotations() map[string]string { return maps.Clone(p.Annotations) }

// ObjectAnnotations are the annotations that an object of the package gets when it
// is installed: those that the package's document of it declares, unmodified, and
// none of the package. The map is the caller's.
func (p *Package) ObjectAnnotations(declared map[string]string) map[string]string {
	return maps.Clone(declared)
}
