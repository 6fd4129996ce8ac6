package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/xpkg"
)

// Client returns the registry client and the options that the common flags ask
// for.
func (c *Common) Client() (*xpkg.Client, *xpkg.Options, error) {
	o := &xpkg.Options{}
	if c.Platform != "" {
		p, err := v1.ParsePlatform(c.Platform)
		if err == nil && (p.OS == "" || p.Architecture == "") {
			err = errors.New("want os/arch, such as linux/arm64")
		}
		if err != nil {
			return nil, nil, &UsageError{Err: fmt.Errorf("-platform %s: %w", c.Platform, err)}
		}
		o.Platform = p
	}
	pull := xpkg.PullPolicy(c.Pull)
	switch pull {
	case xpkg.Always, xpkg.IfNotPresent, xpkg.Never:
	default:
		return nil, nil, &UsageError{Err: fmt.Errorf("-pull %s: want Always, IfNotPresent or Never", c.Pull)}
	}
	dir := c.Cache
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, nil, fmt.Errorf("no directory for the cache, name one with -cache: %w", err)
		}
		dir = filepath.Join(user, "xpkg")
	}
	return &xpkg.Client{Cache: xpkg.OpenCache(dir), Pull: pull}, o, nil
}
