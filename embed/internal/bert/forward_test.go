package bert_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/seed-9f29d379/akin/embed/internal/bert"
	"github.com/seed-9f29d379/akin/embed/internal/safetensors"
)

// countdown is a context that ends when it has been asked often enough.
type countdown struct {
	context.Context
	left int
}

var errEnded = errors.New("ended")

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return errEnded
	}
	return nil
}

func TestAContextEndsWithinOneText(t *testing.T) {
	weights, err := os.ReadFile("../../../models/model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../../models/config.json")
	if err != nil {
		t.Fatal(err)
	}
	config, err := bert.ParseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	file, err := safetensors.Parse(weights)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bert.Open(file, config, bert.Int16)
	if err != nil {
		t.Fatal(err)
	}
	var w bert.Workspace
	one := []bert.Text{{IDs: []int32{101, 2000, 102}, Vector: make([]float32, config.Hidden)}}
	if err := m.Encode(&countdown{context.Background(), 3}, &w, one); !errors.Is(err, errEnded) {
		t.Errorf("Encode returned %v, want the context's error after three layers", err)
	}
	if err := m.Encode(&countdown{context.Background(), config.Layers}, &w, one); err != nil {
		t.Errorf("Encode returned %v", err)
	}
}
