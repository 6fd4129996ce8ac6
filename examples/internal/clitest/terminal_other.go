//go:build !linux

package clitest

import "github.com/rogpeppe/go-internal/testscript"

// terminal says that there is none; scripts ask for [linux] before.
func terminal(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("terminals are made on Linux only")
}
