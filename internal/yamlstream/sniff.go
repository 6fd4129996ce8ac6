package yamlstream

import "bytes"

const sniffLen = 16

// A ForeignError says that a stream is something that is not YAML in UTF-8 or UTF-16.
type ForeignError struct {
	What     string // what it is, for a message
	Encoding bool   // it is text in another encoding
}

// Error implements error.
func (e *ForeignError) Error() string { return e.What }

// sniff recognises streams that would otherwise give a riddle of an error. head
// is the start of the stream.
func sniff(head []byte) error {
	for _, m := range []struct {
		magic    string
		what     string
		encoding bool
	}{
		{"\x00\x00\xFE\xFF", "UTF-32 text", true},
		{"\xFF\xFE\x00\x00", "UTF-32 text", true},
		{"\x1F\x8B", "gzip data", false},
		{"\x28\xB5\x2F\xFD", "zstd data", false},
		{"PK\x03\x04", "a zip archive", false},
		{"BZh", "bzip2 data", false},
	} {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return &ForeignError{m.what, m.encoding}
		}
	}
	if len(head) >= 4 { // without a byte order mark, from a character of ASCII
		big := head[0] == 0 && head[1] == 0 && head[2] == 0 && isASCII(head[3])
		little := isASCII(head[0]) && head[1] == 0 && head[2] == 0 && head[3] == 0
		if big || little {
			return &ForeignError{"UTF-32 text", true}
		}
	}
	return nil
}
