package yamlstream

// A Pos is a place in the stream.
type Pos struct {
	Line   int // from 1; LF, CRLF and CR end a line
	Offset int // bytes of the original, from 0
}

// A Chunk is the text of one document that holds more than comments.
type Chunk struct {
	// Text reaches from the start of the document's first line, which may be
	// its separator, up to the separator that ends it.
	Text []byte
	// Pos is the place of Text[0], always at the start of a line.
	Pos Pos
	// Raw is where in Text the document without its separator begins. A
	// document with directives needs its separator, so there it is 0 or the
	// end of a byte order mark.
	Raw int
	// BadEnd is where in Text something stands behind a document end marker
	// on the same line, or 0. Such a chunk is no document.
	BadEnd int
	// Encoding is that of the stream. Text is UTF-8 in any case, and only Pos
	// counts the bytes of the stream.
	Encoding Encoding
}

// lineKind is what a line means to the cutter.
type lineKind int

const (
	lineContent   lineKind = iota
	lineBlank              // white space
	lineComment            // white space and a comment
	lineMarker             // ---
	lineEnd                // ...
	lineDirective          // %
)

// classify tells what line, given without its line break and byte order mark, is.
func classify(line []byte) lineKind {
	if len(line) == 0 {
		return lineBlank
	}
	switch c := line[0]; {
	case c == '-' && isMarker(line, "---"):
		return lineMarker
	case c == '.' && isMarker(line, "..."):
		return lineEnd
	case c == '%':
		return lineDirective
	case c == '#' || c == ' ' || c == '\t':
		return blankOrComment(line)
	}
	return lineContent
}

// blankOrComment tells white space, a comment and content apart.
func blankOrComment(s []byte) lineKind {
	for _, c := range s {
		switch c {
		case ' ', '\t':
		case '#':
			return lineComment
		default:
			return lineContent
		}
	}
	return lineBlank
}

func isMarker(line []byte, marker string) bool {
	return len(line) >= 3 && string(line[:3]) == marker &&
		(len(line) == 3 || line[3] == ' ' || line[3] == '\t')
}

// isVersionOrTag reports whether a line that begins with % is one of the two
// directives that YAML knows. Others count as content where content may stand.
func isVersionOrTag(line []byte) bool {
	for _, name := range []string{"%YAML", "%TAG"} {
		if len(line) > len(name) && string(line[:len(name)]) == name &&
			(line[len(name)] == ' ' || line[len(name)] == '\t') {
			return true
		}
	}
	return false
}

const bom = "\uFEFF"

// bomLen returns the length of the byte order marks at the start of s: none,
// one, or several where files with marks were joined.
func bomLen(s []byte) int {
	n := 0
	for len(s) >= n+len(bom) && string(s[n:n+len(bom)]) == bom {
		n += len(bom)
	}
	return n
}
