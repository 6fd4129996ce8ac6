package dag_test

import (
	"context"
	"fmt"

	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// memory is a catalog in memory. A tag without a release is listed all the same;
// errors stand for a registry that fails.
type memory struct {
	tags     map[string][]string // by identity
	releases map[string]*meta.Release
	errs     map[string]error // by identity, or by identity and version
	asking   sync.Mutex
	asked    map[string]int
}

func newMemory() *memory {
	return &memory{
		tags:     make(map[string][]string),
		releases: make(map[string]*meta.Release),
		errs:     make(map[string]error),
		asked:    make(map[string]int),
	}
}

func (m *memory) add(r *meta.Release) {
	id := r.Source.Identity()
	if tag := r.Version.Tag(); tag != "" {
		m.tags[id] = append(m.tags[id], tag)
		m.releases[id+" "+tag] = r
	}
	if r.Digest != "" {
		m.releases[id+" "+r.Digest] = r
	}
}

func (m *memory) fail(source string, err error) { m.errs[src(source).Identity()] = err }

func (m *memory) failVersion(source, version string, err error) {
	m.errs[src(source).Identity()+" "+version] = err
}

func (m *memory) ask(id string) {
	m.asking.Lock()
	defer m.asking.Unlock()
	m.asked[id]++
}

func (m *memory) Tags(ctx context.Context, s meta.Source) ([]string, error) {
	id := s.Identity()
	m.ask(id)
	if err := m.errs[id]; err != nil {
		return nil, err
	}
	tags, ok := m.tags[id]
	if !ok {
		return nil, fmt.Errorf("repository %s: %w", s, meta.ErrNotFound)
	}
	return tags, ctx.Err()
}

func (m *memory) Release(ctx context.Context, s meta.Source, v meta.Version) (*meta.Release, error) {
	id := s.Identity() + " " + v.Tag()
	if v.Digest() != "" {
		id = s.Identity() + " " + v.Digest()
	}
	m.ask(id)
	if err := m.errs[id]; err != nil {
		return nil, err
	}
	r, ok := m.releases[id]
	if !ok {
		return nil, fmt.Errorf("%s %s: %w", s, v, meta.ErrNotFound)
	}
	return r, ctx.Err()
}

func src(s string) meta.Source {
	source, err := meta.ParseSource(s)
	if err != nil {
		panic(err)
	}
	return source
}

func ver(s string) meta.Version {
	v, err := meta.ParseVersion(s)
	if err != nil {
		panic(err)
	}
	return v
}

// con is a constraint; a text that is none gives one that allows nothing, as
// decoding metadata does.
func con(s string) meta.Constraint {
	if c, ok := constraints.Load(s); ok {
		return c.(meta.Constraint)
	}
	c, _ := meta.ParseConstraint(s)
	constraints.Store(s, c)
	return c
}

// constraints are those that con was asked for: models ask for the same few again and again.
var constraints sync.Map

// dep reads "SOURCE" or "SOURCE CONSTRAINT", with an optional kind before it:
// "Provider acme.io/x >=v1".
func dep(s string) meta.Dependency {
	var d meta.Dependency
	for _, k := range []meta.Kind{meta.Provider, meta.Configuration, meta.Function} {
		if rest, ok := strings.CutPrefix(s, string(k)+" "); ok {
			d.Kind, s = string(k), rest
		}
	}
	source, constraint, _ := strings.Cut(strings.TrimSpace(s), " ")
	d.Package, d.Constraint = src(source), con(strings.TrimSpace(constraint))
	return d
}

// deps reads dependencies with "; " between them, because ranges have commas.
func deps(s string) []meta.Dependency {
	var ds []meta.Dependency
	for part := range strings.SplitSeq(s, ";") {
		if part = strings.TrimSpace(part); part != "" {
			ds = append(ds, dep(part))
		}
	}
	return ds
}

// node reads "SOURCE VERSION: DEP; DEP"; "-" is an unknown version.
func node(s string) dag.Node {
	head, rest := cutColon(s)
	source, version, _ := strings.Cut(head, " ")
	n := dag.Node{Source: src(source), DependsOn: deps(rest)}
	if version != "-" {
		n.Version = ver(version)
	}
	return n
}

// cutColon cuts at the colon that a space or the end of the line follows, which
// the colon of a digest or of a port never is.
func cutColon(s string) (before, after string) {
	before, after, _ = strings.Cut(s, ": ")
	return strings.TrimSuffix(before, ":"), after
}

func nodes(lines string) []dag.Node {
	var ns []dag.Node
	for _, l := range textLines(lines) {
		ns = append(ns, node(l))
	}
	return ns
}

// catalog reads one release a line: "SOURCE VERSION [KIND] [crossplane=RANGE]: DEP; DEP".
// A version may be TAG@DIGEST, and a tag that is no version may stand there too.
func catalog(lines string) *memory {
	m := newMemory()
	for _, l := range textLines(lines) {
		head, rest := cutColon(l)
		fields := strings.Fields(head)
		r := &meta.Release{Source: src(fields[0]), Version: ver(fields[1]), DependsOn: deps(rest)}
		r.Digest = r.Version.Digest()
		for _, f := range fields[2:] {
			if c, ok := strings.CutPrefix(f, "crossplane="); ok {
				r.Crossplane = con(c)
			} else {
				r.Kind = meta.Kind(f)
			}
		}
		m.add(r)
	}
	return m
}

func textLines(s string) []string {
	var ls []string
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" {
			ls = append(ls, l)
		}
	}
	return ls
}

// digest is a digest of one repeated character.
func digest(c string) string { return "sha256:" + strings.Repeat(c, 64) }

func names(ns []dag.Node) []string {
	out := make([]string, len(ns))
	for i, n := range ns {
		out[i] = n.Source.String()
	}
	return out
}

// planned lists a plan as "SOURCE VERSION".
func planned(p *dag.Plan) []string {
	if p == nil {
		return nil
	}
	out := make([]string, len(p.Packages))
	for i, x := range p.Packages {
		out[i] = x.Source.String() + " " + x.Version.String()
	}
	return out
}

func mustGraph(t testing.TB, ns ...dag.Node) *dag.Graph {
	t.Helper()
	g, err := dag.NewGraph(ns...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// before says whether a stands before b.
func before(s []string, a, b string) bool {
	i, j := slices.Index(s, a), slices.Index(s, b)
	return i >= 0 && j >= 0 && i < j
}

// cmpEmpty takes an empty list for no list.
var cmpEmpty = cmpopts.EquateEmpty()

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// unwrap is the errors that errors.Join joined.
func unwrap(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
