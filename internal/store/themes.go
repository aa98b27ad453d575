package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// Division is how the themes of a library were last found.
type Division struct {
	Asked     int // themes asked for; 0: chosen
	Levels    int
	Seed      uint64
	K         int
	ChosenBy  string
	Reason    string
	Stability float64
	Clear     bool  // there is clear structure
	Papers    int   // grouped
	Joined    int64 // the change up to which papers have a theme
	Next      int64 // the number of the next new theme
}

// Resting is the level of a theme that a person named and that no present theme is.
const Resting = 0

// Theme is a theme that the library keeps. Its number is never that of another one.
type Theme struct {
	N      int64
	Level  int   // 1, 2 or Resting
	Parent int64 // its theme on level 1; 0 there
	Label  string
	Name   string // a person's; ""
	Terms  []string
	Reach  float64 // the least mean cosine with its nearest papers of one that fits
}

// Placement is where a paper belongs.
type Placement struct {
	Paper  uint32
	Theme  int64 // 0: it fits none
	Vector int64 // the row of the vector that it was placed by
	Fit    float64
	Next   int64 // the next best theme; 0: none
	Rank   int   // 1 to 3: it represents its theme; 0: it does not
	Joined bool  // it came after the themes were found
}

// What the checksums of themes are of.
const (
	divisionSummed  = "asked, levels, seed, k, chosen_by, reason, stability, clear, papers, joined, next"
	themeSummed     = "n, level, place, parent, label, name, terms, reach"
	placementSummed = "paper, theme, vector, fit, next, rank, joined"
)

// Division returns how the themes were last found; ok is false before that.
func (l *Library) Division(ctx context.Context) (d Division, ok bool, err error) {
	var seed int64
	err = l.db.QueryRowContext(ctx, `SELECT asked, levels, seed, k, chosen_by, reason, stability, clear, papers, joined, next FROM divisions`).
		Scan(&d.Asked, &d.Levels, &seed, &d.K, &d.ChosenBy, &d.Reason, &d.Stability, &d.Clear, &d.Papers, &d.Joined, &d.Next)
	if errors.Is(err, sql.ErrNoRows) {
		return d, false, nil
	}
	if err != nil {
		return d, false, fmt.Errorf("reading the themes: %w", classify(err))
	}
	d.Seed = uint64(seed)
	return d, true, nil
}

// Themes returns the themes of the library in the order in which they are shown, those
// that rest last.
func (l *Library) Themes(ctx context.Context) ([]Theme, error) {
	var list []Theme
	err := l.each(ctx, func(r *sql.Rows) error {
		var t Theme
		var terms string
		if err := r.Scan(&t.N, &t.Level, &t.Parent, &t.Label, &t.Name, &terms, &t.Reach); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(terms), &t.Terms); err != nil {
			return fmt.Errorf("%w: the terms of theme %d: %w", ErrDamaged, t.N, err)
		}
		list = append(list, t)
		return nil
	}, "SELECT n, level, parent, label, name, terms, reach FROM themes ORDER BY level = 0, level, place, n")
	if err != nil {
		return nil, fmt.Errorf("reading the themes: %w", err)
	}
	return list, nil
}

const selectPlacements = "SELECT t.paper, t.theme, t.vector, t.fit, t.next, t.rank, t.joined FROM theme_papers t JOIN papers p ON p.n = t.paper "

// Placements calls yield with where each paper belongs, in the order of papers: also in
// themes that rest.
func (l *Library) Placements(ctx context.Context, yield func(Placement) error) error {
	return l.placements(ctx, yield, selectPlacements+"ORDER BY t.paper, t.theme")
}

// PlacementsOf returns where a paper belongs.
func (l *Library) PlacementsOf(ctx context.Context, n uint32) ([]Placement, error) {
	var list []Placement
	err := l.placements(ctx, func(p Placement) error {
		list = append(list, p)
		return nil
	}, selectPlacements+"WHERE t.paper = ? ORDER BY t.theme", n)
	return list, err
}

