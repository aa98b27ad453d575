package vec

// group is how many rows the packing kernel transposes at once.
func (l Level) group() int {
	if l == Reference {
		return 16
	}
	return l.register()
}

// packRows writes rows of words, steps each, as columns of panels, from column first on.
// Whole groups that start at a multiple of the group go through the kernel.
func packRows(panels, rows []float32, steps, first, width int) {
	group := level.group()
	for r := 0; r*steps < len(rows); {
		j := first + r
		panel := panels[j/width*width*steps:]
		if left := len(rows)/steps - r; level != Reference && j%group == 0 && left >= group {
			packWords(panel[j%width:], rows[r*steps:(r+group)*steps], steps, width)
			r += group
			continue
		}
		for s, w := range rows[r*steps : (r+1)*steps] {
			panel[s*width+j%width] = w
		}
		r++
	}
}

// packWordsGo sets dst[s·width + r] to word s of row r.
func packWordsGo(dst, rows []float32, steps, width int) {
	for r := 0; r*steps < len(rows); r++ {
		for s, w := range rows[r*steps : (r+1)*steps] {
			dst[s*width+r] = w
		}
	}
}
