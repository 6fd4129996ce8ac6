package linter

import (
	"bytes"
	"strings"
	"unicode/utf16"

	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
	"github.com/xpkg-go/sdk/parser"
)

// marker is what a comment that ignores findings begins with.
const marker = "xpkg:ignore"

// maxComments is how many such comments of one document are read, each of which has to be
// compared with each finding; the rest ignore nothing.
const maxComments = 10_000

// comment is one comment xpkg:ignore.
type comment struct {
	doc      *parser.Document
	at       parser.Range // from the # to the end of the line
	removal  parser.Range // what to take away so that nothing of it is left; zero when the places of bytes are not known
	from, to int          // the lines whose findings it ignores; 0 when there are none
	names    []ruleName
	reason   string
}

// ruleName is a rule that a comment names.
type ruleName struct {
	id      string
	removal parser.Range // of the name and a comma, where the comment names others
	used    bool
}

// commentReader reads the comments of one document.
type commentReader struct {
	doc    *parser.Document
	text   []byte
	tree   *yamltree.Tree
	root   int                        // where in the text the document begins
	line   int                        // of the text's first line
	begin  int                        // bytes of that line before the text, such as "--- "
	isUTF8 bool                       // of the file, so that a place in it is a place in the text
	known  struct{ offset, size int } // the last place in the text that was asked for, and its distance in the file
}

// readComments returns the comments of a document; most have none, and are searched for
// the word only.
func readComments(d *parser.Document) []*comment {
	text := d.Text()
	if !bytes.Contains(text, []byte(marker)) {
		return nil
	}
	_, oldBreaks := yamlstream.CheckText(text)
	tree, _ := yamltree.Parse(text, oldBreaks, yamltree.Limits{Depth: parser.DefaultMaxDepth, AliasBytes: parser.DefaultMaxAliasBytes})
	if tree == nil {
		return nil
	}
	r := &commentReader{doc: d, text: text, tree: tree, root: tree.Span(0).Start}
	line, _ := tree.Line(r.root)
	r.line = d.Range.Start.Line - line
	end, _ := lineEnd(text, 0)
	r.begin = max(0, len(d.Line(r.line))-end)
	r.known.offset = r.root
	raw := d.Raw()
	r.isUTF8 = bytes.Equal(raw, text)
	return r.read()
}

// read goes through the lines.
func (r *commentReader) read() []*comment {
	var list, waiting []*comment // waiting for the next line that holds something
	blocks := false              // there may be a block text before the line
	for start := 0; start < len(r.text); {
		end, next := lineEnd(r.text, start)
		first := start + len(r.text[start:end]) - len(bytes.TrimLeft(r.text[start:end], " \t"))
		hash := r.tree.Comment(start, end)
		if first < end && hash != first { // it holds something beside a comment
			for _, c := range waiting {
				c.from, c.to = r.extent(first)
			}
			waiting = nil
		}
		if hash >= 0 && len(list) < maxComments {
			if c := r.comment(hash, end); c != nil {
				content := bytes.TrimRight(r.text[start:hash], " \t")
				switch {
				case string(content) == "---", start == 0 && r.begin > 0 && hash == first: // the separator
					c.from, c.to = r.doc.Range.Start.Line, r.doc.Range.End.Line
					c.removal = r.removal(start+len(content), end)
				case hash == first:
					waiting = append(waiting, c)
					c.removal = r.removal(start, next)
					if blocks && r.isDeeper(hash-start, next) {
						// It may be what ends a block text: without its # the text would go
						// on with the comment behind it.
						c.removal = r.removal(hash+1, end)
					}
				default:
					c.from, c.to = c.at.Start.Line, c.at.Start.Line
					c.removal = r.removal(start+len(content), end)
				}
				list = append(list, c)
			}
		}
		blocks = blocks || bytes.ContainsAny(r.text[start:end], "|>")
		start = next
	}
	return list
}

