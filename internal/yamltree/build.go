package yamltree

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// A builder turns the nodes of go-yaml into a Tree.
type builder struct {
	tree    *Tree
	feed    feed
	limits  Limits
	faults  []Fault
	dropped int // faults beyond maxFaults
	path    []any
	anchors map[*yaml.Node]anchored
	extra   int64 // what aliases add
	cursor  cursor
}

// anchored is what an alias needs to know of the node that it stands for.
type anchored struct {
	node Node
	extent
}

// An extent is the size of a node with all its aliases written out.
type extent struct {
	bytes  int64
	height int // collections within each other, itself included
}

// A cursor remembers a place, so that a long line is not walked from its
// start for every node on it.
type cursor struct{ line, column, offset int }

func (b *builder) build(root *yaml.Node) (fatal *Fault) {
	if _, fatal := b.add(root, 1); fatal != nil {
		return fatal
	}
	if b.tree.nodes[0].kind != Scalar { // which no object is, whatever it says
		b.checkValue(0)
	}
	if b.dropped > 0 {
		last := b.faults[len(b.faults)-1]
		b.faults = append(b.faults, Fault{Span: last.Span, Message: fmt.Sprintf("%d more faults in this document", b.dropped)})
	}
	return nil
}

// add appends n and its children. depth counts the collections around a child
// of n, so that the root has depth 1.
func (b *builder) add(n *yaml.Node, depth int) (extent, *Fault) {
	offset := b.offset(n.Line, n.Column)
	at := Node(len(b.tree.nodes))
	b.tree.nodes = append(b.tree.nodes, node{ref: -1, start: int32(offset)})
	var size extent
	var fatal *Fault
	switch n.Kind {
	case yaml.AliasNode:
		size, fatal = b.alias(at, n, offset, depth)
	case yaml.ScalarNode:
		size = b.scalar(at, n, offset)
	default:
		if depth > b.limits.Depth {
			return size, b.tooDeep(offset)
		}
		size, fatal = b.collection(at, n, offset, depth)
	}
	if fatal != nil {
		return size, fatal
	}
	b.tree.nodes[at].next = int32(len(b.tree.nodes))
	if n.Anchor != "" {
		if b.anchors == nil {
			b.anchors = make(map[*yaml.Node]anchored)
		}
		b.anchors[n] = anchored{at, size}
	}
	return size, nil
}

func (b *builder) tooDeep(offset int) *Fault {
	f := tooDeepFault(b.limits.Depth)
	f.Span = Span{offset, offset}
	return &f
}

func (b *builder) alias(at Node, n *yaml.Node, offset, depth int) (extent, *Fault) {
	span := Span{offset, endOfAlias(b.tree.text, offset, n.Value)}
	target, ok := b.anchors[n.Alias]
	if !ok {
		return extent{}, &Fault{Span: span, Message: fmt.Sprintf("alias %s stands inside the value that it names", Quote("*"+n.Value))}
	}
	b.extra += target.bytes
	if b.extra > b.limits.AliasBytes {
		return extent{}, &Fault{
			Problem: TooManyAliases, Span: span, Limit: b.limits.AliasBytes,
			Message: fmt.Sprintf("too many aliases: written out they add more than %d bytes", b.limits.AliasBytes),
		}
	}
	if depth-1+target.height > b.limits.Depth {
		return extent{}, b.tooDeep(offset)
	}
	e := &b.tree.nodes[at]
	e.kind, e.ref, e.end = Alias, int32(target.node), int32(span.End)
	return target.extent, nil
}

func (b *builder) scalar(at Node, n *yaml.Node, offset int) extent {
	text := b.tree.text
	e := &b.tree.nodes[at]
	says := b.text(n)
	behind, start := skipProperties(text, offset, 1, 1)
	e.tag = b.tag(n, offset)
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		e.style = double
	case n.Style&yaml.SingleQuotedStyle != 0:
		e.style = single
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		e.style = block
	}
	end := start
	switch {
	case start >= len(text):
		start, end = behind, behind
	case e.style == double || e.style == single:
		end = endOfQuoted(text, start)
	case e.style == block:
		header, body := endOfHeader(text, start)
		if end = endOfWords(text, body, says); end == body {
			end = header
		}
	case says == "":
		start, end = behind, behind // nothing is written: where it would begin
	default:
		end = endOfWords(text, start, says)
	}
	e.start, e.end = int32(start), int32(end)

	written := text[start:end]
	if (e.style == single || e.style == double) && len(written) >= 2 {
		written = written[1 : len(written)-1]
	}
	if e.style == plain && strings.HasPrefix(says, string(byteOrderMark)) {
		b.fault(Fault{Span: Span{start, start}, Message: `a byte order mark cannot stand within a document; where files are joined, "---" belongs between them`})
	}
	if e.style == block || string(written) != says {
		e.ref = int32(len(b.tree.texts))
		b.tree.texts = append(b.tree.texts, says)
	}
	return extent{bytes: int64(len(says)) + 8}
}

