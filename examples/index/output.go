package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/gofrs/flock"

	"github.com/xpkg-go/sdk/meta"
)

// output takes the lines of a run. It may be used concurrently.
type output struct {
	mu       sync.Mutex
	w        io.Writer // without a file
	known    *lines    // of the file; nil without one
	previous *lines    // another index; nil without one
	lock     *flock.Flock
}

// openOutput opens the file that lines are appended to, and cuts off what a run that was
// ended has left of its last line. Without a name lines go to stdout. previous is the name
// of another index, or empty.
func openOutput(name, previous string, stdout io.Writer) (o *output, err error) {
	o = &output{w: stdout}
	defer func() {
		if err != nil {
			o.close()
		}
	}()
	if previous != "" {
		f, err := os.Open(previous)
		if err != nil {
			return o, err
		}
		if o.previous, err = readLines(previous, f); err != nil {
			return o, errors.Join(err, f.Close())
		}
	}
	if name == "" {
		return o, nil
	}
	// Whatever waits for a reader is not waited for.
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return o, fmt.Errorf("%w: %s is not a regular file", meta.ErrInvalid, name)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return o, err
	}
	// Of a file system without locks nothing is known.
	lock := flock.New(name)
	if ok, err := lock.TryLock(); err == nil && !ok {
		return o, errors.Join(fmt.Errorf("%w: another process writes %s", meta.ErrInvalid, name), f.Close())
	} else if err == nil {
		o.lock = lock
	}
	if o.known, err = readLines(name, f); err != nil {
		return o, errors.Join(err, f.Close())
	}
	if to, err := filepath.EvalSymlinks(name); err == nil {
		_ = os.Remove(successor(to))
	}
	return o, f.Truncate(o.known.size)
}

// older returns the last line that is known of a reference and may be taken over, or nil,
// and its text where that is the last one in the file that is written.
func (o *output) older(reference string) (l *line, standing []byte) {
	for _, from := range []*lines{o.known, o.previous} {
		if from == nil {
			continue
		}
		o.mu.Lock()
		s, ok := from.spans[reference]
		o.mu.Unlock()
		if !ok {
			continue
		}
		text, err := from.text(s)
		if err != nil {
			continue
		}
		if l := decode(text); l != nil {
			if from == o.known {
				standing = text
			}
			return l, standing
		}
	}
	return nil, nil
}

// write writes a line, whole. standing is what older said of it: a line that has not
// changed stays where it is.
func (o *output) write(l *line, standing []byte) error {
	text, err := l.encode()
	if err != nil || bytes.Equal(text, standing) {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known == nil {
		_, err := o.w.Write(text)
		return err
	}
	if _, err := o.known.file.WriteAt(text, o.known.size); err != nil {
		return errors.Join(err, o.known.file.Truncate(o.known.size))
	}
	o.known.took(l.Reference, span{o.known.size, len(text), l.Error != nil})
	return nil
}

// finish puts the lines of the file in the order of the references, each once, behind those
// of other references. The file is replaced whole or stays as it is.
func (o *output) finish(items []item) (err error) {
	if o.known == nil {
		return nil
	}
	order := o.sorted(items)
	if slices.Equal(order, o.known.order) {
		return o.known.file.Sync()
	}
	// Not a link is replaced but what it leads to.
	to, err := filepath.EvalSymlinks(o.known.name)
	if err != nil {
		return err
	}
	info, err := o.known.file.Stat()
	if err != nil {
		return err
	}
	name := successor(to) // which the next run removes, if this one is ended
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer os.Remove(name) // there is none any more when it was renamed
	err = f.Chmod(info.Mode().Perm())
	w := bufio.NewWriterSize(f, 1<<20)
	for _, reference := range order {
		if err == nil {
			s := o.known.spans[reference]
			_, err = io.Copy(w, io.NewSectionReader(o.known.file, s.at, int64(s.size)))
		}
	}
	if err = errors.Join(err, w.Flush(), f.Sync(), f.Close()); err != nil {
		return err
	}
	o.close() // or Windows would not replace it
	return os.Rename(name, to)
}

// successor is the name of the file that takes the place of another.
func successor(name string) string {
	dir, base := filepath.Split(name)
	return filepath.Join(dir, "."+base+".new")
}

// sorted are the references of the file: those that were not asked for as they stand there,
// without those that failed, which nobody has asked for again, then the others.
func (o *output) sorted(items []item) []string {
	asked := map[string]bool{}
	for _, i := range items {
		asked[i.reference] = true
	}
	var order []string
	for _, reference := range o.known.order {
		if !asked[reference] && !o.known.spans[reference].failed {
			asked[reference] = true // or one that is there twice would stay so
			order = append(order, reference)
		}
	}
	for _, i := range items {
		if _, ok := o.known.spans[i.reference]; ok {
			order = append(order, i.reference)
		}
	}
	return order
}

// close closes the files. It may be called more than once.
func (o *output) close() {
	for _, l := range []*lines{o.known, o.previous} {
		if l != nil {
			_ = l.file.Close()
		}
	}
	if o.lock != nil {
		_ = o.lock.Unlock()
	}
}
