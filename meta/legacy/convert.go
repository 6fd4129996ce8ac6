package legacy

import (
	"github.com/xpkg-go/sdk/meta"
)

// The API group and the versions of definitions.
const (
	crdKind    = "CustomResourceDefinition"
	crdV1beta1 = "apiextensions.k8s.io/v1beta1"
	crdV1      = "apiextensions.k8s.io/v1"
)

// shared are the fields that version v1beta1 has for all versions together, by the
// name that each of them has in a version.
var shared = [...]struct{ spec, version string }{
	{"subresources", "subresources"},
	{"validation", "schema"},
	{"additionalPrinterColumns", "additionalPrinterColumns"},
	{"selectableFields", "selectableFields"},
}

// ConvertCRD returns a CustomResourceDefinition of apiextensions.k8s.io/v1beta1,
// given as JSON, in version v1. The result is what an API server makes of it when it
// is asked for the object in the other version: what v1beta1 says by leaving out, and v1
// does not, is written down (spec.scope, spec.versions, spec.preserveUnknownFields,
// the review versions of a conversion webhook); what it says for all versions is
// repeated in each. Everything else stays as it is, in its order, and also what is
// unknown. The notes tell which fields that were there are not in the result.
//
// An API server may refuse to create the result all the same: what it demands more of
// version v1, AdmitCRD adds.
//
// The error is a meta.FieldErrors with every field that is of a type which cannot be
// converted; it matches meta.ErrInvalid, and meta.ErrLimit for a document that is nested
// too deep.
func ConvertCRD(data []byte) ([]byte, []Note, error) {
	crd, err := decodeValue(data)
	if err != nil {
		return nil, nil, err
	}
	c := conversion{at: meta.Path{"spec"}}
	c.crd(crd)
	if len(c.faults) > 0 {
		return nil, nil, c.faults
	}
	return crd.appendJSON(nil), c.notes, nil
}

// conversion is one definition on its way from v1beta1 to v1.
type conversion struct {
	at     meta.Path // of what is the spec of a v1beta1 definition
	notes  notes
	faults meta.FieldErrors
}

// want reports whether a value that is there is of a kind, and records a fault when
// it is another.
func (c *conversion) want(path meta.Path, v *value, kind valueKind) bool {
	if v == nil || v.kind == kind {
		return v != nil
	}
	c.faults = append(c.faults, &meta.FieldError{Path: path, Fault: meta.FaultType, Found: v.found(), Want: kind.String()})
	return false
}

// crd converts a definition in place.
func (c *conversion) crd(crd *value) {
	if !c.isKind(crd, crdV1beta1, crdKind) {
		return
	}
	crd.set("apiVersion", textValue(crdV1))
	if crd.get("spec") == nil {
		crd.set("spec", objectValue())
	}
	spec := crd.get("spec")
	if !c.want(c.at, spec, isObject) {
		return
	}
	if scope := spec.get("scope"); scope == nil || scope.kind == isText && scope.text == "" {
		spec.set("scope", textValue(meta.ScopeNamespaced))
	}
	c.versions(spec)
	c.webhook(spec.get("conversion"))
	if spec.get("preserveUnknownFields") == nil {
		spec.set("preserveUnknownFields", boolValue(true))
	}
}

// versions moves what is said for all versions into each of them.
func (c *conversion) versions(spec *value) {
	version := spec.get("version")
	versions := spec.get("versions")
	if version != nil && !c.want(to(c.at, "version"), version, isText) || versions != nil && !c.want(to(c.at, "versions"), versions, isArray) {
		return
	}
	if (versions == nil || len(versions.members) == 0) && version != nil && version.text != "" {
		versions = arrayValue(objectValue(member{"name", textValue(version.text)}, member{"served", boolValue(true)}, member{"storage", boolValue(true)}))
		spec.set("versions", versions)
	}
	if versions == nil {
		versions = arrayValue()
	}
	for i, m := range versions.members {
		if m.value.kind == isNull {
			versions.members[i].value = objectValue()
		} else if !c.want(to(c.at, "versions", i), m.value, isObject) {
			return
		}
	}
	if version != nil && version.text != "" && len(versions.members) > 0 && versions.members[0].value.str("name") != version.text {
		c.notes.add(to(c.at, "version"), "version v1 has no such field, and the first of the versions is another")
	}
	spec.remove("version")
	for _, field := range shared {
		common := spec.remove(field.spec)
		if common == nil {
			continue
		}
		if len(versions.members) == 0 {
			c.notes.add(to(c.at, field.spec), "there is no version that it could be moved to")
		}
		for i, m := range versions.members {
			if own := m.value.get(field.version); own != nil && !own.equal(common) {
				c.notes.add(to(c.at, "versions", i, field.version), "what is said for all versions ("+field.spec+") rules over it")
			}
			m.value.set(field.version, common.clone())
		}
	}
	for i, m := range versions.members {
		c.columns(to(c.at, "versions", i, "additionalPrinterColumns"), m.value.get("additionalPrinterColumns"))
	}
}

// columns gives the path of printer columns the name that it has in v1.
func (c *conversion) columns(path meta.Path, columns *value) {
	if !c.want(path, columns, isArray) {
		return
	}
	for i, m := range columns.members {
		if m.value.kind == isNull || !c.want(to(path, i), m.value, isObject) {
			continue
		}
		if m.value.index("jsonPath") >= 0 {
			m.value.remove("jsonPath")
			c.notes.add(to(path, i, "jsonPath"), "version v1beta1 has no such field, and v1 means by it what is JSONPath here")
		}
		m.value.rename("JSONPath", "jsonPath")
	}
}

// webhook puts what belongs to a conversion webhook together.
func (c *conversion) webhook(conversion *value) {
	path := to(c.at, "conversion")
	if !c.want(path, conversion, isObject) {
		return
	}
	if conversion.index("webhook") >= 0 {
		conversion.remove("webhook")
		c.notes.add(to(path, "webhook"), "version v1beta1 has no such field, and v1 means by it what is webhookClientConfig here")
	}
	client, reviews := conversion.remove("webhookClientConfig"), conversion.remove("conversionReviewVersions")
	if reviews != nil && !c.want(to(path, "conversionReviewVersions"), reviews, isArray) {
		return
	}
	if conversion.str("strategy") == "Webhook" && (reviews == nil || len(reviews.members) == 0) {
		reviews = textsValue([]string{"v1beta1"}) // what a server takes for granted in v1beta1
	}
	webhook := objectValue()
	if client != nil {
		webhook.set("clientConfig", client)
	}
	if reviews != nil {
		webhook.set("conversionReviewVersions", reviews)
	}
	if len(webhook.members) > 0 {
		conversion.set("webhook", webhook)
	}
}
