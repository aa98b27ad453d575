package store

import (
	"context"
	"fmt"
)

// The vectors of a text's sentences belong to the text's own vector: they are kept as
// long as it is, whatever paper has the text. Their form is the caller's.

const lacksSentences = "vector IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sentences s WHERE s.vector = papers.vector)"

// PendingSentences returns the first papers after number after that have a vector and no
// sentences, at most limit of them.
func (l *Library) PendingSentences(ctx context.Context, after uint32, limit int) ([]*Paper, error) {
	ns, err := l.numbers(ctx, "SELECT n FROM papers WHERE "+lacksSentences+" AND n > ? ORDER BY n LIMIT ?", after, limit)
	if err != nil {
		return nil, err
	}
	return l.Papers(ctx, ns)
}

// CountPendingSentences counts the papers that have a vector and no sentences.
func (l *Library) CountPendingSentences(ctx context.Context) (int, error) {
	ns, err := l.numbers(ctx, "SELECT count(*) FROM papers WHERE "+lacksSentences)
	if err != nil {
		return 0, err
	}
	return int(ns[0]), nil
}

// HasSentences reports whether the sentences of any paper are encoded.
func (l *Library) HasSentences(ctx context.Context) (bool, error) {
	ns, err := l.numbers(ctx, "SELECT EXISTS (SELECT 1 FROM sentences)")
	return err == nil && ns[0] != 0, err
}

// SetSentences stores the sentences of the text whose vector paper n has.
func (w *Writer) SetSentences(n uint32, codes []byte) error {
	_, err := w.exec(`INSERT INTO sentences (vector, codes, sum) SELECT vector, ?1, rowsum(vector, ?1) FROM papers
		WHERE n = ?2 AND vector IS NOT NULL ON CONFLICT DO NOTHING`, codes, n)
	if err != nil {
		return fmt.Errorf("storing the sentences of paper %d: %w", n, err)
	}
	return nil
}

// Sentences calls yield with the sentences of those of the papers that have them. codes
// is the caller's.
func (l *Library) Sentences(ctx context.Context, ns []uint32, yield func(n uint32, codes []byte) error) error {
	rows, err := l.often.QueryContext(ctx, `SELECT p.n, s.codes FROM json_each(?) j JOIN papers p ON p.n = j.value
		JOIN sentences s ON s.vector = p.vector`, jsonList(ns))
	if err != nil {
		return fmt.Errorf("reading sentences: %w", classify(err))
	}
	defer rows.Close()
	for rows.Next() {
		var n uint32
		var codes []byte
		if err := rows.Scan(&n, &codes); err != nil {
			return fmt.Errorf("reading sentences: %w", classify(err))
		}
		if err := yield(n, codes); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading sentences: %w", classify(err))
	}
	return nil
}
