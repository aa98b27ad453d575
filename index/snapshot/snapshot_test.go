package snapshot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/index/snapshot"
)

var identity = snapshot.Identity{Generation: 7, Dim: 384, Fingerprint: "all-MiniLM-L6-v2/akin/fp32"}

// contents is what the tests write: sections of lengths around those of a block.
func contents() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 1))
	m := make(map[string][]byte)
	for _, n := range []int{0, 1, 63, 64, 65, 65_536 - 64, 65_536, 200_001} {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		m[fmt.Sprintf("%06d bytes", n)] = b
	}
	return m
}

var names = []string{"000000 bytes", "000001 bytes", "000063 bytes", "000064 bytes", "000065 bytes", "065472 bytes", "065536 bytes", "200001 bytes"}

func write(fs snapshot.FS, dir string, id snapshot.Identity) (string, error) {
	w, err := snapshot.Create(fs, dir, id)
	if err != nil {
		return "", err
	}
	defer w.Abort()
	m := contents()
	for _, name := range names {
		if err := w.Section(name); err != nil {
			return "", err
		}
		for b := m[name]; len(b) > 0; b = b[min(len(b), 9973):] {
			if _, err := w.Write(b[:min(len(b), 9973)]); err != nil {
				return "", err
			}
		}
	}
	return w.Commit()
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	dir := t.TempDir()
	path, err := write(snapshot.OS{}, dir, identity)
	if err != nil {
		t.Fatal(err)
	}
	for _, opts := range []snapshot.OpenOptions{{}, {InMemory: true}} {
		f, err := snapshot.Open(path, opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(identity, f.Identity()); diff != "" {
			t.Errorf("Identity (-want +got):\n%s", diff)
		}
		for name, want := range contents() {
			if got, ok := f.Section(name); !ok || !bytes.Equal(got, want) {
				t.Errorf("Section(%q): %d bytes, %v, want %d", name, len(got), ok, len(want))
			}
		}
		if b, ok := f.Section("absent"); ok {
			t.Errorf("Section(absent) = %d bytes", len(b))
		}
		if err := f.Check(context.Background()); err != nil {
			t.Errorf("Check: %v", err)
		}
		if err := f.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
}

func TestTheSameSectionsGiveTheSameBytes(t *testing.T) {
	var files [2][]byte
	for i := range files {
		path, err := write(snapshot.OS{}, t.TempDir(), identity)
		if err != nil {
			t.Fatal(err)
		}
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two files of the same sections differ")
	}
}

// notice opens and checks the bytes, and returns the first error.
func notice(t *testing.T, path string, b []byte) error {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := snapshot.Open(path, snapshot.OpenOptions{InMemory: true})
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Check(context.Background())
}

func TestEveryFlippedBitAndEveryCutIsNoticed(t *testing.T) {
	path, err := write(snapshot.OS{}, t.TempDir(), identity)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "damaged")
	if err := notice(t, path, whole); err != nil {
		t.Fatal(err)
	}
	bits := len(whole) * 8
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range 2500 {
		bit := rng.IntN(bits)
		if i < 512 { // the head
			bit = i
		} else if i < 512+32*8 { // the footer
			bit = bits - 1 - (i - 512)
		} else if i < 1500 { // the table
			bit = bits - 1 - rng.IntN(600*8)
		}
		b := bytes.Clone(whole)
		b[bit/8] ^= 1 << (bit % 8)
		if err := notice(t, path, b); !errors.Is(err, snapshot.ErrDamaged) && !errors.Is(err, snapshot.ErrVersion) {
			t.Fatalf("bit %d of %d flipped: %v, want ErrDamaged", bit, bits, err)
		}
	}
	for cut := 0; cut < len(whole); cut += 1 << 14 { // each border of a block is among them
		for _, n := range []int{cut, cut + 1, cut + 63} {
			if n >= len(whole) {
				continue
			}
			if err := notice(t, path, whole[:n]); !errors.Is(err, snapshot.ErrDamaged) {
				t.Fatalf("cut to %d of %d bytes: %v, want ErrDamaged", n, len(whole), err)
			}
		}
	}
	if err := notice(t, path, append(bytes.Clone(whole), 0)); !errors.Is(err, snapshot.ErrDamaged) {
		t.Errorf("a byte more: %v, want ErrDamaged", err)
	}
}

func TestCheckNamesTheDamagedSection(t *testing.T) {
	path, err := write(snapshot.OS{}, t.TempDir(), identity)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-50_000] ^= 4
	if err := notice(t, filepath.Join(t.TempDir(), "x"), b); err == nil || !strings.Contains(err.Error(), "200001 bytes") {
		t.Errorf("damage in the last section is told as %v", err)
	}
}

