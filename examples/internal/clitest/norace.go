//go:build !race

package clitest

// Race reports whether the race detector is on, under which large packages take too long.
const Race = false
