//go:build !linux

package cli_test

import (
	"os"
	"path/filepath"
	"testing"
)

// readOnlyFolder is a folder that cannot be written.
func readOnlyFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "read-only")
	if err := os.Mkdir(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	return dir
}
