package cluster_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/cluster"
	"github.com/seed-9f29d379/akin/internal/paper"
	"github.com/seed-9f29d379/akin/internal/shareddata"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestGoldenThemesOfTheSeeds keeps what an organiser would read on the nineteen seeds:
// how many themes, their names, their papers. The reader of a diff decides whether it
// is better.
func TestGoldenThemesOfTheSeeds(t *testing.T) {
	f, err := os.Open(shareddata.Path(t, "reference/vectors.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var texts []string
	var vectors []float32
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct {
			Group, Text string
			Vector      []float32
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Group == "seed" {
			texts = append(texts, paper.Clean(line.Text))
			vectors = append(vectors, line.Vector...)
		}
	}
	const dim = 384
	r, err := cluster.Themes(t.Context(), vectors, dim, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	level := r.Levels[0]
	fits := make([]float32, r.K)
	for i, theme := range level.Themes {
		fits[i] = theme.Fit
	}
	names, err := cluster.Names(texts, labelsOf(level), r.K, cluster.NameOptions{Fits: fits})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d themes: %s; stability %.2f, clear %v\n", r.K, r.Reason, r.Stability, r.ClearStructure)
	for i, theme := range level.Themes {
		fmt.Fprintf(&b, "\n%s\n  fit %.2f; %s\n", names[i].Label, theme.Fit, strings.Join(names[i].Terms, ", "))
		for item, m := range level.Items {
			if int(m.Theme) == i {
				fmt.Fprintf(&b, "  %2d fit %.2f next %d: %.90s\n", item, m.Fit, m.Next, texts[item])
			}
		}
		fmt.Fprintf(&b, "  represented by %v\n", theme.Representatives)
	}
	golden := filepath.Join("testdata", "seeds.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("themes of the seeds (-want +got; -update rewrites):\n%s", diff)
	}
}