func TestAGenerationIsNeverWrittenOver(t *testing.T) {
	dir := t.TempDir()
	if _, err := write(snapshot.OS{}, dir, identity); err != nil {
		t.Fatal(err)
	}
	if _, err := write(snapshot.OS{}, dir, identity); !errors.Is(err, os.ErrExist) {
		t.Errorf("writing a generation again: %v, want ErrExist", err)
	}
	older := identity
	older.Generation = 3
	if _, err := write(snapshot.OS{}, dir, older); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x.snapshot", "7.snapshot", "library.db"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := snapshot.List(dir)
	want := []snapshot.Entry{
		{Path: filepath.Join(dir, snapshot.Name(7)), Generation: 7},
		{Path: filepath.Join(dir, snapshot.Name(3)), Generation: 3},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("List: %v (-want +got):\n%s", err, diff)
	}
	if got, err := snapshot.List(filepath.Join(dir, "absent")); err != nil || len(got) != 0 {
		t.Errorf("List of an absent folder = %v, %v, want none", got, err)
	}
}

func TestBadSectionsAreRefused(t *testing.T) {
	w, err := snapshot.Create(snapshot.OS{}, t.TempDir(), identity)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if _, err := w.Write([]byte{1}); err == nil {
		t.Error("bytes before the first section were taken")
	}
	if err := w.Section("a"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "a", strings.Repeat("x", 25), "nul\x00"} {
		if err := w.Section(name); err == nil {
			t.Errorf("section %q was taken", name)
		}
	}
	if _, err := snapshot.Create(snapshot.OS{}, t.TempDir(), snapshot.Identity{Dim: 1, Fingerprint: strings.Repeat("x", 2000)}); err == nil {
		t.Error("a fingerprint of 2000 bytes was taken")
	}
}

// faulty fails its nth operation, after a part of it where it can be done in part.
type faulty struct {
	snapshot.OS
	left *int
}

var errFault = errors.New("injected fault")

func (f faulty) spend() bool {
	*f.left--
	return *f.left == 0
}

func (f faulty) Create(name string) (snapshot.WriteFile, error) {
	if f.spend() {
		return nil, errFault
	}
	file, err := f.OS.Create(name)
	return faultyFile{file, f}, err
}

func (f faulty) Rename(from, to string) error {
	if f.spend() {
		return errFault
	}
	return f.OS.Rename(from, to)
}

func (f faulty) SyncDir(dir string) error {
	if f.spend() {
		return errFault
	}
	return f.OS.SyncDir(dir)
}

type faultyFile struct {
	snapshot.WriteFile
	fs faulty
}

func (f faultyFile) Write(p []byte) (int, error) {
	if f.fs.spend() {
		n, _ := f.WriteFile.Write(p[:len(p)/2])
		return n, errFault
	}
	return f.WriteFile.Write(p)
}

func (f faultyFile) Sync() error {
	if f.fs.spend() {
		return errFault
	}
	return f.WriteFile.Sync()
}

func (f faultyFile) Close() error {
	err := f.WriteFile.Close()
	if f.fs.spend() {
		return errFault
	}
	return err
}

