package seeds_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/seeds"
)

// two is two vectors of three elements.
func two() *seeds.Vectors {
	return &seeds.Vectors{
		Fingerprint: "small/akin/fp32",
		Dim:         3,
		Keys:        []seeds.Key{sha256.Sum256([]byte("a")), sha256.Sum256([]byte("b"))},
		Rows:        []float32{1, 0, 0, 0, 0.6, -0.8},
	}
}

func file(t testing.TB, v *seeds.Vectors) []byte {
	t.Helper()
	data, err := v.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestVectorsAreReadAsTheyWereWritten(t *testing.T) {
	for name, want := range map[string]*seeds.Vectors{
		"two rows": two(),
		"none":     {Fingerprint: "", Dim: 384, Keys: []seeds.Key{}, Rows: []float32{}},
	} {
		got, err := seeds.ParseVectors(file(t, want))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestFindIsByKey(t *testing.T) {
	v := two()
	if got, ok := v.Find(v.Keys[1]); !ok || got[1] != 0.6 {
		t.Errorf("Find of the second key = %v, %v, want its row", got, ok)
	}
	if _, ok := v.Find(seeds.Key{}); ok {
		t.Error("Find of an absent key found a row")
	}
}

func TestRowsThatDoNotFitAreNotWritten(t *testing.T) {
	v := two()
	v.Rows = v.Rows[1:]
	if _, err := v.AppendBinary(nil); err == nil {
		t.Error("AppendBinary of 5 elements as 2 rows of 3: no error")
	}
}

func TestParseVectorsRefusesDamage(t *testing.T) {
	// The fields of the header, after the magic.
	const versionAt, nameAt, dimAt, countAt = 8, 12, 16, 20
	set := func(at int, n uint32) func([]byte) []byte {
		return func(data []byte) []byte {
			binary.LittleEndian.PutUint32(data[at:], n)
			return data
		}
	}
	tests := []struct {
		name   string
		damage func([]byte) []byte
		want   string
	}{
		{"nothing", func([]byte) []byte { return nil }, "0 bytes"},
		{"another file", func(d []byte) []byte { return append([]byte("SQLite f"), d[8:]...) }, `begins with "SQLite f"`},
		{"a later version", set(versionAt, 2), "version 2, expected 1"},
		{"cut short", func(d []byte) []byte { return d[:len(d)-1] }, "after the header"},
		{"a byte too many", func(d []byte) []byte { return append(d, 0) }, "after the header"},
		{"a name longer than the file", set(nameAt, math.MaxUint32), "a name of 4294967295"},
		{"rows longer than the file", set(dimAt, math.MaxUint32), "2 rows of 4294967295 elements"},
		{"more rows than the file", set(countAt, math.MaxUint32), "4294967295 rows of 3 elements"},
		{"one bit changed", func(d []byte) []byte { d[len(d)/2] ^= 1; return d }, "checksum"},
		{"a number that is none", func([]byte) []byte {
			v := two()
			v.Rows[4] = float32(math.NaN())
			return file(t, v)
		}, "row 1: element 1 is NaN"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := seeds.ParseVectors(test.damage(file(t, two())))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("ParseVectors: error %v, want one with %q", err, test.want)
			}
		})
	}
}

func FuzzParseVectors(f *testing.F) {
	f.Add(file(f, two()))
	f.Add(file(f, &seeds.Vectors{Dim: 1 << 20}))
	f.Fuzz(func(t *testing.T, data []byte) {
		// Most changes break the checksum; it is mended so that what it guards is tried.
		if n := len(data) - sha256.Size; n > 0 {
			sum := sha256.Sum256(data[:n])
			data = append(data[:n:n], sum[:]...)
		}
		v, err := seeds.ParseVectors(data)
		if err != nil {
			return
		}
		if again := file(t, v); !bytes.Equal(again, data) {
			t.Fatalf("written again it is %x, was %x", again, data)
		}
	})
}
