package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
)

// applicationID marks the database as ours ("akin"); the schema's number is in
// user_version.
const applicationID = 0x616b696e

// pageSize suits rows of about 1.5 kB: a quarter of a 4 kB page would be lost.
const pageSize = 8192

// migrations bring a database from one version of the schema to the next: number i
// makes version i+1 of version i. They are only ever appended to.
var migrations = []string{
	`
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta VALUES ('identity', lower(hex(randomblob(8))));

-- One work. title is its title or first sentence; mark is the hash of that, folded,
-- under which its twins are found; vector is the row of its vector (NULL: not encoded yet).
CREATE TABLE papers (
  n        INTEGER PRIMARY KEY,
  id       TEXT NOT NULL,
  mark     INTEGER NOT NULL,
  year     INTEGER,
  abstract INTEGER NOT NULL,
  added    INTEGER NOT NULL,
  vector   INTEGER,
  title    TEXT NOT NULL
);
CREATE INDEX papers_mark ON papers (mark);

-- Everything that names a paper: its id, and the identifiers of its records.
CREATE TABLE names (name TEXT PRIMARY KEY, paper INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX names_paper ON names (paper);

-- A file or stream that records come from.
CREATE TABLE sources (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- One paper as one source describes it, as it was read. authors and keywords: one a
-- line; ids: separated by spaces.
CREATE TABLE records (
  id       INTEGER PRIMARY KEY,
  paper    INTEGER NOT NULL,
  source   INTEGER NOT NULL,
  import   INTEGER NOT NULL,
  hash     BLOB NOT NULL,
  key      TEXT NOT NULL,
  line     INTEGER NOT NULL,
  year     INTEGER,
  ids      TEXT,
  title    TEXT,
  authors  TEXT,
  venue    TEXT,
  url      TEXT,
  date     TEXT,
  keywords TEXT,
  abstract TEXT
);
CREATE INDEX records_key ON records (key, source, hash);
CREATE INDEX records_paper ON records (paper);

CREATE TABLE models (id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, dim INTEGER NOT NULL);

-- A vector belongs to a text, whatever paper has that text.
CREATE TABLE vectors (
  id     INTEGER PRIMARY KEY,
  model  INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  key    BLOB NOT NULL,
  vec    BLOB NOT NULL
);
CREATE UNIQUE INDEX vectors_key ON vectors (key, model);

-- Papers whose vector came, changed or went, in order: what a snapshot has to catch up.
CREATE TABLE changes (seq INTEGER PRIMARY KEY AUTOINCREMENT, paper INTEGER NOT NULL);

-- The ledger.
CREATE TABLE imports (
  n        INTEGER PRIMARY KEY,
  what     TEXT NOT NULL,
  started  TEXT NOT NULL,
  state    TEXT NOT NULL,
  read INTEGER NOT NULL DEFAULT 0, added INTEGER NOT NULL DEFAULT 0, updated INTEGER NOT NULL DEFAULT 0,
  merged INTEGER NOT NULL DEFAULT 0, unchanged INTEGER NOT NULL DEFAULT 0, rejected INTEGER NOT NULL DEFAULT 0,
  without_abstract INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE rejections (import INTEGER NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, key TEXT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX rejections_import ON rejections (import);

-- What an import replaced in a record that was there before, for undo.
CREATE TABLE replaced (record INTEGER NOT NULL, import INTEGER NOT NULL, before TEXT NOT NULL, PRIMARY KEY (record, import)) WITHOUT ROWID;

-- Papers that became part of another, for split and undo; records: a JSON list.
CREATE TABLE merges (
  seq     INTEGER PRIMARY KEY,
  import  INTEGER NOT NULL,
  kept    INTEGER NOT NULL,
  gone    INTEGER NOT NULL,
  gone_id TEXT NOT NULL,
  added   INTEGER NOT NULL,
  records TEXT NOT NULL
);
CREATE INDEX merges_kept ON merges (kept);
`,
	`
-- The sentences of a text, in 8-bit codes, by the row of its vector.
CREATE TABLE sentences (vector INTEGER PRIMARY KEY, codes BLOB NOT NULL);
`,
	`
-- The checksum of a row, see sum.go.
ALTER TABLE papers ADD COLUMN sum INTEGER;
UPDATE papers SET sum = rowsum(n, id, mark, year, abstract, added, title, vector);
ALTER TABLE sources ADD COLUMN sum INTEGER;
UPDATE sources SET sum = rowsum(id, name);
ALTER TABLE records ADD COLUMN sum INTEGER;
UPDATE records SET sum = rowsum(paper, source, import, hash, key, line, year, ids, title, authors, venue, url, date, keywords, abstract);
ALTER TABLE models ADD COLUMN sum INTEGER;
UPDATE models SET sum = rowsum(id, fingerprint, dim);
ALTER TABLE vectors ADD COLUMN sum INTEGER;
UPDATE vectors SET sum = rowsum(model, tokens, key, vec);
ALTER TABLE sentences ADD COLUMN sum INTEGER;
UPDATE sentences SET sum = rowsum(vector, codes);
ALTER TABLE imports ADD COLUMN sum INTEGER;
UPDATE imports SET sum = rowsum(n, what, started, state, read, added, updated, merged, unchanged, rejected, without_abstract);
ALTER TABLE rejections ADD COLUMN sum INTEGER;
UPDATE rejections SET sum = rowsum(import, file, line, key, reason);
ALTER TABLE replaced ADD COLUMN sum INTEGER;
UPDATE replaced SET sum = rowsum(record, import, before);
ALTER TABLE merges ADD COLUMN sum INTEGER;
UPDATE merges SET sum = rowsum(import, kept, gone, gone_id, added, records);
`,
	`
-- How the themes were last found: one row. asked: the number that was asked for, 0 is chosen;
-- papers: how many there were; joined: the last change whose papers have a theme; next: the
-- number of the next new theme, never used twice.
CREATE TABLE divisions (
  one       INTEGER PRIMARY KEY CHECK (one = 1),
  asked     INTEGER NOT NULL,
  levels    INTEGER NOT NULL,
  seed      INTEGER NOT NULL,
  k         INTEGER NOT NULL,
  chosen_by TEXT NOT NULL,
  reason    TEXT NOT NULL,
  stability REAL NOT NULL,
  clear     INTEGER NOT NULL,
  papers    INTEGER NOT NULL,
  joined    INTEGER NOT NULL,
  next      INTEGER NOT NULL,
  sum       INTEGER
);

-- A theme. level: 1, 2, or 0 for one that rests: a person named it, and no present theme is it.
-- place: where it is shown; label: the found name, name: a person's; terms: a JSON list;
-- reach: the least mean cosine with its nearest papers of one that fits.
CREATE TABLE themes (
  n      INTEGER PRIMARY KEY,
  level  INTEGER NOT NULL,
  place  INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  label  TEXT NOT NULL,
  name   TEXT NOT NULL,
  terms  TEXT NOT NULL,
  reach  REAL NOT NULL,
  sum    INTEGER
);

-- Which theme a paper has (0: it fits none), by which row of vectors. next: the next best theme;
-- rank: 1 to 3 for those that represent it; joined: it came after the themes were found.
CREATE TABLE theme_papers (
  paper  INTEGER NOT NULL,
  theme  INTEGER NOT NULL,
  vector INTEGER NOT NULL,
  fit    REAL NOT NULL,
  next   INTEGER NOT NULL,
  rank   INTEGER NOT NULL,
  joined INTEGER NOT NULL,
  sum    INTEGER,
  PRIMARY KEY (paper, theme)
) WITHOUT ROWID;
CREATE INDEX theme_papers_theme ON theme_papers (theme);
CREATE TRIGGER theme_papers_gone AFTER DELETE ON papers BEGIN DELETE FROM theme_papers WHERE paper = old.n; END;
`,
	`
-- The codes of sentences have 4 bits an element instead of 8. What is damaged is dropped, and
-- encoded again by the next add.
DELETE FROM sentences WHERE sum IS NOT rowsum(vector, codes);
CREATE TEMP TABLE short AS SELECT s.vector,
  CASE WHEN length(s.codes) = 0 THEN s.codes ELSE shorter(s.codes, m.dim) END AS codes FROM sentences s
  LEFT JOIN vectors v ON v.id = s.vector LEFT JOIN models m ON m.id = v.model;
DELETE FROM sentences;
INSERT INTO sentences (vector, codes, sum) SELECT vector, codes, rowsum(vector, codes) FROM short WHERE codes IS NOT NULL ORDER BY vector;
DROP TABLE short;
`,
	`
-- A change has a mark of its own, by which a snapshot knows the history it was made from: two copies
-- of a library that went on apart have changes of the same numbers.
CREATE TABLE marked (seq INTEGER PRIMARY KEY AUTOINCREMENT, paper INTEGER NOT NULL, mark INTEGER DEFAULT (random()));
INSERT INTO marked SELECT seq, paper, NULL FROM changes;
DROP TABLE changes;
ALTER TABLE marked RENAME TO changes;
`,
}

