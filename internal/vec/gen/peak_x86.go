package main

// peakKernel is the multiply-adds of a tile and nothing else: the processor's own peak,
// to which the tile is compared.
func peakKernel(name string, int16s bool) function {
	return function{
		name: name, params: "steps int", driven: true, vnni: int16s,
		body: func(k *kernel) {
			m := k.machine.(x86)
			sums := m.tileRows() * 3
			a, product := m.v(sums), m.v(sums+1)
			for r := range sums + 2 {
				k.emit("VXORPS X%d, X%d, X%d", r, r, r)
			}
			steps := k.arg("steps")
			loop := k.label()
			k.mark(loop)
			for i := range sums {
				switch {
				case !int16s:
					k.emit("VFMADD231PS %s, %s, %s", a, a, m.v(i))
				case m.vnni:
					k.emit("VPDPWSSD %s, %s, %s", a, a, m.v(i))
				default:
					k.emit("VPMADDWD %s, %s, %s", a, a, product)
					k.emit("VPADDD %s, %s, %s", product, m.v(i), m.v(i))
				}
			}
			k.emit("DECQ %s", steps)
			k.emit("JNE %s", loop)
		},
	}
}
