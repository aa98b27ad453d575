package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/cluster"
	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/mapped"
	"github.com/seed-9f29d379/akin/internal/store"
)

// joinHere gives the papers that came since their theme, before themes are shown. Where
// the library cannot be written they wait, and that is told.
func (e *Engine) joinHere(ctx context.Context, lib *store.Library) (*JoinReport, error) {
	d, _, err := lib.Division(ctx)
	if err != nil {
		return nil, err
	}
	if seq, err := lib.Seq(ctx); err != nil || seq == d.Joined {
		return nil, err
	}
	w, err := e.writer(ctx, "themes")
	if unavailable(err) {
		e.warn("papers that came since are not in the themes yet: %v", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// As add does: without a graph each new paper is compared with all.
	var r *JoinReport
	if err = e.indexing(ctx, w); err == nil {
		r, err = e.join(ctx, w)
	}
	return r, errors.Join(err, w.Close())
}

// join gives every paper whose vector came or changed since its theme, by the votes of
// the papers nearest to it that were there when the themes were found: so the order in
// which papers come does not matter. It returns nil where no paper joined.
func (e *Engine) join(ctx context.Context, w *store.Writer) (_ *JoinReport, err error) {
	defer mapped.Guard(&err)() // the library is closed before its error is told
	d, ok, err := w.Division(ctx)
	if err != nil || !ok {
		return nil, err
	}
	seq, err := w.Seq(ctx)
	if err != nil || seq == d.Joined {
		return nil, err
	}
	j := &joining{themes: newVoting(nil)}
	err = w.Unplaced(ctx, d.Joined, func(n uint32, row int64, v []float32) error {
		j.papers = append(j.papers, store.Placement{Paper: n, Vector: row, Joined: true})
		j.vectors = append(j.vectors, slices.Clone(v))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(j.papers) == 0 {
		if err := w.Place(nil, seq); err != nil {
			return nil, err
		}
		return nil, w.Commit()
	}
	themes, err := w.Themes(ctx)
	if err != nil {
		return nil, err
	}
	j.themes = newVoting(themes)
	if err := j.read(ctx, w.Library); err != nil {
		return nil, err
	}
	if j.in, err = e.vectors(ctx); err != nil {
		return nil, err
	}
	placements, err := j.vote(ctx, e)
	if err != nil {
		return nil, err
	}
	if err := w.Place(placements, seq); err != nil {
		return nil, err
	}
	if err := w.Commit(); err != nil {
		return nil, err
	}
	same, now, err := w.Drift(ctx)
	if err != nil {
		return nil, err
	}
	r := j.themes.report(placements)
	r.Drifted = drifted(d, same, now)
	return r, nil
}

// joining is papers that get their theme.
type joining struct {
	papers  []store.Placement // without a theme yet
	vectors [][]float32
	themes  voting
	in      *searched
	voters  *index.Set // the papers that were there when the themes were found
	top     map[uint32]int64
	sub     map[uint32]int64
}

// voting is the themes of each level in the form that cluster.Vote takes.
type voting struct {
	list  []store.Theme   // of both levels
	place map[int64]int32 // of each theme among those of its level
	level [3][]int64      // numbers
	reach [3][]float32
}

func newVoting(themes []store.Theme) voting {
	v := voting{list: themes, place: make(map[int64]int32)}
	for _, t := range themes {
		if t.Level == store.Resting {
			continue
		}
		v.place[t.N] = int32(len(v.level[t.Level]))
		v.level[t.Level] = append(v.level[t.Level], t.N)
		reach := float32(t.Reach)
		if t.Level == 2 {
			reach = -1 // who fits a theme fits one of those that it is made of
		}
		v.reach[t.Level] = append(v.reach[t.Level], reach)
	}
	return v
}

// read finds who votes.
func (j *joining) read(ctx context.Context, lib *store.Library) error {
	j.voters, j.top, j.sub = new(index.Set), make(map[uint32]int64), make(map[uint32]int64)
	waiting := make(map[uint32]bool, len(j.papers))
	for _, p := range j.papers {
		waiting[p.Paper] = true
	}
	level := make(map[int64]int)
	for _, t := range j.themes.list {
		level[t.N] = t.Level
	}
	return lib.Placements(ctx, func(p store.Placement) error {
		if p.Joined || waiting[p.Paper] {
			return nil
		}
		switch level[p.Theme] {
		case 1:
			j.top[p.Paper] = p.Theme
			j.voters.Add(p.Paper)
		case 2:
			j.sub[p.Paper] = p.Theme
		}
		return nil
	})
}

// vote places all papers.
func (j *joining) vote(ctx context.Context, e *Engine) ([]store.Placement, error) {
	placed := make([][]store.Placement, len(j.papers))
	err := e.parallel(ctx, len(j.papers), "grouping", func(i int) (err error) {
		placed[i], err = j.one(i, e.cfg.Exact)
		return err
	})
	return slices.Concat(placed...), err
}

// one places a paper: in a theme, and in one of those that it is made of.
func (j *joining) one(i int, exact bool) ([]store.Placement, error) {
	hits, err := j.in.nearest(j.vectors[i], index.SearchOptions{K: cluster.Voters, Allow: j.voters, Exact: exact})
	if err != nil {
		return nil, err
	}
	voters := make([]cluster.Voter, len(hits))
	for at, h := range hits {
		voters[at] = cluster.Voter{Theme: j.themes.place[j.top[h.ID]], Cosine: h.Score}
	}
	p := j.themes.placed(j.papers[i], 1, cluster.Vote(voters, j.themes.reach[1]))
	list := []store.Placement{p}
	if p.Theme == 0 || len(j.themes.level[2]) == 0 {
		return list, nil
	}
	for at, h := range hits {
		voters[at].Theme = -1
		if sub, ok := j.sub[h.ID]; ok && j.top[h.ID] == p.Theme {
			voters[at].Theme = j.themes.place[sub]
		}
	}
	if sub := j.themes.placed(j.papers[i], 2, cluster.Vote(voters, j.themes.reach[2])); sub.Theme != 0 {
		list = append(list, sub)
	}
	return list, nil
}

// placed is p with the outcome of a vote among the themes of a level.
func (v voting) placed(p store.Placement, level int, m cluster.Membership) store.Placement {
	if m.Theme >= 0 {
		p.Theme, p.Fit = v.level[level][m.Theme], float64(m.Fit)
	}
	if m.Next >= 0 {
		p.Next = v.level[level][m.Next]
	}
	return p
}

// report counts which themes papers have joined.
func (v voting) report(placements []store.Placement) *JoinReport {
	r := &JoinReport{Into: []ThemeCount{}}
	counts := make(map[int64]int)
	for _, p := range placements {
		counts[p.Theme]++
	}
	r.FitNone = counts[0]
	for _, t := range v.list {
		if t.Level == 1 && counts[t.N] > 0 {
			r.Joined += counts[t.N]
			r.Into = append(r.Into, ThemeCount{themeRef(t), counts[t.N]})
		}
	}
	slices.SortStableFunc(r.Into, func(a, b ThemeCount) int {
		return cmp.Or(cmp.Compare(b.Papers, a.Papers), strings.Compare(a.ID, b.ID))
	})
	return r
}
