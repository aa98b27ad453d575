package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// mount mounts something for a test, which is skipped where that is not allowed.
func mount(t *testing.T, source, target, kind string, flags uintptr, data string) {
	t.Helper()
	if err := os.MkdirAll(target, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount(source, target, kind, flags, data); err != nil {
		t.Skipf("mounting needs rights that this process does not have: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(target, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmounting %s: %v", target, err)
		}
	})
}

// readOnlyMount shows a folder a second time, read-only.
func readOnlyMount(t *testing.T, folder string) string {
	t.Helper()
	target := t.TempDir()
	mount(t, folder, target, "", syscall.MS_BIND, "")
	if err := syscall.Mount("", target, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("mounting read-only needs rights that this process does not have: %v", err)
	}
	return target
}

func TestReadOnlyMount(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", graphs, auction))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	mounted := readOnlyMount(t, dir)
	e = open(t, filepath.Join(mounted, "lib"))
	if got := found(t, e, "sparse graphs"); !strings.HasPrefix(got, "Message passing") {
		t.Errorf("found %q", got)
	}
	sound(t, e)
	for name, lib := range map[string]string{"a library": "lib", "a new one": "other"} {
		w := open(t, filepath.Join(mounted, lib))
		_, err := w.Add(t.Context(), engine.AddRequest{Paths: []string{write(t, t.TempDir(), "b.jsonl", protein)}})
		if err == nil || engine.KindOf(err) != engine.Failed || !strings.Contains(err.Error(), "cannot be written") {
			t.Errorf("adding to %s on a read-only mount: %v, want Failed", name, err)
		}
	}
}

func TestUnfinishedLibraryOnAReadOnlyMount(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "lib"))
	add(t, e, write(t, dir, "a.jsonl", graphs, auction))
	found(t, e, "sparse graphs") // a reader is left, so that the log stays
	add(t, e, write(t, dir, "b.jsonl", protein))
	if info, err := os.Stat(filepath.Join(dir, "lib", "library.db-wal")); err != nil || info.Size() == 0 {
		t.Fatalf("there is no log to test with: %v", err)
	}
	copied := t.TempDir()
	for _, name := range []string{"library.db", "library.db-wal"} {
		data, err := os.ReadFile(filepath.Join(dir, "lib", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(copied, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mounted := readOnlyMount(t, copied)
	if _, err := engine.Open(t.Context(), engine.Config{Library: mounted, Encoder: &words{}}); engine.KindOf(err) != engine.Damaged {
		t.Errorf("opening: %v, want Damaged with a hint", err)
	}
}

// addLimited runs the add of crash_test.go with a limit to the size of a file.
func addLimited(lib, file string, blocks string) (string, error) {
	cmd := exec.Command("sh", "-c", `ulimit -f "$1"; exec "$0"`, os.Args[0], blocks)
	cmd.Env = append(os.Environ(), crashLibrary+"="+lib, crashFile+"="+file)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestFileSizeLimit(t *testing.T) {
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	e := open(t, lib)
	add(t, e, write(t, dir, "a.jsonl", graphs, auction))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	file := many(t, dir, "many.jsonl", 0, 800)
	for _, blocks := range []string{"200", "400", "600"} { // of 512 bytes
		out, err := addLimited(lib, file, blocks)
		if err == nil {
			t.Fatalf("%s blocks were enough: %s", blocks, out)
		}
		if strings.Contains(out, "panic") {
			t.Errorf("%s blocks: %s", blocks, out)
		}
		again := open(t, lib)
		show(t, again, "a")
		sound(t, again)
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, lib)
	add(t, again, file)
	if s := stats(t, again); s.Papers != 802 || s.Vectors != 802 {
		t.Errorf("after the limit is gone: %d papers with %d vectors", s.Papers, s.Vectors)
	}
	sound(t, again)
}

func TestFullDisk(t *testing.T) {
	dir, disk := t.TempDir(), t.TempDir()
	mount(t, "tmpfs", disk, "tmpfs", 0, "size=900k")
	lib := filepath.Join(disk, "lib")
	e := open(t, lib)
	add(t, e, write(t, dir, "a.jsonl", graphs, auction))
	file := many(t, dir, "many.jsonl", 0, 1800)
	r, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{file}})
	if err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("adding to a full disk: %+v, %v; want an error that says so", countsOf(r), err)
	}
	balanced(t, r)
	for _, again := range []*engine.Engine{e, open(t, lib)} {
		show(t, again, "a")
		sound(t, again)
	}
}
