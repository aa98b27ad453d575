package objects_test

import (
	"io"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus/objects"
)

// pieces is a slow pipe: each read gives the next piece.
type pieces struct {
	rest  []string
	reads int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.rest[0])
	if p.rest[0] = p.rest[0][n:]; p.rest[0] == "" {
		p.rest = p.rest[1:]
	}
	p.reads++
	return n, nil
}

// TestARecordIsYieldedBeforeTheNextOneComes: of a pipe no more is read than its first
// record needs.
func TestARecordIsYieldedBeforeTheNextOneComes(t *testing.T) {
	long := `{"title":"` + strings.Repeat("a long title ", 1000) + `"}`
	for name, in := range map[string][]string{
		"a line at a time":           {`{"title":"one"}` + "\n", `{"title":"two"}` + "\n"},
		"no line ends":               {`{"title":"one"}`, `{"title":"two"}`},
		"a line in three parts":      {`{"title"`, `:"o`, `ne"}` + "\n", `{"title":"two"}` + "\n"},
		"a long line and its end":    {long[:9000], long[9000:] + "\n", `{"title":"two"}` + "\n"},
		"a list, a record at a time": {"[\n", `{"title":"one"},` + "\n", `{"title":"two"}` + "\n", "]"},
	} {
		body := &pieces{rest: append([]string(nil), in...)}
		var found, left []int
		for _, err := range objects.Walk(t.Context(), body) {
			if err != nil {
				t.Fatal(err)
			}
			found, left = append(found, body.reads), append(left, len(body.rest))
		}
		if len(found) != 2 || left[0] == 0 {
			t.Errorf("%s: %d records, after %v of %d reads; want two, the first before the other was read", name, len(found), found, len(in))
		}
	}
}
