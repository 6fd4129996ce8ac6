package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/internal/parallel"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

const (
	// maxReferences bounds what one run takes, for registries that list without end.
	maxReferences = 1_000_000
	// maxText bounds one line of a list, in bytes.
	maxText = 64 << 10
)

var errTooMany = &meta.LimitError{What: "the list", Unit: "references", Limit: maxReferences}

// item is a reference that gets a line.
type item struct {
	reference string
	err       error // why it cannot be asked for, as of a repository whose tags cannot be listed
}

// collector gathers references: each once, those of one part.
type collector struct {
	shard shard
	seen  map[string]bool
	items []item
}

func (c *collector) add(i item) error {
	// JSON has no other text, and what is read from an index has to be found again.
	i.reference = strings.ToValidUTF8(i.reference, "\uFFFD")
	if c.seen[i.reference] || !c.shard.has(i.reference) {
		return nil
	}
	if len(c.items) == maxReferences {
		return errTooMany
	}
	c.seen[i.reference] = true
	c.items = append(c.items, i)
	return nil
}

// references are those that the arguments and flags name, in this order.
func (s *settings) references(ctx context.Context, env *cli.Env, client *xpkg.Client) ([]item, error) {
	part, err := parseShard(s.shard)
	if err != nil {
		return nil, err
	}
	c := &collector{shard: part, seen: map[string]bool{}}
	for _, arg := range env.Args {
		if arg == "-" {
			err = c.list("standard input", env.Stdin)
		} else {
			err = c.add(item{reference: arg})
		}
		if err != nil {
			return nil, err
		}
	}
	if s.list != "" {
		if err := c.file(s.list, env.Stdin); err != nil {
			return nil, err
		}
	}
	if s.catalog != "" {
		if err := c.catalog(ctx, s.catalog, env.Stderr); err != nil {
			return nil, err
		}
	}
	if s.registry != "" {
		if err := c.registry(ctx, client, s); err != nil {
			return nil, err
		}
	}
	return c.items, nil
}

func (c *collector) file(name string, stdin io.Reader) error {
	if name == "-" {
		return c.list("standard input", stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return c.list(name, f)
}

// list takes one reference a line. What is none gets its line in the index all the same.
func (c *collector) list(name string, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxText)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "\uFEFF"), "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if err := c.add(item{reference: text}); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return &meta.LimitError{What: "a line", Limit: maxText, Where: name}
	}
	return lines.Err()
}

// catalog takes every version of a catalog file. What the versions say of themselves does
// not matter here.
func (c *collector) catalog(ctx context.Context, name string, stderr io.Writer) error {
	known, warnings, err := source.OpenCatalog(ctx, name)
	if err != nil {
		return err
	}
	for _, text := range warnings {
		fmt.Fprintf(stderr, "warning: %s\n", text)
	}
	for _, r := range known.Releases() {
		ref := r.Source.WithDigest(r.Version.Digest())
		if tag := r.Version.OCITag(); tag != "" {
			ref = r.Source.WithTag(tag)
		}
		if err := c.add(item{reference: ref.String()}); err != nil {
			return err
		}
	}
	return nil
}

// registry takes every tag of every repository. A repository whose tags cannot be listed
// gets a line that says so.
func (c *collector) registry(ctx context.Context, client *xpkg.Client, s *settings) error {
	repositories, err := within(ctx, s.limit, s.registry, func(ctx context.Context) ([]meta.Source, error) {
		return client.Repositories(ctx, s.registry)
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	found := make([][]item, len(repositories)) // in their order, whichever answers first
	var total atomic.Int64
	parallel.Each(ctx, len(repositories), s.perHost, func(ctx context.Context, i int) error {
		if ctx.Err() != nil {
			return nil
		}
		found[i] = c.repository(ctx, repositories[i], client, s.limit)
		if total.Add(int64(len(found[i]))) > maxReferences {
			stop(errTooMany)
		}
		return nil
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, items := range found {
		for _, i := range items {
			if err := c.add(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// repository lists what a repository adds, so that nothing else is kept of a long list.
func (c *collector) repository(ctx context.Context, s meta.Source, client *xpkg.Client, limit time.Duration) []item {
	tags, err := within(ctx, limit, s.String(), func(ctx context.Context) ([]string, error) { return client.Tags(ctx, s) })
	if errors.Is(err, meta.ErrNotFound) {
		return nil // catalogs go on to list what was deleted
	}
	if err != nil {
		return []item{{reference: s.String(), err: err}}
	}
	var items []item
	for _, tag := range tags {
		if ref := s.WithTag(tag).String(); !attachment.MatchString(tag) && c.shard.has(ref) {
			items = append(items, item{reference: ref})
		}
	}
	return items
}

// attachment is a tag under which something stands that is about another manifest: its
// referrers, or what cosign keeps of it.
var attachment = regexp.MustCompile(`^sha256-[0-9a-f]{64}(\.[a-z]+)?$`)
