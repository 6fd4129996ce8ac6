package yamltree

import "iter"

// children yields the children of a collection: of a mapping keys and values
// in turn.
func (t *Tree) children(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		end := Node(t.nodes[n].next)
		for c := n + 1; c < end; c = Node(t.nodes[c].next) {
			if !yield(c) {
				return
			}
		}
	}
}

// A Pair is a key of a mapping and its value.
type Pair struct{ Key, Value Node }

// Pairs returns the pairs of the mapping n as a reader of the document sees
// them: a repeated key once, at its first place with its last value, and keys
// from merge keys behind those of the mapping itself, which go before them.
// Keys that are no text are left out.
func (t *Tree) Pairs(n Node) []Pair {
	n = t.deref(n)
	if t.nodes[n].kind != Mapping {
		return nil
	}
	var pairs []Pair
	if t.nodes[n].flags == 0 {
		t.own(n, func(p Pair) { pairs = append(pairs, p) })
		return pairs
	}
	index := make(map[string]int)
	t.own(n, func(p Pair) {
		name := t.scalarText(t.deref(p.Key))
		if i, ok := index[name]; ok {
			pairs[i].Value = p.Value
			return
		}
		index[name] = len(pairs)
		pairs = append(pairs, p)
	})
	for _, m := range t.merged(n) {
		for _, p := range t.Pairs(m) {
			name := t.scalarText(t.deref(p.Key))
			if _, ok := index[name]; !ok {
				index[name] = len(pairs)
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// own calls f for the pairs written in the mapping n.
func (t *Tree) own(n Node, f func(Pair)) {
	key := None
	for c := range t.children(n) {
		if key == None {
			key = c
			continue
		}
		if t.isText(key) && !t.isMerge(key) {
			f(Pair{key, c})
		}
		key = None
	}
}

// merged returns the mappings that the merge keys of the mapping n name.
func (t *Tree) merged(n Node) []Node {
	var list []Node
	key := None
	for c := range t.children(n) {
		if key == None {
			key = c
			continue
		}
		if t.isMerge(key) && t.canMerge(c) {
			if c = t.deref(c); t.nodes[c].kind == Mapping {
				list = append(list, c)
			} else {
				for m := range t.children(c) {
					list = append(list, t.deref(m))
				}
			}
		}
		key = None
	}
	return list
}

func (t *Tree) isMerge(key Node) bool {
	e := &t.nodes[key]
	return e.kind == Scalar && e.style == plain && (e.tag == noTag || e.tag == tagMerge) && e.end-e.start == 2 && t.scalarText(key) == "<<"
}

// Items returns the items of the sequence n.
func (t *Tree) Items(n Node) []Node {
	n = t.deref(n)
	if t.nodes[n].kind != Sequence {
		return nil
	}
	var items []Node
	for c := range t.children(n) {
		items = append(items, c)
	}
	return items
}

// Key returns the name of a key.
func (t *Tree) Key(key Node) string { return t.scalarText(t.deref(key)) }

// Get returns the pair of a mapping with a key, and false when n is no mapping
// or has no such key.
func (t *Tree) Get(n Node, key string) (Pair, bool) {
	for _, p := range t.Pairs(n) {
		if t.Key(p.Key) == key {
			return p, true
		}
	}
	return Pair{None, None}, false
}

// Text returns the text of a string scalar, and false for everything else.
func (t *Tree) Text(n Node) (string, bool) {
	n = t.deref(n)
	e := &t.nodes[n]
	if e.kind != Scalar {
		return "", false
	}
	s := t.scalarText(n)
	v, _ := resolve(s, e.style, e.tag)
	return s, v == valString
}

// Describe names what n is: a mapping, a sequence, a string, a number, a
// boolean or null.
func (t *Tree) Describe(n Node) string { return t.describe(n) }

// IsNull reports whether n says nothing.
func (t *Tree) IsNull(n Node) bool { return t.describe(n) == "null" }

// HasRepeats reports whether a mapping of the document has a key twice.
func (t *Tree) HasRepeats() bool {
	for i := range t.nodes {
		if t.nodes[i].flags&hasRepeats != 0 {
			return true
		}
	}
	return false
}
