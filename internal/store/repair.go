package store

import (
	"context"
	"fmt"

	"github.com/seed-9f29d379/akin/internal/number"
)

// Repair mends what [Library.Check] can find, but for pages of the database that cannot
// be read, and tells what it did. No record is lost: one without a paper gets one. A
// vector that cannot be what was stored is dropped; the next encoding makes it again.
func (w *Writer) Repair(ctx context.Context, tell func(what string)) error {
	if _, err := w.exec("REINDEX"); err != nil {
		return fmt.Errorf("repairing the indexes: %w", err)
	}
	if err := w.repairRows(tell); err != nil {
		return fmt.Errorf("repairing damaged rows: %w", err)
	}
	if err := w.Commit(); err != nil { // vectors are read from what is committed
		return err
	}
	for _, r := range []struct{ what, query string }{
		{"unknown settings were dropped", "DELETE FROM meta WHERE name NOT IN ('identity', 'model', 'next', 'forgotten')"},
		{"new identity was given", "INSERT INTO meta (name, value) VALUES ('identity', lower(hex(randomblob(8)))) ON CONFLICT DO NOTHING"},
		{"records got a source", `INSERT INTO sources (id, name, sum) SELECT DISTINCT source, 'unknown-' || source, rowsum(source, 'unknown-' || source)
			FROM records WHERE source NOT IN (SELECT id FROM sources)`},
		{"papers without a record were dropped", "DELETE FROM papers WHERE n NOT IN (SELECT paper FROM records)"},
		{"names of nothing were dropped", "DELETE FROM names WHERE paper NOT IN (SELECT n FROM papers)"},
		{"names were dropped that are not their paper's", `DELETE FROM names WHERE name != (SELECT p.id FROM papers p WHERE p.n = names.paper)
			AND NOT EXISTS (SELECT 1 FROM records r WHERE r.paper = names.paper AND instr(' ' || r.ids || ' ', ' ' || names.name || ' '))
			AND NOT EXISTS (SELECT 1 FROM merges m WHERE m.kept = names.paper AND m.gone_id = names.name)`},
		{"papers lost a vector that was gone or of another model", `UPDATE papers SET vector = NULL, sum = rowsum(n, id, mark, year, abstract, added, title, NULL)
			WHERE vector IS NOT NULL AND vector NOT IN (SELECT id FROM vectors WHERE model = (SELECT value FROM meta WHERE name = 'model'))`},
	} {
		if err := w.tellChanged(tell, r.what, r.query); err != nil {
			return fmt.Errorf("repairing (%s): %w", r.what, err)
		}
	}
	if err := w.repairRecords(tell); err != nil {
		return fmt.Errorf("repairing records: %w", err)
	}
	if err := w.repairNames(tell); err != nil {
		return fmt.Errorf("repairing names: %w", err)
	}
	if err := w.repairVectors(ctx, tell); err != nil {
		return fmt.Errorf("repairing vectors: %w", err)
	}
	return w.Commit()
}

// repairRecords gives records whose paper is gone one of their own.
func (w *Writer) repairRecords(tell func(string)) error {
	lost, err := w.numbers("SELECT id FROM records WHERE paper NOT IN (SELECT n FROM papers)")
	if err != nil || len(lost) == 0 {
		return err
	}
	for _, id := range lost {
		r, err := w.row(id)
		if err != nil {
			return err
		}
		n, err := w.ownPaper(r.imported, r)
		if err != nil {
			return err
		}
		if err := w.rename(n); err != nil {
			return err
		}
	}
	tell(fmt.Sprintf("%s got a paper of %s own", number.Of(len(lost), "record"), number.Pick(len(lost), "its", "their")))
	return nil
}

// repairNames gives papers back the names that they have to have.
func (w *Writer) repairNames(tell func(string)) error {
	lost, err := w.numbers("SELECT n FROM papers WHERE NOT EXISTS (SELECT 1 FROM names a WHERE a.name = papers.id AND a.paper = papers.n)")
	if err != nil || len(lost) == 0 {
		return err
	}
	for _, n := range lost {
		if _, err := w.exec("INSERT INTO names (name, paper) SELECT id, n FROM papers WHERE n = ? ON CONFLICT (name) DO UPDATE SET paper = excluded.paper", n); err != nil {
			return err
		}
	}
	tell(fmt.Sprintf("%s %s named by %s id again", number.Of(len(lost), "paper"), number.Pick(len(lost), "is", "are"), number.Pick(len(lost), "its", "their")))
	return nil
}

// repairVectors drops the vectors that cannot be decoded, and those of no paper.
func (w *Writer) repairVectors(ctx context.Context, tell func(string)) error {
	bad, err := w.badVectors(ctx)
	if err != nil {
		return err
	}
	for _, id := range bad {
		for _, query := range []string{
			"INSERT INTO changes (paper) SELECT n FROM papers WHERE vector = ?",
			"UPDATE papers SET vector = NULL, sum = rowsum(n, id, mark, year, abstract, added, title, NULL) WHERE vector = ?",
			"DELETE FROM vectors WHERE id = ?",
		} {
			if _, err := w.exec(query, id); err != nil {
				return err
			}
		}
	}
	if len(bad) > 0 {
		tell(fmt.Sprintf("%s %s dropped: akin add, without a path, makes %s again", number.Of(len(bad), "damaged vector"), number.Pick(len(bad), "was", "were"), number.Pick(len(bad), "it", "them")))
	}
	_, err = w.exec("DELETE FROM vectors WHERE id NOT IN (SELECT vector FROM papers WHERE vector IS NOT NULL)")
	if err == nil {
		_, err = w.exec("DELETE FROM sentences WHERE vector NOT IN (SELECT id FROM vectors)")
	}
	return err
}
