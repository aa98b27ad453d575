package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/stream"
)

type evalOptions struct {
	engineOptions
	folder  string
	queries string
	qrels   string
	seed    uint64
	themes  bool
	k       []int
}

func newEval(s *session) *cobra.Command {
	var o evalOptions
	cmd := &cobra.Command{
		Use:   "eval [FOLDER]",
		Short: "Measure the quality of searches",
		Long: `Measure how good the searches of each mode are. With --queries and --qrels, as BEIR and
TREC write them, by those judgements; a document is named by its key in its source. A
FOLDER has them, and its corpus.jsonl is read into a library that is removed afterwards,
unless --library names one that has it. Without, the library is asked for its own
papers: a sentence of each of a sample asks for the paper that it is from.

With --themes, measure the themes instead: how much those of random nine tenths of the
papers agree, how many keep their id when the last tenth is added, and how coherent and
diverse the terms of their names are.`,
		Example: "  akin eval\n  akin eval scifact/\n  akin eval --queries queries.jsonl --qrels qrels.tsv\n  akin eval --themes -k 3",
		GroupID: groupTools,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return misusef(cmd, "eval takes one folder")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.folder = strings.Join(args, "")
			if o.themes && len(args) > 0 {
				return misusef(cmd, "--themes are of the library, not of a folder")
			}
			if o.themes {
				return during("measuring the themes", runEvalThemes(cmd.Context(), s, o))
			}
			switch {
			case cmd.Flags().Changed("k"):
				return misusef(cmd, "-k is a number of --themes")
			case cmd.Flags().Changed("seed") && (o.folder != "" || o.queries != ""):
				return misusef(cmd, "--seed is of a sample, and judged queries are all asked")
			case o.queries == "-" && o.qrels == "-":
				return misusef(cmd, "--queries and --qrels cannot both be the standard input")
			}
			return during("measuring the searches", runEval(cmd.Context(), s, o))
		},
	}
	f := cmd.Flags()
	addOnceFlag(cmd, &o.queries, "queries", "judge one file after the other, or put their lines into one", "judged queries, a `FILE` of JSON lines; '-' is the standard input")
	addOnceFlag(cmd, &o.qrels, "qrels", "judge by one file after the other, or put their lines into one", "their judgements, a `FILE` as of BEIR or TREC; '-' is the standard input")
	f.BoolVar(&o.themes, "themes", false, "measure the themes")
	f.IntSliceVarP(&o.k, "k", "k", nil, "`NUMBERS` of themes, as 5,10; by default the one that is chosen")
	f.Uint64Var(&o.seed, "seed", 0, "the `SEED` of the sample of the library's own papers")
	addEngineFlags(cmd, &o.engineOptions)
	addExactFlag(cmd, &o.engineOptions)
	return cmd
}

func runEval(ctx context.Context, s *session, o evalOptions) (err error) {
	set := judgedFolder{queries: o.queries, qrels: o.qrels}
	if o.folder != "" {
		if set, err = openJudgedFolder(o.folder, o); err != nil {
			return err
		}
	}
	req := engine.EvalRequest{QueriesFile: inputName(set.queries), QrelsFile: inputName(set.qrels), Seed: o.seed}
	for _, file := range []struct {
		name string
		to   *io.Reader
	}{{set.queries, &req.Queries}, {set.qrels, &req.Qrels}} {
		if file.name == "" {
			continue
		}
		if file.name == "-" {
			*file.to = stream.Reader(ctx, s.proc.Stdin)
			continue
		}
		f, err := stream.Open(ctx, file.name)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return &engine.Error{Kind: engine.Failed, Err: err, Hint: "check the path"}
		}
		defer f.Close()
		*file.to = f
	}
	e, closing, err := s.openToJudge(ctx, o, set)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing()) }()
	r, err := e.Eval(ctx, req)
	if err != nil {
		return err
	}
	if o.folder != "" {
		s.notef("judged by %s and %s", req.QueriesFile, req.QrelsFile)
	}
	if r.Contradicted > 0 {
		s.notef("%s %s judged more than once, with several grades: the highest counts",
			plural(r.Contradicted, "document"), number.Pick(r.Contradicted, "is", "are"))
	}
	if s.global.json {
		return s.writeJSON(r)
	}
	renderEval(s.out, s.layout(), r)
	return nil
}

// inputName is how messages name a file that may be the standard input.
func inputName(path string) string {
	if path == "-" {
		return "the standard input"
	}
	return path
}

// renderEval sets the figures of each mode in a row.
func renderEval(w io.Writer, l layout, r *engine.EvalReport) {
	fmt.Fprintf(w, "%s, %s\n", plural(r.Queries, "query"), map[string]string{
		"judged":     "judged by the file",
		"known-item": "each a sentence that asks for its own paper",
	}[r.Kind])
	fmt.Fprintln(w, l.faint("mode       nDCG@10  95 % interval   MRR@10  recall@10  recall@100"))
	modes := slices.Sorted(maps.Keys(r.Modes))
	for _, mode := range modes {
		f := r.Modes[mode]
		fmt.Fprintf(w, "%s   %.3f  %.3f to %.3f    %.3f      %.3f       %.3f\n",
			l.strong(pad(mode, 9)), f.NDCG10, f.CI95[0], f.CI95[1], f.MRR10, f.Recall10, f.Recall100)
	}
	if len(r.TitleModes) > 0 {
		fmt.Fprintln(w, l.faint("a title asks for its abstract:"))
		for _, mode := range slices.Sorted(maps.Keys(r.TitleModes)) {
			f := r.TitleModes[mode]
			fmt.Fprintf(w, "%s   %.3f  %.3f to %.3f    %.3f      %.3f       %.3f\n",
				l.strong(pad(mode, 9)), f.NDCG10, f.CI95[0], f.CI95[1], f.MRR10, f.Recall10, f.Recall100)
		}
	}
	if a := r.Agreement; a != nil {
		fmt.Fprintf(w, "%.3f of the ten nearest are those of an exact scan (%s, %s)\n", a.RecallAt10, oneLine(a.Method), plural(a.Samples, "sample"))
	}
	var left []string
	if r.MissingDocuments > 0 {
		left = append(left, plural(r.MissingDocuments, "relevant document")+" missing from the library")
	}
	if r.UnusedQueries > 0 {
		left = append(left, plural(r.UnusedQueries, "query")+" without a text or a relevant document")
	}
	if r.UnknownQueries > 0 {
		left = append(left, plural(r.UnknownQueries, "judged query")+" not among the queries")
	}
	if len(left) > 0 {
		fmt.Fprintln(w, strings.Join(left, "; "))
	}
}
