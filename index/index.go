package index

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// Hit is one neighbour: the item and the inner product with the query (for unit
// vectors the cosine; higher is nearer).
type Hit struct {
	ID    uint32
	Score float32
}

// Index is the contract that every index meets; package indextest holds its suite.
// All methods are safe for concurrent use; a search during an Add sees the index
// before it or after it.
//
// The interface has six methods, more than the four that this project allows itself
// elsewhere, because it is the whole of what several engines must do alike.
type Index interface {
	// Add stores a copy of v under id. A stored id is replaced. It refuses, with
	// ErrDimension, ErrZero, ErrNotFinite or ErrNotUnit, what it cannot compare.
	Add(id uint32, v []float32) error
	// Delete removes id and reports whether it was there.
	Delete(id uint32) bool
	// Len is the number of items that a search can return.
	Len() int
	// Search returns the nearest items to q, best first, ties in ascending order of
	// id; fewer than opts.K only if fewer are stored or allowed. The caller owns the
	// result; q is not kept.
	Search(q []float32, opts SearchOptions) ([]Hit, error)
	// Check verifies every invariant, and the checksums of the snapshot that the
	// index was opened from. Its cost is one pass over all that is stored.
	Check(ctx context.Context) error
	// Write puts the index into a snapshot, as sections of its own. The package's
	// Open function reads them again.
	Write(w *snapshot.Writer) error
}

// SearchOptions says what a search returns. The zero value returns nothing.
type SearchOptions struct {
	K     int  // hits wanted; 0 returns none
	Ef    int  // breadth of a graph's walk, K or more (less: recall falls quickly); 0 is the index's own default; exact indexes ignore it
	Allow *Set // only these items may be returned; nil allows all
	Exact bool // compare with every vector in float32, whatever the index
}

// Why a vector is refused.
var (
	ErrDimension = errors.New("vector of another dimension")
	ErrZero      = errors.New("zero vector")
	ErrNotFinite = errors.New("vector that is not finite")
	ErrNotUnit   = errors.New("vector that is not of unit length")
)

// ErrK is what a search for fewer than no neighbours returns.
var ErrK = errors.New("negative number of neighbours")

// minSquares and maxSquares bound what a sum of squares in float32 is trusted with.
const minSquares, maxSquares = 1e-30, 1e30

// unitTolerance is how far the squared length of a stored vector may be from 1. A
// vector in float32 is within 1e-6, one that went through 8-bit or half precision
// within 1e-3.
const unitTolerance = 4e-3

// CheckVector reports whether v can be stored in an index of dimension dim.
func CheckVector(v []float32, dim int) error {
	sum, err := squaredLength(v, dim)
	if err != nil {
		return err
	}
	if math.Abs(sum-1) > unitTolerance {
		return fmt.Errorf("%w: length %.4g (divide it by its length first)", ErrNotUnit, math.Sqrt(sum))
	}
	return nil
}

// CheckQuery reports whether q can be compared with vectors of dimension dim. A
// query may have any length but zero: the ranking is the same.
func CheckQuery(q []float32, dim int) error {
	_, err := squaredLength(q, dim)
	return err
}

func squaredLength(v []float32, dim int) (float64, error) {
	if len(v) != dim {
		return 0, fmt.Errorf("%w: %d elements, want %d", ErrDimension, len(v), dim)
	}
	// In float32 first; what that cannot hold is summed again.
	sum := float64(vec.Dot(v, v))
	if !(sum > minSquares && sum < maxSquares) {
		sum = 0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
	}
	switch {
	case math.IsNaN(sum) || math.IsInf(sum, 0):
		return 0, ErrNotFinite
	case sum == 0:
		return 0, ErrZero
	}
	return sum, nil
}
