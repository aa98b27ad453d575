package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/store"
)

// List calls yield with each paper, in the order asked for, until it returns an error. That
// no paper meets the filters is an error, which names the nearest filter that one would.
func (e *Engine) List(ctx context.Context, req ListRequest, yield func(*Paper) error) (err error) {
	defer e.begin(&err)()
	listed := 0
	err = e.list(ctx, req, func(p *Paper) error {
		listed++
		return yield(p)
	})
	if err == nil && listed == 0 {
		var sh shelf
		if sh, err = e.papers(ctx); err == nil {
			err = e.noneListed(ctx, sh, req.Filters)
		}
		if err == nil && req.Duplicates {
			err = &Error{Kind: NotFound, Err: errors.New("no paper may be the same work as another")}
		}
	}
	return explain(err)
}

// listed is what ordering papers needs of each.
type listed struct {
	n     uint32
	year  int
	title string
	id    string
}

func listedOf(p *store.Paper) listed {
	return listed{p.N, p.Fields.Year, strings.ToLower(p.Fields.Name()), p.ID}
}

// page is how many papers are read at a time.
const page = 512

func (e *Engine) list(ctx context.Context, req ListRequest, yield func(*Paper) error) error {
	if req.N < 0 {
		return usagef("-n is 1 or more", "%d papers are asked for", req.N)
	}
	order, err := listOrder(req.Sort)
	if err != nil {
		return err
	}
	sh, err := e.papers(ctx)
	if err != nil {
		return err
	}
	if err := req.Filters.check(); err != nil {
		return err
	}
	if req.Filters, err = e.within(ctx, sh, req.Filters); err != nil {
		return err
	}
	keep := filter(req.Filters)
	if lib, ok := sh.(*store.Library); req.Duplicates {
		if !ok {
			return nil // the seeds have none
		}
		return listDuplicates(ctx, lib, keep, order, until(req.N, yield))
	}
	if order == nil {
		return listInOrder(ctx, sh, keep, until(req.N, yield))
	}
	var all []listed
	err = sh.Each(ctx, func(p *store.Paper) error {
		if keep(p) {
			all = append(all, listedOf(p))
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, order)
	if req.N > 0 {
		all = all[:min(req.N, len(all))]
	}
	return eachOf(ctx, sh, numbersOf(all), func(p *store.Paper) error { return yield(shown(p)) })
}

// errEnough ends a walk that has given what was asked for.
var errEnough = errors.New("enough")

// until ends with errEnough behind as many papers as are asked for; 0 is all.
func until(limit int, yield func(*Paper) error) func(*Paper) error {
	given := 0
	return func(p *Paper) error {
		if err := yield(p); err != nil {
			return err
		}
		if given++; given == limit {
			return errEnough
		}
		return nil
	}
}

func listInOrder(ctx context.Context, sh shelf, keep func(*store.Paper) bool, yield func(*Paper) error) error {
	return unlessEnough(sh.Each(ctx, func(p *store.Paper) error {
		if !keep(p) {
			return nil
		}
		return yield(shown(p))
	}))
}

// listOrder is how papers are sorted; nil is the order in which they were added. The
// newest year comes first, papers without one last.
func listOrder(sort string) (func(a, b listed) int, error) {
	switch sort {
	case "", "added":
		return nil, nil
	case "year":
		return func(a, b listed) int {
			return cmp.Or(cmp.Compare(b.year, a.year), cmp.Compare(a.title, b.title), cmp.Compare(a.id, b.id))
		}, nil
	case "title":
		return func(a, b listed) int { return cmp.Or(cmp.Compare(a.title, b.title), cmp.Compare(a.id, b.id)) }, nil
	}
	return nil, usagef("--sort is year, title or added", "papers cannot be sorted by %q", sort)
}

// Show returns one paper whole, as a person names it.
func (e *Engine) Show(ctx context.Context, name string) (_ *Paper, err error) {
	defer e.begin(&err)()
	p, err := e.show(ctx, name)
	if err != nil {
		return nil, explain(err)
	}
	return p, nil
}

func (e *Engine) show(ctx context.Context, name string) (*Paper, error) {
	sh, err := e.papers(ctx)
	if err != nil {
		return nil, err
	}
	found, err := resolve(ctx, sh, []string{name})
	if err != nil {
		return nil, err
	}
	papers, err := sh.Papers(ctx, []uint32{found[0].N})
	if err != nil {
		return nil, err
	}
	if len(papers) == 0 { // removed in between
		return nil, named(name, nil)
	}
	p := shown(papers[0])
	d, err := duplicatesOf(ctx, sh, papers, nil)
	if err != nil {
		return nil, err
	}
	p.Duplicates, p.DuplicateCount = d.of(papers[0].N)
	if lib, ok := sh.(*store.Library); ok {
		if p.Themes, err = themesOfPaper(ctx, lib, papers[0].N); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Remove deletes papers; they are gone from every answer when it returns. It returns
// their ids. If one name is unknown or ambiguous, none is removed.
func (e *Engine) Remove(ctx context.Context, names []string) ([]string, error) {
	removed, err := e.remove(ctx, names)
	if err != nil {
		return nil, explain(err)
	}
	return removed, nil
}

func (e *Engine) remove(ctx context.Context, names []string) ([]string, error) {
	if e.OnSeeds() {
		return nil, &Error{Kind: NotFound, Err: errors.New("there is no library to remove papers from"), Hint: "akin add PATH makes one; the bundled seed papers stay"}
	}
	var found []store.Match
	err := e.change(ctx, "remove", func(w *store.Writer) (err error) {
		if found, err = e.resolveIn(ctx, w, names); err != nil {
			return err
		}
		ns := make([]uint32, len(found))
		for i, m := range found {
			ns[i] = m.N
		}
		return w.Remove(ns)
	})
	return ids(found), err
}
