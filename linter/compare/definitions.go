package compare

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// A match is a definition of the old package and the one of that name of the new
// package. Either may be nil.
type match struct{ old, new *parser.Document }

// matched is what came of a match: its changes, and the kinds that only one of the
// two definitions makes.
type matched struct {
	changes          []Change
	oldOnly, newOnly []source
}

// A source is an API kind and the definition that makes it. Definitions are not
// held: of a large provider they take gigabytes.
type source struct {
	kind meta.ProvidedKind
	doc  *parser.Document
}

type groupKind struct{ group, kind string }

func (s source) key() groupKind { return groupKind{s.kind.Group, s.kind.Kind} }

// definitions compares the API kinds. Nearly all are in the definition of the same
// name; those that are not are looked for in all others.
func (p *pair) definitions(ctx context.Context) ([]Change, error) {
	matches, same := p.matches()
	results, err := onAllCores(ctx, matches, compareMatch)
	if err != nil {
		return nil, err
	}
	var changes []Change
	elsewhere := map[groupKind]source{}
	for _, r := range results {
		changes = append(changes, r.changes...)
		for _, s := range r.newOnly {
			if _, known := elsewhere[s.key()]; !known {
				elsewhere[s.key()] = s
			}
		}
	}
	var moves []move
	for i, r := range results {
		for _, was := range r.oldOnly {
			if is, found := elsewhere[was.key()]; found {
				moves = addMove(moves, was, is)
			} else if !same.have(was.key()) {
				changes = append(changes, goneKind(was, matches[i].new)...)
			}
		}
	}
	list, err := onAllCores(ctx, moves, func(m move) []Change {
		d := &diff{old: m.old, new: m.new}
		compareKinds(d, readDefinition(m.old), readDefinition(m.new), m.kinds)
		return d.changes
	})
	for _, l := range list {
		changes = append(changes, l...)
	}
	return changes, err
}

// A move is the kinds of a definition that one of another name makes now.
type move struct {
	match
	kinds []kindPair
}

// A kindPair is a kind as both packages have it.
type kindPair struct{ was, is meta.ProvidedKind }

// addMove adds a kind to the last move, if it is one of the same definitions.
func addMove(moves []move, was, is source) []move {
	m, kind := match{was.doc, is.doc}, kindPair{was.kind, is.kind}
	if last := len(moves) - 1; last >= 0 && moves[last].match == m {
		moves[last].kinds = append(moves[last].kinds, kind)
		return moves
	}
	return append(moves, move{m, []kindPair{kind}})
}

// matches pairs definitions by name, those of the old package in its order and those
// of the new one alone behind. Those whose texts are equal need no comparison.
func (p *pair) matches() (list []match, same *unchanged) {
	same = &unchanged{kinds: map[string]map[groupKind]bool{}}
	for _, id := range p.old.ids {
		was, is := p.old.docs[id], p.new.docs[id]
		switch {
		case !isDefinition(was):
		case is != nil && was.APIVersion == is.APIVersion && bytes.Equal(was.Text(), is.Text()):
			same.docs = append(same.docs, is)
		default:
			list = append(list, match{was, is})
		}
	}
	for _, id := range p.new.ids {
		if is := p.new.docs[id]; p.old.docs[id] == nil && isDefinition(is) {
			list = append(list, match{nil, is})
		}
	}
	return list, same
}

// compareMatch compares two definitions of one name.
func compareMatch(m match) matched {
	var r matched
	var old, new *definition
	if m.old != nil {
		old = readDefinition(m.old)
	}
	if m.new != nil {
		new = readDefinition(m.new)
	}
	d := &diff{old: m.old, new: m.new}
	taken := map[groupKind]bool{}
	var kinds []kindPair
	for _, was := range kindsOf(old) {
		is, found := find(new, was)
		if !found {
			r.oldOnly = append(r.oldOnly, source{was, m.old})
			continue
		}
		taken[source{kind: is}.key()] = true
		kinds = append(kinds, kindPair{was, is})
	}
	compareKinds(d, old, new, kinds)
	for _, is := range kindsOf(new) {
		if s := (source{is, m.new}); !taken[s.key()] {
			r.newOnly = append(r.newOnly, s)
		}
	}
	r.changes = d.changes
	return r
}

// compareKinds compares kinds that both definitions make. A claim has the versions of
// its composite resource, and they are compared once.
func compareKinds(d *diff, old, new *definition, kinds []kindPair) {
	for i, kind := range kinds {
		k := &kindDiff{diff: d, old: old, new: new, kind: kind.was}
		k.compare(kind.is)
		if i == 0 {
			k.versions()
			k.definition()
		}
	}
}

func kindsOf(def *definition) []meta.ProvidedKind {
	if def == nil {
		return nil
	}
	return def.kinds
}

func find(def *definition, kind meta.ProvidedKind) (meta.ProvidedKind, bool) {
	for _, k := range kindsOf(def) {
		if (source{kind: k}).key() == (source{kind: kind}).key() {
			return k, true
		}
	}
	return meta.ProvidedKind{}, false
}

// unchanged are the definitions whose text is the same in both packages.
type unchanged struct {
	docs  []*parser.Document
	kinds map[string]map[groupKind]bool // by group, of those that were asked for
}

// have looks for a kind. The API server takes only definitions whose names end in the
// group.
func (u *unchanged) have(kind groupKind) bool {
	if u.kinds[kind.group] == nil {
		u.kinds[kind.group] = map[groupKind]bool{}
		for _, d := range u.docs {
			if !strings.HasSuffix(d.Name, "."+kind.group) {
				continue
			}
			for _, k := range readDefinition(d).kinds {
				u.kinds[kind.group][source{kind: k}.key()] = true
			}
		}
	}
	return u.kinds[kind.group][kind]
}

// goneKind reports a kind that the new package does not have. is is the definition of
// the same name, or nil.
func goneKind(was source, is *parser.Document) []Change {
	d := &diff{old: was.doc, new: is}
	about := subject{api: API{APIVersion: was.kind.Group, Kind: was.kind.Kind}, old: meta.Path{"spec", "names", "kind"}, new: meta.Path{"spec", "names", "kind"}}
	if was.kind.Claim {
		about.old, about.new = meta.Path{"spec", "claimNames", "kind"}, meta.Path{"spec", "claimNames", "kind"}
	}
	hint := ""
	if is != nil {
		var kinds []string
		for _, k := range readDefinition(is).kinds {
			kinds = append(kinds, k.Kind)
		}
		hint = " (" + plain(is.Name) + " makes " + enumerate(kinds, plain) + " now)"
	}
	what := "the kind"
	if was.kind.Claim {
		what = "the claim kind"
	}
	d.add(RuleKindRemoved, linter.Error, about, "%s %s is gone%s", what, about.api, hint)
	return d.changes
}

// onAllCores calls a function with every item and returns the results in the order of
// the items.
func onAllCores[T, R any](ctx context.Context, items []T, f func(T) R) ([]R, error) {
	results := make([]R, len(items))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(items)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(items) {
					return
				}
				results[i] = f(items[i])
			}
		})
	}
	workers.Wait()
	return results, ctx.Err()
}
