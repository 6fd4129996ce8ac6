package yamltree

import (
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// Limits of one document.
type Limits struct {
	Depth      int   // of collections within each other
	AliasBytes int64 // that aliases and merge keys add
	Nodes      int   // as tooManyNodes counts them; 0 is no limit
}

// Parse reads the text of one document, with its separator and directives if
// it has any. The text must be valid UTF-8 without characters that YAML does
// not allow, and not above 1 GiB; oldBreaks says whether it holds U+0085, U+2028
// or U+2029. The tree keeps the text.
//
// A document that can be read gives a tree and the faults that leave it
// readable; one that cannot gives no tree and one fault. A document that holds
// nothing gives neither.
func Parse(text []byte, oldBreaks bool, l Limits) (*Tree, []Fault) {
	if l.Nodes > 0 {
		if at := tooManyNodes(text, l.Nodes); at >= 0 {
			return nil, []Fault{{
				Problem: TooManyNodes, Span: Span{at, at}, Limit: int64(l.Nodes),
				Message: fmt.Sprintf("there are more than %d keys, values and items", l.Nodes),
			}}
		}
	}
	if at := tooManyTags(text); at >= 0 {
		return nil, []Fault{{
			Problem: TooManyTags, Span: Span{at, at}, Limit: maxTags,
			Message: fmt.Sprintf("there are more than %d %%TAG directives", maxTags),
		}}
	}
	t := &Tree{text: text, lines: lineStarts(text)}
	f := newFeed(text, t.lines, oldBreaks)
	r := &reader{text: f.text, slow: len(f.text)}
	root, err := load(r)
	if err != nil {
		if flat, ok := f.asJSON(text); ok {
			if again, flatErr := load(&reader{text: flat.text, slow: len(flat.text)}); flatErr == nil {
				root, err, f = again, nil, flat
			}
		}
	}
	if err != nil {
		return nil, []Fault{locate(t, f, err, r.offset, l.Depth)}
	}
	if root == nil {
		return nil, nil
	}
	b := builder{tree: t, feed: f, limits: l}
	if fatal := b.build(root); fatal != nil {
		return nil, []Fault{*fatal}
	}
	return t, b.faults
}

// errTrailing says that a document goes on where it should have ended.
var errTrailing = errors.New("the document ends here, but more text follows")

// load reads one document with go-yaml, and nil when there is none.
func load(r io.Reader) (root *yaml.Node, err error) {
	defer func() {
		// go-yaml panics on what its authors held for impossible; a
		// document that shows it to be possible must not end the program.
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("yaml: the document cannot be read: %v", p)
		}
	}()
	dec := yaml.NewDecoder(r)
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case err == io.EOF:
		return nil, nil
	case err != nil:
		return nil, err
	}
	// go-yaml is content when it has read one document. That the text ends
	// there as well must be asked for.
	var more yaml.Node
	switch err := dec.Decode(&more); {
	case err == nil:
		return nil, errTrailing
	case err != io.EOF:
		return nil, err
	}
	return doc.Content[0], nil
}

// A reader gives a text to go-yaml, and from the offset slow on one byte at a
// time, so that offset tells how far go-yaml has looked.
type reader struct {
	text   []byte
	offset int
	slow   int
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if r.offset == len(r.text) {
		return 0, io.EOF
	}
	end := min(r.offset+len(p), r.slow)
	if end <= r.offset {
		end = r.offset + 1
	}
	n := copy(p, r.text[r.offset:end])
	r.offset += n
	return n, nil
}