func TestAFaultAtAnyOperationLeavesTheOldSnapshotOrTheNew(t *testing.T) {
	for nth := 1; ; nth++ {
		dir := t.TempDir()
		old := identity
		old.Generation = 1
		if _, err := write(snapshot.OS{}, dir, old); err != nil {
			t.Fatal(err)
		}
		left := nth
		_, err := write(faulty{left: &left}, dir, identity)
		if err == nil {
			if left <= 0 {
				t.Fatalf("a fault at operation %d was not told", nth)
			}
			break
		}
		if !errors.Is(err, errFault) {
			t.Fatalf("fault at operation %d: %v", nth, err)
		}
		entries, err := snapshot.List(dir)
		if err != nil || len(entries) == 0 {
			t.Fatalf("fault at operation %d: %v, %v", nth, entries, err)
		}
		for _, e := range entries {
			f, err := snapshot.Open(e.Path, snapshot.OpenOptions{})
			if err != nil {
				t.Fatalf("fault at operation %d: %v", nth, err)
			}
			if err := f.Check(context.Background()); err != nil {
				t.Errorf("fault at operation %d: %v", nth, err)
			}
			f.Close()
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != len(entries) {
			t.Errorf("fault at operation %d leaves %v", nth, files)
		}
		// And the next attempt goes through, under the next generation.
		next := identity
		next.Generation = 8
		if _, err := write(snapshot.OS{}, dir, next); err != nil {
			t.Errorf("after a fault at operation %d: %v", nth, err)
		}
	}
}

func TestAPartOfADeadWriterIsReplaced(t *testing.T) {
	dir := t.TempDir()
	if _, err := snapshot.Create(snapshot.OS{}, dir, identity); err != nil { // and never ended
		t.Fatal(err)
	}
	next := identity
	next.Generation++
	for _, id := range []snapshot.Identity{identity, next} {
		if _, err := write(snapshot.OS{}, dir, id); err != nil {
			t.Errorf("beside the part of a dead writer: %v", err)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("files after two snapshots: %v, %v", files, err)
	}
}

func TestThePartOfAnotherGenerationIsRemoved(t *testing.T) {
	dir := t.TempDir()
	older := identity
	older.Generation--
	if _, err := snapshot.Create(snapshot.OS{}, dir, older); err != nil { // and never ended
		t.Fatal(err)
	}
	if _, err := write(snapshot.OS{}, dir, identity); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("files after a writer died and another wrote: %v, %v", files, err)
	}
}

func TestWhatIsNotASnapshotIsRefused(t *testing.T) {
	dir := t.TempDir()
	for name, b := range map[string][]byte{
		"empty": nil,
		"short": []byte("AKINSNAP"),
		"text":  bytes.Repeat([]byte("not a snapshot\n"), 20),
		"zeros": make([]byte, 4096),
	} {
		path := filepath.Join(dir, name)
		if err := notice(t, path, b); !errors.Is(err, snapshot.ErrDamaged) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s file: %v, want ErrDamaged with its path", name, err)
		}
	}
	if _, err := snapshot.Open(dir, snapshot.OpenOptions{}); !errors.Is(err, snapshot.ErrDamaged) {
		t.Errorf("Open of a folder: %v, want ErrDamaged", err)
	}
	if _, err := snapshot.Open(filepath.Join(dir, "absent"), snapshot.OpenOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open of an absent file: %v, want ErrNotExist", err)
	}
}

func FuzzOpen(f *testing.F) {
	path, err := write(snapshot.OS{}, f.TempDir(), snapshot.Identity{Dim: 1})
	if err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[len(whole)-1000:])
	f.Add(append(bytes.Clone(whole[:64]), whole[len(whole)-500:]...))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := snapshot.Open(path, snapshot.OpenOptions{InMemory: true})
		if err != nil {
			return
		}
		defer s.Close()
		for _, name := range names {
			s.Section(name)
		}
		if err := s.Check(context.Background()); err != nil && !errors.Is(err, snapshot.ErrDamaged) {
			t.Errorf("Check: %v", err)
		}
	})
}
