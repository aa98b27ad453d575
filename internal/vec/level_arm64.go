package vec

import "golang.org/x/sys/cpu"

// hasSDOT says that the processor multiplies bytes four at a time (FEAT_DotProd); the
// 8-bit kernels read it.
//
//lint:ignore U1000 only assembly reads it
var hasSDOT = cpu.ARM64.HasASIMDDP

// processorLevels: every arm64 that Go runs on has NEON.
func processorLevels() []Level { return []Level{NEON} }
