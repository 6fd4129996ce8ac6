//go:build !unix

package xpkg_test

import "errors"

func makeFifo(string, string) error { return errors.New("there are no fifos here") }
