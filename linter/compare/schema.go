package compare

import (
	"maps"
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// A schemaDiff compares the schemas of one version of an API kind. It says that a
// change breaks users where there is a value that the old schema accepts and the new
// one does not, and that it may where that cannot be decided.
//
// It takes for granted that every field of the old schema could be used: that there
// is some object that has it. Validation rules are not evaluated: where one of the
// old version speaks of a field, what the field did not allow already is not decided.
type schemaDiff struct {
	*diff
	judge
	api       API
	oldRules  []string // of the nodes above and of the node itself
	oldOpen   bool     // unknown fields are kept everywhere
	newOpen   bool
	ownStatus bool // status is written by controllers alone
}

// A node is a schema in a definition.
type node struct {
	schema object
	path   meta.Path
}

func (n node) child(s object, more ...any) node { return node{s, below(n.path, more...)} }

// A spot is a place in the objects of a kind.
type spot struct {
	field string
	name  string // of the last field
	// sure says that whatever the old schema accepts here is accepted as part of
	// some object: nothing above demands more than what each schema says.
	sure bool
	// output says that nobody but a controller writes it.
	output bool
}

// fieldOf is the spot of a field below another one.
func (at spot) fieldOf(name string, sure bool) spot {
	field := meta.Path{name}.String()
	if at.field != "" {
		if field[0] != '[' {
			field = "." + field
		}
		field = at.field + field
	}
	return spot{field: field, name: name, sure: at.sure && sure, output: at.output}
}

// part is the spot of the items of a list or of the values of a map.
func (at spot) part(sign string, sure bool) spot {
	at.field, at.sure = at.field+sign, at.sure && sure
	return at
}

// report adds a change of a schema. The severity is that of what is certain; where
// it is not, or where only a controller is concerned, nothing is more than a warning.
func (d *schemaDiff) report(rule string, v verdict, old, new node, at spot, format string, args ...any) {
	severity := linter.Warning
	if v == yes && at.sure && !at.output && !d.speakOf(at.name) {
		severity = linter.Error
	}
	d.add(rule, severity, d.subject(old, new, at), format, args...)
}

func (d *schemaDiff) subject(old, new node, at spot) subject {
	return subject{api: d.api, field: at.field, old: old.path, new: new.path}
}

// compare compares two schemas of one field.
func (d *schemaDiff) compare(old, new node, at spot) {
	before := len(d.oldRules)
	for _, r := range old.schema.objects("x-kubernetes-validations") {
		d.oldRules = append(d.oldRules, r.text("rule"))
	}
	defer func() { d.oldRules = d.oldRules[:before] }()

	d.defaults(old, new, at)
	d.null(old, new, at)
	d.constraints(old, new, at)
	if len(old.schema.list("enum")) > 0 {
		d.values(old, new, at)
		return
	}
	was, is := typesOf(old.schema), typesOf(new.schema)
	if was&^is != 0 {
		at.sure = at.sure && d.canBe(old.schema, was, is)
		d.add(RuleType, severityOfType(at), d.subject(old.child(nil, "type"), new.child(nil, "type"), at), "%s: the type changed from %s to %s", d.api, was, is)
		return
	}
	d.scalars(old, new, at)
	if was&aMapping != 0 {
		d.mapping(old, new, at)
	}
	if was&aList != 0 {
		d.list(old, new, at)
	}
}

// canBe says whether a value of a type that is not accepted any more was accepted.
func (d *schemaDiff) canBe(old object, was, is types) bool {
	if was&is == 0 {
		return !composed(old)
	}
	return slices.ContainsFunc(candidates(old, nil), func(v any) bool {
		return typeOf(v)&is == 0 && d.accepts(old, v) == yes
	})
}

// severityOfType is that of another type, which readers of a status meet too.
func severityOfType(at spot) linter.Severity {
	if at.sure {
		return linter.Error
	}
	return linter.Warning
}

// composed says whether a schema demands more than its other keywords say.
func composed(s object) bool {
	for _, name := range []string{"allOf", "anyOf", "oneOf", "not"} {
		if _, set := s[name]; set {
			return true
		}
	}
	return false
}

// defaults tells what changed of the default of a field.
func (d *schemaDiff) defaults(old, new node, at spot) {
	was, had := old.schema["default"]
	is, has := new.schema["default"]
	about := d.subject(old.child(nil, "default"), new.child(nil, "default"), at)
	switch {
	case had && has && keyOf(was) != keyOf(is):
		d.add(RuleDefault, linter.Warning, about, "%s: the default changed from %s to %s", d.api, show(was), show(is))
	case had && !has:
		d.add(RuleDefault, linter.Warning, about, "%s: the default %s is gone", d.api, show(was))
	case has && !had:
		d.add(RuleDefault, linter.Info, about, "%s: there is a default now, %s", d.api, show(is))
	}
}

func (d *schemaDiff) null(old, new node, at spot) {
	if !old.schema.truth("nullable") || new.schema.truth("nullable") || typesOf(new.schema)&aNull != 0 {
		return
	}
	if _, has := new.schema["default"]; has { // it stands for null
		return
	}
	certain := verdictOf(len(old.schema.list("enum")) == 0 && !composed(old.schema))
	d.report(RuleNull, max(certain, unknown), old, new, at, "%s: null was accepted and is not any more", d.api)
}

// values compares what may be written where the old schema lists all of it.
func (d *schemaDiff) values(old, new node, at spot) {
	enum := old.schema.list("enum")
	listed := keys(new.schema.list("enum"))
	restricted := len(new.schema.list("enum")) > 0
	was, is := without(old.schema, "enum"), without(new.schema, "enum")
	const many = 1000 // more are not held against what a schema is composed of
	if composed(is) && len(enum) > many {
		if !equal(was, is) {
			d.report(RuleEnum, unknown, old, new, at, "%s: the %d values of the field are accepted under other conditions", d.api, len(enum))
		}
		return
	}
	var lost, doubtful []any
	for _, v := range enum {
		if d.accepts(was, v) == no {
			continue
		}
		certain := d.accepts(was, v) == yes
		switch {
		case restricted && !listed[keyOf(v)] || d.accepts(is, v) == no:
			if certain && v != nil {
				lost = append(lost, v)
			} else {
				doubtful = append(doubtful, v)
			}
		case d.accepts(is, v) == unknown && !equal(was, is):
			doubtful = append(doubtful, v)
		}
	}
	oldAt, newAt := old.child(nil, "enum"), new.child(nil, "enum")
	if len(lost) > 0 {
		d.report(RuleEnum, yes, oldAt, newAt, at, "%s: %s accepted and %s not any more", d.api, enumerate(lost, show)+were(len(lost)), verb(len(lost)))
	}
	if len(doubtful) > 0 {
		d.report(RuleEnum, unknown, oldAt, newAt, at, "%s: %s may not be accepted any more", d.api, enumerate(doubtful, show))
	}
}

func were(n int) string {
	if n == 1 {
		return " was"
	}
	return " were"
}

func verb(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func keys(list []any) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, v := range list {
		set[keyOf(v)] = true
	}
	return set
}

func without(s object, name string) object {
	s = maps.Clone(s)
	delete(s, name)
	return s
}

func equal(a, b any) bool { return keyOf(a) == keyOf(b) }

// sortedNames are the names of both mappings, each once.
func sortedNames(a, b object) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(names)
	return slices.Compact(names)
}
