// Package safetensors reads the safetensors format: named tensors in one file, read in
// place.
//
// A file is a header length (8 bytes, little endian), a JSON header of that many bytes,
// and the tensors' bytes. The header maps each name to {"dtype", "shape",
// "data_offsets": [begin, end]}, offsets counted from the end of the header; the key
// "__metadata__" holds strings. The tensors cover the bytes after the header without
// gap or overlap, in row-major order, little endian.
//
// Nothing in a file is trusted: every length is checked before it is used, and a file
// that lies gets an error that names the tensor.
package safetensors
