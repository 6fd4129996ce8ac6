package dag_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// chain is n packages, each of which requires the next.
func chain(n int) []dag.Node {
	ns := make([]dag.Node, n)
	for i := range ns {
		ns[i].Source = src(fmt.Sprintf("acme.io/p%07d", i))
	}
	for i := range n - 1 {
		ns[i].DependsOn = []meta.Dependency{{Package: ns[i+1].Source}}
	}
	return ns
}

// A chain of a million packages is hostile input, not a reason to overflow.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("a million packages take half a gigabyte and some seconds: run without -short")
	}
	const n = 1_000_000
	ns := chain(n)
	first, last := ns[0].Source, ns[n-1].Source
	g := mustGraph(t, ns...)
	order, err := g.Order()
	if err != nil || len(order) != n || !order[0].Source.Equal(last) {
		t.Fatalf("%d packages in order, error %v", len(order), err)
	}
	if path := g.Path(first, last); len(path) != n {
		t.Errorf("a path of %d", len(path))
	}
}

// A ring, whose only circle is the whole, costs no more than the documented steps.
func TestLongRing(t *testing.T) {
	const n = 100_000
	ns := chain(n)
	if layers, err := mustGraph(t, ns...).Layers(); err != nil || len(layers) != n {
		t.Errorf("the chain has %d layers, error %v", len(layers), err)
	}
	ns[n-1].DependsOn = []meta.Dependency{{Package: ns[0].Source}}
	g := mustGraph(t, ns...)
	if cycles := g.Cycles(); len(cycles) != 1 || len(cycles[0].Path) != n+1 {
		t.Errorf("%d cycles", len(cycles))
	}
	if spoilt := g.Spoilt(); len(spoilt) != n || len(g.Sound()) != 0 {
		t.Errorf("%d packages of %d are spoilt", len(spoilt), n)
	}
}

// Pictures of a long chain have a line for each package and each edge, and are written
// without going down it.
func TestLongPictures(t *testing.T) {
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	g := mustGraph(t, chain(n)...)
	for name, write := range map[string]func(io.Writer) error{"DOT": g.WriteDOT, "Mermaid": g.WriteMermaid} {
		var lines counter
		if err := write(&lines); err != nil || int(lines) < 2*n || int(lines) > 2*n+10 {
			t.Errorf("%s has %d lines, error %v", name, lines, err)
		}
	}
	var drawn struct{ Nodes, Edges []json.RawMessage }
	data, err := json.Marshal(g)
	if err != nil || json.Unmarshal(data, &drawn) != nil || len(drawn.Nodes) != n || len(drawn.Edges) != n-1 {
		t.Errorf("the data has %d nodes and %d edges, error %v", len(drawn.Nodes), len(drawn.Edges), err)
	}
	broken := errors.New("no space left")
	if err := g.WriteDOT(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("a writer that fails gives %v", err)
	}
	if err := g.WriteMermaid(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("a writer that fails gives %v", err)
	}
}

// A counter counts the lines that are written to it.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(bytes.Count(b, []byte("\n")))
	return len(b), nil
}

// failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// The explanation of a conflict at the end of a long chain grows as the chain does: its
// requirements share their paths, and prose counts the middle of them.
func TestLongConflict(t *testing.T) {
	n := 5000
	if testing.Short() {
		n = 1000
	}
	m := newMemory()
	for _, p := range chain(n) {
		m.add(&meta.Release{Source: p.Source, Version: ver("v1.0.0"), DependsOn: p.DependsOn})
	}
	last := m.releases[fmt.Sprintf("acme.io/p%07d v1.0.0", n-1)]
	last.DependsOn = deps("acme.io/gone")
	_, err := resolve(deps("acme.io/p0000000"), m, nil)
	var none *dag.NoSolutionError
	if !errors.As(err, &none) || len(none.Conflicts) != 1 {
		t.Fatalf("error is %T", err)
	}
	packages := none.Conflicts[0].Packages
	if r := packages[0].Requirements[0]; len(r.Path) != n || !r.Rooted || !r.Path[0].Source.Equal(last.Source) {
		t.Errorf("the path has %d steps", len(r.Path))
	}
	for _, p := range packages[1 : len(packages)-1] {
		for _, r := range p.Requirements {
			if !r.Rooted || len(r.Path) == 0 || !r.Path[len(r.Path)-1].Source.Equal(src("acme.io/p0000000")) {
				t.Fatalf("the path to %s does not come from the root", p.Source)
			}
		}
	}
	if text := none.Error(); len(text) > 1000*n || !strings.Contains(text, fmt.Sprintf("<- (%d more) <-", n-20)) {
		t.Errorf("the text is %d bytes long", len(text))
	}
	data, err := json.Marshal(none)
	var told struct {
		Conflicts []struct {
			Packages []struct {
				Requirements []struct {
					Path    []json.RawMessage
					Omitted int
				}
			}
		}
	}
	if err != nil || len(data) > 10_000*n || json.Unmarshal(data, &told) != nil {
		t.Fatalf("the data is %d bytes long, error %v", len(data), err)
	}
	if r := told.Conflicts[0].Packages[0].Requirements[0]; len(r.Path) != 100 || r.Omitted != n-100 {
		t.Errorf("the path in the data has %d steps, %d are omitted", len(r.Path), r.Omitted)
	}
}
