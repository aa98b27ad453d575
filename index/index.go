package index

// Hit is one neighbour: the item and the inner product with the query (for unit
// vectors the cosine; higher is nearer).
type Hit struct {
	ID    uint32
	Score float32
}

// Index is the contract that every index meets; package indextest holds its suite.
// Search may run concurrently with Search; Add and Delete need the index for
// themselves.
type Index interface {
	// Add stores a copy of v under id. A stored id is replaced. It refuses a vector
	// of another dimension, a zero vector and one that is not finite.
	Add(id uint32, v []float32) error
	// Delete removes id and reports whether it was there.
	Delete(id uint32) bool
	// Len is the number of items that a search can return.
	Len() int
	// Search returns the nearest items to q, best first, ties in ascending order of
	// id; fewer than opts.K only if fewer are stored or allowed.
	Search(q []float32, opts SearchOptions) ([]Hit, error)
}

// SearchOptions says what a search returns.
type SearchOptions struct {
	K     int  // hits wanted; 0 returns none
	Ef    int  // breadth of a graph's walk; 0 is the index's own default; exact indexes ignore it
	Allow *Set // only these items may be returned; nil allows all
}
