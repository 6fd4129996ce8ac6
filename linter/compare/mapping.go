package compare

import (
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
)

// others is what a schema says of the fields of a mapping that it does not name.
type others int

const (
	refused   others = iota // pruned, or refused where fields are validated strictly
	schemed                 // each has a schema
	preserved               // anything goes
)

// othersOf returns what a schema says of other fields, and their schema.
func othersOf(n node, open bool) (others, node) {
	switch v := n.schema["additionalProperties"].(type) {
	case map[string]any:
		return schemed, n.child(v, "additionalProperties")
	case bool:
		if v {
			return preserved, n
		}
	}
	if open || n.schema.truth("x-kubernetes-preserve-unknown-fields") {
		return preserved, n
	}
	return refused, n
}

func (d *schemaDiff) mapping(old, new node, at spot) {
	was, oldRest := othersOf(old, d.oldOpen)
	is, newRest := othersOf(new, d.newOpen)
	oldFields, newFields := old.schema.object("properties"), new.schema.object("properties")
	reachable := plainMapping(old.schema)
	for _, name := range sortedNames(oldFields, newFields) {
		if (name == "apiVersion" || name == "kind" || name == "metadata") && old.schema.truth("x-kubernetes-embedded-resource") {
			continue // the API server knows them
		}
		field := at.fieldOf(name, reachable)
		field.output = at.output || at.field == "" && name == "status" && d.ownStatus
		_, had := oldFields[name]
		_, has := newFields[name]
		o, n := oldRest, newRest
		if had {
			o = old.child(oldFields.object(name), "properties", name)
		}
		if has {
			n = new.child(newFields.object(name), "properties", name)
		}
		switch {
		case had && (has || is == schemed), has && was == schemed:
			d.compare(o, n, field)
		case had && is == refused:
			d.removed(o, new, field)
		}
	}
	d.rest(was, is, oldRest, newRest, old, new, at)
	d.required(old, new, at)
	d.counts(old, new, at, "minProperties", "maxProperties")
	if new.schema.truth("x-kubernetes-embedded-resource") && !old.schema.truth("x-kubernetes-embedded-resource") {
		d.report(RuleConstraint, unknown, old, new, at, "%s: it has to be a whole Kubernetes object now", d.api)
	}
}

// removed reports a field that is gone, which readers of a status miss too.
func (d *schemaDiff) removed(old, new node, at spot) {
	severity := linter.Error
	if _, excluded := old.schema["not"]; excluded || !at.sure {
		severity = linter.Warning
	}
	d.add(RuleFieldRemoved, severity, d.subject(old, new, at), "%s has no such field any more", d.api)
}

// rest compares what is said of fields without names.
func (d *schemaDiff) rest(was, is others, oldRest, newRest, old, new node, at spot) {
	if was == schemed && is == schemed {
		d.compare(oldRest, newRest, at.part("[*]", plainMapping(old.schema)))
		return
	}
	certain := max(unknown, verdictOf(roomFor(old.schema) && !composed(old.schema)))
	switch {
	case was != refused && is == refused:
		d.report(RuleFieldsRefused, certain, old, new, at, "%s: fields of any name were accepted and are not any more", d.api)
	case was == preserved && is == schemed && typesOf(newRest.schema) != anything:
		d.report(RuleFieldsRefused, certain, old, newRest, at, "%s: fields with any value were accepted, now only those of type %s", d.api, typesOf(newRest.schema))
	case was == preserved:
		var typed []string
		for _, name := range sortedNames(new.schema.object("properties"), nil) {
			_, had := old.schema.object("properties")[name]
			if !had && typesOf(new.schema.object("properties").object(name)) != anything {
				typed = append(typed, name)
			}
		}
		if len(typed) > 0 {
			d.report(RuleFieldsRefused, certain, old, new, at, "%s: fields could have any value that have a type now: %s", d.api, enumerate(typed, quote))
		}
	}
}

// roomFor says whether a mapping may have a field besides those that it must have.
func roomFor(s object) bool {
	most, limited := s.number("maxProperties")
	return !limited || most > float64(len(s.list("required")))
}

// plainMapping says whether a mapping may have any of its fields, whatever its value.
func plainMapping(s object) bool {
	_, enum := s["enum"]
	return !composed(s) && !enum && roomFor(s)
}

// required tells which fields have to be written now. One that has a default does
// not.
func (d *schemaDiff) required(old, new node, at spot) {
	demanded := map[string]bool{}
	for _, name := range mustWrite(old.schema) {
		demanded[name] = true
	}
	// Without the field there must be as many others as are wanted.
	least, _ := old.schema.number("minProperties")
	certain := max(unknown, verdictOf(!composed(old.schema) && least <= float64(len(old.schema.list("required")))))
	for _, name := range mustWrite(new.schema) {
		if demanded[name] {
			continue
		}
		why := "is required now"
		if slices.Contains(old.schema.texts("required"), name) {
			why = "is required, and its default is gone"
		} else if _, had := old.schema.object("properties")[name]; !had {
			why = "is new, and required"
		}
		d.report(RuleFieldRequired, certain, old.child(nil, "properties", name), new.child(nil, "properties", name), at.fieldOf(name, true), "%s: the field %s", d.api, why)
	}
}

// mustWrite are the fields that are required and have no default, sorted.
func mustWrite(s object) []string {
	names := slices.DeleteFunc(s.texts("required"), func(name string) bool {
		return s.object("properties").object(name)["default"] != nil
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// speakOf says whether a validation rule of the old version has the name of a field
// in it, and so may have demanded already what the schema demands now.
func (d *schemaDiff) speakOf(name string) bool {
	return name != "" && slices.ContainsFunc(d.oldRules, func(rule string) bool { return strings.Contains(rule, name) })
}
