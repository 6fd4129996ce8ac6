package parser

import "sync"

// marks remember places of a document's text, so that it is not counted from its
// start each time. They are made when they are first asked for.
type marks struct {
	lines   sync.Once
	starts  []int32 // where lines begin
	encoded sync.Once
	sizes   []int // of the text up to every markDistance bytes, in the encoding of the stream
}

const markDistance = 4 << 10

// line returns the text of line n of the document, counted from 0, without its line
// break.
func (m *marks) line(text []byte, n int) []byte {
	m.lines.Do(func() {
		for start := 0; start < len(text); {
			m.starts = append(m.starts, int32(start))
			_, start = lineAt(text, start)
		}
	})
	if n < 0 || n >= len(m.starts) {
		return nil
	}
	start := int(m.starts[n])
	end, _ := lineAt(text, start)
	return text[start:end:end]
}

// size returns how many bytes of the stream the text up to an offset is.
func (m *marks) size(s *source, offset int) int {
	m.encoded.Do(func() {
		size := 0
		for at := 0; at < len(s.text); at += markDistance {
			m.sizes = append(m.sizes, size)
			size += s.encoding.Size(s.text[at:min(at+markDistance, len(s.text))])
		}
	})
	if offset == 0 {
		return 0
	}
	i := min(offset/markDistance, len(m.sizes)-1)
	return m.sizes[i] + s.encoding.Size(s.text[i*markDistance:offset])
}
