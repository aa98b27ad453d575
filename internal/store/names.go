package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-9f29d379/akin/internal/paper"
)

// Match is a paper that a name may mean.
type Match struct {
	N     uint32
	ID    string
	Title string
}

// MaxMatches are told at most when a name is ambiguous: there may be more than that.
const MaxMatches = 10

// Find returns the papers that name may mean, by the first of these rules that gives
// any: an id or alias; a registered id in another spelling; the key of a record; the
// beginning of an id (with or without its scheme); a part of a title. Several matches
// are an ambiguous name. At most [MaxMatches] are returned.
func (l *Library) Find(ctx context.Context, name string) ([]Match, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		return nil, nil
	}
	for _, rule := range []func(context.Context, string) ([]Match, error){l.byName, l.byKey, l.byPrefix, l.byTitle} {
		m, err := rule(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("finding the paper %q: %w", name, classify(err))
		}
		if len(m) > 0 {
			return m, nil
		}
	}
	return nil, nil
}

const selectMatches = "SELECT DISTINCT p.n, p.id, p.title FROM papers p "

func (l *Library) byName(ctx context.Context, name string) ([]Match, error) {
	names := []string{name}
	if ids, ok := paper.ParseIdentifier(name); ok {
		names = append(names, ids.List()...)
	}
	for _, n := range names {
		m, err := l.matches(ctx, selectMatches+"JOIN names a ON a.paper = p.n WHERE a.name = ?", n)
		if err != nil || len(m) > 0 {
			return m, err
		}
	}
	return nil, nil
}

func (l *Library) byKey(ctx context.Context, key string) ([]Match, error) {
	return l.matches(ctx, selectMatches+"JOIN records r ON r.paper = p.n WHERE r.key = ? ORDER BY p.n LIMIT ?", key, MaxMatches)
}

// schemes are the beginnings of ids that a person may leave out.
var schemes = []string{"", "arxiv:", "doi:", "openreview:", "pmid:", "openalex:", "s2:", "p:"}

// minPrefix is the fewest characters of an id without its scheme, or of a title, that may
// stand for all of it.
const minPrefix = 3

func (l *Library) byPrefix(ctx context.Context, prefix string) ([]Match, error) {
	for _, scheme := range schemes {
		if scheme != "" && len(prefix) < minPrefix {
			break
		}
		from := scheme + prefix
		m, err := l.matches(ctx, selectMatches+"JOIN names a ON a.paper = p.n WHERE a.name >= ? AND a.name < ? ORDER BY p.n LIMIT ?",
			from, from+"\U0010ffff", MaxMatches)
		if err != nil || len(m) > 0 {
			return m, err
		}
	}
	return nil, nil
}

// byTitle compares folded texts, so that case, spacing and punctuation do not matter. A
// title that is all of it is preferred to titles that contain it.
func (l *Library) byTitle(ctx context.Context, part string) ([]Match, error) {
	want := paper.Fold(part)
	if len(want) < minPrefix {
		return nil, nil
	}
	rows, err := l.db.QueryContext(ctx, "SELECT n, id, title FROM papers ORDER BY n")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found, whole []Match
	for rows.Next() {
		var m Match
		if err := rows.Scan(&m.N, &m.ID, &m.Title); err != nil {
			return nil, err
		}
		switch folded := paper.Fold(m.Title); {
		case folded == want && len(whole) < MaxMatches:
			whole = append(whole, m)
		case len(found) < MaxMatches && strings.Contains(folded, want):
			found = append(found, m)
		}
	}
	if len(whole) > 0 {
		found = whole
	}
	return found, rows.Err()
}

func (l *Library) matches(ctx context.Context, query string, args ...any) ([]Match, error) {
	rows, err := l.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []Match
	for rows.Next() {
		var m Match
		if err := rows.Scan(&m.N, &m.ID, &m.Title); err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	return found, rows.Err()
}
