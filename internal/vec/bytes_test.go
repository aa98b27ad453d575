package vec_test

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/vec"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGoldenBytesOnEveryProcessor holds all assembly levels, of amd64 and of arm64, to
// one file of digests: each runs the same roundings in the same order. The plain Go
// reference rounds differently and is left out.
func TestGoldenBytesOnEveryProcessor(t *testing.T) {
	golden := filepath.Join("testdata", "digests.txt")
	before, _ := vec.CPU()
	defer vec.Use(before)
	for _, l := range vec.Levels()[1:] {
		if err := vec.Use(l); err != nil {
			t.Fatal(err)
		}
		got := digests()
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", l, diff)
		}
	}
}

// digests lists the kernels with a digest of what each makes of the same input.
func digests() string {
	var out strings.Builder
	for _, c := range sameOnEveryProcessor {
		digest := sha256.New()
		for _, n := range []int{1, 15, 16, 47, 384} {
			binary.Write(digest, binary.LittleEndian, c.result(n))
		}
		fmt.Fprintf(&out, "%s %x\n", c.name, digest.Sum(nil)[:8])
	}
	return out.String()
}

var sameOnEveryProcessor = []struct {
	name   string
	result func(n int) any
}{
	{"Dot", func(n int) any { return vec.Dot(uniform(n, 1), uniform(n, 2)) }},
	{"Norm", func(n int) any { return vec.Norm(uniform(n, 1)) }},
	{"Normalize", func(n int) any {
		x := uniform(n, 3)
		vec.Normalize(x)
		return x
	}},
	{"Dots", func(n int) any {
		dst := make([]float32, 7)
		vec.Dots(dst, uniform(n, 4), uniform(7*n, 5))
		return dst
	}},
	{"Axpy", func(n int) any {
		x := uniform(n, 6)
		vec.Axpy(x, -1.7, uniform(n, 7))
		return x
	}},
	{"MatMul", func(n int) any {
		const m, columns = 7, 50
		b := vec.PackB(uniform(n*columns, 8), columns, n)
		b.Bias = uniform(columns, 9)
		dst := make([]float32, m*columns)
		vec.MatMul(dst, uniform(m*n, 10), b)
		return dst
	}},
	{"MatMulI16", func(n int) any {
		const m, columns = 7, 50
		k := (n + 15) / 16 * 16
		b := vec.NewPackedI16(columns, k)
		b.SetHalf(0, uniformHalf(k*columns, 11), k)
		b.Bias = uniform(columns, 12)
		x := uniform(m*k, 13)
		dst := make([]float32, m*columns)
		vec.MatMulI16(dst, rowsFor(x, m, k, b), b)
		return dst
	}},
	{"Attention", func(n int) any { return attentionOf(&vec.Attention{Width: 32, Stride: 32}, n) }},
	{"AttentionI16", func(n int) any { return attentionOf(&vec.AttentionI16{Width: 32, Stride: 32}, n) }},
	{"GELU", func(n int) any {
		x := uniform(n, 15)
		vec.GELU(x)
		return x
	}},
	{"LayerNorm", func(n int) any {
		x := uniform(n, 16)
		norm := vec.LayerNorm{Weight: uniform(n, 17), Bias: uniform(n, 18), Epsilon: 1e-12}
		norm.Add(x, uniform(n, 19))
		return x
	}},
	{"QuantizeRow", func(n int) any {
		codes := make([]int8, n)
		vec.QuantizeRow(codes, uniform(n, 20))
		return codes
	}},
	{"DotsI8", func(n int) any {
		q, rows := make([]int8, n), make([]int8, 7*n)
		vec.QuantizeRow(q, uniform(n, 21))
		vec.QuantizeRow(rows, uniform(7*n, 22))
		dst := make([]int32, 7)
		vec.DotsI8(dst, q, rows)
		return dst
	}},
}

func attentionOf(a attention, n int) []float32 {
	dst := make([]float32, min(n, 120)*32)
	a.Head(dst, uniform(len(dst), 14), uniform(len(dst), 23), uniform(len(dst), 24))
	return dst
}

// uniformHalf are 16-bit floats of magnitudes up to 2.
func uniformHalf(n int, seed uint64) []uint16 {
	rng := rand.New(rand.NewPCG(seed, 4))
	x := make([]uint16, n)
	for i := range x {
		x[i] = uint16(rng.Uint32()) & 0xbfff
	}
	return x
}

// uniform is made by integers alone: the standard library's normal numbers may differ in
// their last bit between processors.
func uniform(n int, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 3))
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(int32(rng.Uint32())) / (1 << 29)
	}
	return x
}
