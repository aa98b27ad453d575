package cybertron

import (
	"encoding/json"
	"fmt"

	"github.com/nlpodyssey/cybertron/pkg/models/bert"
)

// The sections of a model bundle that are read.
const (
	weightsSection  = "model.safetensors"
	vocabSection    = "vocab.txt"
	configSection   = "config.json"
	sentenceSection = "sentence_bert_config.json"
)

// config is the shape of a model.
type config struct {
	bert.Config
	maxTokens int
}

// readConfig reads and checks the shape. Whether the weights have it is build's to say.
func readConfig(sections map[string][]byte) (config, error) {
	for _, name := range []string{weightsSection, vocabSection, configSection, sentenceSection} {
		if _, ok := sections[name]; !ok {
			return config{}, fmt.Errorf("reading %s: not in the model", name)
		}
	}
	var c config
	if err := json.Unmarshal(sections[configSection], &c.Config); err != nil {
		return config{}, fmt.Errorf("reading %s: %w", configSection, err)
	}
	var sentence struct {
		MaxTokens int `json:"max_seq_length"`
	}
	if err := json.Unmarshal(sections[sentenceSection], &sentence); err != nil {
		return config{}, fmt.Errorf("reading %s: %w", sentenceSection, err)
	}
	c.maxTokens = sentence.MaxTokens
	c.EmbeddingsSize = c.HiddenSize
	if err := c.check(); err != nil {
		return config{}, fmt.Errorf("reading %s: %w", configSection, err)
	}
	return c, nil
}

func (c config) check() error {
	sizes := []struct {
		name  string
		value int
	}{
		{"hidden_size", c.HiddenSize},
		{"intermediate_size", c.IntermediateSize},
		{"num_attention_heads", c.NumAttentionHeads},
		{"num_hidden_layers", c.NumHiddenLayers},
		{"max_position_embeddings", c.MaxPositionEmbeddings},
		{"type_vocab_size", c.TypeVocabSize},
		{"vocab_size", c.VocabSize},
	}
	for _, s := range sizes {
		if s.value < 1 {
			return fmt.Errorf("%s %d, expected at least 1", s.name, s.value)
		}
	}
	switch {
	case c.ModelType != "bert":
		return fmt.Errorf("model_type %q, expected \"bert\"", c.ModelType)
	case c.HiddenAct != "gelu":
		return fmt.Errorf("hidden_act %q, expected \"gelu\"", c.HiddenAct)
	case c.HiddenSize%c.NumAttentionHeads != 0:
		return fmt.Errorf("hidden_size %d is no multiple of num_attention_heads %d", c.HiddenSize, c.NumAttentionHeads)
	case c.maxTokens < 2 || c.maxTokens > c.MaxPositionEmbeddings:
		return fmt.Errorf("max_seq_length %d, expected 2 to %d, the number of positions", c.maxTokens, c.MaxPositionEmbeddings)
	}
	return nil
}
