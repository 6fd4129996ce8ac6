package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
)

// closure lists everything that the roots need.
func (j *job) closure(ctx context.Context) (int, error) {
	c, err := dag.ClosureOf(ctx, j.roots, j.catalog, &j.options)
	j.done()
	err = errors.Join(append(j.unfit, err)...)
	if c == nil || err != nil && len(c.Packages) == 0 && !hasSolutionError(err) {
		return cli.Failed, err
	}
	a := &answer{Packages: []entry{}, Images: c.Images()}
	var rows [][]string
	for _, m := range c.Packages {
		e := entry{Source: m.Source.String(), Version: m.Version.String(), Digest: m.Digest, Images: m.Images, Kind: string(m.Release.Kind)}
		a.Packages = append(a.Packages, e)
		rows = append(rows, []string{e.Source, e.Version, e.Kind, e.Digest})
	}
	for _, i := range a.Images {
		rows = append(rows, []string{i, "", "image", ""})
	}
	code := cli.Fine
	if err != nil {
		code = cli.Findings
	}
	if !j.env.JSON() {
		if err := j.rows([]string{"PACKAGE", "VERSION", "KIND", "DIGEST"}, rows); err != nil {
			return cli.Failed, err
		}
		a.Packages = nil
	}
	return code, j.tell(a, err)
}

// An update is a package that has newer versions.
type update struct {
	Source  string `json:"source"`
	Version string `json:"version"`          // that is there
	Wanted  string `json:"wanted,omitempty"` // the newest that will do
	Newest  string `json:"newest"`           // the newest release
}

// outdated tells which of the packages that are there have newer versions, and up to
// which of them the roots can go.
func (j *job) outdated(ctx context.Context) (int, error) {
	there := j.options.Installed
	if j.s.projectLock != "" {
		lock, err := readProjectLock(ctx, j.s.projectLock)
		if err == nil && lock == nil {
			err = fmt.Errorf("%s: there is no project lock: %w", j.s.projectLock, meta.ErrNotFound)
		}
		if err != nil {
			return cli.Failed, err
		}
		there = lock.Nodes()
	}
	o := j.options
	o.Installed, o.Upgrade = there, true
	plan, err := dag.Resolve(ctx, j.roots, j.catalog, &o)
	if plan == nil {
		return cli.Failed, err
	}
	for _, unfit := range j.unfit {
		fmt.Fprintf(j.env.Stderr, "warning: %s\n", printableLines(unfit.Error()))
	}
	if none := (*dag.NoSolutionError)(nil); errors.As(err, &none) {
		fmt.Fprintf(j.env.Stderr, "warning: %s\n", printableLines(none.Error()))
	}
	wanted := make(map[string]meta.Version)
	for _, x := range plan.Packages {
		wanted[x.Source.Identity()] = x.Version
	}
	updates, err := dag.Outdated(ctx, there, j.catalog)
	j.done()
	for _, e := range each(err) {
		fmt.Fprintf(j.env.Stderr, "warning: %s\n", printableLines(e.Error()))
	}
	list := []update{}
	for _, u := range updates {
		n := u.Installed
		to, planned := wanted[n.Source.Identity()]
		if !planned {
			to = u.Allowed
		}
		list = append(list, update{n.Source.String(), n.Version.String(), to.String(), u.Newest.String()})
	}
	if j.env.JSON() {
		return cli.Fine, j.env.Print(map[string]any{"outdated": list})
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(j.env.Stdout, "nothing is outdated")
		return cli.Fine, err
	}
	var rows [][]string
	for _, u := range list {
		rows = append(rows, []string{u.Source, u.Version, u.Wanted, u.Newest})
	}
	return cli.Fine, j.rows([]string{"PACKAGE", "VERSION", "WANTED", "NEWEST"}, rows)
}
