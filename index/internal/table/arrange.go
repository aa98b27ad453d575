package table

// Arrange gives the rows another order: row i becomes what row order[i] was. The table must
// be one that Build returned.
func (t *Table) Arrange(order []uint32) {
	Permute(t.ids, 1, order)
	Permute(t.tail, t.dim, order)
	if t.HasCodes() {
		Permute(t.codes, t.stride, order)
	}
	t.lookup = newLookup(t.ids)
}

// Permute moves rows [len(order), width] in place: row i becomes what row order[i] was.
func Permute[T any](rows []T, width int, order []uint32) {
	at := func(i int) []T { return rows[i*width : (i+1)*width] }
	moved := make([]bool, len(order))
	first := make([]T, width)
	for start := range order {
		if moved[start] {
			continue
		}
		copy(first, at(start))
		to := start
		for from := int(order[to]); from != start; from = int(order[to]) {
			copy(at(to), at(from))
			moved[to] = true
			to = from
		}
		copy(at(to), first)
		moved[to] = true
	}
}
