package seeds

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Key is the SHA-256 of the exact text that was given to the encoder.
type Key = [sha256.Size]byte

// Vectors are the vectors of some texts, all of one model.
type Vectors struct {
	Fingerprint string    // of the model, engine and arithmetic that made them
	Dim         int       // elements of a vector
	Keys        []Key     // of the texts, in the order of the rows
	Rows        []float32 // [len(Keys)][Dim]
}

// Row returns the i-th vector, in place.
func (v *Vectors) Row(i int) []float32 { return v.Rows[i*v.Dim : (i+1)*v.Dim : (i+1)*v.Dim] }

// Find returns the vector of the text with the given key, in place. It looks at every
// key: there are few.
func (v *Vectors) Find(key Key) ([]float32, bool) {
	for i := range v.Keys {
		if v.Keys[i] == key {
			return v.Row(i), true
		}
	}
	return nil, false
}

// The file is drawn in docs/format.md, "The seeds' vectors".
const (
	magic      = "akinseed"
	version    = 1
	headerSize = len(magic) + 4*4
)

// AppendBinary appends the file of v to b.
func (v *Vectors) AppendBinary(b []byte) ([]byte, error) {
	if len(v.Rows) != len(v.Keys)*v.Dim {
		return nil, fmt.Errorf("writing seed vectors: %d elements, expected %d rows of %d", len(v.Rows), len(v.Keys), v.Dim)
	}
	start := len(b)
	b = append(b, magic...)
	for _, n := range []int{version, len(v.Fingerprint), v.Dim, len(v.Keys)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, v.Fingerprint...)
	for _, key := range v.Keys {
		b = append(b, key[:]...)
	}
	for _, x := range v.Rows {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	sum := sha256.Sum256(b[start:])
	return append(b, sum[:]...), nil
}

// ParseVectors reads a file that AppendBinary has written.
func ParseVectors(data []byte) (*Vectors, error) {
	v, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("reading seed vectors: %w", err)
	}
	return v, nil
}

func parse(data []byte) (*Vectors, error) {
	if len(data) < headerSize+sha256.Size {
		return nil, fmt.Errorf("%d bytes, expected at least %d", len(data), headerSize+sha256.Size)
	}
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, fmt.Errorf("begins with %q, expected %q", data[:len(magic)], magic)
	}
	var header [4]uint64
	for i := range header {
		header[i] = uint64(binary.LittleEndian.Uint32(data[len(magic)+4*i:]))
	}
	if header[0] != version {
		return nil, fmt.Errorf("version %d, expected %d", header[0], version)
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	name, dim, count := header[1], header[2], header[3]
	// Products of 32-bit numbers fit into 64 bits, and so does this sum.
	if rest, row := uint64(len(body)-headerSize), sha256.Size+4*dim; name > rest || count > 0 && row > (rest-name)/count || rest != name+count*row {
		return nil, fmt.Errorf("%d bytes after the header, expected a name of %d and %d rows of %d elements", rest, name, count, dim)
	}
	if got := sha256.Sum256(body); !bytes.Equal(got[:], sum) {
		return nil, errors.New("the checksum does not match: the file is damaged")
	}
	body = body[headerSize:]
	v := &Vectors{
		Fingerprint: string(body[:name]),
		Dim:         int(dim),
		Keys:        make([]Key, count),
		Rows:        make([]float32, count*dim),
	}
	body = body[name:]
	for i := range v.Keys {
		body = body[copy(v.Keys[i][:], body):]
	}
	for i := range v.Rows {
		v.Rows[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
		if x := v.Rows[i]; x-x != 0 {
			return nil, fmt.Errorf("row %d: element %d is %v", i/v.Dim, i%v.Dim, x)
		}
	}
	return v, nil
}
