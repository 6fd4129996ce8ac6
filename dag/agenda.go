package dag

// An agenda is the packages that are required and not yet decided. The first is
// one with a single candidate left, because nothing is chosen by deciding it;
// then the nearest to the roots, so that roots and what stands near to them get
// their newest versions before the rest does; then by identity. It is a heap
// that knows where each package is.
type agenda struct {
	heap  []int32
	place map[int32]int // index in heap
	less  func(a, b int32) bool
}

func newAgenda(less func(a, b int32) bool) *agenda {
	return &agenda{place: make(map[int32]int), less: less}
}

// put adds a package, or moves it after its rank has changed.
func (a *agenda) put(i int32) {
	at, ok := a.place[i]
	if !ok {
		at = len(a.heap)
		a.heap = append(a.heap, i)
		a.place[i] = at
	}
	a.settle(at)
}

// drop takes a package out, if it is in.
func (a *agenda) drop(i int32) {
	at, ok := a.place[i]
	if !ok {
		return
	}
	last := len(a.heap) - 1
	a.swap(at, last)
	a.heap = a.heap[:last]
	delete(a.place, i)
	if at < last {
		a.settle(at)
	}
}

// pop takes the first package out.
func (a *agenda) pop() (int32, bool) {
	if len(a.heap) == 0 {
		return 0, false
	}
	i := a.heap[0]
	a.drop(i)
	return i, true
}

func (a *agenda) swap(x, y int) {
	a.heap[x], a.heap[y] = a.heap[y], a.heap[x]
	a.place[a.heap[x]], a.place[a.heap[y]] = x, y
}

// settle restores the order of the heap around one place.
func (a *agenda) settle(at int) {
	for at > 0 {
		up := (at - 1) / 2
		if !a.less(a.heap[at], a.heap[up]) {
			break
		}
		a.swap(at, up)
		at = up
	}
	for {
		child := 2*at + 1
		if child >= len(a.heap) {
			return
		}
		if right := child + 1; right < len(a.heap) && a.less(a.heap[right], a.heap[child]) {
			child = right
		}
		if !a.less(a.heap[child], a.heap[at]) {
			return
		}
		a.swap(at, child)
		at = child
	}
}
