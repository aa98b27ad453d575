package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/store"
)

// shelf is where papers are read from: a library, or the seeds.
type shelf interface {
	// Find returns the papers that a name may mean; several are an ambiguous name.
	Find(ctx context.Context, name string) ([]store.Match, error)
	// Papers returns papers by number, without those that are not there.
	Papers(ctx context.Context, ns []uint32) ([]*store.Paper, error)
	// Each yields all papers in the order of numbers.
	Each(ctx context.Context, yield func(*store.Paper) error) error
	// NumbersByID returns the numbers of all papers in the order of their ids.
	NumbersByID(ctx context.Context) ([]uint32, error)
	// Vectors yields all vectors in the order of numbers; v is valid until yield returns.
	Vectors(ctx context.Context, yield func(n uint32, v []float32) error) error
}

// eachOf calls yield with papers by number, in that order.
func eachOf(ctx context.Context, sh shelf, ns []uint32, yield func(*store.Paper) error) error {
	for some := range slices.Chunk(ns, page) {
		papers, err := sh.Papers(ctx, some)
		if err != nil {
			return err
		}
		for _, p := range papers {
			if err := yield(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// seedShelf is the bundled papers, in memory; paper number n is papers[n-1].
type seedShelf struct {
	papers  []*store.Paper
	vectors [][]float32
	model   store.Model
}

// Find implements shelf with the rules of a library.
func (s *seedShelf) Find(_ context.Context, name string) ([]store.Match, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return nil, nil
	}
	const minPrefix = 3 // as in a library
	folded := paper.Fold(name)
	if len(folded) < minPrefix {
		folded = ""
	}
	for _, rule := range []func(p *store.Paper) bool{
		func(p *store.Paper) bool { return p.ID == name },
		func(p *store.Paper) bool { return strings.HasPrefix(p.ID, name) },
		func(p *store.Paper) bool {
			_, bare, _ := strings.Cut(p.ID, ":")
			return len(name) >= minPrefix && strings.HasPrefix(bare, name)
		},
		func(p *store.Paper) bool { return folded != "" && paper.Fold(p.Heading) == folded },
		func(p *store.Paper) bool {
			return folded != "" && strings.Contains(paper.Fold(p.Heading), folded)
		},
	} {
		var found []store.Match
		for _, p := range s.papers {
			if rule(p) {
				found = append(found, store.Match{N: p.N, ID: p.ID, Title: p.Heading})
			}
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	return nil, nil
}

// Papers implements shelf.
func (s *seedShelf) Papers(_ context.Context, ns []uint32) ([]*store.Paper, error) {
	list := make([]*store.Paper, 0, len(ns))
	for _, n := range ns {
		if n >= 1 && int(n) <= len(s.papers) {
			list = append(list, s.papers[n-1])
		}
	}
	return list, nil
}

// Each implements shelf.
func (s *seedShelf) Each(_ context.Context, yield func(*store.Paper) error) error {
	for _, p := range s.papers {
		if err := yield(p); err != nil {
			return err
		}
	}
	return nil
}

// NumbersByID implements shelf.
func (s *seedShelf) NumbersByID(context.Context) ([]uint32, error) {
	ns := make([]uint32, len(s.papers))
	for i := range ns {
		ns[i] = uint32(i + 1)
	}
	slices.SortFunc(ns, func(a, b uint32) int { return strings.Compare(s.papers[a-1].ID, s.papers[b-1].ID) })
	return ns, nil
}

// Vectors implements shelf.
func (s *seedShelf) Vectors(_ context.Context, yield func(n uint32, v []float32) error) error {
	for i, v := range s.vectors {
		if err := yield(uint32(i+1), v); err != nil {
			return err
		}
	}
	return nil
}
