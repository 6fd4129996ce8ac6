package yamlscan

import (
	"fmt"

	"github.com/xpkg-go/sdk/internal/yamltree"
)

// A scalar is a value of a document: the way to it, and its place in the tree.
type scalar struct {
	path  []any
	place Place
}

// scalars returns all that are found in a tree, in the order of the text.
func scalars(tree *yamltree.Tree, p yamltree.Pair, path []any, list []scalar) []scalar {
	if tree.Kind(p.Value) == yamltree.Scalar {
		place := Place{Value: Span(tree.Span(p.Value)), Followed: len(path)}
		if p.Key != yamltree.None {
			place.Key = Span(tree.Span(p.Key))
		}
		return append(list, scalar{path, place})
	}
	path = path[:len(path):len(path)]
	for _, child := range tree.Pairs(p.Value) {
		list = scalars(tree, child, append(path, tree.Key(child.Key)), list)
	}
	for i, item := range tree.Items(p.Value) {
		list = scalars(tree, yamltree.Pair{Key: yamltree.None, Value: item}, append(path, i), list)
	}
	return list
}

// sameScalars compares the place of every scalar of a text that is taken, in one walk: it
// reads as Find does, but does not begin again for the next scalar. Where a line has more
// than one, or shows that the one before it is null, Find looks from the beginning, and
// so it does where the places differ, to decide.
func sameScalars(text []byte, tree *yamltree.Tree) error {
	s := New()
	s.run(nil, maxDepth)
	s.text, s.frames, s.pending = text, append(s.frames[:0], frame{indent: -1}), 0
	var before []any
	for i, want := range scalars(tree, yamltree.Pair{Key: yamltree.None, Value: 0}, nil, nil) {
		matched := 0
		for matched < min(len(before), len(want.path))-1 && before[matched] == want.path[matched] {
			matched++
		}
		before = want.path
		s.events = events{path: want.path, matched: matched, waiting: i == 0}
		for !s.done && (s.at <= want.place.Value.Start || s.pending >= 0) {
			i := s.nextLine()
			if i < 0 {
				break
			}
			if !s.line(i) {
				return fmt.Errorf("the line before byte %d is not taken", s.at)
			}
		}
		if s.done && s.place == want.place {
			continue
		}
		if got, ok := New().Find(text, want.path); !ok || got != want.place {
			return fmt.Errorf("%v is at %+v (%v), in the tree at %+v", want.path, got, ok, want.place)
		}
	}
	return nil
}
