package dag

// A digraph is a directed graph over the numbers 0 to len(start)-2, its edges
// held in one slice: the successors of i are to[start[i]:start[i+1]]. Fifty
// thousand packages with eight dependencies each are then two allocations, not
// fifty thousand.
type digraph struct {
	start []int32
	to    []int32
}

// size is the number of nodes.
func (d digraph) size() int { return max(0, len(d.start)-1) }

// succ is the successors of i.
func (d digraph) succ(i int32) []int32 { return d.to[d.start[i]:d.start[i+1]] }

// reverse is the same graph with every edge turned round. Predecessors come out
// in ascending order, because the edges are visited in the order of their origins.
func (d digraph) reverse() digraph {
	r := digraph{start: make([]int32, len(d.start)), to: make([]int32, len(d.to))}
	for _, t := range d.to {
		r.start[t+1]++
	}
	for i := 1; i < len(r.start); i++ {
		r.start[i] += r.start[i-1]
	}
	next := make([]int32, d.size())
	copy(next, r.start)
	for i := range int32(d.size()) {
		for _, t := range d.succ(i) {
			r.to[next[t]] = i
			next[t]++
		}
	}
	return r
}

// components are the strongly connected components of a digraph, successors
// first: an edge never leads to a later component. order lists the nodes
// component by component; component k is order[bounds[k]:bounds[k+1]].
type components struct {
	order  []int32
	bounds []int32
}

// stronglyConnected finds the components with Tarjan's algorithm, in time linear
// in nodes and edges. It keeps its own stack: a chain of a million packages is
// hostile input, not a reason to overflow the goroutine's.
func stronglyConnected(d digraph) components {
	n := d.size()
	c := components{order: make([]int32, 0, n), bounds: []int32{0}}
	// seen is the visiting number, from 1; 0 is unvisited, and a node whose
	// component is complete has number -1 so that it is never looked at again.
	seen := make([]int32, n)
	low := make([]int32, n)
	next := make([]int32, n) // the next edge of each node to follow
	copy(next, d.start)
	var visits int32
	var path, open []int32 // the walk, and the nodes whose component is not complete
	enter := func(i int32) {
		visits++
		seen[i], low[i] = visits, visits
		path = append(path, i)
		open = append(open, i)
	}
	for root := range int32(n) {
		if seen[root] != 0 {
			continue
		}
		enter(root)
		for len(path) > 0 {
			i := path[len(path)-1]
			if next[i] < d.start[i+1] {
				t := d.to[next[i]]
				next[i]++
				switch {
				case seen[t] == 0:
					enter(t)
				case seen[t] > 0:
					low[i] = min(low[i], seen[t])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				p := path[len(path)-1]
				low[p] = min(low[p], low[i])
			}
			if low[i] != seen[i] {
				continue
			}
			for {
				last := open[len(open)-1]
				open = open[:len(open)-1]
				seen[last] = -1
				c.order = append(c.order, last)
				if last == i {
					break
				}
			}
			c.bounds = append(c.bounds, int32(len(c.order)))
		}
	}
	return c
}

// len is the number of components.
func (c components) len() int { return len(c.bounds) - 1 }

// members are the nodes of component k.
func (c components) members(k int) []int32 { return c.order[c.bounds[k]:c.bounds[k+1]] }

// cyclic says whether the members of a component lie on a cycle: there are
// several, or the only one has an edge to itself.
func cyclic(d digraph, members []int32) bool {
	if len(members) > 1 {
		return true
	}
	for _, t := range d.succ(members[0]) {
		if t == members[0] {
			return true
		}
	}
	return false
}

// reachable marks every node that can be reached from a start, the starts
// included.
func reachable(d digraph, starts ...int32) []bool {
	reached := make([]bool, d.size())
	stack := make([]int32, 0, len(starts))
	push := func(i int32) {
		if !reached[i] {
			reached[i] = true
			stack = append(stack, i)
		}
	}
	for _, s := range starts {
		push(s)
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, t := range d.succ(i) {
			push(t)
		}
	}
	return reached
}
