package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// TextKey is the key of a vector: the hash of the exact text that was encoded
// ([paper.Key]).
type TextKey = [32]byte

// Model names what made the vectors of a library.
type Model struct {
	Fingerprint string
	Dim         int
}

// Model returns the model whose vectors the papers have; ok is false before the first
// vector.
func (l *Library) Model(ctx context.Context) (m Model, ok bool, err error) {
	err = l.often.QueryRowContext(ctx, "SELECT fingerprint, dim FROM models WHERE id = (SELECT value FROM meta WHERE name = 'model')").Scan(&m.Fingerprint, &m.Dim)
	if errors.Is(err, sql.ErrNoRows) {
		return Model{}, false, nil
	}
	if err != nil {
		return Model{}, false, fmt.Errorf("reading the library's model: %w", classify(err))
	}
	return m, true, nil
}

// SetModel says whose vectors are stored from now on. It refuses another model than
// the library has: [ErrOtherModel].
func (w *Writer) SetModel(ctx context.Context, m Model) error {
	have, ok, err := w.Model(ctx)
	switch {
	case err != nil:
		return err
	case ok && have != m:
		return fmt.Errorf("%w: they are of %s, not of %s", ErrOtherModel, have.Fingerprint, m.Fingerprint)
	case ok:
		return nil
	}
	_, err = w.exec("INSERT INTO models (fingerprint, dim) VALUES (?, ?) ON CONFLICT DO NOTHING", m.Fingerprint, m.Dim)
	if err == nil {
		err = w.seal("models", "fingerprint = ?", m.Fingerprint)
	}
	if err == nil {
		_, err = w.exec("INSERT INTO meta (name, value) SELECT 'model', id FROM models WHERE fingerprint = ?", m.Fingerprint)
	}
	if err != nil {
		return fmt.Errorf("writing the library's model: %w", err)
	}
	return w.Commit()
}

// Pending returns the first papers after number after that have no vector, at most
// limit of them.
func (l *Library) Pending(ctx context.Context, after uint32, limit int) ([]*Paper, error) {
	rows, err := l.db.QueryContext(ctx, "SELECT n FROM papers WHERE vector IS NULL AND n > ? ORDER BY n LIMIT ?", after, limit)
	if err != nil {
		return nil, fmt.Errorf("reading papers without vector: %w", classify(err))
	}
	defer rows.Close()
	var ns []uint32
	for rows.Next() {
		var n uint32
		if err := rows.Scan(&n); err != nil {
			return nil, fmt.Errorf("reading papers without vector: %w", classify(err))
		}
		ns = append(ns, n)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading papers without vector: %w", classify(err))
	}
	rows.Close()
	return l.Papers(ctx, ns)
}

// CountPending counts the papers that have no vector.
func (l *Library) CountPending(ctx context.Context) (int, error) {
	var n int
	if err := l.db.QueryRowContext(ctx, "SELECT count(*) FROM papers WHERE vector IS NULL").Scan(&n); err != nil {
		return 0, fmt.Errorf("counting papers without vector: %w", classify(err))
	}
	return n, nil
}

// Reuse gives paper n the stored vector of the text, and reports whether there is one.
func (w *Writer) Reuse(n uint32, key TextKey) (bool, error) {
	found, err := w.numbers("SELECT id FROM vectors WHERE key = ? AND model = (SELECT value FROM meta WHERE name = 'model')", key[:])
	if err != nil {
		return false, fmt.Errorf("reusing a vector: %w", err)
	}
	if len(found) == 0 {
		return false, nil
	}
	res, err := w.rewrite("papers", "vector", "n = ?2", found[0], n)
	if err != nil {
		return false, fmt.Errorf("reusing a vector: %w", err)
	}
	if changed, err := res.RowsAffected(); err != nil || changed == 0 {
		return false, err
	}
	return true, w.touched(int64(n))
}

// SetVector stores the vector of a text and gives it to paper n. The text had tokens
// tokens.
func (w *Writer) SetVector(n uint32, key TextKey, vector []float32, tokens int) error {
	_, err := w.exec(`INSERT INTO vectors (model, tokens, key, vec, sum) SELECT value, ?1, ?2, ?3, rowsum(value, ?1, ?2, ?3) FROM meta
		WHERE name = 'model' ON CONFLICT (key, model) DO NOTHING`, tokens, key[:], AppendVector(nil, vector))
	if err != nil {
		return fmt.Errorf("storing a vector: %w", err)
	}
	if ok, err := w.Reuse(n, key); err != nil || !ok {
		return errors.Join(err, w.missingModel(ok))
	}
	return nil
}

func (w *Writer) missingModel(ok bool) error {
	if ok {
		return nil
	}
	return errors.New("storing a vector: its paper or the library's model is gone")
}

// Vectors calls yield with the number and the vector of every paper that has one, in
// the order of numbers. v is valid until yield returns.
func (l *Library) Vectors(ctx context.Context, yield func(n uint32, v []float32) error) error {
	m, ok, err := l.Model(ctx)
	if err != nil || !ok {
		return err
	}
	rows, err := l.db.QueryContext(ctx, "SELECT p.n, v.vec FROM papers p JOIN vectors v ON v.id = p.vector ORDER BY p.n")
	if err != nil {
		return fmt.Errorf("reading vectors: %w", classify(err))
	}
	defer rows.Close()
	v := make([]float32, m.Dim)
	for rows.Next() {
		var n uint32
		var data sql.RawBytes
		if err := rows.Scan(&n, &data); err != nil {
			return fmt.Errorf("reading vectors: %w", classify(err))
		}
		if err := ParseVector(v, data); err != nil {
			return fmt.Errorf("reading the vector of paper %d: %w", n, err)
		}
		if err := yield(n, v); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading vectors: %w", classify(err))
	}
	return nil
}

// AppendVector appends the stored form of v to b: its elements, little-endian float32.
func AppendVector(b []byte, v []float32) []byte {
	b = slices.Grow(b, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// unitTolerance is how far a stored vector's squared length may be from 1.
const unitTolerance = 1e-3

// ParseVector reads what AppendVector wrote into v, whose length it must have. It
// refuses another size, and what is not of unit length.
func ParseVector(v []float32, b []byte) error {
	if len(b) != 4*len(v) {
		return fmt.Errorf("%w: %d bytes instead of %d", ErrDamaged, len(b), 4*len(v))
	}
	var sum float64
	for i := range v {
		x := math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		v[i] = x
		sum += float64(x) * float64(x)
	}
	if !(math.Abs(sum-1) <= unitTolerance) { // also NaN
		return fmt.Errorf("%w: a vector of squared length %g", ErrDamaged, sum)
	}
	return nil
}

// Vector returns the vector of paper n; ok is false if it has none.
func (l *Library) Vector(ctx context.Context, n uint32) (v []float32, ok bool, err error) {
	m, ok, err := l.Model(ctx)
	if err != nil || !ok {
		return nil, false, err
	}
	var data []byte
	err = l.often.QueryRowContext(ctx, "SELECT v.vec FROM papers p JOIN vectors v ON v.id = p.vector WHERE p.n = ?", n).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading the vector of paper %d: %w", n, classify(err))
	}
	v = make([]float32, m.Dim)
	if err := ParseVector(v, data); err != nil {
		return nil, false, fmt.Errorf("reading the vector of paper %d: %w", n, err)
	}
	return v, true, nil
}
