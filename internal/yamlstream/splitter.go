package yamlstream

import (
	"io"
	"slices"
)

// A Splitter reads the documents of one stream in order. It is for one
// goroutine.
type Splitter struct {
	src   source
	pos   Pos  // of the next unread line
	seen  bool // a line that is more than white space was read
	fresh bool // sniffing is still to be done

	encoding Encoding

	// Canceled, when not nil, is asked before every document and every MiB
	// whether to go on. Its error ends the stream.
	Canceled func() error
}

// askEvery is how many bytes are gone through before Canceled is asked again.
const askEvery = 1 << 20

// Limits of a [Splitter], in bytes.
type Limits struct {
	Stream   int64 // of all documents together
	Document int64 // of one document, with the comments before its separator
}

// New returns a Splitter that reads r. It holds at most one document and a
// read buffer; the Text of its chunks is the caller's.
func New(r io.Reader, l Limits) *Splitter {
	return &Splitter{src: source{r: r, limits: l}, pos: Pos{Line: 1}, fresh: true}
}

// NewBytes returns a Splitter over b. The Text of its chunks lies in b, which
// must not change any more.
func NewBytes(b []byte, l Limits) *Splitter {
	s := &Splitter{src: source{buf: b, limits: l, err: io.EOF, shared: true}, pos: Pos{Line: 1}, fresh: true}
	if int64(len(b)) > l.Stream {
		s.src.buf, s.src.err = b[:l.Stream], ErrStreamTooLarge
	}
	return s
}

// Pos returns the place up to which the stream was cut; after
// ErrDocumentTooLarge it is the start of that document.
func (s *Splitter) Pos() Pos { return s.pos }

// Blank reports whether nothing but white space was read so far.
func (s *Splitter) Blank() bool { return !s.seen }

// Next returns the next document that holds more than comments. At the end
// the error is io.EOF; else it is ErrStreamTooLarge, ErrDocumentTooLarge, a
// *ForeignError or what the reader returned. After an error there is no next.
func (s *Splitter) Next() (Chunk, error) {
	if s.fresh {
		s.fresh = false
		head, err := s.src.peek(sniffLen)
		if err != nil {
			return Chunk{}, err
		}
		if err := sniff(head); err != nil {
			return Chunk{}, err
		}
		if s.encoding = encodingOf(head); s.encoding != UTF8 {
			s.src = s.src.decoded(s.encoding)
		}
	}
	for {
		c, found, err := s.scan()
		if err != nil || found {
			return c, err
		}
	}
}

// cut is what scan knows of the document that it is in.
type cut struct {
	start     int // offset in the buffer of the chunk's first byte
	startLine int
	raw       int  // offset in the buffer of the document's first byte
	badEnd    int  // offset in the buffer of text behind "...", or 0
	explicit  bool // the document began with ---
	directive bool // the document began with a directive
	content   bool // there is more than comments

	// A directive that follows content may begin the next document: it does
	// when only directives and comments stand between it and the next
	// separator or the end.
	tail     int // offset of that directive, or -1
	tailLine int
}

// scan reads to the end of one document. It returns found false, and is to
// be called again, when that document holds nothing.
func (s *Splitter) scan() (c Chunk, found bool, err error) {
	d := cut{start: 0, raw: -1, startLine: s.pos.Line, tail: -1}
	line := s.pos.Line
	asked := 0 // up to where Canceled was
	for at := 0; ; line++ {
		if s.Canceled != nil && (at == 0 || at-asked >= askEvery) {
			if err := s.Canceled(); err != nil {
				return Chunk{}, false, err
			}
			asked = at
		}
		textEnd, next, err := s.src.line(at)
		if err == io.EOF && at > 0 {
			return s.emit(d, at, at, line)
		}
		if err == nil && int64(at) > s.src.limits.Document {
			err = ErrDocumentTooLarge
		}
		if err == ErrDocumentTooLarge {
			return s.tooLarge(d)
		}
		if err != nil {
			s.pos = Pos{line, s.offset(at)}
			return Chunk{}, false, err
		}
		text := s.src.buf[at:textEnd]
		mark := 0
		if n := bomLen(text); n > 0 && (!d.content || isMarker(text[n:], "---")) {
			mark = n
		}
		kind := classify(text[mark:])
		s.seen = s.seen || kind != lineBlank
		if d.raw < 0 || d.explicit && d.raw == at {
			d.raw = at + mark // a byte order mark is not part of the document
		}

		switch kind {
		case lineContent:
			d.content, d.tail = true, -1
		case lineDirective:
			switch {
			case !d.explicit && !d.content:
				d.directive = true
			case !isVersionOrTag(text[mark:]):
				d.content, d.tail = true, -1
			case d.tail < 0:
				d.tail, d.tailLine = at, line
			}
		case lineMarker:
			if d.explicit || d.content {
				return s.emit(d, at, at, line)
			}
			d.open(at, line, text[mark:], mark, next)
		case lineEnd:
			if blankOrComment(text[mark+3:]) == lineContent {
				if d.content || d.directive || d.tail >= 0 {
					return s.emit(d, at, at, line)
				}
				blanks := slices.IndexFunc(text[mark+3:], func(c byte) bool { return c != ' ' && c != '\t' })
				d = cut{start: at, startLine: line, raw: at, badEnd: at + mark + 3 + blanks, content: true, tail: -1}
				break
			}
			return s.emit(d, at, next, line+1)
		}
		at = next
		if d.content && d.tail < 0 {
			// Inside of a document only few lines have to be looked at.
			n := 0
			at, n = s.src.skip(at)
			line += n
		}
	}
}

// open notes that the document begins at a separator. What stands before it
// belongs to the document only when it is a directive.
func (d *cut) open(at, line int, text []byte, mark, next int) {
	d.explicit = true
	rest := text[3:]
	kind := blankOrComment(rest)
	d.content = kind == lineContent
	if d.directive {
		return
	}
	d.start, d.startLine = at, line
	d.raw = next
	if kind != lineBlank {
		blanks := slices.IndexFunc(rest, func(c byte) bool { return c != ' ' && c != '\t' })
		d.raw = at + mark + 3 + blanks
	}
}

// tooLarge ends the stream at the start of a document.
func (s *Splitter) tooLarge(d cut) (Chunk, bool, error) {
	s.pos = Pos{d.startLine, s.offset(d.start)}
	return Chunk{}, false, ErrDocumentTooLarge
}

// offset returns where in the stream the buffer's offset at is.
func (s *Splitter) offset(at int) int { return s.pos.Offset + s.encoding.Size(s.src.buf[:at]) }

// emit makes a chunk of the document that ends before the buffer's offset
// end, and goes on at offset next.
func (s *Splitter) emit(d cut, end, next, nextLine int) (Chunk, bool, error) {
	if d.tail >= 0 {
		s.src.rewind()
		end, next, nextLine = d.tail, d.tail, d.tailLine
	}
	c := Chunk{Pos: Pos{d.startLine, s.offset(d.start)}, Encoding: s.encoding}
	found := d.content || d.directive
	if found {
		if int64(end-d.start) > s.src.limits.Document {
			return s.tooLarge(d)
		}
		c.Text = s.src.buf[d.start:end:end]
		if !s.src.shared {
			c.Text = slices.Clone(c.Text)
		}
		c.Raw = min(max(d.raw, d.start), end) - d.start
		if d.badEnd > 0 {
			c.BadEnd = d.badEnd - d.start
		}
	}
	s.pos = Pos{nextLine, s.offset(next)}
	s.src.drop(next)
	return c, found, nil
}
