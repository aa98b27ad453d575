package wordpiece_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-9f29d379/akin/embed/internal/wordpiece"
	"github.com/seed-9f29d379/akin/internal/shareddata"
)

// maxTokens is what the bundled model reads.
const maxTokens = 256

func vocabulary(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("../../../models/vocab.txt")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func bundled(t testing.TB) *wordpiece.Tokenizer {
	t.Helper()
	tokenizer, err := wordpiece.New(vocabulary(t))
	if err != nil {
		t.Fatal(err)
	}
	return tokenizer
}

// line is one text with what the reference makes of it.
type line struct {
	Group  string  `json:"group"`
	Text   string  `json:"text"`
	Tokens int     `json:"tokens"`
	IDs    []int32 `json:"ids"`
}

func lines(t testing.TB, path string) []line {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []line
	for r := json.NewDecoder(bufio.NewReader(f)); ; {
		var l line
		err := r.Decode(&l)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%s: text %d: %v", path, len(all)+1, err)
		}
		all = append(all, l)
	}
}

func TestEveryReferenceTextHasTheReferenceIDs(t *testing.T) {
	tests := []struct {
		name string
		path func(t *testing.T) string
		want int // texts in the file
	}{
		{"vectors", func(*testing.T) string { return "../../testdata/vectors.jsonl" }, 187},
		{"tokens", func(*testing.T) string { return "../../testdata/tokens.jsonl" }, 1500},
		{"unicode", func(*testing.T) string { return "testdata/unicode.jsonl" }, 400},
		{"scifact", func(t *testing.T) string { return shareddata.Path(t, "reference/scifact.jsonl") }, 250},
	}
	tokenizer := bundled(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			texts := lines(t, test.path(t))
			if len(texts) != test.want {
				t.Fatalf("%d texts, want %d", len(texts), test.want)
			}
			for i, l := range texts {
				ids, tokens := tokenizer.Encode(nil, l.Text, maxTokens)
				if !slices.Equal(ids, l.IDs) || tokens != l.Tokens {
					t.Errorf("text %d (%s) %q:\ngot  %d tokens %v\nwant %d tokens %v",
						i+1, l.Group, l.Text, tokens, ids, l.Tokens, l.IDs)
				}
			}
		})
	}
}

// Every code point of Unicode, in the middle of a word, has the ids that the reference
// gives; the file has one digest for each run of 4,096 of them.
func TestEveryCodePointHasTheReferenceIDs(t *testing.T) {
	data, err := os.ReadFile("testdata/codepoints.json")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	const run = 0x1000
	if len(want) != (utf8.MaxRune+1)/run {
		t.Fatalf("%d digests, want %d", len(want), (utf8.MaxRune+1)/run)
	}
	tokenizer := bundled(t)
	var ids []int32
	var text []byte
	for i := range want {
		if testing.Short() && i >= 16 && i%16 != 14 { // the basic plane, and a run of each other one
			continue
		}
		h := sha256.New()
		for r := rune(i * run); r < rune((i+1)*run); r++ {
			if !utf8.ValidRune(r) {
				continue
			}
			text = append(utf8.AppendRune(append(text[:0], 'a'), r), "b cd"...)
			ids, _ = tokenizer.Encode(ids[:0], string(text), maxTokens)
			text = fmt.Append(text[:0], ids)
			h.Write(text[1 : len(text)-1])
			h.Write([]byte{'\n'})
		}
		if got := hex.EncodeToString(h.Sum(nil))[:16]; got != want[i] {
			t.Errorf("code points U+%04X to U+%04X: digest %s, want %s", i*run, (i+1)*run-1, got, want[i])
		}
	}
}

