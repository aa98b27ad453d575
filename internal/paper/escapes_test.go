package paper_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-9f29d379/akin/internal/paper"
)

func TestWithoutEscapes(t *testing.T) {
	for name, test := range map[string]struct{ in, want string }{
		"none":                      {"plain [31m text", "plain [31m text"},
		"a colour":                  {"a \x1b[31mred\x1b[0m b", "a red b"},
		"many parameters":           {"\x1b[38;2;1;2;3;4mx\x1b[?25ly", "xy"},
		"clear and home":            {"\x1b[2J\x1b[Hx", "x"},
		"a title of a window":       {"\x1b]0;owned\ax", "x"},
		"a link":                    {"\x1b]8;;https://example.org\x1b\\here\x1b]8;;\x1b\\", "here"},
		"a string without an end":   {"a\x1b]0;text goes on", "a0;text goes on"},
		"a sequence without an end": {"a\x1b[31", "a"},
		"C1":                        {"a\u009b31mred\u009d0;x\u009cb", "aredb"},
		"a character set":           {"\x1b(0x\x1b(B", "x"},
		"a bare escape":             {"a\x1bcb", "ab"},
		"an escape at the end":      {"a\x1b", "a\x1b"},
		"other text in UTF-8":       {"ä\x1b[1m中\x1b[m", "ä中"},
	} {
		if got := paper.WithoutEscapes(test.in); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func FuzzWithoutEscapes(f *testing.F) {
	f.Add("a \x1b[31mred\x1b]0;x\a")
	f.Fuzz(func(t *testing.T, s string) {
		got := paper.WithoutEscapes(s)
		if len(got) > len(s) || utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("of %q: %q", s, got)
		}
		if !strings.ContainsAny(s, "\x1b\u009b\u009d\u0090\u0098\u009e\u009f") && got != s {
			t.Errorf("%q was changed to %q", s, got)
		}
	})
}
