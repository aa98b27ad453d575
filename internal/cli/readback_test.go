package cli_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// TestWhatAkinWritesIsReadOrSaidNotToBe adds every file that akin can write of papers.
func TestWhatAkinWritesIsReadOrSaidNotToBe(t *testing.T) {
	h := withLibrary(t)
	h.must("themes")
	for _, format := range engine.ExportFormats() {
		h.write("file."+format, h.must("export", "--to", format).stdout)
		got := h.run("add", "file."+format, "--no-embed", "--library", "of-"+format)
		if slices.Contains(engine.Formats(), format) {
			if got.code != 0 || !strings.Contains(got.stdout, "3 records read: 3 added") {
				t.Errorf("adding an export to %s: %+v, want 3 papers", format, got)
			}
			continue
		}
		if got.code != 1 || !strings.Contains(got.stderr, "is not read") || !strings.Contains(got.stderr, "hint: ") || !strings.Contains(got.stderr, "akin export --to jsonl") {
			t.Errorf("adding an export to %s: %+v, want what to export instead", format, got)
		}
		if got := h.run("add", "papers.jsonl", "--format", format); got.code != 2 || !strings.Contains(got.stderr, "does not read it") {
			t.Errorf("akin add --format %s: %+v, want that it is not read", format, got)
		}
	}
	h.must("backup", "library.backup")
	for _, file := range []string{"library.backup", filepath.Join(h.folder(), "library.db")} {
		if got := h.run("add", file, "--library", "other"); got.code != 1 || !strings.Contains(got.stderr, "akin restore") {
			t.Errorf("adding %s: %+v, want the hint to restore it", file, got)
		}
	}
}
