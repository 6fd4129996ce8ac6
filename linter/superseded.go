package linter

import "github.com/xpkg-go/sdk/parser"

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
		spots = append(spots, spot{rule: rule, file: d.Range.File, path: d.Path, object: d.Object})
	}
	return spots
}

// once leaves out the findings of rules that another one supersedes, where that one has
// found something at the same spot. What is ignored is among all findings: it was answered.
func once(kept, all []Diagnostic, rules []*Rule) []Diagnostic {
	by := map[string][]string{} // a rule -> those that supersede it
	super := map[string]bool{}
	for _, r := range rules {
		if r == nil {
			continue
		}
		for _, id := range r.Supersedes {
			by[id] = append(by[id], r.ID)
			super[r.ID] = true
		}
	}
	if len(by) == 0 {
		return kept
	}
	told := map[spot]bool{}
	for i := range all {
		if d := &all[i]; super[d.Rule] {
			for _, s := range spotsOf(d, d.Rule) {
				told[s] = true
			}
		}
	}
	isTold := func(d *Diagnostic) bool {
		for _, rule := range by[d.Rule] {
			for _, s := range spotsOf(d, rule) {
				if told[s] {
					return true
				}
			}
		}
		return false
	}
	var left []Diagnostic
	for i := range kept {
		if !isTold(&kept[i]) {
			left = append(left, kept[i])
		}
	}
	return left
}
