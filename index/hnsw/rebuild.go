package hnsw

import (
	"bytes"
	"cmp"
	"context"
	"hash/crc32"
	"slices"

	"github.com/seed-9f29d379/akin/index/internal/table"
	"github.com/seed-9f29d379/akin/index/internal/work"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// source is where an item of a fresh build is: in the old rows, or in the batch.
type source struct {
	key   uint64 // of its vector
	id    uint32
	row   uint32 // of the old table, or none
	batch int
}

// rebuilt returns a fresh graph of the items of c that are alive and those of b.
func (c *core) rebuilt(ctx context.Context, b *batch, opts BuildOptions) (*core, error) {
	sources := c.sources(b, opts.Workers)
	rows := c.rows.Build(len(sources), opts.Workers, func(i int) (uint32, []float32) {
		s := sources[i]
		if s.row == none {
			return s.id, b.vector(s.batch)
		}
		return s.id, c.rows.Vector(s.row)
	})
	fresh := newCore(rows, c.shape, opts.Workers)
	fresh.built = rows.Rows()
	nodes := fresh.collapse()
	keys := make([]uint64, len(nodes))
	for i, row := range nodes {
		keys[i] = sources[row].key
	}
	builder := newBuilder(fresh, opts.Workers)
	for done := 0; done < len(nodes); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := min(roundSize(done), len(nodes)-done)
		builder.begin(nodes[done:done+n], keys[done:done+n])
		builder.search()
		builder.apply()
		done += n
		if opts.Progress != nil {
			opts.Progress(done, len(nodes))
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	fresh.arrange()
	return fresh, nil
}

// sources lists the items of a fresh build in its order: that of their vectors' keys,
// which neither arrival nor ids decide. Only equal vectors, which become one node, are
// in the order of ids.
func (c *core) sources(b *batch, workers int) []source {
	sources := make([]source, 0, c.rows.Alive()+len(b.order))
	fresh := make(map[uint32]bool, len(b.order))
	for row := range c.rows.Rows() {
		if id := c.rows.ID(uint32(row)); !c.rows.Dead(uint32(row)) {
			sources = append(sources, source{0, id, uint32(row), 0})
		}
	}
	work.Each(workers, len(sources), func(i int) { sources[i].key = table.Key(c.rows.Vector(sources[i].row)) })
	for _, i := range b.order {
		fresh[b.ids[i]] = true
		sources = append(sources, source{b.keys[i], b.ids[i], none, i})
	}
	sources = slices.DeleteFunc(sources, func(s source) bool { return s.row != none && fresh[s.id] })
	slices.SortFunc(sources, func(a, b source) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id))
	})
	return sources
}

// collapse chains the rows whose codes are equal behind the first of them, and returns
// the rows that are nodes, in ascending order.
func (c *core) collapse() []uint32 {
	type hashed struct{ hash, row uint32 }
	all := make([]hashed, c.rows.Rows())
	for row := range all {
		code := vec.Bytes(c.rows.Code(uint32(row)))
		all[row] = hashed{crc32.Checksum(code, castagnoli), uint32(row)}
	}
	slices.SortFunc(all, func(a, b hashed) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.row, b.row))
	})
	var nodes, heads []uint32
	for i, h := range all {
		if i == 0 || h.hash != all[i-1].hash {
			heads = heads[:0]
		}
		code := vec.Bytes(c.rows.Code(h.row))
		twin := slices.IndexFunc(heads, func(head uint32) bool {
			return bytes.Equal(vec.Bytes(c.rows.Code(head)), code)
		})
		if twin >= 0 {
			c.chain(heads[twin], h.row)
			continue
		}
		heads = append(heads, h.row)
		nodes = append(nodes, h.row)
	}
	slices.Sort(nodes)
	return nodes
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
