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
	if objects == 0 && file.class == classObject && len(docs) > 0 {
		// Not a file of the format, so that its documents need not be objects.
		r.errs = dropMissingKinds(r.errs, faults)
		r.unknown(file.path, UnknownContent)
	}
}

// dropMissingKinds takes back what was said about documents without a kind since there were n
// faults.
func dropMissingKinds(errs parser.ErrorList, n int) parser.ErrorList {
	kept := errs[:n]
	for _, e := range errs[n:] {
		if e.Rule != parser.RuleMissingKind && e.Rule != parser.RuleMissingAPIVersion {
			kept = append(kept, e)
		}
	}
	return kept
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
