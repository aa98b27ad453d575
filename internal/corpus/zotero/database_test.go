package zotero_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/zotero"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// schema has the tables and columns of Zotero's database that are read, as Zotero 5
// to 7 have them.
const schema = `
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT, libraryID INT, key TEXT);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID INT);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE itemCreators (itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE itemTags (itemID INT, tagID INT, type INT);
INSERT INTO libraries VALUES (1, 'user'), (2, 'feed');
INSERT INTO itemTypes VALUES (1, 'journalArticle'), (2, 'attachment'), (3, 'note'), (4, 'preprint');
INSERT INTO items VALUES (1, 1, 1, 'ABCD2345'), (2, 2, 1, 'ATTA2345'), (3, 1, 1, 'DELE2345'), (4, 4, 1, 'PREP2345'), (5, 1, 2, 'FEED2345'), (6, 3, 1, 'NOTE2345');
INSERT INTO deletedItems VALUES (3);
INSERT INTO fields VALUES (1, 'title'), (2, 'abstractNote'), (3, 'date'), (4, 'publicationTitle'), (5, 'DOI'), (6, 'url'), (7, 'extra'), (8, 'repository');
INSERT INTO itemDataValues VALUES (1, 'An item of the database'), (2, 'Its abstract.'), (3, '2014-03-00 March 2014'), (4, 'Journal of Items'), (5, '10.5555/zdb.1'),
	(6, 'https://example.org/item'), (7, 'PMID: 30000099'), (8, 'A deleted item'), (9, 'A preprint'), (10, 'arXiv:2205.00001 [cs]'), (11, 2022), (12, 'arXiv'), (13, 'An item of a feed');
INSERT INTO itemData VALUES (1, 1, 1), (1, 2, 2), (1, 3, 3), (1, 4, 4), (1, 5, 5), (1, 6, 6), (1, 7, 7), (3, 1, 8), (4, 1, 9), (4, 7, 10), (4, 3, 11), (4, 8, 12), (5, 1, 13);
INSERT INTO creators VALUES (1, 'Jane', 'Doe', 0), (2, '', 'The Sample Group', 1), (3, 'E.', 'Editor', 0);
INSERT INTO creatorTypes VALUES (1, 'author'), (2, 'editor');
INSERT INTO itemCreators VALUES (1, 3, 2, 0), (1, 1, 1, 1), (1, 2, 1, 2);
INSERT INTO tags VALUES (1, 'items'), (2, 'databases');
INSERT INTO itemTags VALUES (1, 1, 0), (1, 2, 1);
`

func database(t *testing.T, statements string) (path string, db *sql.DB) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "zotero.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	return path, db
}

func readDatabase(t *testing.T, path string) (records []corpus.Record, faults []error) {
	t.Helper()
	for record, err := range corpus.Read(context.Background(), []corpus.Format{zotero.Database()}, []string{path}, corpus.Options{}) {
		if err != nil {
			faults = append(faults, err)
			continue
		}
		record.File = ""
		records = append(records, record)
	}
	return records, faults
}

func wantRecords() []corpus.Record {
	return []corpus.Record{
		{Key: "ABCD2345", Paper: paper.Paper{
			Title: "An item of the database", Abstract: "Its abstract.", Authors: []string{"Doe, Jane", "The Sample Group"}, Year: 2014, Date: "March 2014",
			Venue: "Journal of Items", URL: "https://example.org/item", Keywords: []string{"databases", "items"}, IDs: paper.Identifiers{DOI: "10.5555/zdb.1", PMID: "30000099"},
		}},
		{Key: "PREP2345", Paper: paper.Paper{Title: "A preprint", Year: 2022, Venue: "arXiv", IDs: paper.Identifiers{ArXiv: "2205.00001"}}},
	}
}

func TestDatabaseIsRead(t *testing.T) {
	path, _ := database(t, schema)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	records, faults := readDatabase(t, path)
	if diff := cmp.Diff(records, wantRecords()); diff != "" || len(faults) > 0 {
		t.Errorf("records (-got +want):\n%s\nfaults %v", diff, faults)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Error("reading changed the database")
	}
}

// Zotero locks its database for as long as it runs.
func TestDatabaseInUseIsRead(t *testing.T) {
	path, db := database(t, schema)
	if _, err := db.Exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO tags VALUES (3, 'not yet written')"); err != nil {
		t.Fatal(err)
	}
	records, faults := readDatabase(t, path)
	if diff := cmp.Diff(records, wantRecords()); diff != "" || len(faults) > 0 {
		t.Errorf("records (-got +want):\n%s\nfaults %v", diff, faults)
	}
}

func TestAnotherDatabaseIsTold(t *testing.T) {
	path, _ := database(t, "CREATE TABLE items (x)")
	if _, faults := readDatabase(t, path); len(faults) != 1 || !errors.Is(faults[0], corpus.ErrForeign) {
		t.Errorf("faults %v, want that it is not Zotero's", faults)
	}
	_, faults := readDatabase(t, filepath.Dir(path))
	var skipped *corpus.Skipped
	if len(faults) != 1 || !errors.As(faults[0], &skipped) {
		t.Errorf("in a folder: faults %v, want it skipped", faults)
	}
}
