package store

import (
	"context"
	"fmt"
)

// Doubtful calls yield with each group of papers of which some may be forms of one
// work, in the order of their first numbers.
func (l *Library) Doubtful(ctx context.Context, yield func([]*Paper) error) error {
	var ns []uint32
	rows, err := l.db.QueryContext(ctx, `SELECT p.n FROM papers p JOIN (SELECT mark, min(n) first FROM papers
		GROUP BY mark HAVING count(*) BETWEEN 2 AND ?) g ON g.mark = p.mark ORDER BY g.first, p.n`, maxTwins)
	if err != nil {
		return fmt.Errorf("looking for duplicates: %w", classify(err))
	}
	defer rows.Close()
	for rows.Next() {
		var n uint32
		if err := rows.Scan(&n); err != nil {
			return fmt.Errorf("looking for duplicates: %w", classify(err))
		}
		ns = append(ns, n)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("looking for duplicates: %w", classify(err))
	}
	var group []*Paper
	flush := func() error {
		some := group
		group = nil
		for i, p := range some {
			for _, q := range some[:i] {
				if Twins(p, q) {
					return yield(some)
				}
			}
		}
		return nil
	}
	const page = 1024
	for from := 0; from < len(ns); from += page {
		papers, err := l.Papers(ctx, ns[from:min(from+page, len(ns))])
		if err != nil {
			return err
		}
		for _, p := range papers {
			if len(group) > 0 && group[0].Mark != p.Mark {
				if err := flush(); err != nil {
					return err
				}
			}
			group = append(group, p)
		}
	}
	return flush()
}
