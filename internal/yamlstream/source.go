package yamlstream

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
)

// Limits that were reached.
var (
	ErrStreamTooLarge   = errors.New("the stream is too large")
	ErrDocumentTooLarge = errors.New("a document is too large")
)

// errBadCount says that a reader breaks the contract of io.Reader.
var errBadCount = errors.New("the reader returned an impossible count of bytes")

const readSize = 64 << 10

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
		next, n := nextOuter(s.buf[at:end])
		if n == 0 {
			break
		}
		at += next
		lines += n
	}
	return at, lines
}

// nextOuter returns the start of the first line behind the one at the start of text that does
// not begin with a space, or of the last one there is, and the number of lines before it. Most
// lines of a document are inside of something, so asking of eight bytes at once saves most
// of the questions.
func nextOuter(text []byte) (next, lines int) {
	const ones, lows = 0x0101010101010101, 0x7F7F7F7F7F7F7F7F
	is := func(w uint64, c byte) uint64 { // the high bits of the bytes that are c
		w ^= ones * uint64(c)
		return ^((w&lows + lows) | w | lows)
	}
	i, ended := 0, uint64(0) // ended is the low byte's high bit, where the byte before i ends a line
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		ends := is(w, '\n')
		if outer := (ends<<8 | ended) &^ is(w, ' '); outer != 0 {
			k := bits.TrailingZeros64(outer) &^ 7
			return i + k>>3, lines + bits.OnesCount64(ends&(1<<k-1))
		}
		if ends != 0 {
			next = i + 8 - bits.LeadingZeros64(ends)>>3
			lines += bits.OnesCount64(ends)
		}
		ended = ends >> 56
	}
	for ; i < len(text); i++ {
		if ended != 0 && text[i] != ' ' {
			return i, lines
		}
		ended = 0
		if text[i] == '\n' {
			ended, next, lines = 1<<7, i+1, lines+1
		}
	}
	return next, lines
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
	if cap(s.buf)-len(s.buf) < readSize/2 {
		// The bytes that are left move to the front; the room doubles only
		// when they fill half of it, so that moving stays linear.
		size := max(readSize, cap(s.store))
		switch {
		case size >= largeBuffer && len(s.buf) < size/16:
			s.store = make([]byte, 0, size/8)
		case len(s.buf) >= size/2 || cap(s.store) == 0:
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
