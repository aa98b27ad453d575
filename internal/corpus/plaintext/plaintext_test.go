package plaintext_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/plaintext"
)

func TestRead(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // "line title|abstract"
		warnings   int
	}{
		{"a heading and abstracts", "ICML 2026 Papers\n\nWe study one.\n\nWe study\ntwo.\n", []string{"3 |We study one.", "5 |We study\ntwo."}, 1},
		{"abstracts alone", "We study one.\n\n\n  \nWe study two.", []string{"1 |We study one.", "5 |We study two."}, 0},
		{"titles and abstracts", "One\n\nWe study one.\n\nTwo\n\nWe study two.\n", []string{"1 One|We study one.", "5 Two|We study two."}, 0},
		{"a heading, titles and abstracts", "List\n\nOne\n\nWe study one.\n", []string{"3 One|We study one."}, 1},
		{"one paper", "One\n\nWe study one.\n", []string{"1 One|We study one."}, 0},
		{"a title at the end", "We study one.\n\nTwo", []string{"1 |We study one.", "3 Two|"}, 0},
		{"Windows line ends", "We study one.\r\n\r\nWe study two.\r\n", []string{"1 |We study one.", "3 |We study two."}, 0},
		{"nothing but a title", "One paper", []string{"1 One paper|"}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			warnings := 0
			source := corpus.Source{Body: strings.NewReader(test.text), Warn: func(int, string) { warnings++ }}
			for record, err := range plaintext.Format().Read(context.Background(), source) {
				if err != nil {
					t.Fatalf("reading %q: %v", test.text, err)
				}
				got = append(got, strings.Join([]string{string(rune('0' + record.Line)), " ", record.Paper.Title, "|", record.Paper.Abstract}, ""))
			}
			if diff := cmp.Diff(got, test.want); diff != "" {
				t.Errorf("records of %q (-got +want):\n%s", test.text, diff)
			}
			if warnings != test.warnings {
				t.Errorf("%d warnings, want %d", warnings, test.warnings)
			}
		})
	}
}
