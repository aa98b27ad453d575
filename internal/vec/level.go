package vec

import (
	"fmt"
	"os"
	"slices"
)

// Level is a form of the kernels, for processors that have its instructions.
type Level uint8

// The levels, slowest first within an architecture.
const (
	Reference Level = iota // plain Go
	AVX2                   // AVX2, FMA, F16C
	AVX512                 // AVX-512 F, BW, DQ, VL
	VNNI                   // the same with AVX512-VNNI
	NEON                   // arm64
)

var levelNames = [...]string{"reference", "avx2", "avx512", "vnni", "neon"}

// String returns the name by which AKIN_CPU forces l.
func (l Level) String() string {
	if int(l) >= len(levelNames) {
		return fmt.Sprintf("level %d", uint8(l))
	}
	return levelNames[l]
}

// The level in use, and why AKIN_CPU was refused: chosen once, at start.
var level, refused = choose(os.Getenv("AKIN_CPU"))

// choose returns the named level, or the best one for an empty name.
func choose(name string) (Level, error) {
	have := Levels()
	best := have[len(have)-1]
	if name == "" {
		return best, nil
	}
	i := slices.IndexFunc(have, func(l Level) bool { return l.String() == name })
	if i < 0 {
		return best, fmt.Errorf("choosing the processor level AKIN_CPU=%s: this processor has %v", name, have)
	}
	return have[i], nil
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
	if have := Levels(); !slices.Contains(have, l) {
		return fmt.Errorf("using the processor level %v: this processor has %v", l, have)
	}
	level = l
	return nil
}
