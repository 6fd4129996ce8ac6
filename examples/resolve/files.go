package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/meta/install"
)

// readLock reads what is installed.
func readLock(ctx context.Context, name string) (*install.Lock, error) {
	doc, data, err := source.Document(ctx, name)
	if err != nil {
		return nil, err
	}
	lock, err := install.DecodeLock(data)
	if err != nil {
		return nil, source.Placed(doc, "lock-invalid", err)
	}
	return lock, nil
}

// readProjectLock reads a project lock; nil if there is no such file.
func readProjectLock(ctx context.Context, name string) (*dag.ProjectLock, error) {
	doc, data, err := source.Document(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lock, err := dag.DecodeProjectLock(data)
	if err != nil {
		return nil, source.Placed(doc, "project-lock-invalid", err)
	}
	return lock, nil
}

// writeProjectLock writes a project lock whole or not at all.
func writeProjectLock(name string, lock *dag.ProjectLock) error {
	data, err := lock.Encode()
	if err != nil {
		return err
	}
	return cli.WriteFile(name, data)
}
