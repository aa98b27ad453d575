package vec

// PeakF32 runs the multiply-adds of steps steps of a tile of floats from registers alone,
// and returns how many operations those are: the processor's own peak, for benchmarks to
// compare with. The level in use must not be the reference.
func PeakF32(steps int) (operations int) {
	peakF32(steps)
	return 2 * steps * level.tileRows() * panelWidth()
}

// PeakI16 is the same for 16-bit integers.
func PeakI16(steps int) (operations int) {
	peakI16(steps)
	return 4 * steps * level.tileRows() * panelWidth()
}
