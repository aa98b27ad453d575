package vec

// Fetch asks for the cache lines of words, and does not wait for them.
func Fetch(words []uint32) { fetch(words) }

func fetchGo([]uint32) {}
