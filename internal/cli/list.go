package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// The ids of the first papers decide how wide their column is, up to a limit, so that a
// list of millions begins at once.
const (
	listLooksAhead = 100
	listIDWidth    = 32
)

// On a terminal that has less room for titles, each has a line of its own.
const (
	listTitleRoom   = 16
	listTitleIndent = "  "
)

type listOptions struct {
	filterOptions
	n          int
	sort       string
	duplicates bool
}

func newList(s *session) *cobra.Command {
	var o listOptions
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the papers",
		Long:    "List the papers of the library, one a line; with --json one object a line.",
		Example: "  akin list\n  akin list --sort year --year 2020.. -n 20\n  akin list --json",
		GroupID: groupLibrary,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("limit") && o.n < 1 {
				return misusef(cmd, "-n %d asks for no paper", o.n)
			}
			return during("listing the papers", runList(cmd.Context(), s, o))
		},
	}
	f := cmd.Flags()
	f.IntVarP(&o.n, "limit", "n", 0, "at most `N` papers; by default all")
	f.StringVar(&o.sort, "sort", "", "in the `ORDER` of: added (by default), year or title")
	addFilterFlags(cmd, &o.filterOptions)
	f.BoolVar(&o.duplicates, "duplicates", false, "only papers that may be the same work as another, in groups, and why")
	return cmd
}

func runList(ctx context.Context, s *session, o listOptions) error {
	e, err := s.openToRead(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	table := listTable{w: s.out, layout: s.layout()}
	yield := table.add
	if s.global.json {
		yield = func(p *engine.Paper) error { return s.writeJSON(p) }
	}
	listed := 0
	counted := func(p *engine.Paper) error {
		listed++
		return yield(p)
	}
	if err := e.List(ctx, engine.ListRequest{Filters: o.filters(), Sort: o.sort, N: o.n, Duplicates: o.duplicates}, counted); err != nil {
		return err
	}
	if listed == 0 {
		return &engine.Error{Kind: engine.NotFound, Err: errors.New("no paper found")}
	}
	return table.flush()
}

// listTable sets papers in columns: id, year, title. It holds back the first ones until
// it knows how wide the ids are.
type listTable struct {
	w       io.Writer
	layout  layout
	held    []engine.Paper
	idWidth int    // 0 until known
	group   string // of duplicates, the one that was begun last
}

func (t *listTable) add(p *engine.Paper) error {
	if t.idWidth > 0 {
		return t.row(p)
	}
	t.held = append(t.held, *p)
	if len(t.held) < listLooksAhead {
		return nil
	}
	return t.flush()
}

// flush writes the papers that are held back.
func (t *listTable) flush() error {
	if t.idWidth == 0 {
		for _, p := range t.held {
			t.idWidth = max(t.idWidth, width(oneLine(p.ID)))
		}
		t.idWidth = min(t.idWidth, listIDWidth)
	}
	held := t.held
	t.held = nil
	for i := range held {
		if err := t.row(&held[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *listTable) row(p *engine.Paper) error {
	if g := p.Group; g != nil && g.ID != t.group {
		between := "\n"
		if t.group == "" {
			between = ""
		}
		t.group = g.ID
		if _, err := fmt.Fprintf(t.w, "%s%s\n", between, t.layout.faint(plural(g.Papers, "paper")+" that may be one work: "+oneLine(g.Reason))); err != nil {
			return err
		}
	}
	year := ""
	if p.Year != 0 {
		year = strconv.Itoa(p.Year)
	}
	id, title := oneLine(p.ID), oneLine(p.Title)
	room := t.layout.width - max(t.idWidth, width(id)) - 8
	if t.layout.cut && room < listTitleRoom {
		_, err := fmt.Fprintf(t.w, "%s\n%s%s\n", strings.TrimSpace(t.layout.accent(id)+"  "+year), listTitleIndent, fit(title, t.layout.width-len(listTitleIndent)))
		return err
	}
	if t.layout.cut {
		title = fit(title, room)
	}
	_, err := fmt.Fprintf(t.w, "%s  %4s  %s\n", t.layout.accent(pad(id, t.idWidth)), year, title)
	return err
}
