package yamlstream

import (
	"bytes"
	"errors"
	"io"
)

// Limits that were reached.
var (
	ErrStreamTooLarge   = errors.New("the stream is too large")
	ErrDocumentTooLarge = errors.New("a document is too large")
)

// errBadCount says that a reader breaks the contract of io.Reader.
var errBadCount = errors.New("the reader returned an impossible count of bytes")

const readSize = 64 << 10

// firstSize is the size of the first buffer: most streams are small, and the next ones
// double it until they hold two reads.
const firstSize = 8 << 10

// largeBuffer is the size of a buffer that only large documents make. It is given up when
// they are gone: a stream of a hundred megabytes may have one document of two.
const largeBuffer = 16 * readSize

// source is the part of the stream that is in memory, and the search for line
// breaks in it. Offsets are relative to buf[0], the first byte not yet cut.
type source struct {
	r      io.Reader
	buf    []byte
	store  []byte // what buf lies in, when it is ours
	err    error  // what ended the stream, io.EOF at its end
	read   int64  // bytes read so far
	limits Limits
	shared bool // buf is the caller's

	lf, cr finder
}

// A finder remembers where the next of a byte is. Without it a stream that has
// only CR breaks would be searched for LF once a line, to its end.
type finder struct {
	at      int // where it is; only valid when found
	found   bool
	scanned int // no such byte before this offset, when not found
}

func (f *finder) next(buf []byte, c byte, from int) int {
	if f.found && f.at >= from {
		return f.at
	}
	if f.found || f.scanned < from {
		f.found, f.scanned = false, from
	}
	k := bytes.IndexByte(buf[f.scanned:], c)
	if k < 0 {
		f.scanned = len(buf)
		return -1
	}
	f.at, f.found = f.scanned+k, true
	return f.at
}

func (f *finder) drop(n int) {
	f.at -= n
	f.scanned = max(f.scanned-n, 0)
}

// line returns where the text of the line that begins at offset at ends, and
// where the next line begins. The error is io.EOF when nothing is left.
func (s *source) line(at int) (textEnd, next int, err error) {
	for {
		lf, cr := s.lf.next(s.buf, '\n', at), s.cr.next(s.buf, '\r', at)
		switch {
		case cr >= 0 && (lf < 0 || cr < lf):
			if lf == cr+1 {
				return cr, cr + 2, nil
			}
			if cr+1 < len(s.buf) || s.err == io.EOF {
				return cr, cr + 1, nil
			}
		case lf >= 0:
			return lf, lf + 1, nil
		case s.err == io.EOF && at < len(s.buf):
			return len(s.buf), len(s.buf), nil
		}
		if s.err != nil {
			return 0, 0, s.err
		}
		// Whether the bytes behind at are the document's is known at the end of
		// the line: it may be a separator.
		if int64(len(s.buf)-at) > s.limits.Document {
			return 0, 0, ErrDocumentTooLarge
		}
		s.fill()
	}
}

// skip passes over lines, from the start of one, that are whole in memory and begin
// with nothing that a separator, directive or byte order mark begins with. It returns
// the start of the first other line, and the number of lines before it.
func (s *source) skip(at int) (next, lines int) {
	// Not further than to where the caller looks whether to go on.
	end := min(len(s.buf), at+askEvery)
	if cr := s.cr.next(s.buf, '\r', at); cr >= 0 {
		end = min(end, cr)
	}
	for at < end {
		switch s.buf[at] {
		case '-', '.', '%', bom[0]:
			return at, lines
		}
		k := bytes.IndexByte(s.buf[at:end], '\n')
		if k < 0 {
			break
		}
		at += k + 1
		lines++
	}
	return at, lines
}

// peek returns the first bytes of the stream, n of them or all there are.
func (s *source) peek(n int) ([]byte, error) {
	for len(s.buf) < n && s.err == nil {
		s.fill()
	}
	if s.err != nil && s.err != io.EOF && len(s.buf) == 0 {
		return nil, s.err
	}
	return s.buf[:min(n, len(s.buf))], nil
}

// fill reads once more, or sets err.
func (s *source) fill() {
	if size := cap(s.store); cap(s.buf)-len(s.buf) <= min(readSize/2, size/4) {
		// The bytes that are left move to the front; the room doubles only
		// when they fill half of it, so that moving stays linear.
		switch {
		case size == 0:
			s.store = make([]byte, 0, firstSize)
		case size >= largeBuffer && len(s.buf) < size/16:
			s.store = make([]byte, 0, size/8)
		case len(s.buf) >= size/2 || size < 2*readSize:
			s.store = make([]byte, 0, 2*size)
		}
		s.buf = append(s.store[:0], s.buf...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		if n < 0 || n > cap(s.buf)-len(s.buf) {
			s.err = errBadCount
			return
		}
		s.buf = s.buf[:len(s.buf)+n]
		s.read += int64(n)
		switch {
		case s.read > s.limits.Stream:
			s.buf = s.buf[:len(s.buf)-int(s.read-s.limits.Stream)]
			s.err = ErrStreamTooLarge
		case err != nil:
			s.err = err
		case n == 0:
			continue
		}
		return
	}
	s.err = io.ErrNoProgress
}

// rewind makes it possible to read lines again that were read before.
func (s *source) rewind() { s.lf, s.cr = finder{}, finder{} }

// drop forgets the first n bytes.
func (s *source) drop(n int) {
	s.buf = s.buf[n:]
	s.lf.drop(n)
	s.cr.drop(n)
}
