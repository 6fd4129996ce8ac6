package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/meta"
)

// maxBoxes is how many packages are drawn at most. The table has all of them.
const maxBoxes = 150

// dependencies are what the package needs: what it declares and, where a catalog tells, what
// that needs in turn.
type dependencies struct {
	List     []*dependency
	Direct   int
	Resolved bool   // a catalog was asked
	Problem  string // why not all of it can be had
	Warnings []string
	Drawing  *drawing // nil where there is nothing to draw, or too much
}

// A dependency is a package, or a kind or Crossplane where these are depended on.
type dependency struct {
	Name, Path string // of a package: the last word of its repository, and all before
	Kind       string
	Range      string // that is declared; of one that is not direct, by the first that needs it
	Version    string // that was chosen
	NeededBy   []string
	API        bool // a kind, which some package brings
	Root       bool // the package itself
	Lost       bool // no version can be had
}

// Where names the dependency as its dependants do.
func (d *dependency) Where() string { return d.Path + d.Name }

func newDependency(d meta.Dependency) *dependency {
	out := &dependency{Kind: d.Kind, Range: rangeOf(d.Constraint)}
	switch {
	case !d.Package.IsZero():
		out.Path, out.Name = path.Split(printable(d.Package.String()))
	case !d.CRD.IsZero():
		out.Name, out.Kind, out.API = printable(d.CRD.String()), "API", true
	default:
		out.Name, out.Kind = printable(d.String()), "Crossplane"
	}
	out.Kind = printable(out.Kind)
	return out
}

func rangeOf(c meta.Constraint) string {
	return cmp.Or(printable(c.String()), "any version")
}

// declared are the dependencies as the package declares them.
func declared(m *meta.Package) *dependencies {
	d := &dependencies{}
	if m == nil {
		return d
	}
	var edges [][2]int
	nodes := []*dependency{rootOf(m)}
	for i, dep := range m.DependsOn {
		d.List = append(d.List, newDependency(dep))
		edges = append(edges, [2]int{0, i + 1})
	}
	d.Direct = len(d.List)
	d.draw(append(nodes, d.List...), edges)
	return d
}

func rootOf(m *meta.Package) *dependency {
	return &dependency{Name: printable(m.Name), Kind: string(m.Kind), Range: "this package", Root: true}
}

func (d *dependencies) draw(nodes []*dependency, edges [][2]int) {
	if len(nodes) > 1 && len(nodes) <= maxBoxes {
		d.Drawing = draw(nodes, edges)
	}
}

// resolve asks a catalog what the declared dependencies come to. The error means that the
// question could not be asked; that there is no answer is in Problem.
func resolve(ctx context.Context, m *meta.Package, catalog *dag.StaticCatalog) (*dependencies, error) {
	d := declared(m)
	if d.Direct == 0 {
		return d, nil
	}
	d.Resolved = true
	index := dag.NewKindIndex(catalog.Releases()...)
	roots := slices.Clone(m.DependsOn)
	var preferred []meta.Source
	for _, r := range roots {
		preferred = append(preferred, r.Package)
	}
	var faults []error
	for i, r := range roots {
		if r.CRD.IsZero() || index.IsEmpty() {
			continue
		}
		followed, err := index.Follow(r, preferred...)
		if err != nil {
			faults = append(faults, err)
		}
		roots[i] = followed
	}
	asked := slices.DeleteFunc(slices.Clone(roots), func(r meta.Dependency) bool { return r.Package.IsZero() })
	plan, err := dag.Resolve(ctx, asked, dag.ByKind(catalog, index, preferred...), nil)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err = errors.Join(append(faults, err)...); err != nil {
		d.Problem = cut(err.Error(), 4*maxValue)
	}
	if plan != nil {
		d.take(m, roots, plan)
	}
	return d, nil
}

// take adds what was planned.
func (d *dependencies) take(m *meta.Package, roots []meta.Dependency, plan *dag.Plan) {
	nodes := []*dependency{rootOf(m)}
	var edges [][2]int
	at := map[string]int{} // the node of a package, by its identity
	for i, r := range roots {
		if known, twice := at[r.Package.Identity()]; twice && !r.Package.IsZero() {
			edges = append(edges, [2]int{0, known})
			continue
		}
		nodes = append(nodes, d.List[i])
		edges = append(edges, [2]int{0, len(nodes) - 1})
		if !r.Package.IsZero() {
			at[r.Package.Identity()] = len(nodes) - 1
		}
	}
	for _, p := range plan.Packages { // dependencies first
		i, known := at[p.Source.Identity()]
		if !known {
			i = len(nodes)
			at[p.Source.Identity()] = i
			nodes = append(nodes, newDependency(meta.Dependency{Package: p.Source}))
			d.List = append(d.List, nodes[i])
		}
		nodes[i].Version = printable(p.Version.String())
		if nodes[i].API {
			nodes[i].Version = printable(p.Source.String() + " " + p.Version.String())
		} else if p.Release != nil {
			nodes[i].Kind = cmp.Or(string(p.Release.Kind), nodes[i].Kind)
		}
	}
	for _, p := range plan.Packages {
		if p.Release == nil {
			continue
		}
		from := at[p.Source.Identity()]
		for _, dep := range p.Release.DependsOn {
			to, known := at[dep.Package.Identity()]
			if !known || dep.Package.IsZero() {
				continue
			}
			edges = append(edges, [2]int{from, to})
			nodes[to].NeededBy = append(nodes[to].NeededBy, nodes[from].Name)
			if len(nodes[to].NeededBy) == 1 && slices.Index(d.List, nodes[to]) >= d.Direct {
				nodes[to].Range = rangeOf(dep.Constraint)
			}
		}
	}
	for i, r := range roots {
		d.List[i].Lost = !r.Package.IsZero() && nodes[at[r.Package.Identity()]].Version == ""
	}
	for _, w := range plan.Warnings {
		d.Warnings = append(d.Warnings, cut(w.String(), 2*maxName))
	}
	slices.SortFunc(edges, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	d.draw(nodes, slices.Compact(edges))
}

// Summary says how many there are.
func (d *dependencies) Summary() string {
	text := fmt.Sprintf("%d direct", d.Direct)
	if d.Resolved {
		text += fmt.Sprintf(", %d with all that these need", len(d.List))
	}
	return text
}

// short cuts a text to what fits into a box.
func short(text string, letters int) string {
	runes := []rune(text)
	if len(runes) <= letters {
		return text
	}
	return strings.TrimSpace(string(runes[:letters-1])) + "…"
}

// printable is text of a package on one line, in which nothing can turn the direction of
// what stands beside it.
func printable(text string) string { return report.Printable(cut(text, maxName)) }
