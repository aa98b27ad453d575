package snapshot_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/seed-9f29d379/akin/index/snapshot"
)

// Counts whose checksums are right: of a writer that lies, not of a disk that fails.
func TestACountThatLiesIsRefusedAndAllocatesNothing(t *testing.T) {
	path, err := write(snapshot.OS{}, t.TempDir(), identity)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "lies")
	const footerLen = 32
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	for _, c := range []struct {
		name string
		at   int // in the table
	}{
		{"bytes of the fingerprint", 12},
		{"sections", 16},
		{"blocks", 20},
	} {
		for _, lie := range []uint32{1 << 20, 1<<28 - 1, 1<<31 - 1, 1<<32 - 1} {
			b := bytes.Clone(whole)
			footer := b[len(b)-footerLen:]
			offset, length := binary.LittleEndian.Uint64(footer), binary.LittleEndian.Uint32(footer[8:])
			table := b[offset : offset+uint64(length)]
			binary.LittleEndian.PutUint32(table[c.at:], lie)
			binary.LittleEndian.PutUint32(footer[12:], crc32.Checksum(table, castagnoli))
			binary.LittleEndian.PutUint32(footer[20:], crc32.Checksum(footer[:20], castagnoli))
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := snapshot.Open(path, snapshot.OpenOptions{})
			runtime.ReadMemStats(&after)
			if !errors.Is(err, snapshot.ErrDamaged) {
				t.Errorf("%d %s: %v, want ErrDamaged", lie, c.name, err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 64<<10 {
				t.Errorf("%d %s: %d bytes allocated", lie, c.name, took)
			}
		}
	}
}
