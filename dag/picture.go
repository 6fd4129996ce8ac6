package dag

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Edge states: how what is required compares with what is there.
const (
	edgeMet         = "met"
	edgeMissing     = "missing"
	edgeUnsatisfied = "unsatisfied"
)

// A picture is a graph as it is drawn: what is there and what is missing, and who
// requires what.
type picture struct {
	Nodes []drawnNode `json:"nodes"`
	Edges []drawnEdge `json:"edges"`
}

type drawnNode struct {
	Source  string   `json:"source"`
	Version string   `json:"version,omitempty"`
	Kind    string   `json:"kind,omitempty"`
	Owners  []string `json:"owners,omitempty"`
	Missing bool     `json:"missing,omitempty"`
	Given   bool     `json:"given,omitempty"`
}

type drawnEdge struct {
	From       string `json:"from"`
	To         string `json:"to"`
	Constraint string `json:"constraint,omitempty"`
	State      string `json:"state"`
	from, to   int32
}

func (g *Graph) picture() picture {
	p := picture{Nodes: make([]drawnNode, 0, g.edges.size()), Edges: make([]drawnEdge, 0, len(g.edges.to))}
	for _, n := range g.nodes {
		p.Nodes = append(p.Nodes, drawnNode{
			Source: n.Source.String(), Version: n.Version.String(), Kind: string(n.Kind), Owners: n.Owners,
			Given: g.given[n.Source.Identity()],
		})
	}
	for _, s := range g.missing {
		p.Nodes = append(p.Nodes, drawnNode{Source: s.String(), Missing: true})
	}
	unmet := g.unmet()
	for i := range int32(len(g.nodes)) {
		for e := g.edges.start[i]; e < g.edges.start[i+1]; e++ {
			t := g.edges.to[e]
			d := drawnEdge{
				From: p.Nodes[i].Source, To: p.Nodes[t].Source, from: i, to: t,
				Constraint: g.nodes[i].DependsOn[g.declared[e]].Constraint.String(), State: edgeMet,
			}
			switch {
			case int(t) >= len(g.nodes):
				d.State = edgeMissing
			case len(unmet) > 0 && unmet[0].edge == e:
				d.State = edgeUnsatisfied
				unmet = unmet[1:]
			}
			p.Edges = append(p.Edges, d)
		}
	}
	return p
}

// MarshalJSON is the graph as one object: "nodes", each with its "source" and, where
// there are such, "version", "kind" and "owners", or "missing": true, or "given": true for what is taken as given; and "edges",
// each "from" a source "to" a source, with the "constraint" if there is one and a
// "state": "met", "missing" or "unsatisfied". Nodes have the order of their
// identities, missing ones last; edges that of their ends. There is no error.
func (g *Graph) MarshalJSON() ([]byte, error) { return json.Marshal(g.picture()) }

// errNoWriter is the answer to whoever draws to nobody.
var errNoWriter = errors.New("no writer was given")

// WriteDOT writes the graph in the language of Graphviz: packages as boxes, missing
// ones dashed, an arrow to what is required with the constraint on it, dashed when
// that is missing and red when its version will not do. The same graph gives the same
// bytes. The error is the writer's.
func (g *Graph) WriteDOT(w io.Writer) error {
	if w == nil {
		return errNoWriter
	}
	p := g.picture()
	b := bufio.NewWriter(w)
	b.WriteString("digraph packages {\n\tnode [shape=box];\n")
	for i, n := range p.Nodes {
		style := ""
		if n.Missing {
			style = ", style=dashed"
		}
		fmt.Fprintf(b, "\tn%d [label=\"%s\"%s];\n", i, n.label(dotText, `\n`), style)
	}
	for _, e := range p.Edges {
		style := ""
		switch e.State {
		case edgeMissing:
			style = ", style=dashed"
		case edgeUnsatisfied:
			style = ", color=red, fontcolor=red"
		}
		fmt.Fprintf(b, "\tn%d -> n%d [label=\"%s\"%s];\n", e.from, e.to, dotText(e.Constraint), style)
	}
	b.WriteString("}\n")
	return b.Flush() // a writer that failed before fails here
}

// WriteMermaid writes the graph in the language of Mermaid, which is drawn in many
// places where Markdown is: missing packages dashed, an arrow to what is required
// with the constraint on it, dotted when that is missing, and marked with a cross when
// its version will not do. The same graph gives the same bytes. The error is the
// writer's.
func (g *Graph) WriteMermaid(w io.Writer) error {
	if w == nil {
		return errNoWriter
	}
	p := g.picture()
	b := bufio.NewWriter(w)
	b.WriteString("flowchart TD\n")
	for i, n := range p.Nodes {
		class := ""
		if n.Missing {
			class = ":::missing"
		}
		fmt.Fprintf(b, "    n%d[\"%s\"]%s\n", i, n.label(mermaidText, "<br/>"), class)
	}
	for _, e := range p.Edges {
		arrow := "-->"
		switch e.State {
		case edgeMissing:
			arrow = "-.->"
		case edgeUnsatisfied:
			arrow = "--x"
		}
		label := ""
		if e.Constraint != "" {
			label = "|\"" + mermaidText(e.Constraint) + "\"|"
		}
		fmt.Fprintf(b, "    n%d %s%s n%d\n", e.from, arrow, label, e.to)
	}
	b.WriteString("    classDef missing stroke-dasharray: 4\n")
	return b.Flush() // a writer that failed before fails here
}

// label is a node in the words of a language that has lines and escapes of its own.
func (n drawnNode) label(escape func(string) string, line string) string {
	switch {
	case n.Missing:
		return escape(n.Source) + line + "missing"
	}
	text := escape(n.Source)
	if n.Version != "" {
		text += line + escape(n.Version)
	}
	if n.Given {
		text += line + "taken as given"
	}
	return text
}

// dotText is a text within the quotation marks of DOT.
func dotText(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(oneLine(s), `\`, `\\`), `"`, `\"`)
}

// mermaidText is a text within the quotation marks of Mermaid, where characters that
// mean something to it or to HTML are written by their numbers.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
		if strings.ContainsRune("\"#&<>`;\\|[]{}()", r) {
			fmt.Fprintf(&b, "#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// oneLine puts a space in the place of what would end a line or control a terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}
