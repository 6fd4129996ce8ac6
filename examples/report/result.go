package main

import (
	"fmt"
	"io"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/linter/report"
)

// result is what report prints with -o json.
type result struct {
	File        string           `json:"file"`
	Bytes       int64            `json:"bytes"`
	Source      string           `json:"source"`
	Digest      string           `json:"digest"`
	Kind        string           `json:"kind"`
	Name        string           `json:"name"`
	Objects     int              `json:"objects"`
	Diagnostics []report.Finding `json:"diagnostics"`
}

func (r *result) print(env *cli.Env) error {
	if env.JSON() {
		return env.Print(r)
	}
	_, err := fmt.Fprintf(env.Stdout, "%s: %s %s, %s, %s, %d KiB\n", cli.Printable(r.File), cli.Printable(r.Kind), cli.Printable(r.Name),
		cli.Count(r.Objects, "object"), cli.Count(len(r.Diagnostics), "finding"), (r.Bytes+1023)>>10)
	return err
}

// counter counts the bytes of the page.
type counter struct {
	w io.Writer
	n int64
}

// Write writes to what is below, and counts.
func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
