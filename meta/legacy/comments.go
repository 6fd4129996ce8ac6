package legacy

import (
	"bytes"

	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
	"github.com/xpkg-go/sdk/parser"
)

// comments tells of the files whose comments are in no file of the new package.
func (m *migrator) comments() {
	for _, c := range m.p.CRDs {
		for _, u := range c.UISchemas {
			for _, doc := range u.Documents {
				m.kept[doc] = true // annotations have their text as it is
			}
		}
	}
	told := map[string]bool{}
	for _, file := range m.p.loose {
		told[file] = true
		m.fileLine(file, "%s", noComments)
	}
	for _, doc := range m.p.documents {
		if file := doc.Range.File; !m.kept[doc] && !told[file] && hasComment(doc) {
			told[file] = true
			m.fileLine(file, "%s", noComments)
		}
	}
}

// noComments is said of a file with comments.
const noComments = "its comments are not carried over"

// hasLooseComment reports whether a file has a comment that is in none of its documents, such as
// a copyright before the first separator: nothing else there may have the sign.
func hasLooseComment(text []byte, docs []*parser.Document) bool {
	sign := []byte("#")
	n := bytes.Count(text, sign)
	for _, doc := range docs {
		if n == 0 {
			break
		}
		n -= bytes.Count(doc.Raw(), sign)
	}
	return n > 0
}

// hasComment reports whether there is a comment in a document, or before it.
func hasComment(doc *parser.Document) bool {
	text := doc.Text()
	if !bytes.Contains(text, []byte("#")) {
		return false
	}
	_, oldBreaks := yamlstream.CheckText(text)
	tree, _ := yamltree.Parse(text, oldBreaks, yamltree.Limits{Depth: parser.DefaultMaxDepth, AliasBytes: parser.DefaultMaxAliasBytes})
	return tree != nil && tree.Comment(0, len(text)) >= 0
}