func (l *Library) placements(ctx context.Context, yield func(Placement) error, query string, args ...any) error {
	err := l.each(ctx, func(r *sql.Rows) error {
		var p Placement
		if err := r.Scan(&p.Paper, &p.Theme, &p.Vector, &p.Fit, &p.Next, &p.Rank, &p.Joined); err != nil {
			return err
		}
		return yield(p)
	}, query, args...)
	if err != nil {
		return fmt.Errorf("reading the papers of themes: %w", err)
	}
	return nil
}

// NumbersOfThemes returns the papers of some themes, ascending.
func (l *Library) NumbersOfThemes(ctx context.Context, themes []int64) ([]uint32, error) {
	return l.numbers(ctx, "SELECT DISTINCT paper FROM theme_papers WHERE theme IN (SELECT value FROM json_each(?)) ORDER BY paper", jsonList(themes))
}

// Unplaced calls yield with every paper whose vector came or changed after change seq (0:
// with every paper) and which has no theme by it: with the row of its vector, and its
// vector, valid until yield returns.
func (l *Library) Unplaced(ctx context.Context, seq int64, yield func(n uint32, row int64, v []float32) error) error {
	err := l.vectorRows(ctx, yield, `WHERE (?1 = 0 OR p.n IN (SELECT paper FROM changes WHERE seq > ?1))
		AND NOT EXISTS (SELECT 1 FROM theme_papers t LEFT JOIN themes h ON h.n = t.theme
			WHERE t.paper = p.n AND t.vector = p.vector AND coalesce(h.level, 1) > 0) ORDER BY p.n`, seq)
	if err != nil {
		return fmt.Errorf("reading papers without a theme: %w", err)
	}
	return nil
}

// Drift tells how far a library has changed since its themes were found: how many of
// the papers that were grouped then are still what they were, and how many vectors
// there are now.
func (l *Library) Drift(ctx context.Context) (same, now int, err error) {
	err = l.db.QueryRowContext(ctx, `SELECT count(DISTINCT t.paper), (SELECT count(vector) FROM papers) FROM theme_papers t
		JOIN papers p ON p.n = t.paper AND p.vector = t.vector JOIN themes h ON h.n = t.theme WHERE t.joined = 0 AND h.level = 1`).Scan(&same, &now)
	if err != nil {
		return 0, 0, fmt.Errorf("comparing the themes with the papers: %w", classify(err))
	}
	return same, now, nil
}

// VectorRows calls yield with each paper that has a vector, the row of that and the
// vector itself, valid until yield returns, in the order of papers.
func (l *Library) VectorRows(ctx context.Context, yield func(n uint32, row int64, v []float32) error) error {
	if err := l.vectorRows(ctx, yield, "ORDER BY p.n"); err != nil {
		return fmt.Errorf("reading vectors: %w", err)
	}
	return nil
}

func (l *Library) vectorRows(ctx context.Context, yield func(n uint32, row int64, v []float32) error, where string, args ...any) error {
	m, ok, err := l.Model(ctx)
	if err != nil || !ok {
		return err
	}
	v := make([]float32, m.Dim)
	return l.each(ctx, func(r *sql.Rows) error {
		var n uint32
		var row int64
		var data sql.RawBytes
		if err := r.Scan(&n, &row, &data); err != nil {
			return err
		}
		if err := ParseVector(v, data); err != nil {
			return fmt.Errorf("the vector of paper %d: %w", n, err)
		}
		return yield(n, row, v)
	}, "SELECT p.n, v.id, v.vec FROM papers p JOIN vectors v ON v.id = p.vector "+where, args...)
}

// each calls scan for each row of a query.
func (l *Library) each(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := l.db.QueryContext(ctx, query, args...)
	if err != nil {
		return classify(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return classify(err)
		}
	}
	return classify(rows.Err())
}

