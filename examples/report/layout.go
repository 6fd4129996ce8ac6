package main

import (
	"cmp"
	"fmt"
	"slices"
)

// Sizes of the drawing, in pixels.
const (
	boxWidth  = 270
	boxHeight = 68
	gapX      = 70
	gapY      = 18
	margin    = 4
)

// A drawing is a graph with places: what is needed stands to the right of what needs it.
type drawing struct {
	Width, Height int
	Boxes         []box
	Lines         []string // paths of SVG
}

// A box is a package in a drawing.
type box struct {
	X, Y int
	*dependency
}

// A slot is a place in a column: a node, or a line on its way through.
type slot struct {
	node   int // -1 for a line
	column int
	row    float64
	y      int // of its middle
	left   []*slot
}

// draw lays the nodes out, the first of which is the package itself. The same graph gives the
// same drawing.
func draw(nodes []*dependency, edges [][2]int) *drawing {
	columns := place(len(nodes), edges)
	slots := make([]*slot, len(nodes))
	var table [][]*slot
	put := func(s *slot) *slot {
		for len(table) <= s.column {
			table = append(table, nil)
		}
		s.row = float64(len(table[s.column]))
		table[s.column] = append(table[s.column], s)
		return s
	}
	for i := range nodes {
		slots[i] = put(&slot{node: i, column: columns[i]})
	}
	for _, e := range edges {
		at := slots[e[0]]
		for column := at.column + 1; column < columns[e[1]]; column++ {
			way := put(&slot{node: -1, column: column})
			way.left = []*slot{at}
			at = way
		}
		if end := slots[e[1]]; at.column < end.column {
			end.left = append(end.left, at)
		}
	}
	arrange(table)
	d := &drawing{Width: len(table)*(boxWidth+gapX) - gapX + 2*margin}
	heights := make([]int, len(table))
	for c, column := range table {
		for _, s := range column {
			heights[c] += s.height() + gapY
		}
		d.Height = max(d.Height, heights[c]-gapY+2*margin)
	}
	for c, column := range table {
		y := (d.Height - heights[c] + gapY) / 2
		for _, s := range column {
			s.y = y + s.height()/2
			y += s.height() + gapY
			if s.node >= 0 {
				d.Boxes = append(d.Boxes, box{X: s.x(), Y: s.y - boxHeight/2, dependency: nodes[s.node]})
			}
		}
	}
	for _, column := range table {
		for _, s := range column {
			for _, from := range s.left {
				d.Lines = append(d.Lines, line(from, s))
			}
		}
	}
	return d
}

func (s *slot) x() int { return margin + s.column*(boxWidth+gapX) }

func (s *slot) height() int {
	if s.node < 0 {
		return gapY
	}
	return boxHeight
}

// line leads from the right side of one slot to the left side of another and, where that is no
// node, on to its right side.
func line(from, to *slot) string {
	x1, x2 := from.x()+boxWidth, to.x()
	path := fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, from.y, x1+gapX/2, from.y, x2-gapX/2, to.y, x2, to.y)
	if to.node < 0 {
		path += fmt.Sprintf("H%d", x2+boxWidth)
	}
	return path
}

// place gives each node a column: one more than the last of those that need it. In a circle the
// nodes stay where they are reached first.
func place(n int, edges [][2]int) []int {
	columns, needed := make([]int, n), make([]int, n)
	next := make([][]int, n)
	for _, e := range edges {
		next[e[0]] = append(next[e[0]], e[1])
		needed[e[1]]++
	}
	var ready []int
	for i := range n {
		if needed[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		i := ready[0]
		ready = ready[1:]
		for _, to := range next[i] {
			columns[to] = max(columns[to], columns[i]+1)
			if needed[to]--; needed[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	return columns
}

// arrange orders each column by the middle of what leads to it, so that fewer lines cross.
func arrange(table [][]*slot) {
	for range 4 {
		for _, column := range table {
			for _, s := range column {
				if len(s.left) == 0 {
					continue
				}
				sum := 0.0
				for _, from := range s.left {
					sum += from.row
				}
				s.row = sum / float64(len(s.left))
			}
			slices.SortStableFunc(column, func(a, b *slot) int { return cmp.Compare(a.row, b.row) })
			for i, s := range column {
				s.row = float64(i)
			}
		}
	}
}
