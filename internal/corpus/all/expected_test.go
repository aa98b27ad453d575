package all_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/all"
	"github.com/seed-9f29d379/akin/internal/shareddata"
)

// result is what reading one file gave.
type result struct {
	records  []corpus.Record
	rejected []*corpus.Rejected
	faults   []*corpus.Fault
	skipped  []*corpus.Skipped
	warnings []string
	usable   int
}

func (r *result) read() int { return len(r.records) + len(r.rejected) }

func readAll(t *testing.T, options corpus.Options, paths ...string) *result {
	t.Helper()
	r := &result{}
	options.Warn = func(file string, line int, message string) { r.warnings = append(r.warnings, message) }
	for record, err := range corpus.Read(context.Background(), all.Formats(), paths, options) {
		var rejected *corpus.Rejected
		var fault *corpus.Fault
		var skipped *corpus.Skipped
		switch {
		case err == nil:
			r.records = append(r.records, record)
			if record.Paper.Usable() {
				r.usable++
			}
		case errors.As(err, &rejected):
			r.rejected = append(r.rejected, rejected)
		case errors.As(err, &skipped):
			r.skipped = append(r.skipped, skipped)
		case errors.As(err, &fault):
			r.faults = append(r.faults, fault)
		default:
			t.Fatalf("reading %v: %v", paths, err)
		}
	}
	return r
}

const awkward = "../testdata/awkward"

func TestAwkwardFilesGiveTheirCounts(t *testing.T) { testCounts(t, awkward) }

func TestRealExportsGiveTheirCounts(t *testing.T) { testCounts(t, shareddata.Path(t, "data/exports")) }

// testCounts reads every file that expected.tsv in dir names, and compares the counts.
func testCounts(t *testing.T, dir string) {
	list, err := os.Open(filepath.Join(dir, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	lines := bufio.NewScanner(list)
	lines.Scan() // the header
	for lines.Scan() {
		columns := strings.Split(lines.Text()+"\t\t", "\t")
		name, wantRead, wantUsable := columns[0], columns[1], columns[2]
		t.Run(name, func(t *testing.T) {
			got := readAll(t, corpus.Options{}, filepath.Join(dir, filepath.FromSlash(name)))
			switch {
			case wantRead == "error":
				if len(got.faults) == 0 {
					t.Errorf("no fault was reported; read %d, warnings %q", got.read(), got.warnings)
				}
				return
			case len(got.faults) > 0 || len(got.skipped) > 0:
				t.Fatalf("faults %v, skipped %v", got.faults, got.skipped)
			}
			least, isLeast := strings.CutSuffix(wantRead, "+")
			if want := atoi(t, least); got.read() < want || got.read() > want && !isLeast {
				t.Errorf("read %d records, want %s", got.read(), wantRead)
			}
			if wantUsable != "" && got.usable != atoi(t, wantUsable) {
				t.Errorf("%d have a usable abstract, want %s", got.usable, wantUsable)
			}
			if t.Failed() {
				for _, record := range got.records {
					t.Logf("%d %q %q %q", record.Line, record.Key, record.Paper.Title, record.Paper.Abstract)
				}
				for _, rejected := range got.rejected {
					t.Log(rejected)
				}
				t.Logf("warnings %q", got.warnings)
			}
		})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			t.Fatalf("%q is no number", s)
		}
		n = 10*n + int(c-'0')
	}
	return n
}
