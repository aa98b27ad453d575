package safetensors

import (
	"fmt"
	"maps"
	"slices"
)

// File is a parsed file. It is safe for concurrent use.
type File struct {
	tensors map[string]Tensor
}

// Tensor is one array of numbers.
type Tensor struct {
	DType string // as the file has it: "F16", "F32", "I64", ...
	Shape []int  // outermost first; empty for a single number
	Data  []byte // in place in the parsed bytes: must not be written
}

// Parse reads the header of data and checks it against the bytes that follow it. The
// tensors of the File lie in data, which must stay as it is while they are used. The
// cost is that of the header: the tensors' bytes are not read.
func Parse(data []byte) (*File, error) {
	header, body, err := split(data)
	if err != nil {
		return nil, err
	}
	entries, err := parseHeader(header)
	if err != nil {
		return nil, err
	}
	if err := checkCover(entries, len(body)); err != nil {
		return nil, err
	}
	f := &File{tensors: make(map[string]Tensor, len(entries))}
	for _, e := range entries {
		f.tensors[e.name] = Tensor{
			DType: e.dtype,
			Shape: e.shape,
			Data:  body[e.begin:e.end:e.end],
		}
	}
	return f, nil
}

// Names returns the names of the tensors in ascending order.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.tensors)) }

// Tensor returns the tensor called name, or an error that names what is missing.
func (f *File) Tensor(name string) (Tensor, error) {
	t, ok := f.tensors[name]
	if !ok {
		return Tensor{}, fmt.Errorf("reading tensor %q: not in the file", name)
	}
	return t, nil
}

// Shaped is [File.Tensor] for a caller that needs one shape: another one is an error.
func (f *File) Shaped(name string, shape ...int) (Tensor, error) {
	t, err := f.Tensor(name)
	if err != nil {
		return Tensor{}, err
	}
	if !slices.Equal(t.Shape, shape) {
		return Tensor{}, fmt.Errorf("reading tensor %q: shape %v, expected %v", name, t.Shape, shape)
	}
	return t, nil
}

// Len is the number of elements of t.
func (t Tensor) Len() int {
	n := 1
	for _, d := range t.Shape {
		n *= d // INVARIANT: Parse has checked that the product does not overflow.
	}
	return n
}
