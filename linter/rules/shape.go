package rules

import (
	"maps"
	"slices"

	"github.com/xpkg-go/sdk/internal/nearmiss"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// shape is what a value should be: its form, the fields of a mapping and the
// items of a list. Of a mapping without fields and a list without items nothing is
// known: it is not entered.
type shape struct {
	form   form
	fields map[string]*shape
	others *shape // of fields that are not in fields; nil where there are none
	item   *shape
}

// fields is a shape of a mapping whose complete set of fields this is.
func fields(of map[string]*shape) *shape { return &shape{form: mapping, fields: of} }

// listOf is a shape of a list.
func listOf(item *shape) *shape { return &shape{form: list, item: item} }

var (
	aText    = &shape{form: text}
	aTruth   = &shape{form: boolean}
	aNumber  = &shape{form: number}
	aList    = &shape{form: list}
	aMapping = &shape{form: mapping}
	anything = &shape{}
	texts    = &shape{form: mapping, fields: map[string]*shape{}, others: aText}
)

// whole is a shape of everything, as deep as it goes.
var whole = wholeShape()

func wholeShape() *shape {
	s := &shape{fields: map[string]*shape{}}
	s.others, s.item = s, s
	return s
}

// mismatch is a value of another form than its shape has.
type mismatch struct {
	path  meta.Path
	found *value
	want  form
}

// stranger is a field that its shape does not have, with the name of the field
// that comes nearest, if one comes near.
type stranger struct {
	path    meta.Path
	nearest string
	renames bool // the value is one for the nearest field, which is not there
}

// comparison is what holds a value against a shape and finds, each in the order of
// paths: at most maxPlaced of both, and how many more there are.
type comparison struct {
	mismatches                    []mismatch
	strangers                     []stranger
	moreMismatches, moreStrangers int
}

func (c *comparison) compare(path meta.Path, v *value, s *shape) {
	if s.form != absent && v.form != s.form {
		if len(c.mismatches) == maxPlaced {
			c.moreMismatches++
			return
		}
		c.mismatches = append(c.mismatches, mismatch{slices.Clone(path), v, s.form})
		return
	}
	if s.fields != nil {
		for _, name := range slices.Sorted(maps.Keys(v.fields)) {
			field, known := v.fields[name], s.field(name)
			switch {
			case known == nil && len(c.strangers) == maxPlaced:
				c.moreStrangers++
			case known == nil:
				c.strangers = append(c.strangers, c.stranger(append(slices.Clone(path), name), v, s))
			case field.form != null: // a field that is null is one that is not there
				c.compare(append(path, name), field, known)
			}
		}
	}
	if s.item != nil {
		for i, item := range v.items { // an item that is null is there
			c.compare(append(path, i), item, s.item)
		}
	}
}

// asKubernetes takes the words for booleans that YAML 1.1 has, such as yes, for what they
// are to Kubernetes, where a boolean belongs: the rule yaml-ambiguous tells of them.
func (c *comparison) asKubernetes(d *parser.Document) {
	isWord := func(m mismatch) bool { return m.want == boolean && m.found.form == text }
	if !slices.ContainsFunc(c.mismatches, isWord) {
		return // to look for doubts takes as long as to read the document
	}
	list, _ := d.Doubts()
	c.mismatches = slices.DeleteFunc(c.mismatches, func(m mismatch) bool {
		i := slices.IndexFunc(list, func(x parser.Doubt) bool {
			return !x.Key && x.Path.Compare(m.path) == 0 && (x.Kubernetes == "true" || x.Kubernetes == "false")
		})
		if !isWord(m) || i < 0 {
			return false
		}
		m.found.form, m.found.text = boolean, list[i].Kubernetes
		return true
	})
}

// stranger looks for the field that a mapping was probably meant to have.
func (c *comparison) stranger(path meta.Path, v *value, s *shape) stranger {
	name, _ := path[len(path)-1].(string)
	near := nearest(name, s.fields)
	if near == "" || v.fields[near] != nil {
		return stranger{path: path, nearest: near}
	}
	var fit comparison
	fit.compare(nil, v.fields[name], s.fields[near])
	ok := len(fit.mismatches)+len(fit.strangers) == 0
	for other := range v.fields {
		ok = ok && (other == name || s.field(other) != nil || nearest(other, s.fields) != near)
	}
	return stranger{path: path, nearest: near, renames: ok}
}

// field is the shape of a field; nil if there is no such field.
func (s *shape) field(name string) *shape {
	if f := s.fields[name]; f != nil {
		return f
	}
	return s.others
}

// maxKnown is among how many names the nearest is looked for: each is compared with the
// one that is misspelled.
const maxKnown = 500

// nearest returns the known name that a misspelled one is probably meant to be, or
// "" when none is near.
func nearest(name string, known map[string]*shape) string {
	if len(known) > maxKnown {
		return ""
	}
	return nearmiss.Nearest(name, slices.Sorted(maps.Keys(known)))
}
