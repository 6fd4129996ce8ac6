// Package sha256 is the hash that names of objects and of requests are made with: some
// bytes, of which nothing secret depends.
//
// It stands in for crypto/sha256 because that brings 28 packages, a module of certified
// cryptography among them, to who imports meta or dag for versions and names. What comes
// from a registry is never held against this one: xpkg checks it with crypto/sha256, which
// uses the processor's instructions for it.
package sha256

import (
	"encoding/binary"
	"math/bits"
)

// Size is the length of a hash in bytes, and blockSize of what is hashed at once.
const (
	Size      = 32
	blockSize = 64
)

// Sum256 is the SHA-256 hash of data, by FIPS 180-4. It does not allocate, and does not write
// to data.
func Sum256[T string | []byte](data T) [Size]byte {
	state := [8]uint32{ // section 5.3.3
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	}
	var block [blockSize]byte
	length := uint64(len(data)) * 8
	for len(data) >= blockSize {
		copy(block[:], data)
		add(&state, &block)
		data = data[blockSize:]
	}
	// Section 5.1.1: a bit, zeros, and the length in bits at the end of a block.
	block = [blockSize]byte{}
	block[copy(block[:], data)] = 0x80
	if len(data) >= blockSize-8 {
		add(&state, &block)
		block = [blockSize]byte{}
	}
	binary.BigEndian.PutUint64(block[blockSize-8:], length)
	add(&state, &block)
	var sum [Size]byte
	for i, word := range state {
		binary.BigEndian.PutUint32(sum[4*i:], word)
	}
	return sum
}

// add makes a block part of the hash: section 6.2.2.
func add(state *[8]uint32, block *[blockSize]byte) {
	var w [64]uint32
	for t := range w {
		if t < 16 {
			w[t] = binary.BigEndian.Uint32(block[4*t:])
			continue
		}
		w[t] = bits.RotateLeft32(w[t-2], -17) ^ bits.RotateLeft32(w[t-2], -19) ^ w[t-2]>>10
		w[t] += bits.RotateLeft32(w[t-15], -7) ^ bits.RotateLeft32(w[t-15], -18) ^ w[t-15]>>3
		w[t] += w[t-7] + w[t-16]
	}
	a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
	for t, word := range w {
		t1 := h + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&f ^ ^e&g) + constants[t] + word
		t2 := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, h = t1+t2, a, b, c, d+t1, e, f, g
	}
	for i, word := range [8]uint32{a, b, c, d, e, f, g, h} {
		state[i] += word
	}
}

// constants are the first 32 bits of the fractional parts of the cube roots of the first
// 64 primes: section 4.2.2.
var constants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
