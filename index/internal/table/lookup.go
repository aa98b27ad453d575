package table

// lookup finds the row of an id: a hash table with open addressing in one slice, which
// holds no ids of its own and can be read from a file in place. An entry is never
// removed; the row of a stored id is replaced.
type lookup struct {
	cells []uint32 // row + 1, or 0 where empty
	used  int
}

// Of four cells at most three are used, so that a probe is short.
const loadNumerator, loadDenominator = 3, 4

// get returns the row of id among ids. It trusts nothing that it reads.
func (l *lookup) get(ids []uint32, id uint32) (row uint32, ok bool) {
	if len(l.cells) == 0 {
		return 0, false
	}
	at := l.home(id)
	for range l.cells {
		cell := l.cells[at]
		if cell == 0 || int(cell) > len(ids) {
			return 0, false
		}
		if ids[cell-1] == id {
			return cell - 1, true
		}
		if at++; at == len(l.cells) {
			at = 0
		}
	}
	return 0, false
}

// set makes row the row of ids[row].
func (l *lookup) set(ids []uint32, row uint32) {
	if (l.used+1)*loadDenominator > len(l.cells)*loadNumerator {
		l.resize(ids, (l.used+1)*2)
	}
	l.put(ids, row)
}

// put needs a free cell.
func (l *lookup) put(ids []uint32, row uint32) {
	at := l.home(ids[row])
	for l.cells[at] != 0 {
		if ids[l.cells[at]-1] == ids[row] {
			l.cells[at] = row + 1
			return
		}
		if at++; at == len(l.cells) {
			at = 0
		}
	}
	l.cells[at] = row + 1
	l.used++
}

// resize makes room for n ids.
func (l *lookup) resize(ids []uint32, n int) {
	old := l.cells
	*l = lookup{cells: make([]uint32, n*loadDenominator/loadNumerator+1)}
	for _, cell := range old {
		if cell != 0 {
			l.put(ids, cell-1)
		}
	}
}

// home is the first cell that an id may be in.
func (l *lookup) home(id uint32) int {
	return int(uint64(id*0x9E3779B1) * uint64(len(l.cells)) >> 32)
}

// newLookup is the one table for ids that come once: it does not depend on how it grew.
func newLookup(ids []uint32) lookup {
	var l lookup
	l.resize(nil, len(ids))
	for row := range ids {
		l.put(ids, uint32(row))
	}
	return l
}
