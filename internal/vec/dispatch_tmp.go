package vec

func panelWidth() int { return 48 }
func dot(a, b []float32) float32 { return dotGo(a, b) }
func dots(dst, q, rows []float32) { dotsGo(dst, q, rows) }
func dotsAt(dst, q, rows []float32, ids []uint32) { dotsAtGo(dst, q, rows, ids) }
func axpy(dst, x []float32, a float32) { axpyGo(dst, x, a) }
func scale(x []float32, a float32) { scaleGo(x, a) }
func dotsI8(dst []int32, q, rows []int8) { dotsI8Go(dst, q, rows) }
func dotsI8At(dst []int32, q, rows []int8, ids []uint32) { dotsI8AtGo(dst, q, rows, ids) }
func packF32(panels, b []float32, k, width int) { packF32Go(panels, b, k, width) }
func matMul(dst, a []float32, b *Packed, m int) { matMulGo(dst, a, b, m) }
func processorLevels() []Level { return nil }
