package cli_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// readOnlyFolder is a folder that cannot be written: by its mode, or by a mount that is
// read-only where the tests run as root, whom no mode stops.
func readOnlyFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "read-only")
	if err := os.Mkdir(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() != 0 {
		return dir
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_RDONLY, "size=64k"); err != nil {
		t.Skipf("root in a container that may not mount: no folder is safe from it (%v)", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}
