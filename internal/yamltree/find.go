package yamltree

// Find follows a path of keys (string) and indexes (int) from the root. It
// returns how many of its elements it could follow and where that led: the
// value, and its key, which is None for the root and for items of sequences.
// Aliases are followed, and merge keys are looked into.
func (t *Tree) Find(path []any) (p Pair, followed int) {
	p = Pair{None, 0}
	for i, step := range path {
		switch step := step.(type) {
		case string:
			next, ok := t.Get(p.Value, step)
			if !ok {
				return p, i
			}
			p = next
		case int:
			items := t.Items(p.Value)
			if step < 0 || step >= len(items) {
				return p, i
			}
			p = Pair{None, items[step]}
		default:
			return p, i
		}
	}
	return p, len(path)
}
