package apiserver

import (
	"context"
	"math/bits"
	"runtime"
	"strconv"
	"sync/atomic"

	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/xpkg-go/sdk/internal/parallel"
)

// ruled is a schema with rules (x-kubernetes-validations), which is ordinary but for
// them.
type ruled struct {
	node  node
	rules []byte
	root  bool
	// hidden says that there are values within of which rules cannot speak.
	hidden bool
	// times says how many values of the schema an object has at most; unbounded, that
	// only the size of a request says it.
	times     uint64
	unbounded bool
	// loose says that a value and what it was before cannot be told to be the same one.
	loose bool
}

// below is told each schema that the ruled one is below, from the inside out.
func (r *ruled) below(n *node, k *keywords) {
	r.loose = r.loose || n.kind == "array" && k.listType != "map"
	most := k.maxItems
	if n.kind != "array" {
		if !k.extra {
			return
		}
		most = k.maxProperties
	}
	times, err := strconv.ParseUint(string(most), 10, 64)
	r.unbounded = r.unbounded || err != nil
	r.times = product(r.times, times)
}

// totalCost returns what the rules of some schemas cost at most; false when it is not certain
// that the API server accepts each of them. Rules that have to be compiled are, on all
// cores.
func totalCost(all []ruled) (uint64, bool) {
	total, others := uint64(0), []*ruled(nil)
	for i := range all {
		r := &all[i]
		cost, ok := r.plainCost()
		if !ok {
			others = append(others, r)
		}
		total += cost
	}
	var sum atomic.Uint64
	var failed atomic.Bool
	parallel.Each(context.Background(), len(others), runtime.GOMAXPROCS(0), func(_ context.Context, i int) error {
		if failed.Load() {
			return nil
		}
		cost, ok := others[i].compiledCost()
		if sum.Add(cost); !ok {
			failed.Store(true)
		}
		return nil
	})
	return total + sum.Load(), !failed.Load()
}

// plainCost is the cost of rules that need not be compiled.
func (r *ruled) plainCost() (uint64, bool) {
	if r.times != 1 || r.unbounded || r.loose || r.hidden || r.node.kind != "object" && (!r.node.scalar() || r.node.nullable) {
		return 0, false
	}
	return costOf(&r.node, r.rules)
}

// compiledCost is the cost of rules that compile. A panic is not certain either: the API server's
// code comes to it again.
func (r *ruled) compiledCost() (total uint64, ok bool) {
	defer func() {
		if recover() != nil {
			total, ok = 0, false
		}
	}()
	c, ok := newCompiler(r.node.raw, r.root)
	if !ok {
		return 0, false
	}
	if r.unbounded {
		r.times = uint64(celconfig.MaxRequestSizeBytes / (c.self.MinSerializedSize + 1))
	}
	list := cursor{b: r.rules}
	if !list.open('[') {
		return 0, false
	}
	for list.more(']') {
		rule, ok := plainRule(list.skip())
		if !ok || len(rule.text) > maxRule {
			return 0, false
		}
		made, ok := c.compile(rule.text, rule.optional)
		cost := product(made.cost, r.times)
		if !ok || made.usesBefore && r.loose || !made.usesBefore && rule.optional || cost > maxRuleCost {
			return 0, false
		}
		total += cost
	}
	return total, !list.lost
}

// product multiplies as far as there are numbers.
func product(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return low
	}
	return ^uint64(0)
}
