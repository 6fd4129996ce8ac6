package dag

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// The form of an explanation as JSON. Its keys are stable.
type (
	conflictJSON struct {
		Cycles   [][]string       `json:"cycles,omitempty"`
		Packages []packageJSON    `json:"packages"`
		Relax    *requirementJSON `json:"relax,omitempty"`
		Drop     *requirementJSON `json:"drop,omitempty"`
	}
	packageJSON struct {
		Source       string            `json:"source"`
		Error        string            `json:"error,omitempty"`
		Requirements []requirementJSON `json:"requirements"`
		Candidates   []candidateJSON   `json:"candidates"`
		Ignored      []ignoredJSON     `json:"ignored,omitempty"`
	}
	requirementJSON struct {
		Number     int        `json:"number,omitempty"`
		Core       bool       `json:"core,omitempty"`
		Package    string     `json:"package"`
		Constraint string     `json:"constraint"`
		Path       []stepJSON `json:"path"`
		Omitted    int        `json:"omitted,omitempty"` // steps in the middle of the path
		Rooted     bool       `json:"rooted"`
		Installed  bool       `json:"installed,omitempty"`
	}
	stepJSON struct {
		Source   string   `json:"source"`
		Versions []string `json:"versions"`
	}
	candidateJSON struct {
		Version string        `json:"version"`
		Fails   []failureJSON `json:"fails,omitempty"`
		Brings  []int         `json:"brings,omitempty"`
		Error   string        `json:"error,omitempty"`
	}
	failureJSON struct {
		Number  int         `json:"number"`
		Reason  meta.Reason `json:"reason"`
		Message string      `json:"message"`
	}
	ignoredJSON struct {
		Tag   string     `json:"tag"`
		Class meta.Class `json:"class"`
	}
)

// MarshalJSON gives an object whose key conflicts holds the conflicts as
// [Conflict.MarshalJSON] writes them. There is no error.
func (e *NoSolutionError) MarshalJSON() ([]byte, error) {
	return plainJSON(struct {
		Conflicts []Conflict `json:"conflicts"`
	}{append([]Conflict{}, e.Conflicts...)})
}

// plainJSON leaves the < of a range as it is, which json.Marshal would escape.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// MarshalJSON gives the conflict as an object: packages with their requirements (number,
// core, package, constraint, path, rooted), candidates (version, fails, brings, error) and ignored
// tags (tag, class), the cycles as lists of sources, and relax or drop, the change that would help.
// Of a path of more than 100 steps the first 50 and the last 50 are there, and omitted is how many are
// not.
func (c Conflict) MarshalJSON() ([]byte, error) {
	j := conflictJSON{Packages: []packageJSON{}}
	for _, circle := range c.Circles {
		var path []string
		for _, s := range circle.Path {
			path = append(path, s.String())
		}
		j.Cycles = append(j.Cycles, path)
	}
	for i := range c.Packages {
		j.Packages = append(j.Packages, c.Packages[i].json())
	}
	if c.Relax != nil {
		r := c.Relax.json()
		j.Relax = &r
	}
	if c.Drop != nil {
		r := c.Drop.json()
		j.Drop = &r
	}
	return plainJSON(j)
}

func (p *PackageConflict) json() packageJSON {
	j := packageJSON{Source: p.Source.String(), Requirements: []requirementJSON{}, Candidates: []candidateJSON{}}
	if p.Err != nil {
		j.Error = p.Err.Error()
	}
	for _, r := range p.Requirements {
		q := r.Requirement.json()
		q.Number, q.Core = r.Number, r.Core
		j.Requirements = append(j.Requirements, q)
	}
	for _, c := range p.Candidates {
		q := candidateJSON{Version: c.Version.String(), Brings: c.Brings}
		if c.Err != nil {
			q.Error = c.Err.Error()
		}
		for _, f := range c.Fails {
			q.Fails = append(q.Fails, failureJSON{Number: f.Number, Reason: f.Verdict.Reason, Message: f.Verdict.Message})
		}
		j.Candidates = append(j.Candidates, q)
	}
	for _, t := range p.Ignored {
		j.Ignored = append(j.Ignored, ignoredJSON{Tag: t, Class: meta.Classify(t)})
	}
	return j
}

func (r *Requirement) json() requirementJSON {
	j := requirementJSON{
		Package: r.Source.String(), Constraint: r.Constraint.String(), Path: []stepJSON{}, Rooted: r.Rooted, Installed: r.Installed,
	}
	const most = 100 // the paths of a long chain are as long as it is, each
	first, last := r.ends(most)
	j.Omitted = len(r.Path) - len(first) - len(last)
	for _, s := range slices.Concat(first, last) {
		q := stepJSON{Source: s.Source.String(), Versions: []string{}}
		for _, v := range s.Versions {
			q.Versions = append(q.Versions, v.String())
		}
		j.Path = append(j.Path, q)
	}
	return j
}
