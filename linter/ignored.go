package linter

import (
	"slices"
	"sort"

	"github.com/xpkg-go/sdk/parser"
)

// commentSet are the comments of a package that ignore findings, by file, the documents of a file in
// their order.
type commentSet struct {
	files map[string][]documentComments
	ids   []string        // names of rules that there are
	ran   map[string]bool // those that had a chance to find something
}

type documentComments struct {
	from, to int // the lines of the comments and of what they are about
	list     []*comment
}

// readAllComments reads the comments of all documents.
func readAllComments(p *parser.Package) map[string][]documentComments {
	files := map[string][]documentComments{}
	for d := range p.Documents() {
		list := readComments(d)
		if len(list) == 0 {
			continue
		}
		doc := documentComments{from: list[0].at.Start.Line, list: list}
		for _, c := range list {
			doc.to = max(doc.to, c.at.Start.Line, c.to)
		}
		files[d.Range.File] = append(files[d.Range.File], doc)
	}
	return files
}

// apply parts the findings into those that count and those that are ignored, and adds
// those about the comments themselves.
func (s *commentSet) apply(found []Diagnostic) (kept []Diagnostic, ignored []Ignored) {
	if len(s.files) == 0 {
		return found, nil
	}
	for _, d := range found {
		if c := s.match(d); c != nil {
			ignored = append(ignored, Ignored{d, c.reason, c.at})
		} else {
			kept = append(kept, d)
		}
	}
	for _, file := range sortedKeys(s.files) {
		for _, doc := range s.files[file] {
			for _, c := range doc.list {
				kept = append(kept, s.judge(c)...)
			}
		}
	}
	return kept, ignored
}

// match returns the first comment that ignores a finding, and marks all that do as used.
func (s *commentSet) match(d Diagnostic) (first *comment) {
	docs, line := s.files[d.Range.File], d.Range.Start.Line
	i := sort.Search(len(docs), func(i int) bool { return docs[i].to >= line })
	if i == len(docs) || line < docs[i].from || line == 0 {
		return nil
	}
	for _, c := range docs[i].list {
		if line < c.from || line > c.to || c.reason == "" {
			continue
		}
		for i := range c.names {
			if c.names[i].id == d.Rule {
				c.names[i].used = true
				if first == nil {
					first = c
				}
			}
		}
	}
	return first
}

// judge returns the findings about a comment.
func (s *commentSet) judge(c *comment) []Diagnostic {
	about := Diagnostic{Range: c.at, Object: c.doc.Ref(), Severity: Warning}
	switch {
	case len(c.names) == 0:
		about.Rule, about.Message = RuleIgnoreSyntax, "the comment names no rule (expected xpkg:ignore RULE reason)"
		return []Diagnostic{about}
	case c.reason == "":
		about.Rule, about.Message = RuleIgnoreSyntax, "the comment gives no reason, and ignores nothing without (expected xpkg:ignore RULE reason)"
		return []Diagnostic{about}
	}
	about.Rule = RuleIgnoreUnused
	unused := slices.DeleteFunc(slices.Clone(c.names), func(n ruleName) bool {
		return n.used || !s.ran[n.id] && slices.Contains(s.ids, n.id)
	})
	var found []Diagnostic
	for _, n := range unused {
		d := about
		switch {
		case !slices.Contains(s.ids, n.id):
			d.Message = "there is no rule " + quote(n.id) + didYouMean(n.id, s.ids)
		case c.from == 0:
			d.Message = "nothing comes behind it that " + n.id + " could find something in"
		default:
			d.Message = n.id + " finds nothing here that the comment ignores"
		}
		switch {
		case c.removal.IsZero():
		case len(unused) == len(c.names):
			d.Fixes = []Fix{{Message: "remove the comment", Edits: []Edit{{Range: c.removal}}}}
		default:
			d.Fixes = []Fix{{Message: "remove " + n.id + " from the comment", Edits: []Edit{{Range: n.removal}}}}
		}
		found = append(found, d)
	}
	return found
}
