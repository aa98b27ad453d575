package shareddata

import (
	"os"
	"path/filepath"
	"testing"
)

// Variable names the environment variable that holds another folder than the
// default, "shared" beside the repository.
const Variable = "AKIN_SHARED"

// Path returns the path of elem, a slash-separated path inside the shared folder,
// as in Path(t, "data/scifact"). Where the folder or elem in it is absent the test
// is skipped.
func Path(t testing.TB, elem string) string {
	t.Helper()
	root, err := folder()
	if err != nil {
		t.Skipf("finding the shared data: %v", err)
	}
	path := filepath.Join(root, filepath.FromSlash(elem))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("shared data %s is not here; set %s to the folder that holds it", elem, Variable)
	}
	return path
}

// folder is the shared folder: the one that Variable names, else the one beside the
// outermost folder upwards with a go.mod, so that a nested module finds it too.
func folder() (string, error) {
	if dir := os.Getenv(Variable); dir != "" {
		return dir, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	root := ""
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			root = dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	if root == "" {
		return "", os.ErrNotExist
	}
	return filepath.Join(filepath.Dir(root), "shared"), nil
}
