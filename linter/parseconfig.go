package linter

import (
	"cmp"
	"errors"
	"slices"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// ParseConfig reads the text of a configuration; name is what errors call the file. A
// text that holds nothing is a configuration that says nothing.
//
// The names of rules are those of rules and of Builtin; with no rules, whose names are
// not known then, any name will do. The error is a parser.ErrorList of all faults with
// their places: what is no YAML, an unknown field or rule with the one that is probably
// meant, a value of another type, a word that is not one of those that a field may hold.
func ParseConfig(name string, text []byte, rules []*Rule) (*Config, error) {
	var doc *parser.Document
	var faults parser.ErrorList
	for d, err := range parser.Bytes(name, text, nil) {
		var fault *parser.Error
		switch {
		case d != nil && doc != nil:
			faults = append(faults, &parser.Error{Rule: parser.RuleSyntax, Range: d.Range, Index: d.Index, Message: "found a second document, expected one configuration"})
		case d != nil:
			doc = d
		case errors.As(err, &fault) && !isExpectedOf(fault):
			faults = append(faults, fault)
		}
	}
	c := &Config{}
	if doc != nil {
		faults = append(faults, c.read(doc, rules)...)
	}
	if len(faults) > 0 {
		slices.SortStableFunc(faults, func(a, b *parser.Error) int { return cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset) })
		return nil, faults
	}
	return c, nil
}

// isExpectedOf reports whether a fault of reading a package is none of a configuration.
func isExpectedOf(e *parser.Error) bool {
	switch e.Rule {
	case parser.RuleEmptyFile, parser.RuleMissingKind, parser.RuleMissingAPIVersion:
		return true
	}
	return false
}

func (c *Config) read(d *parser.Document, rules []*Rule) parser.ErrorList {
	// The severity as a text, whose place is known when it is wrong.
	var text struct {
		Config
		FailOn string `json:"failOn"`
	}
	var faults parser.ErrorList
	if err := d.Decode(&text); err != nil && !errors.As(err, &faults) {
		return parser.ErrorList{{Rule: parser.RuleSyntax, Range: d.Range, Index: d.Index, Message: err.Error(), Err: err}}
	}
	types := wrongTypes(d)
	faults = slices.DeleteFunc(faults, func(e *parser.Error) bool {
		same := func(other *parser.Error) bool { return other.Range == e.Range }
		return e.Rule == parser.RuleWrongType && slices.ContainsFunc(types, same)
	})
	faults = append(faults, types...)
	// Reading has told of a key that is there twice.
	faults = slices.DeleteFunc(faults, func(e *parser.Error) bool { return e.Rule == parser.RuleDuplicateKey })
	for _, e := range faults {
		if e.Rule == parser.RuleUnknownField {
			name, _ := e.Path[len(e.Path)-1].(string)
			e.Message += didYouMean(name, configFields(len(e.Path)))
		}
	}
	*c = text.Config
	var wrong meta.FieldErrors
	if text.FailOn != "" {
		var err error
		if c.FailOn, err = ParseSeverity(text.FailOn); err != nil {
			wrong = meta.FieldErrors{{Path: meta.Path{"failOn"}, Fault: meta.FaultType, Found: quote(text.FailOn), Want: "error, warning or info"}}
		}
	}
	var more meta.FieldErrors
	if errors.As(c.check(knownIDs(rules)), &more) {
		wrong = append(wrong, more...)
	}
	for _, f := range wrong {
		rule, place := parser.RuleWrongType, At(d, f.Path...)
		if f.Fault == meta.FaultNotInFormat {
			rule, place = parser.RuleUnknownField, AtKey(d, f.Path...)
		}
		if below := func(e *parser.Error) bool {
			return len(e.Path) <= len(f.Path) && slices.Equal(f.Path[:len(e.Path)], e.Path)
		}; slices.ContainsFunc(types, below) {
			continue // what is there was read as nothing
		}
		faults = append(faults, &parser.Error{Rule: rule, Range: place.Range, Index: d.Index, Path: f.Path, Message: f.Message(), Err: f})
	}
	return faults
}

// wrongTypes returns the values of other types than their fields have, all of them:
// decoding ends at the first.
func wrongTypes(d *parser.Document) parser.ErrorList {
	var root map[string]any
	if d.DecodeLax(&root) != nil {
		return nil // no mapping, which is told
	}
	w := typeFaults{doc: d}
	for _, name := range []string{"target", "profile", "failOn"} {
		w.text(root[name], name)
	}
	w.levels(root["rules"], "rules")
	paths, _ := w.sequence(root["paths"], "paths")
	for i, p := range paths {
		entry, _ := w.mapping(p, "paths", i)
		match, _ := w.sequence(entry["match"], "paths", i, "match")
		for j, pattern := range match {
			w.text(pattern, "paths", i, "match", j)
		}
		w.levels(entry["rules"], "paths", i, "rules")
	}
	return w.found
}

// typeFaults collects the values of a document that are not of the type that they are
// taken for. Null is of every type.
type typeFaults struct {
	doc   *parser.Document
	found parser.ErrorList
}

func (w *typeFaults) levels(v any, path ...any) {
	rules, _ := w.mapping(v, path...)
	for _, id := range sortedKeys(rules) {
		w.text(rules[id], append(slices.Clone(path), id)...)
	}
}

func (w *typeFaults) text(v any, path ...any) { typed[string](w, v, "a string", path) }

func (w *typeFaults) mapping(v any, path ...any) (map[string]any, bool) {
	return typed[map[string]any](w, v, "a mapping", path)
}

func (w *typeFaults) sequence(v any, path ...any) ([]any, bool) {
	return typed[[]any](w, v, "a sequence", path)
}

func typed[T any](w *typeFaults, v any, want string, path meta.Path) (T, bool) {
	t, ok := v.(T)
	if ok || v == nil {
		return t, ok
	}
	found := "a number"
	switch v.(type) {
	case map[string]any:
		found = "a mapping"
	case []any:
		found = "a sequence"
	case string:
		found = "a string"
	case bool:
		found = "a boolean"
	}
	w.found = append(w.found, &parser.Error{
		Rule: parser.RuleWrongType, Range: At(w.doc, path...).Range, Index: w.doc.Index, Path: slices.Clone(path),
		Message: "expected " + want + ", found " + found,
	})
	return t, false
}

// configFields returns the names of the fields of a configuration, at the depth of its own
// fields or of those of an entry of paths.
func configFields(depth int) []string {
	if depth == 1 {
		return []string{"target", "profile", "failOn", "rules", "paths"}
	}
	return []string{"match", "rules"}
}

// knownIDs returns the names that rules have, and nil when no rules are known.
func knownIDs(rules []*Rule) []string {
	if len(rules) == 0 {
		return nil
	}
	var ids []string
	for _, r := range slices.Concat(rules, builtin()) {
		ids = append(ids, idOf(r))
	}
	return ids
}
