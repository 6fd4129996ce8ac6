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
// for. What goes wrong without ending the job is told on stderr.
func (e *Env) Client() (*xpkg.Client, *xpkg.Options, error) {
	c := &e.Common
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
	case xpkg.PullAlways, xpkg.PullIfNotPresent, xpkg.PullNever:
	default:
		return nil, nil, &UsageError{Err: fmt.Errorf("-pull %s: want Always, IfNotPresent or Never", c.Pull)}
	}
	client := &xpkg.Client{Pull: pull, Event: e.tell}
	// Where the user has no directory for caches, there is none, unless -cache
	// names one.
	if dir := c.Cache; dir != "" {
		client.Cache = xpkg.OpenCache(dir, nil)
	} else if user, err := os.UserCacheDir(); err == nil && !c.fresh {
		client.Cache = xpkg.OpenCache(filepath.Join(user, "xpkg"), nil)
	}
	return client, o, nil
}

func (e *Env) tell(event xpkg.Event) {
	fmt.Fprintf(e.Stderr, "%s: %s: %v\n", event.Kind, event.Name, event.Err)
}
