package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
)

// lines are those of a file, by their references. Of each its place is held, and the file
// is read again when it is asked for.
type lines struct {
	name  string
	file  *os.File
	spans map[string]span
	order []string // references in the order of their lines, the same again where it has several
	size  int64    // of all whole lines
}

// span is where a line is.
type span struct {
	at     int64
	size   int
	failed bool // it has an error
}

// head is what a line has to have.
type head struct {
	Reference string     `json:"reference"`
	Digest    string     `json:"digest"`
	Error     *cli.Fault `json:"error"`
}

// beginning is how each line of an index begins.
const beginning = `{"reference":"`

// readLines goes through a file. What follows its last line break is not counted: whoever
// wrote it was ended. A file that is no index is an error.
func readLines(name string, f *os.File) (*lines, error) {
	l := &lines{name: name, file: f, spans: map[string]span{}}
	r := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		text, err := readLine(r)
		if errors.Is(err, io.EOF) {
			text = bytes.TrimRight(text, "\x00") // which a file has where its machine has stopped
			if k := min(len(text), len(beginning)); string(text[:k]) != beginning[:k] {
				return nil, l.fault(n, "what follows the last line break is no line of an index")
			}
			return l, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		var h head
		if err := json.Unmarshal(text, &h); err != nil || h.Reference == "" {
			return nil, l.fault(n, "not a line of an index")
		}
		l.took(h.Reference, span{l.size, len(text), h.Error != nil})
	}
}

func (l *lines) fault(n int, what string) error {
	return fmt.Errorf("%w: %s:%d: %s; it is left as it is", meta.ErrInvalid, l.name, n, what)
}

// took says that a line stands at the end.
func (l *lines) took(reference string, s span) {
	l.spans[reference] = s
	l.order = append(l.order, reference)
	l.size += int64(s.size)
}

// readLine reads a line with its line break.
func readLine(r *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(text)+len(part) > maxLine {
			return nil, &meta.LimitError{What: "the line", Limit: maxLine}
		}
		text = append(text, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}

// text reads a line as it stands.
func (l *lines) text(s span) ([]byte, error) {
	text := make([]byte, s.size)
	_, err := l.file.ReadAt(text, s.at)
	return text, err
}

// decode reads a line that may be taken over, if it is still right: one with a package, or
// one that says of a digest that it is none.
func decode(text []byte) *line {
	var l line
	r := json.NewDecoder(bytes.NewReader(text))
	if err := r.Decode(&l); err != nil || l.Digest == "" {
		return nil
	}
	switch {
	case l.Error == nil && l.Entry != nil && strings.HasPrefix(l.Image, "sha256:"):
		return &l
	case l.Error != nil && l.Error.Code == meta.Code(meta.ErrNotPackage):
		l.Entry = nil
		return &l
	}
	return nil
}
