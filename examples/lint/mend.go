package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
)

// rounds bounds how often a package is mended and judged again: mending one fault may
// uncover another.
const rounds = 10

// mend carries out the fixes of findings in the files of a package, tells of each, and
// returns the package as it is then, judged again.
func (j *job) mend(ctx context.Context, p *source.Package, found *linter.Result, o *linter.Options) (*source.Package, *linter.Result, error) {
	m, err := openFiles(p, j.env.Stderr)
	if err != nil {
		return nil, nil, err
	}
	defer m.root.Close()
	for range rounds {
		mended, err := m.all(found.Diagnostics)
		if err != nil {
			return nil, nil, err
		}
		if !mended {
			break
		}
		if p, err = j.read(ctx, p.Source); err != nil {
			return nil, nil, err
		}
		before := found
		if found, err = p.Lint(ctx, o); err != nil {
			return nil, nil, err
		}
		m.leave(before.Diagnostics, found.Diagnostics)
	}
	return p, found, nil
}

// mender mends the files of a package.
type mender struct {
	root *os.Root
	only string            // the name of the only file; empty where a finding names the file
	tell io.Writer         // is told what was mended
	left map[likeness]bool // findings that a fix did not help against
}

// openFiles opens the directory that the files of a package are in. A package.yaml that
// is a link stays one, and the file that it leads to is mended.
func openFiles(p *source.Package, tell io.Writer) (*mender, error) {
	m := &mender{tell: tell, left: map[likeness]bool{}}
	dir := p.Source
	if p.Kind == source.File {
		file, err := filepath.EvalSymlinks(p.Source)
		if err != nil {
			return nil, err
		}
		dir, m.only = filepath.Split(file)
	}
	var err error
	m.root, err = os.OpenRoot(cmp.Or(dir, "."))
	return m, err
}

// all mends each file that a finding has a fix for, and reports whether it mended any.
func (m *mender) all(found []linter.Diagnostic) (mended bool, err error) {
	found = slices.DeleteFunc(slices.Clone(found), func(d linter.Diagnostic) bool { return len(d.Fixes) == 0 || m.left[likenessOf(d)] })
	seen := map[string]bool{}
	for _, d := range found {
		if file := d.Range.File; !seen[file] {
			seen[file] = true
			some, err := m.file(file, found)
			if err != nil {
				return mended, err
			}
			mended = mended || some
		}
	}
	return mended, nil
}

// file applies the fixes for one file and writes it whole, or not at all.
func (m *mender) file(file string, found []linter.Diagnostic) (mended bool, err error) {
	name := cmp.Or(m.only, filepath.FromSlash(file))
	content, err := m.root.ReadFile(name)
	if err != nil {
		return false, err
	}
	fixed, applied, err := linter.Apply(content, file, found)
	if err := m.tellRefused(err); err != nil {
		return false, err
	}
	if len(applied) == 0 {
		return false, nil
	}
	if err := replace(m.root, name, fixed); err != nil {
		return false, err
	}
	for _, d := range applied {
		if _, err := fmt.Fprintf(m.tell, "mended: %s: %s\n", cli.Printable(d.String()), cli.Printable(d.Fixes[0].Message)); err != nil {
			return true, err
		}
	}
	return true, nil
}

// tellRefused tells of what linter.Apply could not do: the text is in UTF-16, was just
// changed by somebody else, or a rule is wrong about a place. It is not tried again.
func (m *mender) tellRefused(err error) error {
	refusals := []error{err}
	if err == nil {
		return nil
	} else if joined, ok := err.(interface{ Unwrap() []error }); ok {
		refusals = joined.Unwrap()
	}
	for _, refusal := range refusals {
		if fix := (*linter.FixError)(nil); errors.As(refusal, &fix) {
			m.left[likenessOf(fix.Finding)] = true
		}
		if _, err := fmt.Fprintf(m.tell, "not mended: %s\n", cli.Printable(refusal.Error())); err != nil {
			return err
		}
	}
	return nil
}

// likeness is what stays of a finding when its object or its value is mended.
type likeness struct{ file, rule, kind, path string }

func likenessOf(d linter.Diagnostic) likeness {
	return likeness{d.Range.File, d.Rule, d.Object.Kind, d.Path}
}

// leave sets aside the findings of which mending left as many as before: a fix that does
// not help once does not help ten times.
func (m *mender) leave(before, after []linter.Diagnostic) {
	counts := map[likeness]int{}
	for _, d := range after {
		counts[likenessOf(d)]++
	}
	for _, d := range before {
		counts[likenessOf(d)]--
	}
	for _, d := range before {
		if l := likenessOf(d); len(d.Fixes) > 0 && counts[l] >= 0 {
			m.left[l] = true
		}
	}
}

// replace writes a file beside another one, with its permissions, and puts it in its
// place, so that nobody sees half of it.
func replace(files *os.Root, name string, content []byte) (err error) {
	info, err := files.Stat(name)
	if err != nil {
		return err
	}
	mode := info.Mode().Perm()
	beside := name + ".mended"
	f, err := files.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, files.Remove(beside))
		}
	}()
	_, err = f.Write(content)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return files.Rename(beside, name)
}
