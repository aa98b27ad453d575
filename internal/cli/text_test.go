package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		name  string
		text  string
		width int
		limit int
		want  []string
	}{
		{"nothing", "  ", 10, 0, nil},
		{"one line", "a b c", 10, 0, []string{"a b c"}},
		{"between words", "one two three", 7, 0, []string{"one two", "three"}},
		{"a word that fills the line", "one sevenxx two", 7, 0, []string{"one", "sevenxx", "two"}},
		{"inside a word only where it alone is too wide", "abcdefghij k", 4, 0, []string{"abcd", "efgh", "ij k"}},
		{"wide characters take two columns", "日本語 日本", 6, 0, []string{"日本語", "日本"}},
		{"a wide character never straddles the edge", "日本語", 5, 0, []string{"日本", "語"}},
		{"a combining mark takes none", "e\u0301e\u0301e\u0301 e\u0301", 3, 0, []string{"e\u0301e\u0301e\u0301", "e\u0301"}},
		{"cut after the last line", "one two three four", 7, 2, []string{"one two", "three…"}},
		{"cut where the last line is full", "one two seven77 four", 7, 2, []string{"one two", "seven7…"}},
		{"cut in the place of the last word where the line is full", "one two six ten four", 7, 2, []string{"one two", "six…"}},
		{"not cut where it just fits", "one two three", 7, 2, []string{"one two", "three"}},
		{"narrower than a character", "日", 1, 0, []string{"日"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, wrap(test.text, test.width, test.limit)); diff != "" {
				t.Errorf("wrap(%q, %d, %d) (-want +got):\n%s", test.text, test.width, test.limit, diff)
			}
		})
	}
}

func TestOneLine(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"line ends", "a\r\nb\n\nc", "a b c"},
		{"an escape sequence", "\x1b[31mred\x1b[0m", "red"},
		{"a title of the window", "\x1b]0;x\ax", "x"},
		{"C1 controls", "a\u009b31mb", "ab"},
		{"marks of direction", "a\u202eb\u2066c", "a b c"},
		{"broken UTF-8", "a\xffb", "a b"},
		{"what is written stays", "ℓ0 café 日本語 👩‍🔬", "ℓ0 café 日本語 👩‍🔬"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := oneLine(test.text); got != test.want {
				t.Errorf("oneLine(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("one two three", 7, 2)
	f.Add("日本語 e\u0301", 2, 0)
	f.Fuzz(func(t *testing.T, s string, w, limit int) {
		if w < 2 || w > 200 || limit < 0 {
			return
		}
		s = oneLine(s)
		lines := wrap(s, w, limit)
		for _, line := range lines {
			if width(line) > w && strings.ContainsRune(line, ' ') {
				t.Errorf("wrap(%q, %d): a line of %d columns: %q", s, w, width(line), line)
			}
		}
		if limit > 0 && len(lines) > limit {
			t.Errorf("wrap(%q, %d, %d): %d lines", s, w, limit, len(lines))
		}
		if limit == 0 && strings.ReplaceAll(strings.Join(lines, ""), " ", "") != strings.ReplaceAll(s, " ", "") {
			t.Errorf("wrap(%q, %d) lost text: %q", s, w, lines)
		}
	})
}

func TestATerminalThatDoesNotKnowItsWidth(t *testing.T) {
	for said, want := range map[int]int{0: plainWidth, -1: plainWidth, 40: 40} {
		if got := knownWidth(said); got != want {
			t.Errorf("a terminal that says %d columns is set at %d, want %d", said, got, want)
		}
	}
}
