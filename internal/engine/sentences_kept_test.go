package engine

import "testing"

func TestSentencesThatAreKeptAreBounded(t *testing.T) {
	var r recentSentences
	s := r.of(1)
	codes := make([]byte, 1<<20)
	const papers = 4 * sentencesKept >> 20
	s.put(0, codes)
	for n := range uint32(papers) {
		s.put(n, codes)
		if _, ok := s.get(0); !ok { // which is asked for again and again
			t.Fatalf("paper 0 is gone after %d", n)
		}
	}
	kept := 0
	for n := range uint32(papers) {
		if _, young := s.young[n]; young {
			kept++
		} else if _, old := s.old[n]; old {
			kept++
		}
	}
	if kept > sentencesKept>>20 || kept < sentencesKept>>22 {
		t.Errorf("%d MB are kept, want at most %d", kept, sentencesKept>>20)
	}
	if _, ok := r.of(2).get(0); ok {
		t.Error("after a change of the library what was kept is still there")
	}
}