// migrate brings the database to the newest schema, one transaction a step.
func migrate(ctx context.Context, db *sql.DB, from int) error {
	for v := from; v < len(migrations); v++ {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return fmt.Errorf("migrating the library to version %d: %w", v+1, err)
		}
		_, err = tx.ExecContext(ctx, migrations[v])
		if err == nil {
			_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, v+1))
		}
		if err == nil {
			err = tx.Commit()
		}
		if err != nil {
			return errors.Join(fmt.Errorf("migrating the library to version %d: %w", v+1, err), tx.Rollback())
		}
	}
	return nil
}

// version reads the schema's number; 0 is a database without tables. It refuses a
// database of another program and one of a newer akin.
func version(ctx context.Context, db *sql.DB) (int, error) {
	var app, v, tables int
	err := db.QueryRowContext(ctx, `SELECT a.application_id, u.user_version, (SELECT count(*) FROM sqlite_master)
		FROM pragma_application_id a, pragma_user_version u`).Scan(&app, &v, &tables)
	switch {
	case err != nil:
		return 0, err
	case app == 0 && v == 0 && tables == 0:
		return 0, nil
	case app != applicationID:
		return 0, fmt.Errorf("%w: it is a database of another program", ErrDamaged)
	case v > len(migrations):
		return 0, fmt.Errorf("%w: its schema is version %d, this akin knows up to %d", ErrNewer, v, len(migrations))
	case v < 1:
		return 0, fmt.Errorf("%w: its schema has version %d", ErrDamaged, v)
	}
	return v, nil
}

// checkSchema compares the tables of the database with those that they must be: a wrong
// bit in what describes a table makes other columns of it.
func (l *Library) checkSchema(ctx context.Context, tell func(Fault)) error {
	have, err := schemaOf(ctx, l.db)
	if err != nil {
		return err
	}
	fresh := sql.OpenDB(connector{":memory:"})
	defer fresh.Close()
	fresh.SetMaxOpenConns(1) // each has a memory of its own
	if err := migrate(ctx, fresh, 0); err != nil {
		return err
	}
	want, err := schemaOf(ctx, fresh)
	if err != nil {
		return err
	}
	if !maps.Equal(have, want) {
		tell(Fault{What: "the description of the tables is not what was stored", Where: databaseFile, Hint: hintBackup})
	}
	return nil
}

// schemaOf is how tables, indexes and triggers were made, by name.
func schemaOf(ctx context.Context, db *sql.DB) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT type || ' ' || name || ' of ' || tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	m := make(map[string]string)
	for rows.Next() {
		var name, made string
		if err := rows.Scan(&name, &made); err != nil {
			return nil, err
		}
		m[name] = made
	}
	return m, rows.Err()
}
