package mirror

import (
	"context"
	"fmt"

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

// tree reads all manifests that one leads to, each once: what is listed before what
// lists it, and root last.
func tree(ctx context.Context, r reader, root *xpkg.RawManifest) ([]node, error) {
	type frame struct {
		node
		next int // child to go to
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
		if top.next == len(top.parts.manifests) {
			all = append(all, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		d := top.parts.manifests[top.next]
		top.next++
		if seen[d.Digest] {
			continue
		}
		if seen[d.Digest] = true; len(seen) > MaxManifests {
			return nil, &meta.LimitError{What: "what the index leads to", Unit: "manifests", Limit: MaxManifests, Where: root.Digest}
		}
		m, err := r.manifest(ctx, d.Digest, d.MediaType)
		if err != nil {
			return nil, fmt.Errorf("manifest %s: %w", d.Digest, err)
		}
		if size += len(m.Raw); size > MaxManifestBytes {
			return nil, &meta.LimitError{What: "what the index leads to", Limit: MaxManifestBytes, Where: root.Digest}
		}
		p, err := partsOf(m)
		if err != nil {
			return nil, err
		}
		stack = append(stack, frame{node: node{m, p}})
	}
	return all, nil
}
