package dag

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

func (c *Conflict) write(b *strings.Builder) {
	lead := ""
	for _, circle := range c.Circles {
		b.WriteString(lead + circle.Error())
		lead = "\n"
	}
	for i := range c.Packages {
		p := &c.Packages[i]
		and := ""
		if lead != "" {
			and = "and "
		}
		b.WriteString(lead + and)
		switch {
		case p.Err != nil:
			fmt.Fprintf(b, "there is no package %s:", sourceText(p.Source))
		case lead == "":
			fmt.Fprintf(b, "no version of %s satisfies all requirements:", sourceText(p.Source))
		default:
			fmt.Fprintf(b, "no version of %s avoids that:", sourceText(p.Source))
		}
		lead = "\n"
		p.write(b)
	}
	if r := c.Relax; r != nil {
		fmt.Fprintf(b, "\nsmallest change: relax %q in %s", r.Constraint.String(), changeText(*r))
	} else if r := c.Drop; r != nil {
		fmt.Fprintf(b, "\nsmallest change: leave out the request for %s", sourceText(r.Source))
		if !r.Constraint.IsZero() {
			b.WriteString(" " + constraintText(r.Constraint))
		}
	}
}

// changeText names what would have to change for a requirement to be relaxed.
func changeText(r Requirement) string {
	switch {
	case r.Installed:
		return "what is installed of " + sourceText(r.Source)
	case len(r.Path) == 0:
		return "the request for " + sourceText(r.Source)
	}
	return r.Path[0].String()
}

func (p *PackageConflict) write(b *strings.Builder) {
	digits, width := 0, 0
	for _, r := range p.Requirements {
		digits = max(digits, len(strconv.Itoa(r.Number)))
		width = max(width, len(constraintText(r.Constraint)))
	}
	width = min(width, 72) // one long constraint must not push the others off the screen
	for _, r := range p.Requirements {
		fmt.Fprintf(b, "\n  %*d  %-*s  from %s", digits, r.Number, width, constraintText(r.Constraint), r.Origin())
	}
	b.WriteString("\n  candidates: ")
	b.WriteString(candidatesText(p.Source, p.Candidates))
	if n := len(p.Ignored); n > 0 {
		fmt.Fprintf(b, "; %d %s ignored: %s", n, plural(n, "tag"), ignoredText(p.Ignored))
	}
	if p.Err != nil {
		b.WriteString("; " + causeText(p.Err))
	}
	if note := p.note(); note != "" {
		b.WriteString("\n  note: " + note)
	}
}

// candidatesText lists candidates, newest first. Neighbours that fail for the
// same reason are told together when there are more than three of them: a
// provider has two hundred versions, and all of them older than the demanded one.
func candidatesText(s meta.Source, cs []Rejected) string {
	if len(cs) == 0 {
		return "none"
	}
	var parts []string
	for i := 0; i < len(cs); {
		reason := cs[i].reason(s)
		j := i + 1
		for j < len(cs) && cs[j].reason(s) == reason {
			j++
		}
		if j-i > 3 {
			parts = append(parts, fmt.Sprintf("%s to %s (%d versions; %s)", cs[i].Version, cs[j-1].Version, j-i, cs[i].plural(s)))
		} else {
			for _, c := range cs[i:j] {
				parts = append(parts, fmt.Sprintf("%s (%s)", c.Version, reason))
			}
		}
		i = j
	}
	return strings.Join(parts, ", ")
}

// reason is why a candidate does not help, in words; plural the same of several.
func (r *Rejected) reason(s meta.Source) string { return r.because(s, "fails", "brings") }
func (r *Rejected) plural(s meta.Source) string { return r.because(s, "fail", "bring") }

func (r *Rejected) because(s meta.Source, fails, brings string) string {
	var why []string
	if r.Err != nil {
		// The error may begin with the very version that the text stands behind.
		why = append(why, strings.TrimPrefix(strings.TrimPrefix(causeText(r.Err), packageText(s, r.Version)), ": "))
	}
	if len(r.Fails) > 0 {
		numbers := make([]int, len(r.Fails))
		for i, f := range r.Fails {
			numbers[i] = f.Number
		}
		why = append(why, r.nature()+fails+" "+numbersText(numbers))
	} else if len(r.Brings) > 0 {
		why = append(why, brings+" "+numbersText(r.Brings))
	}
	if len(why) == 0 {
		return "allowed"
	}
	for i := range why {
		why[i] = strings.TrimSpace(why[i])
	}
	return strings.Join(why, ", ")
}

// nature is what a person must know of a version to see why it fails.
func (r *Rejected) nature() string {
	for _, f := range r.Fails {
		switch f.Verdict.Reason {
		case meta.ReasonPrerelease:
			return "pre-release, "
		case meta.ReasonUnknownVersion:
			return "a digest cannot be compared with a range, "
		}
	}
	return ""
}

// note is advice: how to admit the newest pre-release that nothing else keeps
// out, or why none of the tags is a version.
func (p *PackageConflict) note() string {
	for _, c := range p.Candidates {
		if len(c.Fails) > 0 && c.Err == nil && !slices.ContainsFunc(c.Fails, func(f Failure) bool {
			return f.Verdict.Reason != meta.ReasonPrerelease
		}) {
			return printable(c.Fails[0].Verdict.Message)
		}
	}
	if len(p.Candidates) == 0 && len(p.Ignored) > 0 {
		// A partial tag is the one that whoever publishes takes for a version.
		tag := p.Ignored[max(0, slices.IndexFunc(p.Ignored, func(t string) bool { return meta.Classify(t) == meta.ClassPartial }))]
		return printable(meta.Constraint{}.Explain(meta.FromOCITag(tag)).Message)
	}
	return ""
}

// ignoredText is tags that are no full versions, with what they are instead.
func ignoredText(tags []string) string {
	var partial, other []string
	for _, t := range tags {
		if meta.Classify(t) == meta.ClassPartial {
			partial = append(partial, printable(t))
		} else {
			other = append(other, printable(t))
		}
	}
	var parts []string
	if len(other) > 0 {
		parts = append(parts, shorten(other, 8)+" (no "+plural(len(other), "version")+")")
	}
	if len(partial) > 0 {
		parts = append(parts, shorten(partial, 8)+" (partial, moved along with newer versions)")
	}
	return strings.Join(parts, ", ")
}

func numbersText(ns []int) string {
	s := make([]string, len(ns))
	for i, n := range ns {
		s[i] = strconv.Itoa(n)
	}
	return joinAnd(s)
}

// shorten joins the first few of some texts and counts the others.
func shorten(s []string, most int) string {
	if len(s) <= most {
		return strings.Join(s, ", ")
	}
	return strings.Join(s[:most], ", ") + fmt.Sprintf(" and %d more", len(s)-most)
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
