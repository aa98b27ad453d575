package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func TestExportReadBackChangesNoPaper(t *testing.T) {
	for _, format := range engine.ExportFormats() {
		t.Run(format, func(t *testing.T) {
			dir := t.TempDir()
			e := open(t, filepath.Join(dir, "lib"))
			add(t, e, write(t, dir, "a.jsonl", graphs, auction, protein, only, short, more,
				`{"id":"x{1}","title":"Braces {and} \"quotes\", 50% of $x^2$ & \\LaTeX\\_y","abstract":"Lines\nof text; a, b; ö, ł and ∞ — ’s.","authors":["Müller, Jörg","The Sample Consortium"],"keywords":["a, b","c; d"],"year":1999,"venue":"A & B","url":"https://example.org/a?b=c&d=%20e"}`),
				filepath.Join("..", "corpus", "testdata", "awkward", "17-arxiv-versions.jsonl"))
			want := snapshotOf(t, e)
			var out bytes.Buffer
			n, err := e.Export(t.Context(), &out, engine.ExportRequest{To: format})
			if err != nil || n != len(want) {
				t.Fatalf("Export: %d papers, %v; want %d", n, err, len(want))
			}
			file := filepath.Join(dir, "export."+format)
			if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			r := add(t, e, file)
			if r.Added+r.Updated+r.RejectedCount != 0 {
				t.Errorf("read back: %+v", countsOf(r))
			}
			got := snapshotOf(t, e)
			for _, list := range [][]engine.Paper{want, got} {
				for i := range list {
					list[i].Sources = nil
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("after reading back (-want +got):\n%s", d)
			}

			other := open(t, filepath.Join(dir, "other"))
			if r := add(t, other, file); r.Added != len(want) {
				t.Errorf("read into an empty library: %+v, want %d added", countsOf(r), len(want))
			}
		})
	}
}

func TestExportOfSome(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", graphs, auction, protein))
	var out bytes.Buffer
	if n, err := e.Export(t.Context(), &out, engine.ExportRequest{To: "jsonl", Names: []string{"c", "a"}}); err != nil || n != 2 {
		t.Errorf("two by name: %d, %v", n, err)
	}
	if n, err := e.Export(t.Context(), &out, engine.ExportRequest{To: "ris", Filters: engine.Filters{YearFrom: 2022}}); err != nil || n != 1 {
		t.Errorf("from 2022: %d, %v", n, err)
	}
	if _, err := e.Export(t.Context(), &out, engine.ExportRequest{To: "papyrus"}); engine.KindOf(err) != engine.Usage {
		t.Errorf("a format that is none: %v", err)
	}
}