func (b *builder) collection(at Node, n *yaml.Node, offset, depth int) (extent, *Fault) {
	text := b.tree.text
	anchors, tags := 0, 0
	if n.Anchor != "" {
		anchors = 1
	}
	if n.Style&yaml.TaggedStyle != 0 || offset < len(text) && text[offset] == '!' {
		tags = 1
	}
	_, start := skipProperties(text, offset, anchors, tags)
	e := &b.tree.nodes[at]
	e.start, e.tag = int32(start), b.tag(n, offset)
	if n.Style&yaml.FlowStyle != 0 {
		e.style = flow
	}
	if n.Kind == yaml.MappingNode {
		e.kind = Mapping
	} else {
		e.kind = Sequence
	}

	size := extent{bytes: 8}
	end, key := start, None
	for i, child := range n.Content {
		isKey := n.Kind == yaml.MappingNode && i%2 == 0
		switch {
		case n.Kind == yaml.SequenceNode:
			b.path = append(b.path, i)
		case isKey:
			b.path = append(b.path, b.text(child))
		}
		first := Node(len(b.tree.nodes))
		if isKey {
			key = first
		}
		s, fatal := b.add(child, depth+1)
		if fatal != nil {
			return size, fatal
		}
		if !isKey {
			if n.Kind == yaml.MappingNode {
				b.putBehind(key, first)
			}
			b.checkValue(first)
			n.Content[i] = nil // so that it need not be held beside the tree
			b.path = b.path[:len(b.path)-1]
		}
		size.bytes = min(size.bytes+s.bytes, math.MaxInt64/4)
		size.height = max(size.height, s.height)
		end = max(end, int(b.tree.nodes[first].end))
		if i == 0 && e.style != flow && n.Kind == yaml.MappingNode {
			start = int(b.tree.nodes[first].start)
		}
	}
	size.height++

	e = &b.tree.nodes[at] // the slice may have moved
	e.start = int32(start)
	switch {
	case e.style != flow:
	case start < len(text) && text[start] == '{':
		end = endOfFlow(text, max(end, start+1), '}')
	case start < len(text) && text[start] == '[':
		end = endOfFlow(text, max(end, start+1), ']')
	} // else a single pair in a flow sequence, which has no brackets
	e.end = int32(end)
	if e.kind == Mapping {
		b.checkKeys(at, n)
	}
	return size, nil
}

// putBehind puts a value that is not written, not even with a colon, behind its key: go-yaml
// says that it is where the next key begins, or the text ends.
func (b *builder) putBehind(key, value Node) {
	k, v := &b.tree.nodes[key], &b.tree.nodes[value]
	if v.kind == Scalar && v.start == v.end && v.start > k.end && skipSpace(b.tree.text, int(k.end)) >= int(v.start) {
		v.start, v.end = k.end, k.end
	}
}

// text returns what a scalar, or an alias of one, says, and "" for a collection.
func (b *builder) text(n *yaml.Node) string {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.ScalarNode {
		return ""
	}
	return b.feed.restored(n.Value, n.Style&yaml.DoubleQuotedStyle != 0)
}

// tag returns the tag that n is written with, and reports one that is unknown.
func (b *builder) tag(n *yaml.Node, offset int) tag {
	if n.Style&yaml.TaggedStyle == 0 {
		text := b.tree.text
		_, tagged := skipProperties(text, offset, 1, 0)
		if n.Kind == yaml.ScalarNode && tagged < len(text) && text[tagged] == '!' {
			return tagStr // the tag ! says that it is not to be interpreted
		}
		return noTag
	}
	if t, ok := tags[n.Tag]; ok {
		return t
	}
	_, tagged := skipProperties(b.tree.text, offset, 1, 0)
	b.fault(Fault{
		Span:    Span{tagged, endOfProperty(b.tree.text, tagged)},
		Message: fmt.Sprintf("tag %s has no meaning in a Kubernetes object", Quote(n.Tag)),
	})
	return tagOther
}

// offset returns the offset in the original of a line and column of go-yaml,
// both from 1, the column in characters.
func (b *builder) offset(line, column int) int {
	text := b.tree.text
	if line < 1 || line > len(b.feed.starts) {
		return len(text)
	}
	c := &b.cursor
	if c.line != line || c.column > column {
		*c = cursor{line, 1, int(b.feed.starts[line-1])}
	}
	for c.column < column && c.offset < len(text) {
		if text[c.offset] < utf8.RuneSelf {
			c.offset++
		} else {
			_, n := utf8.DecodeRune(text[c.offset:])
			c.offset += n
		}
		c.column++
	}
	return c.offset
}

func (b *builder) fault(f Fault) {
	if len(b.faults) == maxFaults {
		b.dropped++
		return
	}
	if f.Path == nil {
		f.Path = append([]any(nil), b.path...)
	}
	b.faults = append(b.faults, f)
}

// isMergeKey reports whether a key is YAML 1.1's <<.
func isMergeKey(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!merge" &&
		n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 &&
		strings.TrimSpace(n.Value) == "<<"
}
