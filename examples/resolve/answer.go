package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
)

// answer is what resolve prints with -o json.
type answer struct {
	ResourceVersion string `json:"resourceVersion,omitempty"` // of the lock that the plan is for

	Packages []entry        `json:"packages"` // in install order
	Removed  []entry        `json:"removed,omitempty"`
	Blocked  []entry        `json:"blocked,omitempty"`
	Images   []string       `json:"images,omitempty"` // of -closure: what the packages run
	Warnings []warning      `json:"warnings,omitempty"`
	Error    *cli.Fault     `json:"error,omitempty"`
	Conflict []dag.Conflict `json:"conflict,omitempty"`

	plan *dag.Plan
}

type entry struct {
	Source    string   `json:"source"`
	Version   string   `json:"version,omitempty"`
	Kind      string   `json:"kind,omitempty"`
	Digest    string   `json:"digest,omitempty"`
	Action    string   `json:"action,omitempty"`
	Reason    string   `json:"reason,omitempty"`
	Installed string   `json:"installed,omitempty"`
	Via       []string `json:"via,omitempty"`
	Images    []string `json:"images,omitempty"`
}

type warning struct {
	Source  string `json:"source"`
	Version string `json:"version,omitempty"`
	Message string `json:"message"`
}

func answerOf(p *dag.Plan) *answer {
	a := &answer{ResourceVersion: p.ResourceVersion, Packages: []entry{}, plan: p}
	for _, x := range p.Packages {
		a.Packages = append(a.Packages, entryOf(x))
	}
	for _, x := range p.Removed {
		a.Removed = append(a.Removed, entryOf(x))
	}
	for _, b := range p.Blocked {
		a.Blocked = append(a.Blocked, entry{Source: b.Source.String(), Version: b.Version.String(), Action: "blocked", Reason: b.Reason})
	}
	for _, w := range p.Warnings {
		a.Warnings = append(a.Warnings, warning{w.Source.String(), w.Version.String(), w.Message})
	}
	return a
}

func entryOf(x dag.Planned) entry {
	e := entry{
		Source: x.Source.String(), Version: x.Version.String(), Action: string(x.Action), Reason: x.Reason,
		Installed: x.Installed.String(), Digest: x.Version.Digest(),
	}
	if r := x.Release; r != nil {
		e.Kind, e.Digest = string(r.Kind), cmp.Or(r.Digest, e.Digest)
	}
	for _, v := range x.Via {
		e.Via = append(e.Via, v.String())
	}
	return e
}

// tell prints an answer in the format that is asked for. What is wrong and what is
// remarkable goes to standard error, unless it is in the one JSON object.
func (j *job) tell(a *answer, err error) error {
	if j.env.JSON() {
		if err != nil {
			a.Error = cli.NewFault(err)
			if none := (*dag.NoSolutionError)(nil); errors.As(err, &none) {
				a.Conflict = none.Conflicts
			}
		}
		return j.env.Print(a)
	}
	for _, w := range a.Warnings {
		fmt.Fprintf(j.env.Stderr, "warning: %s\n", cli.Printable(w.String()))
	}
	if err != nil {
		for _, e := range each(err) {
			fmt.Fprintf(j.env.Stderr, "%s%s\n", printableLines(e.Error()), a.others(e))
		}
	}
	if j.env.Output == "text" {
		return j.table(a)
	}
	return j.draw(a)
}

// others says, of a package that is there twice, that it has spoilt nothing else.
func (a *answer) others(err error) string {
	var twice *dag.DuplicateError
	if !errors.As(err, &twice) || a.plan == nil || len(twice.Nodes) == 0 {
		return ""
	}
	n := 0
	for _, p := range a.plan.Packages {
		if !p.Source.Equal(twice.Nodes[0].Source) {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "; 1 other package resolved"
	}
	return fmt.Sprintf("; %d other packages resolved", n)
}

// String is the warning as it is printed.
func (w warning) String() string {
	if w.Version == "" {
		return w.Source + ": " + w.Message
	}
	return w.Source + " " + w.Version + ": " + w.Message
}

// each are the errors that were joined into one.
func each(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok && !errors.As(err, new(meta.FieldErrors)) {
		if _, whole := err.(*dag.NoSolutionError); !whole {
			return joined.Unwrap()
		}
	}
	return []error{err}
}

// draw prints the graph of the packages that are planned.
func (j *job) draw(a *answer) error {
	var nodes []dag.Node
	if a.plan != nil {
		for _, x := range a.plan.Packages {
			if x.Release != nil {
				n := dag.NodeOf(x.Release)
				n.Version = x.Version
				nodes = append(nodes, n)
			}
		}
	}
	g, err := dag.NewGraph(nodes...)
	if err != nil {
		return err // not reached: a plan has one node for each package
	}
	if j.env.Output == "dot" {
		return g.WriteDOT(j.env.Stdout)
	}
	return g.WriteMermaid(j.env.Stdout)
}
