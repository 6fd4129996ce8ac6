package xpkg

import (
	"context"
	"time"
)

// WithoutPauses makes a client repeat what failed at once, for tests that are not
// about how long it waits.
func WithoutPauses(c *Client) *Client {
	c.pause = func(ctx context.Context, _ time.Duration) bool { return ctx.Err() == nil }
	return c
}
