package legacy

import (
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

const groupDefinitions = "apiextensions.k8s.io"

// isCRD reports whether a document is a CustomResourceDefinition.
func isCRD(doc *parser.Document) bool {
	group, _ := meta.SplitAPIVersion(doc.APIVersion)
	return group == groupDefinitions && doc.Kind == meta.DefinitionCRD
}

// definitions reads a file among the definitions, which may have any name and hold several.
func (r *reader) definitions(file file, text []byte) {
	faults := len(r.errs)
	docs := r.documents(file.path, text, true)
	objects := 0
	for _, doc := range docs {
		switch {
		case isCRD(doc):
			r.p.CRDs = append(r.p.CRDs, r.definition(file, doc))
			objects++
		case doc.Kind != "":
			r.p.Objects = append(r.p.Objects, doc)
			objects++
		}
	}
	if objects == 0 && file.class == classObject {
		r.notObjects(file, faults)
	}
}

// notObjects takes back what was said of a file since there were n faults, if it is only that
// there is no object in it: a file of another name need not hold any.
func (r *reader) notObjects(file file, n int) {
	if n == len(r.errs) {
		r.unknown(file.path, UnknownContent) // among so many faults that these were not kept
		return
	}
	for _, e := range r.errs[n:] {
		switch e.Rule {
		case parser.RuleMissingKind, parser.RuleMissingAPIVersion, parser.RuleNotObject, parser.RuleEmptyFile:
		default:
			return
		}
	}
	r.errs = r.errs[:n]
	r.unknown(file.path, UnknownContent)
}

// definition reads one definition. What it defines need not be right: that is for rules.
func (r *reader) definition(file file, doc *parser.Document) *CRD {
	c := &CRD{Document: doc, Dir: file.dir}
	if kinds := (&parser.Package{Objects: []*parser.Document{doc}}).Provides().Kinds; len(kinds) > 0 {
		c.Provides = kinds[0]
		return c
	}
	f := r.fields(doc)
	spec := f.object("spec")
	names := spec.object("names")
	for _, required := range []struct {
		of        *fields
		key, want string
	}{{spec, "group", "the group of the kind"}, {names, "kind", "the name of the kind"}, {names, "plural", "its plural"}} {
		if required.of.values[required.key] == nil || required.of.text(required.key) == "" {
			required.of.missing(required.key, required.want)
		}
	}
	return c
}
