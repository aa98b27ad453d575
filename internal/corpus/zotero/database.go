package zotero

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
)

// Database is Zotero's own database, zotero.sqlite. A copy of it is read, so that it
// does not matter whether Zotero runs, and nothing is ever written to it.
func Database() corpus.Format {
	return corpus.Format{Name: "zotero", Binary: "an SQLite database", Detect: detectDatabase, Read: readDatabase}
}

func detectDatabase(head []byte) int {
	if bytes.HasPrefix(head, []byte("SQLite format 3\x00")) {
		return 90
	}
	return 0
}

func readDatabase(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		if src.Path == "" {
			yield(corpus.Record{}, errors.New("a database is read from a file"))
			return
		}
		dir, err := os.MkdirTemp("", "akin-zotero-*")
		if err != nil {
			yield(corpus.Record{}, fmt.Errorf("copying the database: %w", err))
			return
		}
		defer os.RemoveAll(dir)
		path, err := snapshot(src.Path, dir)
		if err != nil {
			yield(corpus.Record{}, fmt.Errorf("copying the database: %w", err))
			return
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			yield(corpus.Record{}, err)
			return
		}
		defer db.Close()
		db.SetMaxOpenConns(4)
		if err := readItems(ctx, db, yield); err != nil {
			yield(corpus.Record{}, err)
		}
	}
}

// snapshot copies a database with its journals into dir, again where it was written to
// in the meantime.
func snapshot(path, dir string) (string, error) {
	const tries = 5
	target := filepath.Join(dir, "zotero.sqlite")
	for range tries {
		before, err := os.Stat(path)
		if err != nil {
			return "", err
		}
		for _, suffix := range []string{"", "-journal", "-wal"} {
			if err := copyFile(path+suffix, target+suffix); err != nil && (suffix == "" || !errors.Is(err, os.ErrNotExist)) {
				return "", err
			}
		}
		after, err := os.Stat(path)
		if err != nil {
			return "", err
		}
		if after.ModTime().Equal(before.ModTime()) && after.Size() == before.Size() {
			return target, nil
		}
	}
	return "", errors.New("it is being written to all the time; close Zotero and try again")
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.Create(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		target.Close()
		return err
	}
	return target.Close()
}

const (
	itemsQuery = `SELECT i.itemID, i.key, t.typeName FROM items i JOIN itemTypes t ON t.itemTypeID = i.itemTypeID
		WHERE i.itemID NOT IN (SELECT itemID FROM deletedItems) AND t.typeName NOT IN ('attachment', 'note', 'annotation')
		AND i.libraryID NOT IN (SELECT libraryID FROM libraries WHERE type = 'feed') ORDER BY i.itemID`
	fieldsQuery = `SELECT f.fieldName, v.value FROM itemData d JOIN fields f ON f.fieldID = d.fieldID
		JOIN itemDataValues v ON v.valueID = d.valueID WHERE d.itemID = ? ORDER BY d.fieldID`
	creatorsQuery = `SELECT t.creatorType, c.firstName, c.lastName FROM itemCreators ic JOIN creators c ON c.creatorID = ic.creatorID
		JOIN creatorTypes t ON t.creatorTypeID = ic.creatorTypeID WHERE ic.itemID = ? ORDER BY ic.orderIndex`
	tagsQuery = `SELECT t.name FROM itemTags it JOIN tags t ON t.tagID = it.tagID WHERE it.itemID = ? ORDER BY t.name`
)

// readItems yields the items of the database.
func readItems(ctx context.Context, db *sql.DB, yield func(corpus.Record, error) bool) error {
	var found int
	err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('items', 'itemData', 'itemDataValues', 'deletedItems')`).Scan(&found)
	if err != nil {
		return fmt.Errorf("reading the database: %w", err)
	}
	if found < 4 {
		return fmt.Errorf("%w: this is an SQLite database, but not Zotero's", corpus.ErrForeign)
	}
	var statements [3]*sql.Stmt
	for i, query := range []string{fieldsQuery, creatorsQuery, tagsQuery} {
		if statements[i], err = db.PrepareContext(ctx, query); err != nil {
			return fmt.Errorf("reading Zotero's database: %w", err)
		}
		defer statements[i].Close()
	}
	items, err := db.QueryContext(ctx, itemsQuery)
	if err != nil {
		return fmt.Errorf("reading Zotero's items: %w", err)
	}
	defer items.Close()
	for items.Next() {
		var id int64
		var key, itemType string
		if err := items.Scan(&id, &key, &itemType); err != nil {
			return fmt.Errorf("reading Zotero's items: %w", err)
		}
		record, err := item(ctx, statements, id, key)
		if err != nil {
			return fmt.Errorf("reading Zotero's item %s: %w", key, err)
		}
		if !yield(record, fields.Reject(record)) {
			return nil
		}
	}
	return items.Err()
}

// item reads what the database has about one item.
func item(ctx context.Context, statements [3]*sql.Stmt, id int64, key string) (corpus.Record, error) {
	var b fields.Builder
	b.Record.Key = key
	err := each(ctx, statements[0], id, func(columns []string) {
		switch name := names[columns[0]]; {
		case columns[0] == "extra" || columns[0] == "archiveID":
			addExtra(&b, columns[1])
		case columns[0] == "citationKey":
			b.Record.Key = columns[1]
		case columns[0] == "date": // "2014-03-00 March 2014": a form to sort by, then the text
			b.Add(name, sourceDate(columns[1]))
		default:
			b.Add(name, columns[1])
		}
	})
	if err != nil {
		return b.Record, err
	}
	err = each(ctx, statements[1], id, func(columns []string) {
		full := columns[2]
		if columns[1] != "" {
			full += ", " + columns[1]
		}
		b.AddList(creatorName(columns[0]), []string{full})
	})
	if err != nil {
		return b.Record, err
	}
	return b.Record, each(ctx, statements[2], id, func(columns []string) {
		b.AddList(names["tags"], []string{columns[0]})
	})
}

// sourceDate drops the form to sort by from a date of Zotero.
func sourceDate(date string) string {
	if len(date) > 11 && date[4] == '-' && date[7] == '-' && date[10] == ' ' {
		return date[11:]
	}
	return date
}

// each calls row with the columns, as text, of every row of the statement for an item.
func each(ctx context.Context, statement *sql.Stmt, id int64, row func(columns []string)) error {
	rows, err := statement.QueryContext(ctx, id)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	values := make([]sql.NullString, len(names))
	targets := make([]any, len(names))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		columns := make([]string, len(names))
		for i, value := range values {
			columns[i] = value.String
		}
		row(columns)
	}
	return rows.Err()
}
