package a64

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden file with what GNU as makes")

// golden holds a few instructions of each form, one a line: the word in hexadecimal and
// the text.
var golden = filepath.Join("testdata", "encodings.txt")

// TestGoldenEncodings holds the table to what GNU as made, everywhere.
func TestGoldenEncodings(t *testing.T) {
	var texts []string
	for _, f := range table {
		texts = append(texts, samples(f)...)
	}
	if *update {
		var out strings.Builder
		for i, word := range gnu(t, texts) {
			fmt.Fprintf(&out, "%08x %s\n", word, texts[i])
		}
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != len(texts) {
		t.Fatalf("%s has %d lines, the table has %d samples; rewrite it with -update", golden, len(lines), len(texts))
	}
	for i, text := range texts {
		word, err := Encode(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := fmt.Sprintf("%08x %s", word, text); got != lines[i] {
			t.Errorf("line %d: got %s, want %s", i+1, got, lines[i])
		}
	}
}

// TestEncodingsAreThoseOfGNUAs compares every value of every field with an assembler.
func TestEncodingsAreThoseOfGNUAs(t *testing.T) {
	var texts []string
	for _, f := range table {
		for at, name := range f.fields() {
			for v := fields[name].min; v <= fields[name].max; v++ {
				texts = append(texts, f.with(func(i int, fd field) int {
					if i == at {
						return v
					}
					return fd.min + (7*v+5*i)%(fd.max-fd.min+1)
				}))
			}
		}
	}
	for i, want := range gnu(t, texts) {
		got, err := Encode(texts[i])
		if err != nil {
			t.Error(err)
		} else if got != want {
			t.Errorf("%s: got %08x, want %08x", texts[i], got, want)
		}
	}
}

// TestKernelsAreWhatTheirCommentsSay reads the committed assembly: each word is the
// encoding of the text beside it, and the table has no form that no kernel uses.
func TestKernelsAreWhatTheirCommentsSay(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "kernels_arm64.s"))
	if err != nil {
		t.Fatal(err)
	}
	used := make([]bool, len(table))
	for i, line := range strings.Split(string(data), "\n") {
		code, found := strings.CutPrefix(line, "\tWORD $0x")
		if !found {
			continue
		}
		bits, text, _ := strings.Cut(code, " // ")
		word, err := Encode(text)
		if err != nil {
			t.Errorf("line %d: %v", i+1, err)
		}
		if got := fmt.Sprintf("%08x", word); got != bits {
			t.Errorf("line %d: %s is written as %s, want %s", i+1, text, bits, got)
		}
		for f := range table {
			used[f] = used[f] || patterns[f].MatchString(text)
		}
	}
	for f := range table {
		if !used[f] {
			t.Errorf("no kernel uses %q", table[f].text)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, text := range []string{
		"",
		"fmla v32.4s, v0.4s, v0.4s",
		"fmla v0.4s, v0.4s, v0.s[4]",
		"fmla v0.4s, v0.4s, v0.4s ",
		"fmla v0.8h, v0.8h, v0.8h",
		"smlal v0.4s, v0.4h, v16.h[0]",
		"shl v0.4s, v0.4s, #32",
		"ext v0.16b, v0.16b, v0.16b, #16",
	} {
		if word, err := Encode(text); err == nil {
			t.Errorf("%q: got %08x, want an error", text, word)
		}
	}
}

// samples are instructions of a form: all fields least, all greatest, and mixed.
func samples(f form) []string {
	return []string{
		f.with(func(_ int, fd field) int { return fd.min }),
		f.with(func(_ int, fd field) int { return fd.max }),
		f.with(func(i int, fd field) int { return fd.min + (11*i+6)%(fd.max-fd.min+1) }),
	}
}

// with fills the fields of a form.
func (f form) with(value func(i int, fd field) int) string {
	i := -1
	return open.ReplaceAllStringFunc(f.text, func(name string) string {
		i++
		return fmt.Sprint(value(i, fields[strings.Trim(name, "<>")]))
	})
}

// gnu assembles the texts with GNU as, and skips the test where there is none.
func gnu(t *testing.T, texts []string) []uint32 {
	t.Helper()
	as, err := exec.LookPath("aarch64-linux-gnu-as")
	if err != nil {
		t.Skip("aarch64-linux-gnu-as is not installed (Debian: binutils-aarch64-linux-gnu); the golden file alone holds the encodings")
	}
	dir := t.TempDir()
	in, object, raw := filepath.Join(dir, "in.s"), filepath.Join(dir, "in.o"), filepath.Join(dir, "in.bin")
	source := ".arch armv8.2-a+dotprod\n" + strings.Join(texts, "\n") + "\n"
	if err := os.WriteFile(in, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []*exec.Cmd{
		exec.Command(as, "-o", object, in),
		exec.Command("aarch64-linux-gnu-objcopy", "-O", "binary", "-j", ".text", object, raw),
	} {
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	code, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	if len(code) != 4*len(texts) {
		t.Fatalf("GNU as made %d bytes of %d instructions", len(code), len(texts))
	}
	words := make([]uint32, len(texts))
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(code[4*i:])
	}
	return words
}