func TestRulesOfTheReference(t *testing.T) {
	tokenizer := bundled(t)
	pieces := strings.Split(string(vocabulary(t)), "\n")
	tests := []struct {
		name, text, want string
	}{
		{"nothing", "", ""},
		{"white space alone", " \t\r\n\u00a0\u3000\u2028", ""},
		{"upper case", "HELLO World", "hello world"},
		{"accents", "naïve Poincaré Erdős", "naive po ##in ##care er ##dos"},
		{"accents as marks of their own", "nai\u0308ve", "naive"},
		{"each hyphen", "state-of-the-art", "state - of - the - art"},
		{"ASCII symbols", "a$b+c=d|e~f", "a $ b + c = d | e ~ f"},
		{"other symbols stay", "3×4", "3 ##× ##4"},
		{"sigma at the end of a word", "ΛΟΓΟΣ", "λ ##ο ##γ ##ο ##σ"},
		{"ideographs", "中文大", "中 文 大"},
		{"kana are not isolated", "カ", "カ"},
		{"a zero-width space joins", "he\u200bllo", "hello"},
		{"a soft hyphen joins", "hel\u00adlo", "hello"},
		{"control characters join", "he\x00l\x1fl\u0085o", "hello"},
		{"bytes that are not UTF-8 join", "he\xffl\xc3lo", "hello"},
		{"a surrogate in UTF-8 joins", "he\xed\xa0\x80llo", "hello"},
		{"special tokens are text", "[SEP] [CLS]", "[ sep ] [ cl ##s ]"},
		{"a word of 100", strings.Repeat("a", 100), strings.TrimSpace("aaa" + strings.Repeat(" ##aa", 48) + " ##a")},
		{"a word of 101", strings.Repeat("a", 101), "[UNK]"},
		{"a word with a piece missing", "hello\u2603world ok", "[UNK] ok"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ids, tokens := tokenizer.Encode(nil, test.text, maxTokens)
			var words []string
			for _, id := range ids[1 : len(ids)-1] {
				words = append(words, pieces[id])
			}
			if got := strings.Join(words, " "); got != test.want {
				t.Errorf("Encode(%q) = %q, want %q", test.text, got, test.want)
			}
			if tokens != len(ids) {
				t.Errorf("Encode(%q): %d tokens, want %d", test.text, tokens, len(ids))
			}
		})
	}
}

func TestLongTextsAreCutAndCounted(t *testing.T) {
	tokenizer := bundled(t)
	tests := []struct {
		name        string
		text        string
		max         int
		ids, tokens int
	}{
		{"just fits", strings.Repeat("a ", 254), 256, 256, 256},
		{"one too many", strings.Repeat("a ", 255), 256, 256, 257},
		{"room for nothing else", "one two", 2, 2, 4},
		{"100,000 words", strings.Repeat("word ", 100_000), 256, 256, 100_002},
		{"an unknown word across the end", "a abcdefg\u2603 b c", 4, 4, 6},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ids, tokens := tokenizer.Encode(nil, test.text, test.max)
			if len(ids) != test.ids || tokens != test.tokens {
				t.Errorf("%d ids of %d tokens, want %d of %d", len(ids), tokens, test.ids, test.tokens)
			}
			if last := ids[len(ids)-1]; last != 102 {
				t.Errorf("the last id is %d, want 102, [SEP]", last)
			}
		})
	}
}

func TestEncodeAppends(t *testing.T) {
	got, _ := bundled(t).Encode([]int32{7, 8}, "a b c d", 4)
	if want := []int32{7, 8, 101, 1037, 1038, 102}; !slices.Equal(got, want) {
		t.Errorf("Encode to [7 8] = %v, want %v", got, want)
	}
}

func TestEncodeDoesNotAllocate(t *testing.T) {
	tokenizer := bundled(t)
	dst := make([]int32, 0, maxTokens)
	text := strings.Repeat("Naïve state-of-the-art 中文 한국어 ", 50)
	if n := testing.AllocsPerRun(100, func() { tokenizer.Encode(dst, text, maxTokens) }); n != 0 {
		t.Errorf("%v allocations a text, want none", n)
	}
}

