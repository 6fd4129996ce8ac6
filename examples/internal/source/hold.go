package source

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/s2"
)

var buffers sync.Pool // of *[]byte

// NewHold returns what keeps texts of documents compressed: nearly all of a large package are
// definitions, which take a seventh of their size then.
func NewHold() func(text []byte) (again func() []byte) {
	return func(text []byte) func() []byte {
		buffer, ok := buffers.Get().(*[]byte)
		if !ok {
			buffer = new([]byte)
		}
		*buffer = s2.Encode(*buffer, text)
		small := bytes.Clone(*buffer)
		*buffer = (*buffer)[:cap(*buffer)]
		buffers.Put(buffer)
		return func() []byte {
			text, _ := s2.Decode(nil, small)
			return text
		}
	}
}
