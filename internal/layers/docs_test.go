package layers

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// quoted finds what a document sets in back quotes.
var quoted = regexp.MustCompile("`([^`\n]+)`")

// TestPathsInTheArchitectureExist keeps docs/architecture.md honest: whatever it quotes
// that has a slash and begins with a folder of ours must be there.
func TestPathsInTheArchitectureExist(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n > 200 {
		t.Errorf("docs/architecture.md has %d lines, want at most 200", n)
	}
	checked := 0
	for _, m := range quoted.FindAllStringSubmatch(string(data), -1) {
		first, _, ok := strings.Cut(m[1], "/")
		if !ok || strings.ContainsAny(m[1], " *") {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, first)); err != nil {
			continue
		}
		checked++
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Errorf("docs/architecture.md names %s: %v", m[1], err)
		}
	}
	if checked < 10 {
		t.Errorf("found %d paths in docs/architecture.md, want at least 10: has the form of quoting changed?", checked)
	}
}
