package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/stream"
)

type similarOptions struct {
	answerOptions
	like   []string
	unlike []string
	text   string // "-" is the standard input
	rerank bool
}

func newSimilar(s *session) *cobra.Command {
	var o similarOptions
	cmd := &cobra.Command{
		Use:   "similar PAPER...",
		Short: "Find papers like one paper, or like several",
		Long: `Find the papers nearest to one paper, or to several together. A paper is named by
its id, by any beginning of the id that no other paper shares, by its key in the file
it came from, or by a part of its title (of its first sentence, where it has none).

The score is the cosine of the papers' vectors. With --rerank the 50 nearest are ordered
by how near their neighbourhoods are, each paper together with the five nearest to it:
more papers of the same area come first, and scores rise and fall. For a --text alone
the order of the scores is the better one.`,
		Example: `  akin similar "sparse autoencoders"
  akin similar "affine maximizer auctions" "data markets" --unlike "language models excel"
  akin similar "sparse autoencoders" --rerank
  akin similar --text "sparse autoencoders find features of reasoning"`,
		GroupID: groupFind,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && !cmd.Flags().Changed("text") {
				return misusef(cmd, "similar needs a paper, or --text")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.like = args
			if cmd.Flags().Changed("text") && strings.TrimSpace(o.text) == "" {
				return misusef(cmd, "the text is blank")
			}
			return during("finding similar papers", runSimilar(cmd.Context(), s, o))
		},
	}
	addAnswerFlags(cmd, &o.answerOptions)
	cmd.Flags().StringArrayVar(&o.unlike, "unlike", nil, "and not like `PAPER`; may be given again")
	addOnceFlag(cmd, &o.text, "text", "write both in one text", "like `TEXT`, too; '-' is the standard input")
	cmd.Flags().BoolVar(&o.rerank, "rerank", false, "order the 50 nearest by their neighbourhoods: more of the same area")
	return cmd
}

func runSimilar(ctx context.Context, s *session, o similarOptions) error {
	if err := s.checkAnswer(o.answerOptions); err != nil {
		return err
	}
	if o.text == "-" {
		text, err := io.ReadAll(stream.Reader(ctx, s.proc.Stdin))
		if err != nil {
			return fmt.Errorf("reading the text from the standard input: %w", err)
		}
		if o.text = string(text); strings.TrimSpace(o.text) == "" {
			return usagef("write what the papers should be like", "the text on the standard input is blank")
		}
	}
	e, err := s.openToRead(ctx, o.engineOptions)
	if err != nil {
		return err
	}
	defer e.Close()
	q := o.query()
	q.Like, q.Unlike, q.Text, q.Rerank = o.like, o.unlike, o.text, o.rerank
	a, err := e.Similar(ctx, q)
	if err != nil {
		return s.withoutAnswer(a, err)
	}
	s.noteFewer(a, o.n)
	return s.writeAnswer(ctx, e, a, o.answerOptions)
}
