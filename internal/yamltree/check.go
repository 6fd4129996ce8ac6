package yamltree

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// checkValue reports a value that has no JSON form, or that is not what its tag says.
func (b *builder) checkValue(n Node) {
	e := &b.tree.nodes[n]
	switch {
	case e.kind == Mapping && e.tag != noTag && e.tag != tagMap && e.tag != tagOther,
		e.kind == Sequence && e.tag != noTag && e.tag != tagSeq && e.tag != tagOther:
		b.fault(Fault{Span: b.tree.Span(n), Message: b.tree.describe(n) + " does not fit its tag"})
		return
	case e.kind == Mapping, e.kind == Sequence, e.kind == Alias, e.style != plain && e.tag == noTag:
		return
	}
	text := b.tree.scalarText(n)
	switch v, _ := resolve(text, e.style, e.tag); v {
	case valNotFinite:
		b.fault(Fault{Span: b.tree.Span(n), Message: fmt.Sprintf("%s is a number that JSON cannot express; quote it if it is a text", text)})
	case valBad:
		b.fault(Fault{Span: b.tree.Span(n), Message: fmt.Sprintf("%s does not fit its tag", Quote(text))})
	}
}

// checkKeys reports keys that are there twice or are no text, and merge keys
// without a mapping, and notes on the mapping what its readers must mind.
func (b *builder) checkKeys(at Node, n *yaml.Node) {
	var seen keySet
	key := at + 1
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := Node(b.tree.nodes[key].next)
		name := b.text(n.Content[i])
		b.path = append(b.path, name)
		isMerge := isMergeKey(n.Content[i])
		if isMerge {
			b.tree.nodes[at].flags |= hasMerge
		}
		if f := b.tree.checkPair(key, value, isMerge); f != nil {
			b.tree.nodes[at].flags |= hasBadPair
			if b.tree.nodes[b.tree.deref(key)].kind != Scalar { // it has no name
				f.Path = append([]any{}, b.path[:len(b.path)-1]...)
			}
			b.fault(*f)
		}
		first, twice := None, false
		if b.tree.isText(key) {
			first, twice = seen.add(name, key, len(n.Content))
		}
		if twice {
			b.tree.nodes[at].flags |= hasRepeats
			b.fault(Fault{Problem: DuplicateKey, Span: b.tree.Span(key), Other: b.tree.Span(first), Message: Quote(name)})
		}
		b.path = b.path[:len(b.path)-1]
		key = Node(b.tree.nodes[value].next)
	}
}

// checkPair returns the fault of a pair that no JSON object can have, or nil.
func (t *Tree) checkPair(key, value Node, isMerge bool) *Fault {
	switch {
	case isMerge && !t.canMerge(value):
		return &Fault{Span: t.Span(value), Message: "the merge key << takes a mapping or a sequence of mappings"}
	case !isMerge && !t.isText(key):
		return &Fault{Span: t.Span(key), Message: "a key must be a text, and this one is " + t.describe(key)}
	}
	return nil
}

// badPair returns the fault of the first such pair of the mapping n, or nil.
func (t *Tree) badPair(n Node) *Fault {
	key := None
	for c := range t.children(n) {
		if key == None {
			key = c
			continue
		}
		if f := t.checkPair(key, c, t.isMerge(key)); f != nil {
			return f
		}
		key = None
	}
	return nil
}

// A keySet finds the first key of a name: by comparing when there are few, as
// nearly always, else with a map.
type keySet struct {
	names []string
	nodes []Node
	index map[string]Node
	array [16]string
	keys  [16]Node
}

func (s *keySet) add(name string, key Node, size int) (first Node, twice bool) {
	if size/2 > len(s.array) {
		if s.index == nil {
			s.index = make(map[string]Node, size/2)
		}
		if first, twice = s.index[name]; !twice {
			s.index[name] = key
		}
		return first, twice
	}
	if s.names == nil {
		s.names, s.nodes = s.array[:0], s.keys[:0]
	}
	for i, n := range s.names {
		if n == name {
			return s.nodes[i], true
		}
	}
	s.names, s.nodes = append(s.names, name), append(s.nodes, key)
	return None, false
}

// isText reports whether a key can be the key of a JSON object. Numbers and
// booleans can, as the text that they are written with.
func (t *Tree) isText(key Node) bool {
	key = t.deref(key)
	e := &t.nodes[key]
	if e.kind != Scalar {
		return false
	}
	if e.tag == noTag && (e.style != plain || e.end-e.start > int32(len("null"))) {
		return true
	}
	v, _ := resolve(t.scalarText(key), e.style, e.tag)
	return v != valNull
}

// canMerge reports whether n is a mapping or a sequence of mappings.
func (t *Tree) canMerge(n Node) bool {
	n = t.deref(n)
	if t.nodes[n].kind != Sequence {
		return t.nodes[n].kind == Mapping
	}
	for c := range t.children(n) {
		if t.Kind(c) != Mapping {
			return false
		}
	}
	return true
}

// describe names what n is, in the words of YAML.
func (t *Tree) describe(n Node) string {
	n = t.deref(n)
	e := &t.nodes[n]
	switch e.kind {
	case Mapping:
		return "a mapping"
	case Sequence:
		return "a sequence"
	}
	switch v, _ := resolve(t.scalarText(n), e.style, e.tag); v {
	case valNull:
		return "null"
	case valBool:
		return "a boolean"
	case valNumber, valNotFinite:
		return "a number"
	}
	return "a string"
}
