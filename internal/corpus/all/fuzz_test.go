package all_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/all"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// FuzzRead opens any bytes: every error is of a known kind, and names its file.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{awkward + "/*", "../testdata/formats/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(content)
		}
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for record, err := range corpus.Read(context.Background(), all.Formats(), []string{"-"}, corpus.Options{Stdin: bytes.NewReader(content)}) {
			var rejected *corpus.Rejected
			var fault *corpus.Fault
			var skipped *corpus.Skipped
			switch {
			case err == nil:
				if record.File == "" || record.Paper.Empty() {
					t.Errorf("a record without a file or a text: %+v", record)
				}
			case errors.As(err, &rejected):
				if rejected.File == "" || rejected.Reason == "" {
					t.Errorf("a rejection without a file or a reason: %+v", rejected)
				}
			case !errors.As(err, &fault) && !errors.As(err, &skipped):
				t.Errorf("an error of no known kind: %v", err)
			}
		}
	})
}

// FuzzRoundTrip writes a record of any texts in every format and reads it back.
func FuzzRoundTrip(f *testing.F) {
	f.Add("A title", "An abstract.\nWith lines.", "Doe, Jane", "a keyword", "A venue")
	for _, record := range hardRecords() {
		p := record.Paper
		f.Add(p.Title, p.Abstract, "Roe & Sons", p.Title, p.Venue)
	}
	f.Fuzz(func(t *testing.T, title, abstract, author, keyword, venue string) {
		record := corpus.Record{Key: "key", Paper: paper.Paper{
			Title: "T " + title, Abstract: "A " + abstract, Authors: []string{"Doe, " + author, "Roe"}, Keywords: []string{"k " + keyword, "l"}, Venue: "V " + venue, Year: 2020,
		}}
		// The first reading gives the record the form that all formats keep.
		first := rereadQuietly(t, "jsonl", record)
		if first == nil || strings.Contains(first.Paper.Title+first.Paper.Venue, "arxiv") {
			return
		}
		for _, name := range all.Writable() {
			got := rereadQuietly(t, name, *first)
			if got == nil {
				t.Fatalf("%s: the record is not read back: %+v", name, *first)
			}
			if diff := cmp.Diff(*got, *first); diff != "" {
				t.Errorf("%s (-got +want):\n%s", name, diff)
			}
		}
	})
}

func rereadQuietly(t *testing.T, name string, record corpus.Record) *corpus.Record {
	t.Helper()
	var b bytes.Buffer
	w, err := all.NewWriter(name, &b)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(record), w.Close()); err != nil {
		t.Fatal(err)
	}
	var found *corpus.Record
	for again, err := range corpus.Read(context.Background(), all.Formats(), []string{"-"}, corpus.Options{Stdin: &b, Format: name}) {
		if err != nil || found != nil {
			return nil
		}
		again.File, again.Line = "", 0
		found = &again
	}
	return found
}
