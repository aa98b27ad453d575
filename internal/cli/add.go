package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/number"
)

// rejectedShown is how many records that were set aside are named to a person.
const rejectedShown = 10

type addOptions struct {
	engineOptions
	paths       []string
	format      string
	columns     mapping
	noEmbed     bool
	noSentences bool
}

func newAdd(s *session) *cobra.Command {
	var o addOptions
	cmd := &cobra.Command{
		Use:   "add [PATH...]",
		Short: "Read papers into the library",
		Long: `Read papers into the library and encode them. A path is a file or a folder, which is
walked; '-' is the standard input. The format is found from the content. Adding a file
again changes nothing but what changed in it. Without a path, akin finishes what is
missing, as after an interrupt.

What is read of each paper is one of a title and an abstract; authors, year, venue,
url, doi and keywords where they are given. Records that have neither title nor
abstract are set aside and listed with file, line and reason.

` + listed("Formats", engine.Formats()),
		Example: `  akin add papers.jsonl
  akin add reading-list/
  cat papers.jsonl | akin add -`,
		GroupID: groupLibrary,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.paths = args
			return during("adding papers", runAdd(cmd.Context(), s, o))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "", "read as `FORMAT`, whatever the content looks like")
	f.Var(&o.columns, "map", "what the file calls the fields, as `FIELD=NAME,...`: title=Titel")
	f.BoolVar(&o.noEmbed, "no-embed", false, "only read; a later 'akin add' encodes")
	f.BoolVar(&o.noSentences, "no-sentences", false, "encode each paper as a whole alone: half the time, a coarser search")
	addEngineFlags(cmd, &o.engineOptions)
	return cmd
}

func runAdd(ctx context.Context, s *session, o addOptions) error {
	if s.library() == "" {
		return usagef("name a folder with --library or AKIN_LIBRARY", "there is no home folder to keep a library in")
	}
	if formats := engine.Formats(); o.format != "" && !slices.ContainsFunc(formats, func(f string) bool { return strings.EqualFold(f, o.format) }) {
		if slices.Contains(engine.ExportFormats(), o.format) {
			return usagef("akin export --to jsonl writes what it reads", "akin writes %s, and does not read it", o.format)
		}
		return usagef("--format is one of "+strings.Join(formats, ", "), "there is no format %q", o.format)
	}
	if len(o.paths) == 0 {
		switch {
		case o.format != "" || len(o.columns) > 0:
			return usagef("name them: akin add PATH, or '-' for the standard input", "--format and --map are of files to read, and none is named")
		case o.noEmbed:
			return usagef("akin add PATH --no-embed only reads; akin add encodes what waits", "without a path, and with --no-embed, there is nothing to do")
		}
	}
	e, err := s.open(ctx, o.engineOptions)
	if err != nil {
		return err
	}
	defer e.Close()
	report, err := e.Add(ctx, engine.AddRequest{
		Paths: o.paths, Stdin: s.proc.Stdin, Format: o.format, Map: o.columns, NoEmbed: o.noEmbed, NoSentences: o.noSentences,
	})
	switch {
	case report == nil:
	case s.global.json:
		if err := s.writeJSON(report); err != nil {
			return err
		}
	case err == nil || report.Read > 0:
		renderAdd(s.out, s.layout(), report, ctx.Err() != nil)
	}
	if report != nil && report.KeptApart > 0 {
		s.notef("%s an identifier with another and %s kept apart, since their titles are unlike; akin list --duplicates shows them",
			plural(report.KeptApart, "paper")+number.Pick(report.KeptApart, " shares", " share"), number.Pick(report.KeptApart, "is", "are"))
	}
	if err != nil && ctx.Err() != nil && report != nil {
		s.notef("what is done is kept; akin add, without a path, goes on from here")
	}
	return err
}

