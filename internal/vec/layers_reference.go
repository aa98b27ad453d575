package vec

import "math"

// The reference forms of the forward pass: the same steps as gen/layers.go.

func softmaxGo(x []float32, stride, n int, inverse []float32) {
	for r := range inverse {
		row := x[r*stride : r*stride+n]
		top := float32(math.Inf(-1))
		for _, v := range row {
			top = max(top, v)
		}
		var acc [lanes]float32
		for i, v := range row {
			row[i] = exp(v - top)
			acc[i%lanes] += row[i]
		}
		inverse[r] = 1 / reduce(&acc)
	}
}

// exp is e to the power of v, which is at most 0.
func exp(v float32) float32 {
	v = max(v, -86.6)
	n := float32(math.RoundToEven(float64(v * math.Log2E)))
	v += float32(n * -math.Ln2)
	p := float32(0.00829027331)
	for _, c := range [...]float32{0.0418981596, 0.166676381, 0.499991478, 0.999999706, 1} {
		p = float32(p*v) + c
	}
	return math.Float32frombits(math.Float32bits(p) + uint32(int32(n))<<23)
}

func geluGo(x []float32) {
	for i, v := range x {
		y := min(float32(math.Abs(float64(v))), 13)
		z := float32(float32(y*y) * (-math.Log2E / 2))
		n := float32(math.RoundToEven(float64(z)))
		f := z - n
		e := float32(0.009582857601344585)
		for _, c := range [...]float32{0.05590643733739853, 0.24024099111557007, 0.6931241750717163, 1} {
			e = float32(e*f) + c
		}
		e = math.Float32frombits(math.Float32bits(e) + uint32(int32(n))<<23)
		q := float32(9.496576967649162e-05)
		for _, c := range [...]float32{
			-0.0015051288064569235, 0.010399781167507172, -0.04231753572821617,
			0.11711642146110535, -0.24286101758480072, 0.3973715305328369, -0.49988189339637756,
		} {
			q = float32(q*y) + c
		}
		x[i] = max(v, 0) + float32(q*float32(e*y))
	}
}

func addNormGo(x, y, weight, bias, _ []float32, count, eps float32) {
	for ; len(x) > 0; x, y = x[len(weight):], y[len(weight):] {
		row := x[:len(weight)]
		var acc [lanes]float32
		for i := range row {
			row[i] += y[i]
			acc[i%lanes] += row[i]
		}
		mean := reduce(&acc) / count
		acc = [lanes]float32{}
		for i, v := range row {
			acc[i%lanes] += float32((v - mean) * (v - mean))
		}
		scale := 1 / float32(math.Sqrt(float64(reduce(&acc)/count+eps)))
		for i, v := range row {
			row[i] = float32((v-mean)*scale*weight[i]) + bias[i]
		}
	}
}

func statsGo(x []float32) (top, squares float32) {
	var acc [lanes]float32
	for i, v := range x {
		top = max(top, float32(math.Abs(float64(v))))
		acc[i%lanes] += float32(v * v)
	}
	return top, reduce(&acc)
}

func quantI16Go(dst []int16, x []float32, inverse float32) {
	for i, v := range x {
		dst[i] = int16(min(max(math.RoundToEven(float64(v*inverse)), -32768), 32767))
	}
}

func quantRowsGo(dst []int16, x, scales []float32, n int, perTop, perLength, least float32) {
	for i := range scales {
		row := x[i*n : (i+1)*n]
		top, squares := statsGo(row)
		scales[i] = max(top*perTop, float32(math.Sqrt(float64(squares)))*perLength, least)
		quantI16Go(dst[i*n:(i+1)*n], row, 1/scales[i])
	}
}

func widenGo(dst []float32, half []uint16) {
	for i, h := range half {
		dst[i] = fromHalf(h)
	}
}

// fromHalf widens a 16-bit float; every one of them is a 32-bit float.
func fromHalf(h uint16) float32 {
	sign, exponent, mantissa := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exponent {
	case 0: // zero and denormals: mantissa · 2^-24
		v := math.Float32bits(float32(mantissa) * 0x1p-24)
		return math.Float32frombits(sign | v)
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | mantissa<<13)
	default:
		return math.Float32frombits(sign | (exponent+112)<<23 | mantissa<<13)
	}
}
