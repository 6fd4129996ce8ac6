package dag_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

const drawn = `acme.io/app v1.0.0: acme.io/lib >=v1.0.0, <v2.0.0; acme.io/net >=v2; acme.io/gone
	acme.io/net v1.0.0
	acme.io/lib v1.2.0`

func TestWriteDOT(t *testing.T) {
	const want = `digraph packages {
	node [shape=box];
	n0 [label="acme.io/app\nv1.0.0"];
	n1 [label="acme.io/lib\nv1.2.0"];
	n2 [label="acme.io/net\nv1.0.0"];
	n3 [label="acme.io/gone\nmissing", style=dashed];
	n0 -> n1 [label=">=v1.0.0, <v2.0.0"];
	n0 -> n2 [label=">=v2", color=red, fontcolor=red];
	n0 -> n3 [label="", style=dashed];
}
`
	var b strings.Builder
	if err := mustGraph(t, nodes(drawn)...).WriteDOT(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("DOT (-want +got):\n%s", diff)
	}
}

func TestWriteMermaid(t *testing.T) {
	const want = `flowchart TD
    n0["acme.io/app<br/>v1.0.0"]
    n1["acme.io/lib<br/>v1.2.0"]
    n2["acme.io/net<br/>v1.0.0"]
    n3["acme.io/gone<br/>missing"]:::missing
    n0 -->|"#62;=v1.0.0, #60;v2.0.0"| n1
    n0 --x|"#62;=v2"| n2
    n0 -.-> n3
    classDef missing stroke-dasharray: 4
`
	var b strings.Builder
	if err := mustGraph(t, nodes(drawn)...).WriteMermaid(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("Mermaid (-want +got):\n%s", diff)
	}
}

func TestGraphJSON(t *testing.T) {
	n := node("acme.io/app v1.0.0: acme.io/lib >=v2; acme.io/gone")
	n.Owners, n.Kind = []string{"app"}, meta.Configuration
	got, err := json.Marshal(mustGraph(t, n, node("acme.io/lib v1.0.0")))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"nodes":[{"source":"acme.io/app","version":"v1.0.0","kind":"Configuration","owners":["app"]},` +
		`{"source":"acme.io/lib","version":"v1.0.0"},{"source":"acme.io/gone","missing":true}],` +
		`"edges":[{"from":"acme.io/app","to":"acme.io/lib","constraint":"\u003e=v2","state":"unsatisfied"},` +
		`{"from":"acme.io/app","to":"acme.io/gone","state":"missing"}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
	if got, _ := json.Marshal(mustGraph(t)); string(got) != `{"nodes":[],"edges":[]}` {
		t.Errorf("a graph of nothing is %s", got)
	}
}

// Hostile texts stay within their quotation marks.
func TestPicturesEscape(t *testing.T) {
	d := dep("acme.io/lib")
	d.Constraint, _ = meta.ParseConstraint("\"]; evil\n\\\"|x|<script>`end`\u2028#quot;")
	g, _ := dag.NewGraph(dag.Node{Source: src("a.io/x"), DependsOn: []meta.Dependency{d}}, node("acme.io/lib v1.0.0"))
	var b strings.Builder
	if err := g.WriteDOT(&b); err != nil {
		t.Fatal(err)
	}
	if want := `[label="\"]; evil \\\"|x|<script>` + "`end`" + ` #quot;"`; !strings.Contains(b.String(), want) {
		t.Errorf("DOT holds no %s:\n%s", want, b.String())
	}
	b.Reset()
	if err := g.WriteMermaid(&b); err != nil {
		t.Fatal(err)
	}
	if want := `--x|"#34;#93;#59; evil #92;#34;#124;x#124;#60;script#62;#96;end#96; #35;quot#59;"| n1`; !strings.Contains(b.String(), want) {
		t.Errorf("Mermaid holds no %s:\n%s", want, b.String())
	}
	if lines := strings.Count(b.String(), "\n"); lines != 5 {
		t.Errorf("Mermaid has %d lines, want 5:\n%s", lines, b.String())
	}
}

// A failing writer's error comes back.
func TestPictureWriterFails(t *testing.T) {
	g := mustGraph(t, nodes(drawn)...)
	if err := g.WriteDOT(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("WriteDOT: %v", err)
	}
	if err := g.WriteMermaid(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("WriteMermaid: %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }
