package linter

import (
	"fmt"
	"slices"
	"strings"
)

// Skipped is a rule that was not asked, so that the absence of its findings says nothing.
type Skipped struct {
	// Rule is the rule's ID.
	Rule string
	// Reason is why, in the form of Diagnostic.Message: "is off in the configuration",
	// "is for Crossplane before v2.0".
	Reason string
}

const isOffReason = "is off in the configuration"

// skips returns why a rule is not for what a pass is about, and "" for one that is.
func (r *Rule) skips(p *Pass) string {
	if r.Profile == Publish && p.Profile == Install {
		return "is for the profile publish"
	}
	if r.OfImage && p.Image == nil {
		return "is for a package from an image"
	}
	if m := p.Package.Meta; len(r.Kinds) > 0 && (m == nil || !slices.Contains(r.Kinds, m.Kind)) {
		var kinds []string
		for _, k := range r.Kinds {
			kinds = append(kinds, string(k))
		}
		return fmt.Sprintf("is for a %s package", strings.Join(kinds, " or "))
	}
	if p.Releases.Some(r.Since, r.Until) {
		return ""
	}
	reason := "is for Crossplane"
	if r.Since != "" {
		reason += " from " + r.Since + " on"
	}
	if r.Until != "" {
		reason += " before " + r.Until
	}
	return reason
}

// skipOff tells of those of the linter's own rules, whose findings do not come from a call
// of theirs, that are off.
func (s *settings) skipOff(rules []*Rule) []Skipped {
	var off []Skipped
	for _, r := range rules {
		if s.isOff(r.ID) {
			off = append(off, Skipped{r.ID, isOffReason})
		}
	}
	return off
}
