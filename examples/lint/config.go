package main

import (
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
)

// readConfig reads a file of settings.
func (j *job) readConfig(dir, file string) (*linter.Config, error) {
	return source.Config(dir, file, j.rules)
}
