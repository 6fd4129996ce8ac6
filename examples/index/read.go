package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"time"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
)

// reader makes lines of references. It may be used concurrently.
type reader struct {
	client  *xpkg.Client
	options *xpkg.Options
	rules   []*linter.Rule
	large   chan struct{}
	limit   time.Duration // for one reference
}

// read makes the line of a reference. old is its line in an older index, or nil: when what
// it names is the same, it is old that comes back, with what belongs to it today. What goes
// wrong is in the line; an error says that ctx has ended, or that this
// machine has no room.
func (r *reader) read(ctx context.Context, i item, old *line) (l *line, copied bool, err error) {
	slow := &slowError{i.reference, r.limit}
	own, end := context.WithCancelCause(ctx)
	defer end(nil)
	timer := time.AfterFunc(r.limit, func() { end(slow) })
	defer timer.Stop()
	// Who waits for others is not slow.
	wait := func() func() {
		timer.Stop()
		return func() { timer.Reset(r.limit) }
	}
	l = &line{Reference: i.reference}
	err = i.err
	if err == nil {
		copied, err = r.fill(own, l, old, wait)
	}
	machine := (*localError)(nil)
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case errors.As(err, &machine):
		return nil, false, err
	case own.Err() != nil:
		err, l.slow = slow, true
	}
	if err != nil {
		l.Error, l.Entry = cli.NewFault(err), nil
	}
	return l, copied && err == nil, nil
}

func (r *reader) fill(ctx context.Context, l, old *line, wait func() func()) (copied bool, err error) {
	ref, err := meta.ParseReference(l.Reference)
	if err != nil {
		return false, err
	}
	repository, err := r.client.Repository(ref.Source)
	if err != nil {
		return false, err
	}
	if old != nil && r.unchanged(ctx, repository, ref, old) {
		*l = *old
		if l.Entry != nil {
			entry := *old.Entry
			entry.attached = newAttached(ctx, repository, l.Digest)
			l.Entry = &entry
		}
		return true, nil
	}
	img, err := r.client.Image(ctx, l.Reference, r.options)
	if err != nil {
		return false, err
	}
	image, err := img.Digest(ctx)
	if err != nil {
		return false, err
	}
	l.Digest = cmp.Or(img.IndexDigest(), image)
	l.Entry = &Entry{Image: image, Version: ref.Tag}
	if err := l.Entry.describe(ctx, img); err != nil {
		return false, err
	}
	if err := r.content(ctx, l, img, wait); err != nil {
		return false, err
	}
	l.attached = newAttached(ctx, repository, l.Digest)
	return false, nil
}

// unchanged reports whether an older line is still right. Where the registry does not say,
// the reference is read, which tells why.
func (r *reader) unchanged(ctx context.Context, repository *xpkg.Repository, ref meta.Reference, old *line) bool {
	if old.Entry != nil && len(old.Platforms) > 1 && old.Platform != r.platform() {
		return false // of another platform that was asked for
	}
	digest := ref.Digest
	if digest == "" {
		var err error
		if digest, err = repository.Digest(ctx, cmp.Or(ref.Tag, meta.DefaultTag)); err != nil {
			return false
		}
	}
	return digest == old.Digest
}

// platform is what is taken from an index of several images.
func (r *reader) platform() string {
	if p := r.options.Platform; p != nil {
		return p.String()
	}
	return "linux/amd64"
}

// describe tells what the manifests say.
func (e *Entry) describe(ctx context.Context, img *xpkg.Image) error {
	method, err := img.Method(ctx)
	if err != nil {
		return err
	}
	e.Method = string(method)
	if p := img.Platform(); p != nil {
		e.Platform = p.String()
	}
	entries, err := img.Index(ctx)
	if err != nil {
		return err
	}
	e.Platforms = []platform{}
	for _, x := range entries {
		if x.Role != xpkg.RoleImage {
			continue
		}
		p := platform{Digest: x.Digest}
		if x.Platform != nil {
			p.Platform = x.Platform.String()
		}
		e.Platforms = append(e.Platforms, p)
	}
	return nil
}

// content tells what the package says. Nothing of it is held when it returns.
func (r *reader) content(ctx context.Context, l *line, img *xpkg.Image, wait func() func()) error {
	t, err := readText(ctx, l.Reference, img)
	if err != nil {
		return err
	}
	defer t.close()
	if t.large() {
		done := wait()
		defer done()
		select {
		case r.large <- struct{}{}:
			defer func() { <-r.large }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	pkg, faults := parser.Collect(t.documents(ctx))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if pkg == nil || pkg.Meta == nil {
		return &xpkg.ReleaseError{Ref: l.Reference, Err: cmp.Or(faults, meta.ErrNotPackage)}
	}
	result, err := linter.Check(ctx, pkg, faults, &linter.Options{Rules: r.rules})
	if err != nil {
		return err
	}
	l.say(pkg.Meta)
	l.Provides = newProvides(pkg.Provides())
	l.Findings = count(result.Diagnostics)
	_, err = l.text() // or lines that are too long would be held beside each other
	return err
}

// say tells what the metadata says.
func (e *Entry) say(m *meta.Package) {
	e.APIVersion, e.Kind, e.Name = m.APIVersion, string(m.Kind), m.Name
	e.Annotations = map[string]string{}
	maps.Copy(e.Annotations, m.Annotations)
	e.Crossplane = m.Crossplane.String()
	e.Capabilities = append([]string{}, m.Capabilities...)
	e.DependsOn = source.Dependencies(m)
}
