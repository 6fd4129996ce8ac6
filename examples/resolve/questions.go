package main

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
)

// closure lists everything that the roots need.
func (j *job) closure(ctx context.Context) (int, error) {
	c, err := dag.ClosureOf(ctx, j.roots, j.catalog, &j.options)
	j.done()
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
	j.done()
	if plan == nil {
		return cli.Failed, err
	}
	wanted := make(map[string]meta.Version)
	for _, x := range plan.Packages {
		wanted[x.Source.Identity()] = x.Version
	}
	list := []update{}
	for _, n := range there {
		newest, err := j.newest(ctx, n)
		if err != nil {
			fmt.Fprintf(j.env.Stderr, "warning: %s: %v\n", n.Source, err)
		}
		if !newest.IsZero() {
			list = append(list, update{n.Source.String(), n.Version.String(), wanted[n.Source.Identity()].String(), newest.String()})
		}
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

// newest is the newest release of a package if that is newer than what is there.
func (j *job) newest(ctx context.Context, n dag.Node) (meta.Version, error) {
	tags, err := j.catalog.Tags(ctx, n.Source)
	if err != nil || !n.Version.IsFull() {
		return meta.Version{}, err
	}
	var releases []meta.Version
	for _, t := range tags {
		if v := meta.FromOCITag(t); v.Class() == meta.ClassRelease {
			releases = append(releases, v)
		}
	}
	if v, ok := meta.Newest(meta.Constraint{}, releases); ok && v.Compare(n.Version) > 0 {
		return v, nil
	}
	return meta.Version{}, nil
}
