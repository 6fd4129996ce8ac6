package yamltree

import "sync"

// Find follows a path of keys (string) and indexes (int) from the root. It
// returns how many of its elements it could follow and where that led: the
// value, and its key, which is None for the root and for items of sequences.
// Aliases are followed, and merge keys are looked into.
//
// Find may be called concurrently.
func (t *Tree) Find(path []any) (p Pair, followed int) {
	p = Pair{None, 0}
	x := t.index.use()
	for i, step := range path {
		next, ok := Pair{None, None}, false
		switch step := step.(type) {
		case string:
			if x == nil {
				next, ok = t.Get(p.Value, step)
			} else {
				next, ok = x.pairs(t, t.deref(p.Value))[step]
			}
		case int:
			var items []Node
			if x == nil {
				items = t.Items(p.Value)
			} else {
				items = x.items(t, t.deref(p.Value))
			}
			if ok = step >= 0 && step < len(items); ok {
				next.Value = items[step]
			}
		}
		if !ok {
			return p, i
		}
		p = next
	}
	return p, len(path)
}

// index remembers the children of the collections that Find went through. A
// look-up without it costs as much as the collection has children, which is
// cheap for a few, and quadratic for a caller that places a fault in each of a
// hundred thousand.
type index struct {
	mu       sync.Mutex
	finds    int
	children map[Node][]Node
	named    map[Node]map[string]Pair
}

// fewFinds is how often a tree is searched before an index is worth its memory.
const fewFinds = 16

// use counts a search, and returns the index when it is worth having.
func (x *index) use() *index {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.finds < fewFinds {
		x.finds++
		return nil
	}
	if x.children == nil {
		x.children = make(map[Node][]Node)
		x.named = make(map[Node]map[string]Pair)
	}
	return x
}

func (x *index) items(t *Tree, n Node) []Node {
	x.mu.Lock()
	defer x.mu.Unlock()
	items, ok := x.children[n]
	if !ok {
		items = t.Items(n)
		x.children[n] = items
	}
	return items
}

func (x *index) pairs(t *Tree, n Node) map[string]Pair {
	x.mu.Lock()
	defer x.mu.Unlock()
	named, ok := x.named[n]
	if !ok {
		pairs := t.Pairs(n)
		named = make(map[string]Pair, len(pairs))
		for _, p := range pairs {
			named[t.Key(p.Key)] = p
		}
		x.named[n] = named
	}
	return named
}
