package vec

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Level is a form of the kernels, for processors that have the instructions.
type Level string

// The levels, slowest first.
const (
	Reference Level = "reference" // plain Go
	AVX2      Level = "avx2"      // AVX2, FMA, F16C
	AVX512    Level = "avx512"    // AVX-512 F, BW, DQ, VL
	VNNI      Level = "vnni"      // the same with AVX512-VNNI
	NEON      Level = "neon"      // arm64
)

// The level in use, and why AKIN_CPU was refused: chosen once, at start, so that a
// kernel call is a comparison and a jump.
var level, refused = choose(os.Getenv("AKIN_CPU"))

// choose returns the named level, or the best one for an empty name.
func choose(name string) (Level, error) {
	have := Levels()
	best := have[len(have)-1]
	if name == "" {
		return best, nil
	}
	if !slices.Contains(have, Level(name)) {
		return best, fmt.Errorf("choosing the processor level AKIN_CPU=%s: this processor has %s", name, list(have))
	}
	return Level(name), nil
}

func list(levels []Level) string {
	names := make([]string, len(levels))
	for i, l := range levels {
		names[i] = string(l)
	}
	return strings.Join(names, ", ")
}

// Levels lists what this processor has, slowest first; the last one is the default.
func Levels() []Level {
	return append([]Level{Reference}, processorLevels()...)
}

// CPU returns the level in use. The error says that AKIN_CPU names a level which this
// processor lacks; the best one is in use then.
func CPU() (Level, error) { return level, refused }

// Use switches to another level of this processor, for tests and benchmarks that compare
// levels: nothing else may be running, and what was packed must be packed again.
func Use(l Level) error {
	if _, err := choose(string(l)); err != nil || l == "" {
		return fmt.Errorf("using the processor level %q: this processor has %s", l, list(Levels()))
	}
	level = l
	return nil
}
