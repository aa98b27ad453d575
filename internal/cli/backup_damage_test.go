package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestABackupWithAWrongBitIsNotRestored: a bit in what a row says leaves every page as a
// database wants it.
func TestABackupWithAWrongBitIsNotRestored(t *testing.T) {
	h := withLibrary(t)
	h.must("backup", "whole.backup")
	path := filepath.Join(h.dir, "whole.backup")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const word = "Policy gradients"
	places := 0
	for at := bytes.Index(whole, []byte(word)); at >= 0; places++ {
		bad := bytes.Clone(whole)
		bad[at+len(word)/2] ^= 1
		h.write("bad.backup", string(bad))
		got := h.run("restore", "bad.backup", "--library", "other")
		if got.code != 4 || !strings.Contains(got.stderr, "the backup is damaged") || !strings.Contains(got.stderr, "hint: the library is untouched") {
			t.Errorf("a wrong bit at %d: %+v, want exit code 4 and that the backup is damaged", at, got)
		}
		if left := h.run("list", "--library", "other"); strings.Contains(left.stdout, "olicy") && !strings.Contains(left.stderr, "seed papers") {
			t.Errorf("after a wrong bit at %d the library has %q", at, left.stdout)
		}
		next := bytes.Index(whole[at+1:], []byte(word))
		if next < 0 {
			places++
			break
		}
		at += 1 + next
	}
	if places < 2 {
		t.Fatalf("the backup has the words %q %d times, want them in the entry and the record", word, places)
	}
	h.must("restore", "whole.backup", "--library", "other")
}
