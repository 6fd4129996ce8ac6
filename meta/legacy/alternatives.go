package legacy

import (
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// intOrString is the alternative by which a structural schema may say that a value is an
// integer or a string.
func intOrString() *value {
	return arrayValue(objectValue(member{"type", textValue("integer")}), objectValue(member{"type", textValue("string")}))
}

// isIntOrString reports whether a schema has that alternative, itself or as the first
// of those that all hold.
func isIntOrString(s *value) bool {
	if s.get("anyOf").equal(intOrString()) {
		return true
	}
	all := s.get("allOf")
	return all != nil && all.kind == isArray && len(all.members) > 0 && all.members[0].value.get("anyOf").equal(intOrString())
}

// logical are the fields of a schema that hold other schemas for the same value.
var logical = [...]string{"allOf", "anyOf", "oneOf", "not"}

// alternatives takes those out of a schema that a structural one may not have, and adds
// to the schema the fields that the others speak of.
func (a *admission) alternatives(path meta.Path, s *value) {
	for _, key := range logical {
		of := s.get(key)
		if of == nil || key == "anyOf" && of.equal(intOrString()) {
			continue
		}
		keep := true
		for _, b := range branches(of) {
			keep = keep && isStructural(b, s, key == "allOf")
		}
		if !keep {
			s.remove(key)
			a.notes.add(to(path, key), "taken out, since a schema of version v1 may not say there what it says: values are not held against it any more")
			continue
		}
		for i, b := range branches(of) {
			at := to(path, key)
			if of.kind == isArray {
				at = to(at, i)
			}
			a.branch(path, at, b, s)
		}
	}
}

// branches are the schemas that a logical field holds.
func branches(of *value) []*value {
	if of.kind != isArray {
		return []*value{of}
	}
	var all []*value
	for _, m := range of.members {
		all = append(all, m.value)
	}
	return all
}

// forbidden are fields that an alternative may not have.
var forbidden = [...]string{
	"default", "nullable", "additionalProperties", preserve, "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string",
	"x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-map-type", "x-kubernetes-validations",
}

// isStructural reports whether an alternative is one that a structural schema may have,
// once branch has taken out what makes no difference. main is the schema outside of it
// for the same value; nil when there is none yet.
func isStructural(b, main *value, first bool) bool {
	if b.kind != isObject || slices.ContainsFunc(forbidden[:], func(key string) bool { return b.get(key) != nil }) {
		return false
	}
	if t := b.get("type"); t != nil && !t.equal(main.get("type")) {
		return false
	}
	for _, key := range logical {
		of := b.get(key)
		if of == nil || first && key == "anyOf" && of.equal(intOrString()) {
			continue
		}
		for _, inner := range branches(of) {
			if !isStructural(inner, main, false) {
				return false
			}
		}
	}
	if items := b.get("items"); items != nil && !isStructural(items, main.get("items"), false) {
		return false
	}
	properties := b.get("properties")
	if properties == nil {
		return true
	}
	if properties.kind != isObject || main.get("additionalProperties") != nil {
		return false
	}
	for _, m := range properties.members {
		if m.key == "metadata" || !isStructural(m.value, main.get("properties", m.key), false) {
			return false
		}
	}
	return true
}

// branch takes out of an alternative what it may not have and what makes no difference:
// texts, and a type that is that of the schema outside. What it speaks of and that
// schema does not is added there.
func (a *admission) branch(mainPath, path meta.Path, b, main *value) {
	for _, key := range []string{"title", "description", "type"} {
		if b.remove(key) != nil {
			a.notes.add(to(path, key), "taken out, since a schema of version v1 may not have it in an alternative; the values that it accepts are the same")
		}
	}
	for _, key := range logical {
		of := b.get(key)
		if of == nil || of.equal(intOrString()) {
			continue
		}
		for i, inner := range branches(of) {
			at := to(path, key)
			if of.kind == isArray {
				at = to(at, i)
			}
			a.branch(mainPath, at, inner, main)
		}
	}
	if items := b.get("items"); items != nil {
		a.branch(to(mainPath, "items"), to(path, "items"), items, a.ensure(to(mainPath, "items"), main, "items"))
	}
	properties := b.get("properties")
	if properties == nil || len(properties.members) == 0 {
		return
	}
	if main.get("properties") == nil {
		main.set("properties", objectValue())
	}
	for _, m := range properties.members {
		at := to(mainPath, "properties", m.key)
		a.branch(at, to(path, "properties", m.key), m.value, a.ensure(at, main.get("properties"), m.key))
	}
}

// ensure returns the schema at a key, which it makes when there is none.
func (a *admission) ensure(path meta.Path, in *value, key string) *value {
	if s := in.get(key); s != nil && s.kind == isObject {
		return s
	}
	s := objectValue(member{preserve, boolValue(true)})
	in.set(key, s)
	a.notes.add(path, "has got "+preserve+", since it is spoken of in an alternative only")
	return s
}
