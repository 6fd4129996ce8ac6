package main

import (
	"archive/tar"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/xpkg-go/sdk/conformance/internal/oci"
	"github.com/xpkg-go/sdk/conformance/internal/recipe"
)

// errCannot means that this machine cannot have the input of a case.
var errCannot = errors.New("this machine cannot have such a file, or does not keep this user from reading it: run as a user who is no administrator")

// write makes the input of a case in a directory, and returns its image, if it has one.
func (c *testCase) write(dir, as string) (*oci.Layout, error) {
	if err := os.MkdirAll(filepath.Join(dir, "home"), 0o777); err != nil {
		return nil, err
	}
	if err := writeFiles(dir, c.Files, c.texts); err != nil || c.Image == nil {
		return nil, err
	}
	l, err := oci.Write(filepath.Join(dir, "image"), c.Image, c.texts)
	if err != nil || as != "file" {
		return l, err
	}
	return l, writeTar(filepath.Join(dir, "image.tar"), l.Dir)
}

func writeFiles(dir string, files map[string]file, texts recipe.Texts) error {
	for name, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if f.Link != "" {
			if err := os.Symlink(filepath.FromSlash(f.Link), path); err != nil {
				return errors.Join(errCannot, err)
			}
			continue
		}
		if err := writeFile(path, f, texts); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, f file, texts recipe.Texts) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(texts.Write(out, f.Recipe), out.Close()); err != nil {
		return err
	}
	if f.Modified != "" {
		at, err := time.Parse(time.RFC3339, f.Modified)
		if err != nil {
			return err
		}
		if err := os.Chtimes(path, at, at); err != nil {
			return err
		}
	}
	if f.Mode == "" {
		return nil
	}
	mode, err := strconv.ParseUint(f.Mode, 8, 32)
	if err != nil {
		return err
	}
	if err := os.Chmod(path, os.FileMode(mode)); err != nil {
		return err
	}
	if mode&0o400 == 0 {
		return asUser(func() error {
			if b, err := os.Open(path); err == nil { // an administrator may read everything
				_ = b.Close()
				return errCannot
			}
			return nil
		})
	}
	return nil
}

// writeTar packs a layout.
func writeTar(name, dir string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := tar.NewWriter(f)
	return errors.Join(w.AddFS(os.DirFS(dir)), w.Close(), f.Close())
}

// damage changes every file below a directory: cut takes its second half away, flip changes
// a bit in its middle, empty leaves nothing of it.
func damage(dir, how string) error {
	return filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil || len(b) == 0 {
			return err
		}
		switch how {
		case "cut":
			b = b[:len(b)/2]
		case "flip":
			b[len(b)/2] ^= 1
		case "empty":
			b = nil
		default:
			return errors.New("there is no damage " + how)
		}
		if err := os.Chmod(path, 0o666); err != nil {
			return err
		}
		return os.WriteFile(path, b, 0o666)
	})
}
