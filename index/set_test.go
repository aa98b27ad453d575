package index_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/index"
)

func TestSetHoldsWhatWasAdded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := new(index.Set)
	want := make(map[uint32]bool)
	for range 2000 {
		id := rng.Uint32N(5000)
		s.Add(id)
		want[id] = true
	}
	if s.Len() != len(want) {
		t.Errorf("Len() = %d, want %d", s.Len(), len(want))
	}
	var sorted []uint32
	for id := range uint32(6000) {
		if s.Has(id) != want[id] {
			t.Errorf("Has(%d) = %v, want %v", id, s.Has(id), want[id])
		}
		if want[id] {
			sorted = append(sorted, id)
		}
	}
	if diff := cmp.Diff(sorted, slices.Collect(s.All)); diff != "" {
		t.Errorf("All (-want +got):\n%s", diff)
	}
}
