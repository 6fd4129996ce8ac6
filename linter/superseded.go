package linter

import (
	"strings"

	"github.com/xpkg-go/sdk/parser"
)

// spot is where a rule found something: in a field of an object, or at a place.
type spot struct {
	rule, file, path string
	object           ObjectRef
	start            parser.Position
}

// spotsOf returns the spots of a finding, as if it were one of another rule.
func spotsOf(d *Diagnostic, rule string) []spot {
	var spots []spot
	if d.Range.Start.IsValid() {
		spots = append(spots, spot{rule: rule, file: d.Range.File, start: d.Range.Start})
	}
	if d.Path != "" {
		spots = append(spots, spotOf(d, rule, d.Path))
	}
	return spots
}

// spotOf is the spot of a field of the object that a finding is about.
func spotOf(d *Diagnostic, rule, path string) spot {
	return spot{rule: rule, file: d.Range.File, path: path, object: d.Object}
}

// superseding are the rules that supersede others, and what they have found.
type superseding struct {
	by   map[string][]string // a rule -> those that supersede it
	told map[spot]int        // the index of the first finding there
	all  []Diagnostic
}

// newSuperseding returns nil where no rule supersedes another.
func newSuperseding(all []Diagnostic, rules []*Rule) *superseding {
	s := &superseding{by: map[string][]string{}, told: map[spot]int{}, all: all}
	super := map[string]bool{}
	for _, r := range rules {
		if r == nil {
			continue
		}
		for _, id := range r.Supersedes {
			s.by[id] = append(s.by[id], r.ID)
			super[r.ID] = true
		}
	}
	for i := range all {
		d := &all[i]
		if !super[d.Rule] {
			continue
		}
		for _, at := range spotsOf(d, d.Rule) {
			if _, there := s.told[at]; !there {
				s.told[at] = i
			}
		}
	}
	return s
}

// of returns the finding that tells what d is about: one at the same spot or, where there
// is none, about what is around its field, such as all versions where d is about one. What
// is within the field of d may well be another fault.
func (s *superseding) of(d *Diagnostic) *Diagnostic {
	for _, rule := range s.by[d.Rule] {
		for _, at := range spotsOf(d, rule) {
			if i, ok := s.told[at]; ok {
				return &s.all[i]
			}
		}
		if len(d.Path) > maxMessage {
			continue // a hostile one, which would be read once for each of its steps
		}
		for path := parentPath(d.Path); path != ""; path = parentPath(path) {
			if i, ok := s.told[spotOf(d, rule, path)]; ok {
				return &s.all[i]
			}
		}
	}
	return nil
}

// once leaves out the findings of rules that another one supersedes, where that one has
// told of the same, and gives their fixes, and what they know of other places, to the
// finding that is left. What is ignored is among all findings: it was answered.
func once(kept, all []Diagnostic, rules []*Rule) []Diagnostic {
	s := newSuperseding(all, rules)
	if len(s.by) == 0 {
		return kept
	}
	var left []Diagnostic
	heirs := map[spot]*Diagnostic{} // of the findings that are left out, by what tells of them
	for i := range kept {
		d := &kept[i]
		by := s.of(d)
		if by == nil {
			left = append(left, *d)
			continue
		}
		id := identity(by)
		heir := heirs[id]
		if heir == nil {
			heir = &Diagnostic{}
			heirs[id] = heir
		}
		heir.inherit(by, d)
	}
	for i := range left {
		if heir := heirs[identity(&left[i])]; heir != nil {
			if len(left[i].Fixes) == 0 {
				left[i].Fixes = heir.Fixes
			}
			if len(left[i].Related) == 0 {
				left[i].Related = heir.Related
			}
			delete(heirs, identity(&left[i]))
		}
	}
	return left
}

// identity tells the findings of a rule about an object apart as far as spots do.
func identity(d *Diagnostic) spot {
	return spot{rule: d.Rule, file: d.Range.File, path: d.Path, object: d.Object, start: d.Range.Start}
}

// inherit takes over from a finding that is left out since by tells of it: the first
// fixes, and its place where that is another one.
func (heir *Diagnostic) inherit(by, d *Diagnostic) {
	if len(heir.Fixes) == 0 {
		heir.Fixes = d.Fixes
	}
	if d.Range.Start.IsValid() && d.Path != by.Path && strings.HasPrefix(d.Path, by.Path) {
		heir.Related = append(heir.Related, Related{Range: d.Range, Message: d.Message})
	}
	heir.Related = append(heir.Related, d.Related...)
}
