package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Limits of a page, so that no package makes one that cannot be opened.
const (
	maxObjects = 20_000   // that are listed
	maxData    = 20 << 20 // bytes of what is known of them, compressed
	maxBadges  = 20       // versions of one that the list shows
)

// objects are what the package holds.
type objects struct {
	Kinds  []*kind
	Total  int
	Listed int
	Chunks []string // see chunk

	byRef map[parser.ObjectRef]*object
	data  int
}

// A kind is the objects of one.
type kind struct {
	Name  string
	Total int
	List  []*object
}

// An object is a document of the package.
type object struct {
	ID                     int
	Chunk, At              int // where its detail is; Chunk is -1 where it has none
	APIVersion, Kind, Name string
	Title                  string // the kind that a definition defines, else the name
	Group                  string // of that kind
	Versions               []defined
	MoreVersions           int
	Scope                  string
	Claim                  string // the kind of claims
	Place                  string
	Findings               int

	severity linter.Severity
}

// Severity is that of the worst of its findings.
func (o *object) Severity() string { return o.severity.String() }

// A defined is a version of a definition, as the list shows it.
type defined struct {
	Name, State string
}

// newObjects reads the documents of a package.
func newObjects(ctx context.Context, p *parser.Package) (*objects, error) {
	list := &objects{byRef: map[parser.ObjectRef]*object{}}
	if err := list.read(ctx, p); err != nil {
		return nil, err
	}
	list.sort()
	return list, nil
}

func (l *objects) read(ctx context.Context, p *parser.Package) error {
	kinds := map[string]*kind{}
	c := newChunk()
	for d := range p.Documents() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l.Total++
		k := kinds[d.Kind]
		if l.Listed == maxObjects {
			if k != nil {
				k.Total++
			}
			continue
		}
		if k == nil {
			k = &kind{Name: printable(d.Kind)}
			kinds[d.Kind] = k
			l.Kinds = append(l.Kinds, k)
		}
		k.Total++
		o, shown, err := newObject(d, c)
		if err != nil {
			return err
		}
		l.add(k, o, d.Ref())
		if l.data > maxData {
			c = newChunk()
			continue
		}
		o.Chunk, o.At = len(l.Chunks), len(c.objects)
		c.objects = append(c.objects, shown)
		if c.size > chunkSize {
			if err := l.pack(c); err != nil {
				return err
			}
			c = newChunk()
		}
	}
	return l.pack(c)
}

func (l *objects) add(k *kind, o *object, ref parser.ObjectRef) {
	l.Listed++
	o.ID = l.Listed
	k.List = append(k.List, o)
	if _, twice := l.byRef[ref]; !twice {
		l.byRef[ref] = o
	}
}

// pack adds a chunk that has something in it to the page.
func (l *objects) pack(c *chunk) error {
	if len(c.objects) == 0 {
		return nil
	}
	text, err := c.encode()
	l.data += len(text)
	l.Chunks = append(l.Chunks, text)
	return err
}

// sort puts the kinds that define others first, and sorts the objects of each by name.
func (l *objects) sort() {
	slices.SortFunc(l.Kinds, func(a, b *kind) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), strings.Compare(a.Name, b.Name))
	})
	for _, k := range l.Kinds {
		slices.SortStableFunc(k.List, func(a, b *object) int {
			return cmp.Or(strings.Compare(a.Title, b.Title), strings.Compare(a.Group, b.Group))
		})
	}
}

// rank is the place of a kind of definitions, or other.
func rank(kind string) int {
	if at := slices.Index([]string{meta.DefinitionXRD, meta.DefinitionCRD, meta.DefinitionMRD}, kind); at >= 0 {
		return at
	}
	return other
}

const other = 3
