package snapshot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// The layout, drawn in docs/format.md: head, sections, table, footer. All numbers are
// little-endian.
const (
	version = 1

	headLen   = 64 // magic, version, zeros; the first bytes of block 0
	footerLen = 32 // table offset, table length, table checksum, version, footer checksum, end mark
	alignment = 64 // of each section: a cache line, the widest vector register

	// blockLen is what one checksum covers. It is the grain in which damage is told.
	blockLen = 64 << 10

	nameLen      = 24
	entryLen     = nameLen + 8 + 8
	maxSections  = 256
	maxIdentity  = 1 << 10
	tableHeadLen = 8 + 4 + 4 + 4 + 4 // generation, dimension, identity length, sections, blocks
)

var (
	magic   = [8]byte{'A', 'K', 'I', 'N', 'S', 'N', 'A', 'P'}
	endMark = [8]byte{'A', 'K', 'I', 'N', 'S', 'E', 'N', 'D'}

	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// ErrDamaged is what Open and Check return for a file that is not as it was written.
var ErrDamaged = errors.New("damaged snapshot")

// ErrVersion is what Open returns for a file of a later version of this format.
var ErrVersion = errors.New("snapshot of an unknown version")

// Identity says what a snapshot holds.
type Identity struct {
	Generation  uint64 // orders the snapshots of a folder; part of the file's name
	Dim         int    // elements of a vector
	Fingerprint string // what made the vectors, at most 1024 bytes
}

type section struct {
	name        string
	offset, len uint64
}

// table is all that tells a file's shape.
type table struct {
	id       Identity
	sections []section
	crcs     []uint32 // of each block of what is before the table
}

func (t *table) encode() []byte {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, t.id.Generation)
	b = le.AppendUint32(b, uint32(t.id.Dim))
	b = le.AppendUint32(b, uint32(len(t.id.Fingerprint)))
	b = le.AppendUint32(b, uint32(len(t.sections)))
	b = le.AppendUint32(b, uint32(len(t.crcs)))
	b = append(b, t.id.Fingerprint...)
	for _, s := range t.sections {
		var name [nameLen]byte
		copy(name[:], s.name)
		b = append(b, name[:]...)
		b = le.AppendUint64(b, s.offset)
		b = le.AppendUint64(b, s.len)
	}
	for _, c := range t.crcs {
		b = le.AppendUint32(b, c)
	}
	return b
}

// decodeTable reads a table whose data ends at dataLen. Counts are compared with the
// bytes there are before anything is allocated.
func decodeTable(b []byte, dataLen uint64) (*table, error) {
	le := binary.LittleEndian
	if len(b) < tableHeadLen {
		return nil, damaged("table of %d bytes", len(b))
	}
	t := &table{id: Identity{Generation: le.Uint64(b), Dim: int(le.Uint32(b[8:]))}}
	identity, sections, blocks := uint64(le.Uint32(b[12:])), uint64(le.Uint32(b[16:])), uint64(le.Uint32(b[20:]))
	switch {
	case identity > maxIdentity || sections > maxSections:
		return nil, damaged("table with an identity of %d bytes and %d sections", identity, sections)
	case blocks != (dataLen+blockLen-1)/blockLen:
		return nil, damaged("table with %d checksums for %d bytes", blocks, dataLen)
	case uint64(len(b)) != tableHeadLen+identity+sections*entryLen+blocks*4:
		return nil, damaged("table of %d bytes for %d sections and %d blocks", len(b), sections, blocks)
	}
	b = b[tableHeadLen:]
	t.id.Fingerprint, b = string(b[:identity]), b[identity:]
	end := uint64(headLen)
	for range sections {
		s := section{name: cString(b[:nameLen]), offset: le.Uint64(b[nameLen:]), len: le.Uint64(b[nameLen+8:])}
		if s.offset%alignment != 0 || s.offset < end || s.offset > dataLen || s.len > dataLen-s.offset {
			return nil, damaged("section %q at %d, %d bytes long, in a file with %d", s.name, s.offset, s.len, dataLen)
		}
		end = s.offset + s.len
		t.sections = append(t.sections, s)
		b = b[entryLen:]
	}
	t.crcs = make([]uint32, blocks)
	for i := range t.crcs {
		t.crcs[i] = le.Uint32(b[4*i:])
	}
	return t, nil
}

// cString is b up to its first zero.
func cString(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}

func encodeFooter(tableOffset, tableLen uint64, tableCRC uint32) []byte {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, tableOffset)
	b = le.AppendUint32(b, uint32(tableLen))
	b = le.AppendUint32(b, tableCRC)
	b = le.AppendUint32(b, version)
	b = le.AppendUint32(b, crc32.Checksum(b, castagnoli))
	return append(b, endMark[:]...)
}

// decodeFooter returns where the table of a file of size bytes is, and its checksum.
func decodeFooter(b []byte, size uint64) (offset, length uint64, crc uint32, err error) {
	le := binary.LittleEndian
	switch {
	case [8]byte(b[24:]) != endMark:
		return 0, 0, 0, damaged("no end mark: cut short, or not a snapshot")
	case le.Uint32(b[20:]) != crc32.Checksum(b[:20], castagnoli):
		return 0, 0, 0, damaged("checksum of the footer")
	case le.Uint32(b[16:]) != version:
		return 0, 0, 0, fmt.Errorf("%w: %d, this program reads %d", ErrVersion, le.Uint32(b[16:]), version)
	}
	offset, length = le.Uint64(b), uint64(le.Uint32(b[8:]))
	if offset < headLen || offset > size-footerLen || length != size-footerLen-offset {
		return 0, 0, 0, damaged("table at %d, %d bytes long, in a file of %d", offset, length, size)
	}
	return offset, length, le.Uint32(b[12:]), nil
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrDamaged}, args...)...)
}
