package corpustest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/corpus"
)

// Fuzz gives the format's reader any bytes, beginning with the named files of the
// corpus' testdata. It must not panic, must give the same twice, must end within a
// time that goes with the size, must account for each record once, and must give no
// record without a text.
func Fuzz(f *testing.F, format corpus.Format, files ...string) {
	f.Helper()
	for _, file := range files {
		seed, err := os.ReadFile(filepath.Join("..", "testdata", filepath.FromSlash(file)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(seed))
		if len(seed) > 10 {
			f.Add(string(seed[:len(seed)*2/3]))
			f.Add(strings.Repeat(string(seed[:len(seed)/2]), 2))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		first := read(t, format, text)
		// A second for what the machine does besides, and far more than any reader needs.
		if took, bound := time.Since(start), 2*time.Second+time.Duration(len(text))*10*time.Microsecond; took > bound {
			t.Errorf("reading %d bytes took %v", len(text), took)
		}
		if again := read(t, format, text); !cmp.Equal(first, again) {
			t.Errorf("read again, it gives something else:\n%s", cmp.Diff(again, first))
		}
		if score := format.Detect([]byte(text)); score < 0 || score > 100 {
			t.Errorf("Detect gives %d, want 0 to 100", score)
		}
	})
}

// read gives what the reader yields, as text.
func read(t *testing.T, format corpus.Format, text string) []string {
	t.Helper()
	var got []string
	lines := strings.Count(text, "\n") + strings.Count(text, "\r") + 1
	ended := false
	source := corpus.Source{Name: "fuzz", Body: strings.NewReader(text), Warn: func(line int, message string) {
		got = append(got, fmt.Sprintf("warning on line %d: %s", line, message))
	}}
	for record, err := range format.Read(context.Background(), source) {
		var rejected *corpus.Rejected
		switch {
		case ended:
			t.Errorf("reading goes on after its end: %v, %v", record, err)
		case errors.As(err, &rejected):
			if rejected.Reason == "" {
				t.Error("a record is rejected without a reason")
			}
		case err != nil:
			ended = true
		case record.Paper.Empty():
			t.Errorf("a record without a text is given: %+v", record)
		case record.Line < 0 || record.Line > lines:
			t.Errorf("a record begins on line %d of %d", record.Line, lines)
		}
		got = append(got, fmt.Sprintf("%+v %v", record, err))
	}
	return got
}
