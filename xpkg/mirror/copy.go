package mirror

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/xpkg-go/sdk/internal/parallel"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// DefaultParallel is how many requests are under way at once where Options does not say.
const DefaultParallel = 4

// Options says how is copied. Nil and zero fields mean the defaults.
type Options struct {
	// Parallel is how many requests are under way at once, a blob that is copied being one;
	// DefaultParallel if zero.
	Parallel int
	// Event, when not nil, is told what happens. It may be called from several
	// goroutines at once, and what it waits for, the copy waits for.
	Event func(Event)
}

// EventKind says what an Event is about.
type EventKind string

const (
	// Copying: a blob is being copied. It is told once at least for each MiB, and
	// when the blob ends or breaks off; one that breaks off may begin anew.
	Copying EventKind = "copying"
	// Copied: a package is there now, with all that belongs to it.
	Copied EventKind = "copied"
	// Present: a package was there already, with all that belongs to it or has come
	// to belong to it since.
	Present EventKind = "present"
	// Failed: a package could not be copied; Err is the *ItemError.
	Failed EventKind = "failed"
	// Waiting: another copy writes the same directory or file, and is waited for.
	Waiting EventKind = "waiting"
	// Dangling: something is listed as attached to a package, and is not there.
	Dangling EventKind = "dangling"
)

// Event is something that happens while packages are copied.
type Event struct {
	Kind EventKind
	Ref  string // the package, as it was declared
	Name string // for Copying and Dangling a digest, for Copied and Present the name in the mirror
	Err  error  // for Failed and Dangling

	// Bytes have been read, of Total; for Copying.
	Bytes, Total int64
}

// Result is what a copy has done.
type Result struct {
	// Lock names everything that is in the mirror now.
	Lock *Lock
	// Copied and Present are how many packages were copied, and were there already.
	Copied, Present int
	// Blobs and Bytes are what was written of blobs; what was there already does not count.
	Blobs int
	Bytes int64
}

// Copy copies packages with all that belongs to them. A reference with a digest is copied
// by it, whatever its tag names meanwhile, and has its tag in the mirror if it has one; one
// without is what its tag names now.
//
// One package that fails does not stop the others. Result and error come back
// together, save that there is no result where the target cannot be written at all. The error joins an
// *ItemError for each package that is not in the mirror now, by name; those carry *ClashError, *MovedError,
// ErrNoRule, *ManifestError, *WrittenError and the errors of package xpkg, among which *xpkg.DigestError is
// for content that is not what it should be. When ctx ends the error matches meta.ErrCanceled.
func Copy(ctx context.Context, refs []meta.Reference, from *Source, to *Target, o *Options) (*Result, error) {
	c := &copier{result: &Result{Lock: &Lock{Rules: to.rules}}}
	if o != nil {
		c.options = *o
	}
	if c.options.Parallel < 1 {
		c.options.Parallel = DefaultParallel
	}
	c.slots = make(chan struct{}, c.options.Parallel)
	unlock, err := to.lock(ctx, func() { c.event(Event{Kind: Waiting}) })
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := to.begin(ctx); err != nil {
		return nil, err
	}
	items, faults := plan(refs, to)
	for _, err := range faults {
		c.failed(err)
	}
	writers := &writers{target: to, open: map[string]writer{}}
	for _, err := range parallel.Each(ctx, len(items), c.options.Parallel, func(ctx context.Context, n int) error {
		return c.one(ctx, items[n], from, writers)
	}) {
		if err != nil {
			faults = append(faults, err)
		}
	}
	for _, i := range items {
		switch {
		case i.entry == nil:
			continue
		case i.copied:
			c.result.Copied++
		default:
			c.result.Present++
		}
		c.result.Lock.Entries = append(c.result.Lock.Entries, *i.entry)
	}
	if err := to.end(ctx); err != nil {
		// Nothing of it is where it belongs.
		return nil, errors.Join(append(faults, err)...)
	}
	if err := ctx.Err(); err != nil {
		faults = append([]error{canceled(err)}, faults...)
	}
	return c.result, errors.Join(faults...)
}

// copier is one call of Copy.
type copier struct {
	options Options
	slots   chan struct{} // taken by requests that are under way
	busy    parallel.Keys // blobs that are being copied, lists that are being written

	mu     sync.Mutex
	result *Result
}

func (c *copier) event(e Event) {
	if c.options.Event != nil {
		c.options.Event(e)
	}
}

func (c *copier) failed(err error) error {
	e := Event{Kind: Failed, Err: err}
	var fault *ItemError
	if errors.As(err, &fault) {
		e.Ref = fault.Ref
	}
	c.event(e)
	return err
}

// writers are those of the repositories of a target, opened once each: a registry wants
// to know who writes, and is told so once.
type writers struct {
	target *Target
	mu     sync.Mutex
	open   map[string]writer
}

func (w *writers) of(s meta.Source) (writer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if open := w.open[s.Identity()]; open != nil {
		return open, nil
	}
	open, err := w.target.open(s)
	if err == nil {
		w.open[s.Identity()] = open
	}
	return open, err
}

// one copies one package, and tells when it could not.
func (c *copier) one(ctx context.Context, i *item, from *Source, to *writers) error {
	if ctx.Err() != nil {
		return nil // said once, and not for each
	}
	r, err := from.open(i.declared.Source)
	if err == nil {
		var w writer
		if w, err = to.of(i.mirrored.Source); err == nil {
			err = c.item(ctx, i, boundedReader{r, c}, boundedWriter{w, c})
		}
	}
	if err != nil && ctx.Err() == nil {
		return c.failed(&ItemError{Ref: i.declared.String(), Err: err})
	}
	return nil
}

