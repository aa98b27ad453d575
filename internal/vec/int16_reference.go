package vec

// matMulI16Go is the product of integers, an element at a time. Its integers equal the
// other levels'; the two steps that make them floats are rounded once more.
func matMulI16Go(dst []float32, a *RowsI16, b *PackedI16, adds bool) {
	m := len(a.scale)
	for i := range m {
		row := a.codes[i*a.k : (i+1)*a.k]
		for j := range b.n {
			panel := b.panels[j/b.width*b.width*b.k:]
			var sum int32
			for s := 0; s < b.k; s += 2 {
				w := panel[s*b.width+j%b.width*2:]
				sum += int32(row[s])*int32(w[0]) + int32(row[s+1])*int32(w[1])
			}
			v := float32(float32(sum) * b.scale[j] * a.scale[i])
			at := blockAt(i, j, m, b.n, b.Block)
			switch {
			case adds:
				v += dst[at]
			case len(b.Bias) > 0:
				v += b.Bias[j]
			}
			dst[at] = v
		}
	}
}
