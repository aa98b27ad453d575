package engine_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// FuzzAdd reads anything: the counts add up, and the library is sound after it.
func FuzzAdd(f *testing.F) {
	f.Add([]byte(graphs + "\n" + nothing + "\n" + short))
	f.Add([]byte("@article{k, title={A title}, abstract={A text}, year={2020}}\n@article{k, title={A title}, doi={10.1000/ab}}"))
	f.Add([]byte("TY  - JOUR\nTI  - A title\nAB  - A text\nER  -\n"))
	f.Add([]byte("id,title,abstract\n1,A title,A text\n1,A title,Another text\n"))
	f.Add([]byte("A heading\n\nA paragraph that is an abstract of some paper.\n\nAnother paragraph, an abstract too.\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		e := open(t, filepath.Join(t.TempDir(), "lib"))
		for range 2 {
			r, err := e.Add(t.Context(), engine.AddRequest{Paths: []string{"-"}, Stdin: bytes.NewReader(data), NoEmbed: true})
			balanced(t, r)
			if usable := r.Read - r.RejectedCount; err == nil && usable == 0 {
				t.Errorf("nothing could be used, and that was no error: %+v", countsOf(r))
			}
			if r.Read == 0 {
				return
			}
			check, err := e.Check(t.Context())
			if err != nil || !check.OK {
				t.Errorf("Check: %+v, %v", check, err)
			}
		}
	})
}
