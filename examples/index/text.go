package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"

	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
)

const (
	packageFile = "package.yaml"
	// smallText is how much text a package may have, in bytes, to be held beside others.
	// Layers are compressed, so nobody knows before it has come.
	smallText = 1 << 20
)

// text is the package.yaml of an image: all of it has come and was verified. What is more
// than small is in a file, so that a registry which sends it slowly keeps no memory and
// holds up nobody.
type text struct {
	start []byte
	rest  *os.File // nil for a small one
	named bool     // the file has a name still
}

// localError is trouble with this machine's own files, which ends the run: it says nothing
// about a reference.
type localError struct{ error }

// Unwrap returns what the system said.
func (e *localError) Unwrap() error { return e.error }

// readText reads the package.yaml of an image. The caller closes it.
func readText(ctx context.Context, reference string, img *xpkg.Image) (t *text, err error) {
	stream, err := img.Stream(ctx)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	t = &text{}
	var start bytes.Buffer
	_, err = io.CopyN(&start, stream, smallText)
	t.start = start.Bytes()
	if errors.Is(err, io.EOF) {
		return t, nil
	}
	if err != nil {
		return nil, err
	}
	if t.rest, err = os.CreateTemp("", "index-*"); err != nil {
		return nil, &localError{err}
	}
	// Without its name nothing is left of it, however this ends. Windows refuses that.
	t.named = os.Remove(t.rest.Name()) != nil
	const limit = xpkg.DefaultMaxPackageBytes
	n, err := io.Copy(local{t.rest}, io.LimitReader(stream, limit-smallText+1))
	switch {
	case err != nil:
	case n > limit-smallText:
		err = &meta.LimitError{What: packageFile, Limit: limit, Where: reference}
	default:
		if _, err = t.rest.Seek(0, io.SeekStart); err != nil {
			err = &localError{err}
		}
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// local tells the errors of a file from those of what is written there.
type local struct{ f *os.File }

// Write implements io.Writer.
func (l local) Write(p []byte) (int, error) {
	n, err := l.f.Write(p)
	if err != nil {
		err = &localError{err}
	}
	return n, err
}

func (t *text) large() bool { return t.rest != nil }

// documents are those of the text.
func (t *text) documents(ctx context.Context) iter.Seq2[*parser.Document, error] {
	if !t.large() {
		return parser.Bytes(packageFile, t.start, nil)
	}
	o := &parser.Options{Hold: source.NewHold()}
	return parser.Stream(ctx, packageFile, io.MultiReader(bytes.NewReader(t.start), t.rest), o)
}

func (t *text) close() {
	if t.rest == nil {
		return
	}
	_ = t.rest.Close()
	if t.named {
		_ = os.Remove(t.rest.Name())
	}
}
