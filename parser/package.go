package parser

import (
	"iter"
	"slices"
	"sync"

	"github.com/xpkg-go/sdk/meta"
)

// A Package is the documents of a package with its metadata object read. It
// does not change, and may be read concurrently. Use it by pointer.
type Package struct {
	// Meta is what the metadata object says; nil when there is none, or when
	// it cannot be read.
	Meta *meta.Package
	// Header is the metadata object: the first object of kind Provider,
	// Configuration or Function of a metadata group in a file crossplane.yaml
	// at the root; where there is none, the first such object of any file;
	// where there is none either, the first object of a metadata group at all,
	// whose kind is then an error; else nil.
	Header *Document
	// Objects are all other documents, in stream order.
	Objects []*Document

	provides struct {
		once sync.Once
		list *meta.Provides
	}
}

// Documents yields all documents in stream order, Header among them.
func (p *Package) Documents() iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		at := -1
		if p.Header != nil {
			at = slices.IndexFunc(p.Objects, func(d *Document) bool { return d.Index > p.Header.Index })
			if at < 0 {
				at = len(p.Objects)
			}
		}
		for i, d := range p.Objects {
			if i == at && !yield(p.Header) {
				return
			}
			if !yield(d) {
				return
			}
		}
		if at == len(p.Objects) {
			yield(p.Header)
		}
	}
}