// each runs a job for each of many things, whose requests wait for their turns, and
// returns the first error by their order.
func (c *copier) each(ctx context.Context, n int, job func(ctx context.Context, i int) error) error {
	for _, err := range parallel.Each(ctx, n, c.options.Parallel, job) {
		if err != nil {
			return err
		}
	}
	return nil
}

// item copies one package.
func (c *copier) item(ctx context.Context, i *item, r reader, w writer) error {
	root, err := r.manifest(ctx, i.asked(), "")
	if err != nil {
		return err
	}
	there, err := w.named(ctx, i.identifier())
	if err != nil {
		return err
	}
	present := there == root.Digest
	var subjects []string
	if present {
		// All of it was there before its name. What is attached may be newer.
		subjects, err = digests(ctx, r, root)
	} else {
		subjects, err = c.copyTree(ctx, i, r, w, root)
	}
	if err != nil {
		return err
	}
	attached, err := c.attached(ctx, i, r, w, subjects)
	if err != nil {
		return err
	}
	kind := Present
	if !present {
		kind = Copied
		if err := w.name(ctx, i.identifier(), root); err != nil {
			return err
		}
	}
	declared := i.declared
	declared.Digest = root.Digest
	mirrored := i.mirrored
	mirrored.Digest = root.Digest
	i.entry = &Entry{Declared: declared, Mirrored: mirrored, MediaType: root.MediaType, Attached: attached}
	i.copied = !present
	c.event(Event{Kind: kind, Ref: i.declared.String(), Name: i.mirrored.Name()})
	return nil
}

// digests are those of a manifest and of all that it leads to, of which only indexes
// are read.
func digests(ctx context.Context, r reader, root *xpkg.RawManifest) ([]string, error) {
	all := []string{root.Digest}
	seen := map[string]bool{root.Digest: true}
	for queue := []*xpkg.RawManifest{root}; len(queue) > 0; queue = queue[1:] {
		p, err := partsOf(queue[0])
		if err != nil {
			return nil, err
		}
		for _, d := range p.manifests {
			if seen[d.Digest] {
				continue
			}
			if seen[d.Digest] = true; len(seen) > MaxManifests {
				return nil, &meta.LimitError{What: "what the index leads to", Unit: "manifests", Limit: MaxManifests, Where: root.Digest}
			}
			all = append(all, d.Digest)
			if isIndex(d.MediaType) {
				m, err := r.manifest(ctx, d.Digest, d.MediaType)
				if err != nil {
					return nil, err
				}
				queue = append(queue, m)
			}
		}
	}
	return all, nil
}

// copyTree copies a manifest with all that it leads to, to where it has no name yet,
// and returns the digests of all manifests, its own first.
func (c *copier) copyTree(ctx context.Context, i *item, from reader, to writer, root *xpkg.RawManifest) ([]string, error) {
	nodes, err := tree(ctx, from, root)
	if err != nil {
		return nil, err
	}
	all := []string{root.Digest}
	for _, n := range nodes[:len(nodes)-1] {
		all = append(all, n.manifest.Digest)
	}
	there, err := to.has(ctx, root.Digest)
	if there || err != nil {
		return all, err // what it leads to was there before it
	}
	had := make([]bool, len(nodes)) // and the root last
	if err := c.each(ctx, len(nodes)-1, func(ctx context.Context, n int) (err error) {
		had[n], err = to.has(ctx, nodes[n].manifest.Digest)
		return err
	}); err != nil {
		return nil, err
	}
	var blobs []descriptor
	var leaves, indexes []*xpkg.RawManifest
	seen := map[string]bool{}
	for k, n := range nodes {
		switch {
		case had[k]:
			continue
		case len(n.parts.manifests) == 0:
			leaves = append(leaves, n.manifest)
		default:
			indexes = append(indexes, n.manifest)
		}
		for _, b := range n.parts.blobs {
			if !seen[b.Digest] {
				seen[b.Digest] = true
				blobs = append(blobs, b)
			}
		}
	}
	if err := c.each(ctx, len(blobs), func(ctx context.Context, n int) error {
		return c.blob(ctx, i, from, to, &blobs[n])
	}); err != nil {
		return nil, err
	}
	if err := c.each(ctx, len(leaves), func(ctx context.Context, n int) error { return to.put(ctx, leaves[n]) }); err != nil {
		return nil, err
	}
	for _, m := range indexes { // in the order in which they lead to each other
		if err := to.put(ctx, m); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// blob copies one blob, when it is its turn. Where another package wants the same one,
// it waits, and finds it there or takes it over.
func (c *copier) blob(ctx context.Context, i *item, from reader, to writer, d *descriptor) error {
	free, err := c.busy.Lock(ctx, d.Digest)
	if err != nil {
		return canceled(err)
	}
	defer free()
	if err := c.turn(ctx); err != nil {
		return err
	}
	defer c.done()
	written, err := to.putBlob(ctx, d, func() (io.ReadCloser, error) {
		rc, err := from.blob(ctx, d)
		if err != nil {
			return nil, err
		}
		if c.options.Event != nil {
			p := &progress{copier: c, event: Event{Kind: Copying, Ref: i.declared.String(), Name: d.Digest, Total: d.Size}}
			rc.OnRead = p.read
		}
		return rc, nil
	})
	if err != nil || !written {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.result.Blobs++
	c.result.Bytes += d.Size
	return nil
}

// progress tells how much of a blob has been read.
type progress struct {
	copier *copier
	event  Event
	told   int64
	ended  bool
}

// read is told what a Read has returned.
func (p *progress) read(n int, err error) {
	p.event.Bytes += int64(n)
	if ends := err != nil && !p.ended; ends || p.event.Bytes-p.told >= 1<<20 {
		p.told, p.ended = p.event.Bytes, p.ended || ends
		p.copier.event(p.event)
	}
}
