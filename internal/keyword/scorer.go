package keyword

// The impacts of words that stand in a document fewer than impactCounts times, in
// documents of fewer than impactLengths words, are computed once: a search then divides
// for few postings.
const (
	impactCounts  = 8
	impactLengths = 1024
)

// impacts is [impactCounts, impactLengths].
type impacts []float32

func newImpacts(average float32) impacts {
	table := make(impacts, impactCounts*impactLengths)
	for tf := range impactCounts {
		for length := range impactLengths {
			table[tf*impactLengths+length] = impact(float32(tf), float32(length), average)
		}
	}
	return table
}

// scorer gives the postings of one segment their scores.
type scorer struct {
	*Segment
	impacts impacts
	average float32
}

func (r *Ranker) scorer(s *Segment) *scorer { return &scorer{s, r.impacts, r.average} }

// score is the part of a term in the score of a document that holds it tf times, in fixed
// point. scale is the term's weight in fixed point: a power of two times it, so that the
// product is the same as with the weight itself.
func (s *scorer) score(scale float64, tf, doc uint32) int64 {
	return fixed(scale, s.impact(tf, doc))
}

func (s *scorer) impact(tf, doc uint32) float32 {
	length := s.length(doc)
	if at := int(tf)*impactLengths + length; tf < impactCounts && length < impactLengths && at < len(s.impacts) {
		return s.impacts[at]
	}
	return impact(float32(tf), float32(length), s.average)
}

// fixed is the part of a term, whose weight in fixed point is scale, with an impact.
func fixed(scale float64, impact float32) int64 { return int64(scale * float64(impact)) }
