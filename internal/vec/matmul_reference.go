package vec

// matMulGo is the product, a row and a panel at a time; panels gives the panel of a number.
func matMulGo(dst, a []float32, adds bool, b *Packed, m int, panels func(int) []float32) {
	sums := make([]float32, b.width)
	for j := 0; j < b.n; j += b.width {
		panel := panels(j / b.width)[:b.width*b.k]
		cols := min(b.width, b.n-j)
		for i := range m {
			clear(sums)
			for c := range cols {
				switch {
				case adds:
					sums[c] = dst[b.at(i, j+c, m)]
				case len(b.Bias) > 0:
					sums[c] = b.Bias[j+c]
				}
			}
			for s, x := range a[i*b.k : (i+1)*b.k] {
				for c, w := range panel[s*b.width : (s+1)*b.width] {
					sums[c] += float32(x * w)
				}
			}
			for c, v := range sums[:cols] {
				dst[b.at(i, j+c, m)] = v
			}
		}
	}
}

// at is the place in the product of m rows of row i and column j.
func (b *Packed) at(i, j, m int) int {
	return blockAt(i, j, m, b.n, b.Block)
}

func blockAt(i, j, m, n, block int) int {
	if block == 0 {
		return i*n + j
	}
	return j/block*m*block + i*block + j%block
}