// isDeeper says whether what comes first from an offset on is a comment that stands behind a
// column.
func (r *commentReader) isDeeper(column, start int) bool {
	for start < len(r.text) {
		end, next := lineEnd(r.text, start)
		if line := bytes.TrimLeft(r.text[start:end], " \t"); len(line) > 0 {
			return line[0] == '#' && end-start-len(line) > column
		}
		start = next
	}
	return false
}

// extent returns the lines of what begins at an offset.
func (r *commentReader) extent(first int) (from, to int) {
	line, _ := r.tree.Line(first)
	from, to = r.line+line, r.line+line
	if span, ok := r.tree.Opened(first); ok && span.End > first {
		last, _ := r.tree.Line(span.End - 1)
		to = r.line + last
	}
	return from, to
}

// comment reads what stands behind a #, and returns nil for a comment of another sort.
func (r *commentReader) comment(hash, end int) *comment {
	i := hash + 1
	skip := func() {
		for i < end && (r.text[i] == ' ' || r.text[i] == '\t') {
			i++
		}
	}
	skip()
	if !bytes.HasPrefix(r.text[i:end], []byte(marker)) {
		return nil
	}
	if i += len(marker); i < end && r.text[i] != ' ' && r.text[i] != '\t' {
		return nil
	}
	c := &comment{doc: r.doc, at: r.span(hash, end)}
	skip()
	first := i
	for behind := 0; ; { // the name before, once there is one
		skip()
		word := i
		for i < end && (isLower(r.text[i]) || r.text[i] == '-') {
			i++
		}
		if !isKebab(string(r.text[word:i])) {
			break
		}
		switch len(c.names) {
		case 0:
			c.names = append(c.names, ruleName{id: string(r.text[word:i])})
		case 1: // a name goes with the comma that parts it from one that stays
			c.names[0].removal = r.removal(first, word)
			fallthrough
		default:
			c.names = append(c.names, ruleName{id: string(r.text[word:i]), removal: r.removal(behind, i)})
		}
		behind = i
		if skip(); i == end || r.text[i] != ',' {
			break
		}
		i++
	}
	c.reason = strings.Trim(string(r.text[i:end]), " \t:-–—")
	return c
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// span returns the place of a part of the text in the file.
func (r *commentReader) span(start, end int) parser.Range {
	return parser.Range{File: r.doc.Range.File, Start: r.position(start), End: r.position(end)}
}

// removal is span for what a fix takes away, which is done in UTF-8 only.
func (r *commentReader) removal(start, end int) parser.Range {
	if !r.isUTF8 {
		return parser.Range{}
	}
	return r.span(start, end)
}

func (r *commentReader) position(offset int) parser.Position {
	line, start := r.tree.Line(offset)
	p := parser.Position{Line: r.line + line, Column: offset - start + 1, Offset: r.doc.Range.Start.Offset + r.size(offset)}
	switch {
	case p.Line == 1 && r.isUTF8: // there may be a byte order mark
		p.Column = p.Offset + 1
	case p.Line == r.line:
		p.Column += r.begin
	}
	return p
}

// size returns how many bytes of the file are between the document's beginning and an
// offset. Of a text in UTF-16 it counts from the place that was asked for before.
func (r *commentReader) size(offset int) int {
	if r.isUTF8 {
		return offset - r.root
	}
	const unit = 2 // bytes of UTF-16
	from, to, sign := r.known.offset, offset, unit
	if from > to {
		from, to, sign = to, from, -unit
	}
	for _, c := range string(r.text[from:to]) {
		r.known.size += sign * utf16.RuneLen(c)
	}
	r.known.offset = offset
	return r.known.size
}

// lineEnd returns where the text of the line that begins at start ends, and where the
// next one begins.
func lineEnd(text []byte, start int) (end, next int) {
	i := bytes.IndexAny(text[start:], "\r\n")
	switch {
	case i < 0:
		return len(text), len(text)
	case text[start+i] == '\r' && start+i+1 < len(text) && text[start+i+1] == '\n':
		return start + i, start + i + 2
	}
	return start + i, start + i + 1
}
