package build

import (
	"bytes"
	"io"
	"regexp"

	"github.com/xpkg-go/sdk/parser"
)

// joiner writes documents one behind the other as one stream.
type joiner struct {
	w    io.Writer
	any  bool             // something has been written
	held *parser.Document // does not end with one, and may be the last
}

// add writes a document behind those before it.
func (j *joiner) add(d *parser.Document) error {
	if err := j.release(true); err != nil {
		return err
	}
	text := d.Text()
	if len(text) == 0 { // which Options.Hold of the parser has lost
		return parser.ErrorList{{Rule: parser.RuleUnreadable, Range: d.Range, Object: d.Ref(), Index: d.Index, Message: "the document has no text any more"}}
	}
	if !endsLine(text) {
		j.held = d
		return nil
	}
	return j.write(text)
}

// end writes what is held. Nothing follows it, so it needs no line break.
func (j *joiner) end() error { return j.release(false) }

func (j *joiner) release(more bool) error {
	d := j.held
	if d == nil {
		return nil
	}
	j.held = nil
	text := d.Text()
	if more {
		var err error
		if text, err = endLine(d); err != nil {
			return err
		}
	}
	return j.write(text)
}

func (j *joiner) write(text []byte) error {
	separator := ""
	switch {
	case !j.any:
	case hasDirectives(text):
		// Directives come only after the explicit end of a document, and have
		// a separator of their own behind them (YAML 1.2, 9.2).
		separator = "...\n"
	default:
		separator = "---\n"
	}
	j.any = true
	if _, err := io.WriteString(j.w, separator); err != nil {
		return err
	}
	_, err := j.w.Write(text)
	return err
}

func endsLine(text []byte) bool {
	return len(text) > 0 && (text[len(text)-1] == '\n' || text[len(text)-1] == '\r')
}

// hasDirectives reports whether the first line of a document that says something
// is a directive, such as %YAML 1.2.
func hasDirectives(raw []byte) bool {
	for line := range bytes.FieldsFuncSeq(raw, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return line[0] == '%'
		}
	}
	return false
}

// maxHeaders bounds how many lines are tried that look like the header of a block
// scalar.
const maxHeaders = 100

var blockHeader = regexp.MustCompile(`[|>](?:[1-9]?([+-]?)|([+-]?)[1-9])[ \t]*(?:[ \t]#[^\n\r]*)?$`)

// endLine returns the text of a document with a line break at its end, and the same
// value. The text of a block scalar (| or >) at the end of a file without a last line
// break has none either, and would get one: its header is then made to say (|-) what
// it has said so far by the end of the file. That is the one byte that this package
// ever changes of an author's document.
func endLine(d *parser.Document) ([]byte, error) {
	text := append(bytes.Clone(d.Text()), '\n')
	want, err := d.JSON()
	if err != nil || says(text, want) {
		return text, nil // what has no value is not the joiner's business
	}
	end := len(text) - 1
	for tried := 0; end > 0 && tried < maxHeaders; {
		start := bytes.LastIndexAny(text[:end], "\n\r") + 1
		line := text[start:end]
		end = start - 1
		at := blockHeader.FindIndex(line)
		if at == nil {
			continue
		}
		tried++
		if changed := stripped(text, start+at[0]); says(changed, want) {
			return changed, nil
		}
	}
	return nil, parser.ErrorList{{
		Rule: parser.RuleSyntax, Range: d.Range, Object: d.Ref(), Index: d.Index,
		Message: "the file ends within a text that a line break would change, so no other document can follow; end it with a line break",
	}}
}

// stripped returns text with the header of a block scalar at an offset saying that
// line breaks at its end do not count.
func stripped(text []byte, at int) []byte {
	end := at + 1
	indent := ""
	for ; end < len(text) && (text[end] == '+' || text[end] == '-' || text[end] >= '1' && text[end] <= '9'); end++ {
		if text[end] >= '1' && text[end] <= '9' {
			indent = string(text[end])
		}
	}
	changed := append(bytes.Clone(text[:at+1]), indent+"-"...)
	return append(changed, text[end:]...)
}

// says reports whether text is one document of a value.
func says(text, want []byte) bool {
	n := 0
	for d, err := range parser.Bytes("", text, nil) {
		if d == nil {
			continue
		}
		got, jsonErr := d.JSON()
		if n++; n > 1 || jsonErr != nil || !bytes.Equal(got, want) {
			return false
		}
		_ = err // a fault that the document has had before
	}
	return n == 1
}
