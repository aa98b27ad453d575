package vec_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/vec"
)

func TestViewReadsLittleEndianValuesAtAnyAlignment(t *testing.T) {
	want := []float32{1, -2.5, 0, float32(math.Inf(1)), 1e-40}
	b := make([]byte, 3)
	for _, x := range want {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	for shift := range 4 {
		shifted := append(make([]byte, shift), b[3:]...)[shift:]
		if diff := cmp.Diff(want, vec.View[float32](shifted)); diff != "" {
			t.Errorf("View at an offset of %d (-want +got):\n%s", shift, diff)
		}
	}
	if diff := cmp.Diff(b[3:], vec.Bytes(want)); diff != "" {
		t.Errorf("Bytes(%v) (-want +got):\n%s", want, diff)
	}
	if got := vec.View[uint64](b[:7]); len(got) != 0 {
		t.Errorf("View of 7 bytes as uint64 = %v, want none", got)
	}
}
