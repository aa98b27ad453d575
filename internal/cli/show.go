package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func newShow(s *session) *cobra.Command {
	return &cobra.Command{
		Use:     "show PAPER",
		Short:   "Show one paper whole",
		Long:    "Show all that is known of one paper, named as for 'akin similar'.",
		Example: `  akin show "sparse autoencoders"`,
		GroupID: groupLibrary,
		Args:    needArgs(1, "a paper"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("showing a paper", runShow(cmd.Context(), s, strings.Join(args, " ")))
		},
	}
}

func runShow(ctx context.Context, s *session, name string) error {
	e, err := s.openToRead(ctx, engineOptions{})
	if err != nil {
		return err
	}
	defer e.Close()
	p, err := e.Show(ctx, name)
	if err != nil {
		return err
	}
	if s.global.json {
		return s.writeJSON(p)
	}
	renderPaper(s.out, s.layout(), p)
	return nil
}

// renderPaper sets the title, the abstract, and a table of the other fields.
func renderPaper(w io.Writer, l layout, p *engine.Paper) {
	for _, line := range wrap(oneLine(p.Title), l.text(), 0) {
		fmt.Fprintln(w, l.strong(line))
	}
	if p.Abstract != "" {
		fmt.Fprintln(w)
		for _, line := range wrap(oneLine(p.Abstract), l.text(), 0) {
			fmt.Fprintln(w, line)
		}
	}
	year := ""
	if p.Year != 0 {
		year = strconv.Itoa(p.Year)
	}
	encoded := "yes"
	if !p.Embedded {
		encoded = "not yet: akin add, without a path, does it"
	}
	themes := make([]string, len(p.Themes))
	for i, t := range p.Themes {
		themes[i] = t.ID + " " + t.Label
	}
	fmt.Fprintln(w)
	renderFields(w, l, []field{
		{"id", p.ID},
		{"also", strings.Join(p.Aliases, ", ")},
		{"keys", strings.Join(p.Keys, ", ")},
		{"authors", strings.Join(p.Authors, "; ")},
		{"year", year},
		{"venue", p.Venue},
		{"perhaps", strings.TrimPrefix(perhaps(p.Duplicates, p.DuplicateCount), "perhaps ")},
		{"doi", p.DOI},
		{"url", p.URL},
		{"keywords", strings.Join(p.Keywords, ", ")},
		{"themes", strings.Join(themes, "; ")},
		{"sources", strings.Join(p.Sources, ", ")},
		{"encoded", encoded},
	})
}

// field is a name and what it holds.
type field struct{ name, value string }

// renderFields sets the fields that hold something in two columns.
func renderFields(w io.Writer, l layout, fields []field) {
	names := 0
	for _, f := range fields {
		if f.value != "" {
			names = max(names, width(f.name))
		}
	}
	for _, f := range fields {
		for i, line := range wrap(oneLine(f.value), l.text()-names-2, 0) {
			name := ""
			if i == 0 {
				name = f.name
			}
			fmt.Fprintf(w, "%s  %s\n", l.faint(pad(name, names)), line)
		}
	}
}