func TestEncodeIsSafeForConcurrentUse(t *testing.T) {
	tokenizer := bundled(t)
	texts := lines(t, "testdata/unicode.jsonl")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, l := range texts {
				if ids, _ := tokenizer.Encode(nil, l.Text, maxTokens); !slices.Equal(ids, l.IDs) {
					t.Errorf("Encode(%q) = %v, want %v", l.Text, ids, l.IDs)
				}
			}
		})
	}
	wg.Wait()
}

func TestNewNamesWhatIsWrong(t *testing.T) {
	const specials = "[UNK]\n[CLS]\n[SEP]\n"
	tests := []struct {
		name, vocab, want string // want "" is no error
	}{
		{"no end of the last line", specials + "a", ""},
		{"line ends of another system", strings.ReplaceAll(specials, "\n", "\r\n"), ""},
		{"nothing", "", "no piece [CLS]"},
		{"no [UNK]", "[CLS]\n[SEP]\n", "no piece [UNK]"},
		{"a piece twice", specials + "##a\na\n##a\n", `line 6: piece "##a" is on line 4 already`},
		{"an empty piece", specials + "\na\n", "line 4: an empty piece"},
		{"not UTF-8", specials + "a\xff\n", `line 4: "a\xff" is not UTF-8`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tokenizer, err := wordpiece.New([]byte(test.vocab))
			switch {
			case test.want == "" && err != nil:
				t.Errorf("New: %v", err)
			case test.want == "":
				if ids, _ := tokenizer.Encode(nil, "", 2); !slices.Equal(ids, []int32{1, 2}) {
					t.Errorf("Encode of nothing = %v, want [1 2]", ids)
				}
			case err == nil || !strings.Contains(err.Error(), test.want):
				t.Errorf("New: error %v, want one with %q", err, test.want)
			}
		})
	}
}

// The tables leave out canonical reordering. That is exact while no piece holds a
// character that takes part in it: a word with one is [UNK] in any order.
func TestNoPieceHoldsACharacterThatReorders(t *testing.T) {
	for _, r := range string(vocabulary(t)) {
		if ccc := norm.NFD.PropertiesString(string(r)).CCC(); ccc != 0 {
			t.Errorf("a piece holds %U, of combining class %d", r, ccc)
		}
	}
}

func FuzzEncode(f *testing.F) {
	tokenizer := bundled(f)
	f.Add("state-of-the-art naïve 中文 한국어", 256)
	f.Add("\xff\xc3\u0300[SEP]\u200b", 2)
	f.Add(strings.Repeat("é", 101)+" a", 5)
	f.Fuzz(func(t *testing.T, text string, max int) {
		if max < 2 {
			return
		}
		ids, tokens := tokenizer.Encode(nil, text, max)
		if len(ids) > max || len(ids) != min(max, tokens) {
			t.Fatalf("%d ids of %d tokens, max %d", len(ids), tokens, max)
		}
		for i, id := range ids {
			if id < 0 || int(id) >= tokenizer.Len() {
				t.Fatalf("id %d is %d, of %d pieces", i, id, tokenizer.Len())
			}
		}
		if ids[0] != 101 || ids[len(ids)-1] != 102 {
			t.Fatalf("ids %v, want [CLS] first and [SEP] last", ids)
		}
		// Bytes that are not UTF-8 count as if they were not there.
		clean, n := tokenizer.Encode(nil, string(bytes.ToValidUTF8([]byte(text), nil)), max)
		if !slices.Equal(ids, clean) || tokens != n {
			t.Fatalf("without its invalid bytes: %v, want %v", clean, ids)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	data := vocabulary(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := wordpiece.New(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	tokenizer := bundled(b)
	texts := lines(b, "../../testdata/vectors.jsonl")
	for _, group := range []string{"seed", "trap"} {
		b.Run(group, func(b *testing.B) {
			var chosen []string
			size := 0
			for _, l := range texts {
				if l.Group == group {
					chosen = append(chosen, l.Text)
					size += len(l.Text)
				}
			}
			dst := make([]int32, 0, maxTokens)
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, text := range chosen {
					tokenizer.Encode(dst, text, maxTokens)
				}
			}
		})
	}
}