// SetThemes replaces all themes, in the order in which they are shown, and where every
// paper belongs. Placements of papers that are gone are left out.
func (w *Writer) SetThemes(d Division, themes []Theme, placements []Placement) error {
	for _, query := range []string{"DELETE FROM divisions", "DELETE FROM themes", "DELETE FROM theme_papers"} {
		if _, err := w.exec(query); err != nil {
			return fmt.Errorf("writing the themes: %w", err)
		}
	}
	_, err := w.exec(`INSERT INTO divisions (one, asked, levels, seed, k, chosen_by, reason, stability, clear, papers, joined, next)
		VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		d.Asked, d.Levels, int64(d.Seed), d.K, d.ChosenBy, d.Reason, d.Stability, d.Clear, d.Papers, d.Joined, d.Next)
	for place, t := range themes {
		if err == nil {
			_, err = w.exec("INSERT INTO themes (n, level, place, parent, label, name, terms, reach) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
				t.N, t.Level, place, t.Parent, t.Label, t.Name, jsonList(append([]string{}, t.Terms...)), t.Reach)
		}
	}
	if err == nil {
		err = w.place(placements)
	}
	if err == nil {
		_, err = w.exec("DELETE FROM theme_papers WHERE paper NOT IN (SELECT n FROM papers)")
	}
	for _, table := range []string{"divisions", "themes"} {
		if err == nil {
			err = w.seal(table, "TRUE")
		}
	}
	if err != nil {
		return fmt.Errorf("writing the themes: %w", err)
	}
	return nil
}

// Place gives papers their place among the present themes, instead of the one they had;
// change joined is the last one that this takes in.
func (w *Writer) Place(placements []Placement, joined int64) error {
	for _, p := range placements {
		_, err := w.exec("DELETE FROM theme_papers WHERE paper = ? AND theme NOT IN (SELECT n FROM themes WHERE level = 0)", p.Paper)
		if err != nil {
			return fmt.Errorf("giving papers a theme: %w", err)
		}
	}
	err := w.place(placements)
	if err == nil {
		_, err = w.rewrite("divisions", "joined", "TRUE", joined)
	}
	if err != nil {
		return fmt.Errorf("giving papers a theme: %w", err)
	}
	return nil
}

func (w *Writer) place(placements []Placement) error {
	for _, p := range placements {
		_, err := w.exec(`INSERT INTO theme_papers (paper, theme, vector, fit, next, rank, joined, sum)
			VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, rowsum(?1, ?2, ?3, ?4, ?5, ?6, ?7))`, p.Paper, p.Theme, p.Vector, p.Fit, p.Next, p.Rank, p.Joined)
		if err != nil {
			return err
		}
	}
	return nil
}

// RenameTheme gives a theme a person's name; "" takes it away.
func (w *Writer) RenameTheme(n int64, name string) error {
	if _, err := w.rewrite("themes", "name", "n = ?2", name, n); err != nil {
		return fmt.Errorf("naming a theme: %w", err)
	}
	return nil
}

// repairThemes drops what is said of papers and of themes that are not there. Papers
// that lose their theme by that get one with the next that come.
func (w *Writer) repairThemes(tell func(string)) error {
	dropped := false
	for _, r := range []struct{ what, query string }{
		{"papers lost a theme that was gone", "DELETE FROM theme_papers WHERE theme != 0 AND theme NOT IN (SELECT n FROM themes)"},
		{"papers lost their theme, which was damaged", "DELETE FROM theme_papers WHERE " + unlikeSum("theme_papers")},
		{"themes lost papers that were gone", "DELETE FROM theme_papers WHERE paper NOT IN (SELECT n FROM papers)"},
	} {
		err := w.tellChanged(func(what string) { dropped = true; tell(what) }, r.what, r.query)
		if err != nil {
			return err
		}
	}
	if !dropped {
		return nil
	}
	_, err := w.rewrite("divisions", "joined", "TRUE", 0)
	return err
}
