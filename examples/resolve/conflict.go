package main

import (
	"errors"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// conflict is an explanation as data.
type conflict struct {
	Packages []clash      `json:"packages"`
	Cycles   [][]string   `json:"cycles,omitempty"`
	Relax    *requirement `json:"relax,omitempty"` // the smallest change that helps
}

// clash is what is demanded of one package, and why each of its versions fails.
type clash struct {
	Source       string        `json:"source"`
	Error        *fault        `json:"error,omitempty"` // there is no such package
	Requirements []requirement `json:"requirements"`
	Candidates   []candidate   `json:"candidates"`
	Ignored      []string      `json:"ignored,omitempty"` // tags that are no full versions
}

type requirement struct {
	Number     int    `json:"number,omitempty"`
	Source     string `json:"source"`
	Constraint string `json:"constraint,omitempty"` // none for any version
	From       []step `json:"from,omitempty"`       // who demands it, up to the root; none for a root
	Core       bool   `json:"core,omitempty"`       // without it there would be a solution
}

type step struct {
	Source   string   `json:"source"`
	Versions []string `json:"versions"`
}

type candidate struct {
	Version string    `json:"version"`
	Fails   []failure `json:"fails,omitempty"`
	Brings  []int     `json:"brings,omitempty"` // requirements that it makes itself
	Error   *fault    `json:"error,omitempty"`  // it can never be used
}

type failure struct {
	Requirement int    `json:"requirement"`
	Message     string `json:"message"`
}

func conflictsOf(err error) []*conflict {
	var none *dag.NoSolutionError
	if !errors.As(err, &none) {
		return nil
	}
	var all []*conflict
	for _, c := range none.Conflicts {
		out := &conflict{Packages: []clash{}}
		for _, p := range c.Packages {
			out.Packages = append(out.Packages, clashOf(p))
		}
		for _, circle := range c.Circles {
			var path []string
			for _, s := range circle.Path {
				path = append(path, s.String())
			}
			out.Cycles = append(out.Cycles, path)
		}
		if c.Relax != nil {
			r := requirementOf(*c.Relax)
			out.Relax = &r
		}
		all = append(all, out)
	}
	return all
}

func clashOf(p dag.PackageConflict) clash {
	out := clash{
		Source: p.Source.String(), Error: faultOf(p.Err), Ignored: p.Ignored,
		Requirements: []requirement{}, Candidates: []candidate{},
	}
	for _, r := range p.Requirements {
		req := requirementOf(r.Requirement)
		req.Number, req.Core = r.Number, r.Core
		out.Requirements = append(out.Requirements, req)
	}
	for _, r := range p.Candidates {
		c := candidate{Version: r.Version.String(), Brings: r.Brings, Error: faultOf(r.Err)}
		for _, f := range r.Fails {
			c.Fails = append(c.Fails, failure{f.Number, f.Verdict.Message})
		}
		out.Candidates = append(out.Candidates, c)
	}
	return out
}

func requirementOf(r dag.Requirement) requirement {
	out := requirement{Source: r.Source.String(), Constraint: r.Constraint.String()}
	for _, s := range r.Path {
		from := step{Source: s.Source.String(), Versions: []string{}}
		for _, v := range s.Versions {
			from.Versions = append(from.Versions, v.String())
		}
		out.From = append(out.From, from)
	}
	return out
}

func faultOf(err error) *fault {
	if err == nil {
		return nil
	}
	return &fault{Code: meta.Code(err), Message: err.Error()}
}
