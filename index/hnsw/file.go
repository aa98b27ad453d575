package hnsw

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/seed-9f29d379/akin/index/internal/quant"
	"github.com/seed-9f29d379/akin/index/internal/table"
	"github.com/seed-9f29d379/akin/index/snapshot"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// The sections of a graph, beside those of its table.
const (
	// sectionGraph is M, EfConstruction, EfSearch, entry, top + 1, levels, the count
	// of each of up to maxLevel + 1 levels (uint32), built and fitted (uint64).
	sectionGraph = "graph"
	sectionTwins = "twins"
	sectionHalf  = "codes-4bit"
	sectionSteps = "steps-4bit" // middles, then steps
	sectionLinks = "links"      // of level 0
	// The levels above 0, one behind the other.
	sectionUpperRows  = "upper-rows"
	sectionUpperDown  = "upper-down"
	sectionUpperLinks = "upper-links"

	graphLen = (6+maxLevel+1)*4 + 2*8
)

// Write implements index.Index.
func (g *Graph) Write(w *snapshot.Writer) error {
	g.mu.RLock()
	defer g.mu.RUnlock()
	c := g.core
	le := binary.LittleEndian
	head := make([]byte, 0, graphLen)
	for _, n := range []int{c.shape.m, c.shape.efConstruction, g.ef, int(c.entry), c.top + 1, len(c.levels)} {
		head = le.AppendUint32(head, uint32(n))
	}
	for l := range maxLevel + 1 {
		count := 0
		if l < len(c.levels) {
			count = c.levels[l].count
		}
		head = le.AppendUint32(head, uint32(count))
	}
	head = le.AppendUint64(head, uint64(c.built))
	head = le.AppendUint64(head, uint64(c.fitted))

	var rows, down, links [][]byte
	for _, l := range c.levels[1:] {
		rows, down, links = append(rows, vec.Bytes(l.rows)), append(down, vec.Bytes(l.down)), append(links, vec.Bytes(l.links))
	}
	err := c.rows.Write(w)
	for _, s := range []struct {
		name  string
		parts [][]byte
	}{
		{sectionGraph, [][]byte{head}},
		{sectionTwins, [][]byte{vec.Bytes(c.twins)}},
		{sectionHalf, [][]byte{c.half}},
		{sectionSteps, [][]byte{vec.Bytes(c.steps.Middles), vec.Bytes(c.steps.Steps)}},
		{sectionLinks, [][]byte{vec.Bytes(c.levels[0].links)}},
		{sectionUpperRows, rows},
		{sectionUpperDown, down},
		{sectionUpperLinks, links},
	} {
		if err == nil {
			err = table.WriteSection(w, s.name, s.parts...)
		}
	}
	if err != nil {
		return fmt.Errorf("writing a graph: %w", err)
	}
	return nil
}

// Open reads what Graph.Write wrote, in place: f must stay open as long as the graph
// is used. Its cost does not depend on the number of items. What Open does not verify,
// links and rows, a walk does not trust; Check verifies it.
func Open(f *snapshot.File) (*Graph, error) {
	g, err := open(f)
	if err != nil {
		return nil, fmt.Errorf("opening a graph: %w", err)
	}
	return g, nil
}

func open(f *snapshot.File) (*Graph, error) {
	rows, err := table.Open(f)
	if err != nil {
		return nil, err
	}
	head, _ := f.Section(sectionGraph)
	if len(head) != graphLen || !rows.HasCodes() {
		return nil, table.Damaged("section %q of %d bytes", sectionGraph, len(head))
	}
	v := vec.View[uint32](head)
	m, efConstruction, ef := int(v[0]), int(v[1]), int(v[2])
	entry, top, levels, counts := v[3], int(v[4])-1, int(v[5]), v[6:6+maxLevel+1]
	built, fitted := binary.LittleEndian.Uint64(head[graphLen-16:]), binary.LittleEndian.Uint64(head[graphLen-8:])
	switch {
	case m < minM || m > maxM || efConstruction < 1 || efConstruction > maxEf || ef < 1 || ef > maxEf:
		return nil, table.Damaged("graph of M %d, EfConstruction %d, EfSearch %d", m, efConstruction, ef)
	case levels < 1 || levels > maxLevel+1 || top >= levels || int(counts[0]) != rows.Rows() || max(built, fitted) > uint64(rows.Rows()):
		return nil, table.Damaged("graph of %d levels up to %d, %d nodes for %d rows, %d built, %d fitted", levels, top, counts[0], rows.Rows(), built, fitted)
	case top >= 0 && entry >= counts[top] || (top < 0) != (rows.Rows() == 0):
		return nil, table.Damaged("graph that begins at %d in level %d", entry, top)
	}
	c := &core{
		rows: rows, shape: shape{m, efConstruction},
		entry: entry, top: top, built: int(built), fitted: int(fitted), mapped: true,
	}
	if c.twins, err = table.Section[uint32](f, sectionTwins, rows.Rows()); err != nil {
		return nil, err
	}
	if err := c.openHalf(f); err != nil {
		return nil, err
	}
	if c.levels, err = openLevels(f, c.shape, counts[:levels]); err != nil {
		return nil, err
	}
	return &Graph{core: c, ef: ef, file: f}, nil
}

func (c *core) openHalf(f *snapshot.File) (err error) {
	dim, n := c.rows.Dim(), c.rows.Rows()
	if c.half, err = table.Section[uint8](f, sectionHalf, n*halfLen(dim)); err != nil || len(c.half) == 0 {
		return err
	}
	both, err := table.Section[float32](f, sectionSteps, 2*dim)
	if err != nil {
		return err
	}
	c.steps = quant.Half{Middles: both[:dim:dim], Steps: both[dim:]}
	return nil
}

func openLevels(f *snapshot.File, s shape, counts []uint32) ([]level, error) {
	upper := 0
	for l, count := range counts {
		if l > 0 && count > counts[l-1] {
			return nil, table.Damaged("%d nodes in level %d, %d below", count, l, counts[l-1])
		}
		if l > 0 {
			upper += int(count)
		}
	}
	links, err := table.Section[uint32](f, sectionLinks, int(counts[0])*s.width(0))
	if err != nil {
		return nil, err
	}
	rows, err := table.Section[uint32](f, sectionUpperRows, upper)
	if err != nil {
		return nil, err
	}
	down, err := table.Section[uint32](f, sectionUpperDown, upper)
	if err != nil {
		return nil, err
	}
	upperLinks, err := table.Section[uint32](f, sectionUpperLinks, upper*s.width(1))
	if err != nil {
		return nil, err
	}
	levels := []level{{links: links, width: s.width(0), count: int(counts[0])}}
	for _, count := range counts[1:] {
		n := int(count)
		levels = append(levels, level{
			rows: rows[:n:n], down: down[:n:n], links: upperLinks[: n*s.width(1) : n*s.width(1)],
			width: s.width(1), count: n,
		})
		rows, down, upperLinks = rows[n:], down[n:], upperLinks[n*s.width(1):]
	}
	return levels, nil
}

// own copies what the snapshot holds and a change is about to write to.
func (c *core) own() {
	if !c.mapped {
		return
	}
	c.twins, c.half = slices.Clone(c.twins), slices.Clone(c.half)
	for i := range c.levels {
		l := &c.levels[i]
		l.rows, l.down, l.links = slices.Clone(l.rows), slices.Clone(l.down), slices.Clone(l.links)
	}
	c.mapped = false
}
