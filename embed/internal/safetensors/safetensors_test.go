package safetensors_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/embed/internal/safetensors"
)

// file builds a file of a header and n bytes of tensors, 0, 1, 2, ...
func file(header string, n int) []byte {
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	data = append(data, header...)
	for i := range n {
		data = append(data, byte(i))
	}
	return data
}

func TestParseReadsTensorsInPlace(t *testing.T) {
	// The second name lies first in the file, and the header ends in padding.
	data := file(`{"__metadata__":{"format":"pt"},`+
		`"b":{"dtype":"F16","shape":[2,3],"data_offsets":[4,16]},`+
		`"a":{"shape":[],"dtype":"F32","data_offsets":[0,4]},`+
		`"empty":{"dtype":"I64","shape":[0,7],"data_offsets":[4,4]}}   `, 16)
	f, err := safetensors.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "empty"}, f.Names()); diff != "" {
		t.Errorf("Names (-want +got):\n%s", diff)
	}
	got, err := f.Tensor("b")
	if err != nil {
		t.Fatal(err)
	}
	body := data[len(data)-16:]
	want := safetensors.Tensor{DType: "F16", Shape: []int{2, 3}, Data: body[4:16]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Tensor(b) (-want +got):\n%s", diff)
	}
	if &got.Data[0] != &body[4] {
		t.Error("Tensor(b) is a copy, want the bytes in place")
	}
	if got.Len() != 6 {
		t.Errorf("Len() = %d, want 6", got.Len())
	}
}

func TestTensorAndShapedNameWhatIsWrong(t *testing.T) {
	f, err := safetensors.Parse(file(`{"a":{"dtype":"U8","shape":[2,1],"data_offsets":[0,2]}}`, 2))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Tensor("layer.0"); err == nil || !strings.Contains(err.Error(), `"layer.0"`) {
		t.Errorf("Tensor of an absent name: error %v, want one that names it", err)
	}
	if _, err := f.Shaped("a", 2, 1); err != nil {
		t.Errorf("Shaped(a, 2, 1): %v", err)
	}
	if _, err := f.Shaped("a", 1, 2); err == nil || !strings.Contains(err.Error(), `"a": shape [2 1], expected [1 2]`) {
		t.Errorf("Shaped(a, 1, 2): error %v, want one with both shapes", err)
	}
}

