package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScanTexts(t *testing.T) {
	tests := []struct {
		name  string
		input string
		want  []string // id, tab, text
	}{
		{"nothing", "", nil},
		{"one line without its end", "a b", []string{"1\ta b"}},
		{"plain lines", "a\nb\n", []string{"1\ta", "2\tb"}},
		{"a blank plain line is a text", "a\n\nb\n", []string{"1\ta", "2\t", "3\tb"}},
		{"blank lines before plain ones", "\n \na\n", []string{"1\t", "2\t", "3\ta"}},
		{"blank lines alone", "\n\n", []string{"1\t", "2\t"}},
		{"Windows line ends", "a\r\nb\r\n", []string{"1\ta", "2\tb"}},
		{"spaces are the text's own", "  a \n", []string{"1\t  a "}},
		{"JSON", `{"id":"x","text":"a"}` + "\n" + `{"id":7,"text":"b"}`, []string{"\"x\"\ta", "7\tb"}},
		{"ids keep their JSON type", `{"id":12345678901234567890,"text":""}` + "\n" + `{"id":null,"text":""}` + "\n" + `{"id":{"a":[1]},"text":""}`,
			[]string{"12345678901234567890\t", "null\t", "{\"a\":[1]}\t"}},
		{"JSON without ids", `{"text":"a"}` + "\n\n" + `{"text":"b"}`, []string{"1\ta", "3\tb"}},
		{"BEIR's ids", `{"_id":"q1","text":"a"}`, []string{"\"q1\"\ta"}},
		{"blank lines before JSON", "\n\n" + `{"text":"a"}`, []string{"3\ta"}},
		{"an object without a text is a plain line", `{"a":1}` + "\nb", []string{"1\t" + `{"a":1}`, "2\tb"}},
		{"an object whose text is no string is a plain line", `{"text":1}`, []string{"1\t" + `{"text":1}`}},
		{"the name is text, not Text", `{"Text":"a"}`, []string{"1\t" + `{"Text":"a"}`}},
		{"JSON in a later line is plain text", "a\n" + `{"text":"b"}`, []string{"1\ta", "2\t" + `{"text":"b"}`}},
		{"a byte order mark", "\ufeff" + `{"text":"a"}`, []string{"1\ta"}},
		{"escapes", `{"text":"\u00e9\n\"x"}`, []string{"1\té\n\"x"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			err := scanTexts(strings.NewReader(test.input), new(oddLines), func(line textLine) error {
				got = append(got, string(line.id)+"\t"+line.text)
				return nil
			})
			if err != nil {
				t.Fatalf("scanTexts(%q): %v", test.input, err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("scanTexts(%q) (-want +got):\n%s", test.input, diff)
			}
		})
	}
}

func TestScanTextsStopsAtALineThatIsNoText(t *testing.T) {
	input := `{"text":"a"}` + "\n" + `{"text":"b"` + "\n" + `{"text":"c"}`
	var got []string
	err := scanTexts(strings.NewReader(input), new(oddLines), func(line textLine) error {
		got = append(got, line.text)
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "reading the texts: line 2 of the standard input: ") {
		t.Errorf("error %v, want one that names line 2", err)
	}
	if diff := cmp.Diff([]string{"a"}, got); diff != "" {
		t.Errorf("texts before it (-want +got):\n%s", diff)
	}
}

func TestReadLineIsBounded(t *testing.T) {
	endless := io.LimitReader(zeros{}, maxLine+10)
	_, err := readLine(bufio.NewReader(endless))
	if err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("a line without end: error %v, want one that says so", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// A batch is what has arrived: who writes one line and waits gets its answer.
func TestNextDoesNotWaitForAFullBatch(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	lines := readTexts(t.Context(), r)
	for i := range 3 {
		fmt.Fprintf(w, "text %d\n", i)
		batch, err := lines.next(t.Context())
		if err != nil || len(batch) != 1 || batch[0].text != fmt.Sprintf("text %d", i) {
			t.Fatalf("next() = %v, %v, want the one line that was written", batch, err)
		}
	}
	w.Close()
	if batch, err := lines.next(t.Context()); len(batch) != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("next() at the end = %v, %v, want io.EOF", batch, err)
	}
}

func TestNextKeepsTheOrder(t *testing.T) {
	const n = 10 * embedBatch
	var input strings.Builder
	for i := range n {
		fmt.Fprintln(&input, i)
	}
	lines := readTexts(t.Context(), strings.NewReader(input.String()))
	seen := 0
	for {
		batch, err := lines.next(t.Context())
		if len(batch) > embedBatch {
			t.Fatalf("a batch of %d texts, want at most %d", len(batch), embedBatch)
		}
		for _, line := range batch {
			if line.text != fmt.Sprint(seen) {
				t.Fatalf("text %q, want %d", line.text, seen)
			}
			seen++
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen != n {
		t.Errorf("%d texts, want %d", seen, n)
	}
}

func FuzzScanTexts(f *testing.F) {
	f.Add("a\n\n{\"text\":\"b\"}")
	f.Add("{\"id\":1,\"text\":\"b\"}\n{")
	f.Fuzz(func(t *testing.T, input string) {
		n := 0
		_ = scanTexts(strings.NewReader(input), new(oddLines), func(line textLine) error {
			if len(line.id) == 0 {
				t.Error("a text without an id")
			}
			n++
			return nil
		})
		if lines := strings.Count(input, "\n") + 1; n > lines {
			t.Errorf("%d texts in %d lines", n, lines)
		}
	})
}
