package cli

import (
	"context"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// embedBatch is how many texts are encoded at once: enough to keep every processor at
// work, few enough to begin at once and to need no memory to speak of.
const embedBatch = 64

type embedOptions struct {
	engineOptions
	ids bool
}

func newEmbed(s *session) *cobra.Command {
	var o embedOptions
	cmd := &cobra.Command{
		Use:   "embed",
		Short: "Turn texts into vectors",
		Long: `Read one text a line from the standard input and write its vector, as a line of JSON
{"id", "vector", "tokens", "truncated"}, in the same order. If the first line that is
not blank is an object with a string "text", all lines are such objects, and their "id"
is given back; else a text's id is the number of its line. The text is encoded exactly
as it is. "tokens" counts the whole text, also where it was cut.`,
		Example: `  echo "policy gradient variance" | akin embed
  akin embed --ids < texts.jsonl > vectors.jsonl`,
		GroupID: groupTools,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return during("embedding", runEmbed(cmd.Context(), s, o))
		},
	}
	cmd.Flags().BoolVar(&o.ids, "ids", false, `also "ids", the tokens that the model saw`)
	addEngineFlags(cmd, &o.engineOptions)
	return cmd
}

func runEmbed(ctx context.Context, s *session, o embedOptions) error {
	e, err := s.open(ctx, o.engineOptions)
	if err != nil {
		return err
	}
	defer e.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := readTexts(ctx, s.proc.Stdin)
	for {
		batch, err := lines.next(ctx)
		if len(batch) > 0 {
			if err := s.embed(ctx, e, batch, o); err != nil {
				return err
			}
		}
		if err == io.EOF {
			s.tellOddLines(lines.odd)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// tellOddLines says which lines were encoded although they hardly are texts.
func (s *session) tellOddLines(odd oddLines) {
	if odd.objects {
		s.notef(`the first line is an object without a string "text": every line is encoded as plain text`)
	}
	if odd.blank > 0 {
		s.notef("%s blank: the vector is that of the empty text", was(odd.blank, "line"))
	}
	if odd.binary > 0 {
		s.notef("%s no text in UTF-8 (line %d is the first): such bytes mean nothing to the model", was(odd.binary, "line"), odd.first)
	}
}

// was is a number of things and the verb to it.
func was(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return plural(n, noun) + " are"
}

// embedded is the JSON shape of one line of embed.
type embedded struct {
	ID        json.RawMessage `json:"id"`
	Vector    []float32       `json:"vector"`
	Tokens    int             `json:"tokens"`
	Truncated bool            `json:"truncated"`
	IDs       []int32         `json:"ids,omitempty"`
}

// embed writes the vectors of batch, at once: someone may be waiting for them before
// giving the next text.
func (s *session) embed(ctx context.Context, e *engine.Engine, batch []textLine, o embedOptions) error {
	texts := make([]string, len(batch))
	for i, line := range batch {
		texts[i] = line.text
	}
	vectors, err := e.Encode(ctx, texts)
	if err != nil {
		return err
	}
	for i, v := range vectors {
		line := embedded{ID: batch[i].id, Vector: v.Vector, Tokens: v.Tokens, Truncated: v.Truncated}
		if o.ids {
			line.IDs = v.IDs
		}
		if err := s.writeJSON(line); err != nil {
			return err
		}
	}
	return s.out.Flush()
}
