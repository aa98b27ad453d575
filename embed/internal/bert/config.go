package bert

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-9f29d379/akin/internal/vec"
)

// Config is what config.json says of a model's shape.
type Config struct {
	Type         string  `json:"model_type"`
	Activation   string  `json:"hidden_act"`
	Hidden       int     `json:"hidden_size"`
	Layers       int     `json:"num_hidden_layers"`
	Heads        int     `json:"num_attention_heads"`
	FeedForward  int     `json:"intermediate_size"`
	Positions    int     `json:"max_position_embeddings"`
	Vocabulary   int     `json:"vocab_size"`
	TokenTypes   int     `json:"type_vocab_size"`
	LayerNormEps float32 `json:"layer_norm_eps"`
}

// The limits of what a Config may ask for: far beyond known models, and small enough
// that no size overflows.
const (
	maxWidth  = 1 << 14
	maxLayers = 256
	maxRows   = 1 << 24

	// headStep divides the width of a head, and so every other width: the kernels'
	// registers hold no less.
	headStep = 32
)

// ParseConfig reads config.json and checks that this package can run such a model.
func ParseConfig(data []byte) (Config, error) {
	var c Config
	if err := json.Unmarshal(data, &c); err != nil {
		return Config{}, fmt.Errorf("reading the model's config: %w", err)
	}
	if err := c.check(); err != nil {
		return Config{}, fmt.Errorf("reading the model's config: %w", err)
	}
	return c, nil
}

func (c Config) check() error {
	if c.Type != "bert" {
		return fmt.Errorf("model_type %q, expected \"bert\"", c.Type)
	}
	if c.Activation != "gelu" {
		return fmt.Errorf("hidden_act %q, expected \"gelu\"", c.Activation)
	}
	within := func(name string, n, max int) error {
		if n < 1 || n > max {
			return fmt.Errorf("%s is %d, expected 1 to %d", name, n, max)
		}
		return nil
	}
	err := errors.Join(
		within("hidden_size", c.Hidden, maxWidth),
		within("intermediate_size", c.FeedForward, maxWidth*4),
		within("num_hidden_layers", c.Layers, maxLayers),
		within("num_attention_heads", c.Heads, maxWidth),
		within("max_position_embeddings", c.Positions, vec.LongestText),
		within("vocab_size", c.Vocabulary, maxRows),
		within("type_vocab_size", c.TokenTypes, maxWidth),
	)
	switch {
	case err != nil:
		return err
	case c.Hidden%(c.Heads*headStep) != 0:
		return fmt.Errorf("hidden_size %d in %d heads: a head's width must be a multiple of %d", c.Hidden, c.Heads, headStep)
	case c.FeedForward%headStep != 0:
		return fmt.Errorf("intermediate_size %d, expected a multiple of %d", c.FeedForward, headStep)
	case !(c.LayerNormEps >= 0 && c.LayerNormEps < 1):
		return fmt.Errorf("layer_norm_eps is %v, expected 0 to 1", c.LayerNormEps)
	}
	return nil
}

func (c Config) headWidth() int { return c.Hidden / c.Heads }
