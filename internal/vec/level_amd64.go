package vec

import "golang.org/x/sys/cpu"

// processorLevels reads the processor's features; package cpu also asks whether the
// system saves the registers.
func processorLevels() []Level {
	x := cpu.X86
	if !x.HasAVX2 || !x.HasFMA || !x.HasF16C {
		return nil
	}
	levels := []Level{AVX2}
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL {
		levels = append(levels, AVX512)
		if x.HasAVX512VNNI {
			levels = append(levels, VNNI)
		}
	}
	return levels
}
