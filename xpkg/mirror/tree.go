package mirror

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/internal/parallel"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// The limits of what hangs on one name. Each is a *meta.LimitError.
const (
	// MaxManifests is how many manifests an index may lead to, and how many may be
	// attached to one package.
	MaxManifests = 10_000
	// MaxManifestBytes is how many bytes all manifests of one index may have.
	MaxManifestBytes = 64 << 20
)

// node is a manifest and what it consists of.
type node struct {
	manifest *xpkg.RawManifest
	parts    *parts
}

// ahead is how many manifests that are listed beside each other are asked for at once.
const ahead = 8

// fetched is what became of asking for a manifest.
type fetched struct {
	m   *xpkg.RawManifest
	err error
}

// tree reads all manifests that one leads to, each once: what is listed before what
// lists it, and root last.
func tree(ctx context.Context, r reader, root *xpkg.RawManifest) ([]node, error) {
	type frame struct {
		node
		next  int       // child to go to
		ahead []fetched // the next children
	}
	p, err := partsOf(root)
	if err != nil {
		return nil, err
	}
	var all []node
	seen := map[string]bool{root.Digest: true}
	size := len(root.Raw)
	for stack := []frame{{node: node{root, p}}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		children := top.parts.manifests
		if top.next == len(children) {
			all = append(all, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		if top.next%ahead == 0 {
			top.ahead = fetchAll(ctx, r, children[top.next:min(top.next+ahead, len(children))], seen)
			for _, f := range top.ahead {
				if f.m != nil {
					size += len(f.m.Raw)
				}
			}
			if size > MaxManifestBytes {
				return nil, &meta.LimitError{What: "what the index leads to", Limit: MaxManifestBytes, Where: root.Digest}
			}
		}
		d, got := children[top.next], top.ahead[top.next%ahead]
		top.ahead[top.next%ahead] = fetched{}
		top.next++
		if seen[d.Digest] {
			continue
		}
		if seen[d.Digest] = true; len(seen) > MaxManifests {
			return nil, &meta.LimitError{What: "what the index leads to", Unit: "manifests", Limit: MaxManifests, Where: root.Digest}
		}
		if got.err != nil {
			return nil, fmt.Errorf("manifest %s: %w", d.Digest, got.err)
		}
		p, err := partsOf(got.m)
		if err != nil {
			return nil, err
		}
		stack = append(stack, frame{node: node{got.m, p}})
	}
	return all, nil
}

// fetchAll asks for manifests that were not seen yet.
func fetchAll(ctx context.Context, r reader, wanted []descriptor, seen map[string]bool) []fetched {
	all := make([]fetched, len(wanted))
	_ = parallel.Each(ctx, len(wanted), ahead, func(ctx context.Context, i int) error {
		if d := &wanted[i]; !seen[d.Digest] {
			all[i].m, all[i].err = r.manifest(ctx, d.Digest, d.MediaType)
		}
		return nil
	})
	return all
}
