package shareddata_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-9f29d379/akin/internal/shareddata"
)

func TestPathHonoursTheVariable(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(shareddata.Variable, dir)
	if got, want := shareddata.Path(t, "x"), filepath.Join(dir, "x"); got != want {
		t.Errorf("Path(x) = %q, want %q", got, want)
	}
}

func TestPathSkipsWhatIsAbsent(t *testing.T) {
	t.Setenv(shareddata.Variable, t.TempDir())
	var skipped bool
	t.Run("absent", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		shareddata.Path(t, "no/such/file")
	})
	if !skipped {
		t.Error("Path of an absent file did not skip the test")
	}
}

// Without the variable the folder is beside the outermost module, from any package.
func TestPathFindsTheFolderBesideTheModule(t *testing.T) {
	t.Setenv(shareddata.Variable, "")
	outer := t.TempDir()
	for _, dir := range []string{"repo/bench/inner", "shared"} {
		if err := os.MkdirAll(filepath.Join(outer, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"repo/go.mod", "repo/bench/go.mod", "shared/x"} {
		if err := os.WriteFile(filepath.Join(outer, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(outer, "repo/bench/inner"))
	got, err := filepath.EvalSymlinks(shareddata.Path(t, "x"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := filepath.EvalSymlinks(filepath.Join(outer, "shared/x"))
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("Path(x) = %q, want %q", got, want)
	}
}
