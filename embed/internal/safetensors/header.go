package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
)

const (
	lengthSize = 8
	// maxHeader is the format's own limit for a header.
	maxHeader    = 100_000_000
	metadataName = "__metadata__"
)

// elementSize is the number of bytes of an element; 0 for a type that is not known.
func elementSize(dtype string) int {
	switch dtype {
	case "BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2":
		return 1
	case "U16", "I16", "F16", "BF16":
		return 2
	case "U32", "I32", "F32":
		return 4
	case "U64", "I64", "F64":
		return 8
	}
	return 0
}

// entry is one tensor of a header; data[begin:end] are its bytes after the header.
type entry struct {
	name       string
	dtype      string
	shape      []int
	begin, end int
}

// split divides a file into its header and the tensors' bytes.
func split(data []byte) (header, body []byte, err error) {
	if len(data) < lengthSize {
		return nil, nil, fmt.Errorf("reading safetensors header: %d bytes, expected at least %d", len(data), lengthSize)
	}
	n := binary.LittleEndian.Uint64(data)
	rest := data[lengthSize:]
	switch {
	case n > maxHeader:
		return nil, nil, fmt.Errorf("reading safetensors header: a length of %d bytes, the format allows %d", n, maxHeader)
	case n > uint64(len(rest)):
		return nil, nil, fmt.Errorf("reading safetensors header: a length of %d bytes, the file has %d left", n, len(rest))
	}
	return rest[:n], rest[n:], nil
}

// parseHeader reads the JSON header. It walks the names itself because one that is
// given twice, which encoding/json would let pass, must be an error.
func parseHeader(header []byte) ([]entry, error) {
	dec := json.NewDecoder(bytes.NewReader(header))
	dec.DisallowUnknownFields()
	entries, err := parseEntries(dec)
	if err == nil {
		if _, end := dec.Token(); end != io.EOF {
			err = errors.New("more follows the closing brace")
		}
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("reading safetensors header: %w", err)
	}
	return entries, nil
}

func parseEntries(dec *json.Decoder) ([]entry, error) {
	brace, err := dec.Token()
	if err != nil {
		return nil, err
	}
	if brace != json.Delim('{') {
		return nil, fmt.Errorf("found %v, expected an object", brace)
	}
	var entries []entry
	seen := map[string]bool{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name := key.(string) // INVARIANT: a key is a string, else Token has failed.
		if seen[name] {
			return nil, fmt.Errorf("tensor %q: named twice", name)
		}
		seen[name] = true
		if name == metadataName {
			var metadata map[string]string
			if err := dec.Decode(&metadata); err != nil {
				return nil, fmt.Errorf("%s: %w", metadataName, err)
			}
			continue
		}
		e, err := parseEntry(dec)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		e.name = name
		entries = append(entries, e)
	}
	_, err = dec.Token()
	return entries, err
}

// parseEntry reads what a name stands for, and checks it by itself.
func parseEntry(dec *json.Decoder) (entry, error) {
	var raw struct {
		DType   string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets []int  `json:"data_offsets"`
	}
	if err := dec.Decode(&raw); err != nil {
		return entry{}, err
	}
	switch {
	case raw.DType == "":
		return entry{}, errors.New("has no dtype")
	case raw.Shape == nil:
		return entry{}, errors.New("has no shape")
	case len(raw.Offsets) != 2 || raw.Offsets[0] < 0 || raw.Offsets[1] < raw.Offsets[0]:
		return entry{}, fmt.Errorf("data_offsets %v, expected a begin and an end not before it", raw.Offsets)
	}
	e := entry{dtype: raw.DType, shape: raw.Shape, begin: raw.Offsets[0], end: raw.Offsets[1]}
	size, err := byteSize(e.dtype, e.shape)
	if err != nil {
		return entry{}, err
	}
	if got := e.end - e.begin; got != size {
		return entry{}, fmt.Errorf("%d bytes, but %s %v takes %d", got, e.dtype, e.shape, size)
	}
	return e, nil
}

// byteSize is the number of bytes that elements of dtype in shape take.
func byteSize(dtype string, shape []int) (int, error) {
	element := elementSize(dtype)
	if element == 0 {
		return 0, fmt.Errorf("dtype %q is not known", dtype)
	}
	n, overflow := uint64(element), false
	for _, d := range shape {
		if d < 0 {
			return 0, fmt.Errorf("shape %v has a negative length", shape)
		}
		var high uint64
		high, n = bits.Mul64(n, uint64(d))
		overflow = overflow || high != 0 || n > math.MaxInt
	}
	if overflow {
		return 0, fmt.Errorf("shape %v of %s is larger than memory can be", shape, dtype)
	}
	return int(n), nil
}

// checkCover checks that the tensors cover n bytes without gap or overlap.
func checkCover(entries []entry, n int) error {
	sorted := slices.Clone(entries)
	slices.SortFunc(sorted, func(a, b entry) int {
		if a.begin != b.begin {
			return a.begin - b.begin
		}
		return a.end - b.end
	})
	at := 0
	for i, e := range sorted {
		switch {
		case e.end > n:
			return fmt.Errorf("reading tensor %q: ends at byte %d, the file has %d", e.name, e.end, n)
		case e.begin < at:
			return fmt.Errorf("reading tensor %q: overlaps tensor %q", e.name, sorted[i-1].name)
		case e.begin > at:
			return fmt.Errorf("reading tensor %q: begins at byte %d, the one before it ends at %d", e.name, e.begin, at)
		}
		at = e.end
	}
	if at != n {
		return fmt.Errorf("reading safetensors: %d bytes after the last tensor", n-at)
	}
	return nil
}
