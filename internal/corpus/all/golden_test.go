package all_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestFormats reads an invented file in the shape of each tool's export and compares
// every field with the golden file beside it.
func TestFormats(t *testing.T) {
	const dir = "../testdata/formats"
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := file.Name()
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			got := golden(t, readAll(t, corpus.Options{}, filepath.Join(dir, name)))
			path := filepath.Join(dir, name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "records", got, string(want))
		})
	}
}

// golden writes down all that reading a file gave.
func golden(t *testing.T, r *result) string {
	t.Helper()
	var b strings.Builder
	write := func(kind string, value any) {
		text, err := json.MarshalIndent(value, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(kind + " " + string(text) + "\n")
	}
	for _, record := range r.records {
		record.File = ""
		write("record", record)
	}
	for _, rejected := range r.rejected {
		rejected.File = ""
		write("rejected", rejected)
	}
	for _, fault := range r.faults {
		write("fault", fault.Err.Error())
	}
	for _, warning := range r.warnings {
		write("warning", warning)
	}
	return b.String()
}
