package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/examples/internal/cli"
)

// shard is one part of several.
type shard struct{ index, of uint64 }

// parseShard reads i/n; nothing is the whole.
func parseShard(text string) (shard, error) {
	if text == "" {
		return shard{0, 1}, nil
	}
	i, n, _ := strings.Cut(text, "/")
	index, err1 := strconv.ParseUint(i, 10, 31)
	of, err2 := strconv.ParseUint(n, 10, 31)
	if err1 != nil || err2 != nil || index >= of {
		return shard{}, &cli.UsageError{Err: fmt.Errorf("-shard %q: want i/n, with i from 0 to n-1", text)}
	}
	return shard{index, of}, nil
}

// has reports whether a reference is in the part. The text alone decides: the first
// eight bytes of its SHA-256, modulo the number of parts.
func (s shard) has(reference string) bool {
	sum := sha256.Sum256([]byte(reference))
	return binary.BigEndian.Uint64(sum[:8])%s.of == s.index
}
