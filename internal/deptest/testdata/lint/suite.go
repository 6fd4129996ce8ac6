//go:build !apiserver

package main

import (
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
)

func suite() []*linter.Rule { return rules.Suite() }
