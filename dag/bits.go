package dag

import (
	"math/bits"
	"slices"
)

// A bitset is a set of small numbers: the candidates of a package that
// something allows. Sets that are combined have the same length.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

// fullBitset is the set of all numbers below n.
func fullBitset(n int) bitset {
	b := newBitset(n)
	for i := range b {
		b[i] = ^uint64(0)
	}
	if rest := n % 64; rest != 0 {
		b[len(b)-1] = 1<<rest - 1
	}
	return b
}

func (b bitset) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) remove(i int)   { b[i/64] &^= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) empty() bool {
	for _, w := range b {
		if w != 0 {
			return false
		}
	}
	return true
}

func (b bitset) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// and is the intersection, as a new set. The shorter set has no more numbers.
func (b bitset) and(o bitset) bitset {
	r := make(bitset, len(b))
	for i := range min(len(b), len(o)) {
		r[i] = b[i] & o[i]
	}
	return r
}

// or is the union, as a new set.
func (b bitset) or(o bitset) bitset {
	r := make(bitset, len(b))
	for i := range b {
		r[i] = b[i] | o[i]
	}
	return r
}

// join is the union of sets of different lengths: b, when o adds nothing to it.
func (b bitset) join(o bitset) bitset {
	if len(b) >= len(o) && o.within(b) {
		return b
	}
	if len(b) < len(o) {
		b, o = o, b
	}
	r := slices.Clone(b)
	for i := range o {
		r[i] |= o[i]
	}
	return r
}

// without is the difference, as a new set.
func (b bitset) without(o bitset) bitset {
	r := make(bitset, len(b))
	for i := range b {
		r[i] = b[i] &^ o[i]
	}
	return r
}

// with is the set and one more number, as a new set.
func (b bitset) with(i int) bitset {
	r := slices.Clone(b)
	r.add(i)
	return r
}

// within says whether all numbers of b are in o.
func (b bitset) within(o bitset) bool {
	for i := range b {
		if b[i]&^o[i] != 0 {
			return false
		}
	}
	return true
}

// meets says whether any number is in both.
func (b bitset) meets(o bitset) bool {
	for i := range b {
		if b[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// next is the smallest number of the set that is at least i, or -1.
func (b bitset) next(i int) int {
	for w := i / 64; w < len(b); w++ {
		word := b[w]
		if w == i/64 {
			word &= ^uint64(0) << (i % 64)
		}
		if word != 0 {
			return w*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}
