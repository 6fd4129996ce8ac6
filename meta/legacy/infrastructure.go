package legacy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// What definitions of composite resources were called when package format v2 was
// designed, and what they are called today. (packages v2 design, Goals)
const (
	infrastructureVersion     = "apiextensions.crossplane.io/v1alpha1"
	infrastructureDefinition  = "InfrastructureDefinition"
	infrastructurePublication = "InfrastructurePublication"

	compositeV1beta1 = "apiextensions.crossplane.io/v1beta1"
	compositionKind  = "Composition"

	xrdVersion = "apiextensions.crossplane.io/v1"
	xrdKind    = meta.DefinitionXRD
)

// requirement is what a publication added to the names of a kind to make those of
// the namespaced one.
const requirement = "Requirement"

// ConvertInfrastructureDefinition returns an InfrastructureDefinition of
// apiextensions.crossplane.io/v1alpha1, given as JSON, as a CompositeResourceDefinition
// of version v1. Where it was published, by an InfrastructurePublication, the definition
// offers a claim with the names that the namespaced kind had: PostgreSQLInstanceRequirement,
// postgresqlinstancerequirements. Objects that there are in clusters keep their kinds.
//
// Schemas are made structural as AdmitCRD makes them. The notes tell what is not in the
// result, and what was added. The errors are those of ConvertCRD.
func ConvertInfrastructureDefinition(data []byte, published bool) ([]byte, []Note, error) {
	def, err := decodeValue(data)
	if err != nil {
		return nil, nil, err
	}
	c := conversion{at: meta.Path{"spec", "crdSpecTemplate"}}
	xrd := c.infrastructure(def, published)
	if len(c.faults) > 0 {
		return nil, nil, c.faults
	}
	return xrd.appendJSON(nil), c.notes, nil
}

// PublishedDefinition returns the name of the InfrastructureDefinition that an
// InfrastructurePublication, given as JSON, publishes. The error is a meta.FieldErrors.
func PublishedDefinition(data []byte) (string, error) {
	publication, err := decodeValue(data)
	if err != nil {
		return "", err
	}
	var c conversion
	c.isKind(publication, infrastructureVersion, infrastructurePublication)
	name := publication.str("spec", "infrastructureDefinitionRef", "name")
	if name == "" {
		c.faults = append(c.faults, &meta.FieldError{Path: meta.Path{"spec", "infrastructureDefinitionRef", "name"}, Fault: meta.FaultRequired, Want: "the name of what is published"})
	}
	if len(c.faults) > 0 {
		return "", c.faults
	}
	return name, nil
}

// isKind reports whether a document is of a kind, and records a fault when it is not.
func (c *conversion) isKind(doc *value, apiVersion, kind string) bool {
	if !c.want(nil, doc, isObject) {
		return false
	}
	if doc.str("apiVersion") == apiVersion && doc.str("kind") == kind {
		return true
	}
	c.faults = append(c.faults, &meta.FieldError{Path: meta.Path{"apiVersion"}, Fault: meta.FaultKind,
		Found: fmt.Sprintf("%s of %s", quoteShort(doc.str("kind")), quoteShort(doc.str("apiVersion"))), Want: kind + " of " + apiVersion})
	return false
}

// infrastructure makes the definition of today.
func (c *conversion) infrastructure(def *value, published bool) *value {
	if !c.isKind(def, infrastructureVersion, infrastructureDefinition) {
		return nil
	}
	xrd := objectValue(member{"apiVersion", textValue(xrdVersion)}, member{"kind", textValue(xrdKind)})
	spec := def.get("spec")
	template := spec.get("crdSpecTemplate")
	if spec == nil || template == nil {
		c.faults = append(c.faults, &meta.FieldError{Path: c.at, Fault: meta.FaultRequired, Want: "the definition of the kind"})
		return nil
	}
	names := template.get("names")
	if !c.want(meta.Path{"spec"}, spec, isObject) || !c.want(c.at, template, isObject) || !c.want(to(c.at, "names"), cmp.Or(names, textValue("")), isObject) {
		return nil
	}
	for _, m := range def.members {
		switch m.key {
		case "apiVersion", "kind", "spec":
		case "status":
			c.notes.add(meta.Path{"status"}, "the status of a definition is made by the cluster, and a package has none")
		default:
			xrd.set(m.key, m.value)
		}
	}
	xrd.set("spec", c.composite(spec, template, names, published))
	return xrd
}

// composite makes the spec of the definition.
func (c *conversion) composite(spec, template, names *value, published bool) *value {
	c.versions(template)
	c.webhook(template.get("conversion"))
	out := objectValue(member{"group", cmp.Or(template.get("group"), &value{})}, member{"names", names})
	if published {
		kind := names.str("kind")
		singular := cmp.Or(names.str("singular"), strings.ToLower(kind))
		lower := strings.ToLower(requirement)
		out.set("claimNames", objectValue(
			member{"kind", textValue(kind + requirement)}, member{"listKind", textValue(kind + requirement + "List")},
			member{"plural", textValue(singular + lower + "s")}, member{"singular", textValue(singular + lower)}))
	}
	for _, m := range spec.members {
		switch {
		case m.key == "crdSpecTemplate":
		case m.key == "conversion", m.key == "versions", out.get(m.key) != nil:
			c.notes.add(meta.Path{"spec", m.key}, "an infrastructure definition has no such field, and a composite resource definition means by it what follows from crdSpecTemplate here")
		default:
			out.set(m.key, m.value)
		}
	}
	if conversion := template.get("conversion"); conversion != nil {
		out.set("conversion", conversion)
	}
	versions := template.get("versions")
	if versions == nil {
		versions = arrayValue()
	}
	if len(c.faults) == 0 {
		c.compositeVersions(versions)
	}
	out.set("versions", versions)
	for _, m := range template.members {
		if !slices.Contains([]string{"group", "names", "conversion", "versions"}, m.key) {
			c.notes.add(to(c.at, m.key), "a composite resource definition has no such field: Crossplane makes the definition of the kind itself")
		}
	}
	return out
}

// compositeVersions makes versions of a definition those of a composite one.
func (c *conversion) compositeVersions(versions *value) {
	for i, m := range versions.members {
		v := m.value
		if v.remove("subresources") != nil {
			c.notes.add(to(c.at, "versions", i, "subresources"), "a composite resource definition has no such field: Crossplane adds the status itself")
		}
		v.rename("storage", "referenceable")
		for _, key := range []string{"served", "referenceable"} {
			if v.get(key) == nil {
				v.set(key, boolValue(false)) // which has to be said today
			}
		}
		var a admission
		a.version(to(c.at, "versions", i, "schema"), v)
		c.notes = append(c.notes, a.notes...)
	}
}