// renderAdd says what became of the records, and which were set aside.
func renderAdd(w io.Writer, l layout, r *engine.AddReport, interrupted bool) {
	fmt.Fprintln(w, recordsLine(r))
	if r.WithoutAbstract > 0 {
		fmt.Fprintf(w, "%s without an abstract: found by the title alone\n", count(r.WithoutAbstract))
	}
	switch {
	case r.Embedded > 0 && r.Sentences > 0:
		their := "their"
		if r.Embedded == 1 {
			their = "its"
		}
		fmt.Fprintf(w, "%s encoded with %s sentences (%s in all)\n", plural(r.Embedded, "paper"), their, duration(r.Seconds))
	case r.Embedded > 0:
		fmt.Fprintf(w, "%s encoded (%s in all)\n", plural(r.Embedded, "paper"), duration(r.Seconds))
	case r.Sentences > 0:
		fmt.Fprintf(w, "the sentences of %s encoded (%s in all)\n", plural(r.Sentences, "paper"), duration(r.Seconds))
	case r.Added+r.Updated+r.Merged+r.RejectedCount+r.NotEncoded == 0 && !interrupted:
		fmt.Fprintln(w, "nothing to do: the library is up to date")
	}
	if r.NotEncoded > 0 {
		fmt.Fprintf(w, "%s to be encoded: akin add, without a path, does that\n", plural(r.NotEncoded, "paper")+number.Pick(r.NotEncoded, " waits", " wait"))
	}
	if r.NotEnglish > 0 {
		fmt.Fprintf(w, "%s in another language than English, which the model knows best\n", count(r.NotEnglish))
	}
	if r.Truncated > 0 {
		fmt.Fprintf(w, "%s longer than the model reads: encoded by their beginning\n", count(r.Truncated))
	}
	renderJoined(w, l, r.Themes)
	renderRejected(w, l, r)
}

// joinedShown is how many themes are named that papers have joined.
const joinedShown = 5

// renderJoined says which themes new papers have joined.
func renderJoined(w io.Writer, l layout, r *engine.JoinReport) {
	if r == nil {
		return
	}
	if r.Joined > 0 {
		var into []string
		for i, t := range r.Into {
			if i == joinedShown {
				into = append(into, fmt.Sprintf("%s more", plural(len(r.Into)-i, "theme")))
				break
			}
			into = append(into, fmt.Sprintf("%s into %s (%s)", count(t.Papers), t.ID, t.Label))
		}
		for _, line := range wrap(oneLine(plural(r.Joined, "paper")+" joined themes: "+strings.Join(into, ", ")), l.text(), 0) {
			fmt.Fprintln(w, line)
		}
	}
	if r.FitNone > 0 {
		fmt.Fprintf(w, "%s in no theme: near to none of them\n", count(r.FitNone))
	}
	if r.Drifted {
		fmt.Fprintln(w, "more than a tenth of the papers are new: akin themes finds the themes again")
	}
}

// recordsLine says how many records were read and what became of them.
func recordsLine(r *engine.AddReport) string {
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{r.Added, "added"}, {r.Updated, "updated"}, {r.Merged, "merged with papers that were there"},
		{r.Unchanged, "unchanged"}, {r.RejectedCount, "set aside"},
	} {
		if part.n > 0 {
			parts = append(parts, count(part.n)+" "+part.what)
		}
	}
	line := plural(r.Read, "record") + " read"
	if len(parts) > 0 {
		line += ": " + strings.Join(parts, ", ")
	}
	return line
}

func renderRejected(w io.Writer, l layout, r *engine.AddReport) {
	if r.RejectedCount == 0 {
		return
	}
	fmt.Fprintln(w, "\nset aside:")
	shown := r.Rejected[:min(rejectedShown, len(r.Rejected))]
	for _, rejected := range shown {
		renderRejectedRecord(w, l, rejected)
	}
	if more := r.RejectedCount - len(shown); more > 0 {
		fmt.Fprintf(w, "  and %s more: akin sources lists the imports, akin sources show N all of one\n", count(more))
	}
}

// renderRejectedRecord says where a record that was set aside stands, and why it was.
func renderRejectedRecord(w io.Writer, l layout, r engine.Rejected) {
	where := r.File
	if r.Line > 0 {
		where += fmt.Sprintf(":%d", r.Line)
	}
	if r.ID != "" {
		where += " (" + r.ID + ")"
	}
	fmt.Fprintf(w, "  %s  %s\n", l.faint(oneLine(where)), oneLine(r.Reason))
}
