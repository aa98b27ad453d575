package vec

// lanes is the number of partial sums of every reduction, at every level.
const lanes = 16

// reduce adds the lanes in halves.
func reduce(acc *[lanes]float32) float32 {
	for half := lanes / 2; half > 0; half /= 2 {
		for l := range half {
			acc[l] += acc[l+half]
		}
	}
	return acc[0]
}

func dotGo(a, b []float32) float32 {
	var acc [lanes]float32
	b = b[:len(a)]
	for len(a) >= lanes {
		x, y := a[:lanes], b[:lanes]
		for l := range acc {
			acc[l] += float32(x[l] * y[l])
		}
		a, b = a[lanes:], b[lanes:]
	}
	for l := range a {
		acc[l] += float32(a[l] * b[l])
	}
	return reduce(&acc)
}

func dotsGo(dst, q, rows []float32) {
	for i := range dst {
		dst[i] = dotGo(q, rows[i*len(q):(i+1)*len(q)])
	}
}

func dotsAtGo(dst, q, rows []float32, ids []uint32) {
	for i, id := range ids {
		dst[i] = dotGo(q, rows[int(id)*len(q):(int(id)+1)*len(q)])
	}
}

func axpyGo(dst, x []float32, a float32) {
	for i := range dst {
		dst[i] += float32(a * x[i])
	}
}

func scaleGo(x []float32, a float32) {
	for i := range x {
		x[i] *= a
	}
}
