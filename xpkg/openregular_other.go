//go:build !unix

package xpkg

// openNonblock is nothing where no file has to be waited for.
const openNonblock = 0
