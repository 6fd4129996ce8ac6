package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/cli"
)

// Whatever is drawn, what is needed stands to the right of what needs it, nothing lies on
// anything else or beyond the edge, and every edge has its line.
func TestDraw(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		nodes := make([]*dependency, 1+r.IntN(30))
		for i := range nodes {
			nodes[i] = &dependency{Name: fmt.Sprint(i)}
		}
		var edges [][2]int
		for to := 1; to < len(nodes); to++ {
			for from := range to {
				if from == 0 && len(edges) < to || r.IntN(5) == 0 {
					edges = append(edges, [2]int{from, to})
				}
			}
		}
		d := draw(nodes, edges)
		if again := draw(nodes, edges); !reflect.DeepEqual(d, again) {
			t.Fatalf("seed %d: two drawings of the same", seed)
		}
		at := map[string]box{}
		for _, b := range d.Boxes {
			if b.X < 0 || b.Y < 0 || b.X+boxWidth > d.Width || b.Y+boxHeight > d.Height {
				t.Fatalf("seed %d: %s is at %d %d of %d %d", seed, b.Name, b.X, b.Y, d.Width, d.Height)
			}
			for _, other := range at {
				if other.X == b.X && abs(other.Y-b.Y) < boxHeight {
					t.Fatalf("seed %d: %s lies on %s", seed, b.Name, other.Name)
				}
			}
			at[b.Name] = b
		}
		if len(at) != len(nodes) {
			t.Fatalf("seed %d: %d of %d nodes are drawn", seed, len(at), len(nodes))
		}
		lines := 0
		for _, e := range edges {
			from, to := at[nodes[e[0]].Name], at[nodes[e[1]].Name]
			if from.X >= to.X {
				t.Fatalf("seed %d: %s is not to the left of %s", seed, from.Name, to.Name)
			}
			lines += (to.X - from.X) / (boxWidth + gapX)
		}
		if len(d.Lines) != lines {
			t.Fatalf("seed %d: %d lines, want %d", seed, len(d.Lines), lines)
		}
	}
}

func abs(n int) int { return max(n, -n) }

// A circle, which no plan has, is drawn all the same.
func TestDrawCircle(t *testing.T) {
	nodes := []*dependency{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	if d := draw(nodes, [][2]int{{0, 1}, {1, 2}, {2, 1}, {0, 0}}); len(d.Boxes) != 3 {
		t.Errorf("%d boxes", len(d.Boxes))
	}
}

// More packages than anybody could look at are told in the table only.
func TestManyDependencies(t *testing.T) {
	var b strings.Builder
	b.WriteString("apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: a}\nspec:\n  dependsOn:\n")
	for i := range maxBoxes {
		fmt.Fprintf(&b, "  - {provider: acme.io/p%d, version: v1.0.0}\n", i)
	}
	text, err := os.ReadFile(makePage(t, strings.NewReader(b.String()), "-"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("<svg")) || !bytes.Contains(text, []byte(fmt.Sprintf("p%d</th>", maxBoxes-1))) {
		t.Error("they are drawn, or not in the table")
	}
}

// A page that cannot be written whole is not written at all, and the one that was there stays.
func TestWhole(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := newProgram().Exec(t.Context(), []string{"-timeout", "1ns", "-out", file, filepath.Join("..", "inspect", "sample")}, nil, &stdout, &stderr)
	got, err := os.ReadFile(file)
	if code != cli.Failed || err != nil || string(got) != "before" {
		t.Errorf("exit code %d and %.20q, %v; stderr %s", code, got, err, &stderr)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("%d files, %v", len(list), err)
	}
}