func TestParseRefusesAFileThatLies(t *testing.T) {
	length := func(n uint64) []byte { return append(binary.LittleEndian.AppendUint64(nil, n), "{}"...) }
	tensor := func(rest string) []byte { return file(`{"w":{`+rest+`}}`, 8) }
	const huge = "9223372036854775807"
	tests := []struct {
		name string
		data []byte
		want string // in the error
	}{
		{"nothing", nil, "0 bytes, expected at least 8"},
		{"half a length", make([]byte, 7), "7 bytes, expected at least 8"},
		{"a header of 4 GB", length(4 << 30), "4294967296 bytes"},
		{"a header of the largest length", length(1<<64 - 1), "18446744073709551615 bytes"},
		{"a header longer than the file", length(3), "the file has 2 left"},
		{"an empty header", file("", 0), "unexpected EOF"},
		{"a header that is no object", file(`["w"]`, 0), "expected an object"},
		{"a header cut short", file(`{"w":{"dtype":"U8"`, 0), "unexpected EOF"},
		{"text after the header", file(`{} {}`, 0), "more follows"},
		{"a name twice", file(`{"w":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"w":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}}`, 8), `"w": named twice`},
		{"metadata that is no text", file(`{"__metadata__":{"n":1}}`, 0), "__metadata__"},
		{"a tensor that is nothing", file(`{"w":null}`, 0), `"w": has no dtype`},
		{"a tensor that is no object", file(`{"w":3}`, 0), `"w": json: cannot unmarshal number`},
		{"no dtype", tensor(`"shape":[8],"data_offsets":[0,8]`), `"w": has no dtype`},
		{"no shape", tensor(`"dtype":"U8","data_offsets":[0,8]`), `"w": has no shape`},
		{"no offsets", tensor(`"dtype":"U8","shape":[8]`), `"w": data_offsets []`},
		{"a field too many", tensor(`"dtype":"U8","shape":[8],"data_offsets":[0,8],"x":1`), "unknown field \"x\""},
		{"an unknown dtype", tensor(`"dtype":"F7","shape":[8],"data_offsets":[0,8]`), `"F7" is not known`},
		{"a negative length", tensor(`"dtype":"U8","shape":[-8],"data_offsets":[0,8]`), "negative length"},
		{"a length that is no integer", tensor(`"dtype":"U8","shape":[8.5],"data_offsets":[0,8]`), "shape of type int"},
		{"a shape that overflows", tensor(`"dtype":"F32","shape":[` + huge + `,` + huge + `],"data_offsets":[0,8]`), "larger than memory"},
		{"a shape that overflows by its dtype", tensor(`"dtype":"F64","shape":[2305843009213693953],"data_offsets":[0,8]`), "larger than memory"},
		{"a shape that overflows to nothing", tensor(`"dtype":"U8","shape":[4294967296,4294967296,0],"data_offsets":[0,0]`), "larger than memory"},
		{"an offset beyond any integer", tensor(`"dtype":"U8","shape":[8],"data_offsets":[0,99999999999999999999]`), "data_offsets of type int"},
		{"one offset", tensor(`"dtype":"U8","shape":[8],"data_offsets":[8]`), "expected a begin and an end"},
		{"three offsets", tensor(`"dtype":"U8","shape":[8],"data_offsets":[0,4,8]`), "expected a begin and an end"},
		{"an end before its begin", tensor(`"dtype":"U8","shape":[8],"data_offsets":[8,0]`), "not before it"},
		{"a negative offset", tensor(`"dtype":"U8","shape":[8],"data_offsets":[-8,0]`), "not before it"},
		{"fewer bytes than the shape", tensor(`"dtype":"F16","shape":[8],"data_offsets":[0,8]`), "8 bytes, but F16 [8] takes 16"},
		{"a tensor beyond the file", tensor(`"dtype":"U8","shape":[9],"data_offsets":[0,9]`), "ends at byte 9, the file has 8"},
		{"tensors that overlap", file(`{"v":{"dtype":"U8","shape":[5],"data_offsets":[0,5]},"w":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}}`, 8), `"w": overlaps tensor "v"`},
		{"a gap", file(`{"v":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"w":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}}`, 8), `"w": begins at byte 4`},
		{"bytes after the last tensor", file(`{"v":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}`, 8), "5 bytes after the last tensor"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := safetensors.Parse(test.data)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Parse: error %v, want one with %q", err, test.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(file(`{"w":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]}}`, 8))
	f.Add(file(`{"__metadata__":{"a":"b"},"v":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"w":{"dtype":"U8","shape":[],"data_offsets":[3,4]}}`, 4))
	f.Add(file(`{"w":{"dtype":"F32","shape":[9223372036854775807,4],"data_offsets":[0,0]}}`, 0))
	f.Add(file(`{}`, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		parsed, err := safetensors.Parse(data)
		if err != nil {
			return
		}
		total := 0
		for _, name := range parsed.Names() {
			tensor, err := parsed.Tensor(name)
			if err != nil {
				t.Fatalf("Tensor(%q) of its own name: %v", name, err)
			}
			if n := tensor.Len(); n > len(data) || n > len(tensor.Data) {
				t.Fatalf("tensor %q: %d elements in %d bytes", name, n, len(tensor.Data))
			}
			total += len(tensor.Data)
		}
		if total > len(data) {
			t.Fatalf("tensors of %d bytes in a file of %d: they overlap", total, len(data))
		}
	})
}

func BenchmarkParse(b *testing.B) {
	var header strings.Builder
	header.WriteString("{")
	for i := range 101 { // as many as the bundled model has
		if i > 0 {
			header.WriteString(",")
		}
		fmt.Fprintf(&header, `"encoder.layer.%d.attention.self.query.weight":{"dtype":"F16","shape":[1,1],"data_offsets":[%d,%d]}`, i, 2*i, 2*i+2)
	}
	header.WriteString("}")
	data := file(header.String(), 202)
	for b.Loop() {
		if _, err := safetensors.Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}
