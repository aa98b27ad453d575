package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/all"
	"github.com/seed-9f29d379/akin/internal/store"
)

// ExportRequest selects papers to write, and the format. They are written in the order of
// their ids, so that the same papers are the same bytes in whatever order they were added;
// in the order of names where there are some, but for GraphML, which has no order.
type ExportRequest struct {
	Names   []string // papers, as a person names them; none: all
	Filters Filters  // of those, or of all
	To      string   // one of ExportFormats
}

// ExportFormats names the formats that Export writes.
func ExportFormats() []string { return append(all.Writable(), graphML) }

// Export writes papers as they were read, the fields of several sources joined, and
// returns how many. Reading the result back changes no paper. GraphML is for other
// programs alone: the papers with their themes, and which are near to which.
func (e *Engine) Export(ctx context.Context, w io.Writer, req ExportRequest) (_ int, err error) {
	defer e.begin(&err)()
	n, err := e.export(ctx, w, req)
	return n, explain(err)
}

func (e *Engine) export(ctx context.Context, w io.Writer, req ExportRequest) (int, error) {
	if req.To == graphML {
		return e.exportGraph(ctx, w, req)
	}
	if !slices.Contains(all.Writable(), req.To) {
		return 0, usagef("--to is one of "+strings.Join(ExportFormats(), ", "), "papers cannot be written as %q", req.To)
	}
	sh, err := e.papers(ctx)
	if err != nil {
		return 0, err
	}
	out, err := all.NewWriter(req.To, w)
	if err != nil {
		return 0, err
	}
	if req.Filters, err = e.within(ctx, sh, req.Filters); err != nil {
		return 0, err
	}
	written := 0
	keep := filter(req.Filters)
	write := func(p *store.Paper) error {
		if !keep(p) {
			return nil
		}
		written++
		return out.Write(exported(p))
	}
	if len(req.Names) > 0 {
		err = eachNamed(ctx, sh, req.Names, write)
	} else {
		err = eachByID(ctx, sh, write)
	}
	if err != nil {
		return written, err
	}
	if written == 0 { // not even the heading of a table
		return 0, e.noneExported(ctx, sh, req)
	}
	if err := out.Close(); err != nil {
		return written, fmt.Errorf("writing papers: %w", err)
	}
	return written, nil
}

// noneExported says why an export is empty: nothing meets its filters, or none of what it
// names does.
func (e *Engine) noneExported(ctx context.Context, sh shelf, req ExportRequest) error {
	err := e.noneListed(ctx, sh, req.Filters)
	if err == nil && len(req.Names) > 0 {
		err = &Error{Kind: NotFound, Err: errors.New("none of the papers that were named meets the filters"), Hint: "leave the filters out, or the names"}
	}
	return err
}

// eachByID calls yield with every paper in the order of ids.
func eachByID(ctx context.Context, sh shelf, yield func(*store.Paper) error) error {
	ns, err := sh.NumbersByID(ctx)
	if err != nil {
		return err
	}
	return eachOf(ctx, sh, ns, yield)
}

// eachNamed calls yield with papers that a person names, in that order.
func eachNamed(ctx context.Context, sh shelf, names []string, yield func(*store.Paper) error) error {
	found, err := resolve(ctx, sh, names)
	if err != nil {
		return err
	}
	ns := make([]uint32, len(found))
	for i, m := range found {
		ns[i] = m.N
	}
	return eachOf(ctx, sh, ns, yield)
}

// exported is a paper as one record, under its first key, with its id: by that it is
// recognised when it is read back.
func exported(p *store.Paper) corpus.Record {
	r := corpus.Record{Paper: p.Fields, ID: p.ID}
	if keys := p.Keys(); len(keys) > 0 {
		r.Key = keys[0]
	}
	return r
}
