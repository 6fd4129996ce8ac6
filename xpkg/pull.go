package xpkg

import (
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// PullPolicy says when a registry is asked for what a cache may have
// (packages-guide, "spec.packagePullPolicy"). It is the policy that manifests
// name.
type PullPolicy = install.PullPolicy

const (
	// PullIfNotPresent asks for what the cache does not have: a tag that it knows
	// is not looked up again. It is the default.
	PullIfNotPresent = install.PullIfNotPresent
	// PullAlways asks which image a tag names now, with one request, and for what
	// the cache does not have of it.
	PullAlways = install.PullAlways
	// PullNever makes no request.
	PullNever = install.PullNever
)

// check refuses a Client whose fields make no sense.
func (c *Client) check() error {
	if !c.Pull.Valid() {
		return &meta.FieldError{Path: meta.Path{"Pull"}, Found: quote(string(c.Pull)), Want: "a pull policy: IfNotPresent, Always or Never"}
	}
	if c.Cache != nil {
		if err := c.Cache.check(); err != nil {
			return err
		}
	}
	_, err := c.roundTripper()
	return err
}

// missing is the error for an argument that is nil.
func missing(argument, want string) error {
	return &meta.FieldError{Path: meta.Path{argument}, Found: "nil", Want: want}
}
