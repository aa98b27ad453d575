package cybertron_test

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/embed/cybertron"
)

// small is a model of one layer, 4 wide, with weights that do not matter.
func small() (shapes map[string][]int, sections map[string][]byte) {
	const layer = "encoder.layer.0."
	shapes = map[string][]int{
		"embeddings.word_embeddings.weight":       {5, 4},
		"embeddings.position_embeddings.weight":   {8, 4},
		"embeddings.token_type_embeddings.weight": {2, 4},
		layer + "intermediate.dense.weight":       {6, 4},
		layer + "intermediate.dense.bias":         {6},
		layer + "output.dense.weight":             {4, 6},
	}
	for _, norm := range []string{"embeddings.", layer + "attention.output.", layer + "output."} {
		shapes[norm+"LayerNorm.weight"] = []int{4}
		shapes[norm+"LayerNorm.bias"] = []int{4}
	}
	for _, part := range []string{"self.query", "self.key", "self.value", "output.dense"} {
		shapes[layer+"attention."+part+".weight"] = []int{4, 4}
		shapes[layer+"attention."+part+".bias"] = []int{4}
	}
	shapes[layer+"output.dense.bias"] = []int{4}
	return shapes, map[string][]byte{
		"vocab.txt": []byte("[UNK]\n[CLS]\n[SEP]\na\nb\n"),
		"config.json": []byte(`{"model_type":"bert","hidden_act":"gelu","hidden_size":4,"intermediate_size":6,"num_attention_heads":2,
			"num_hidden_layers":1,"max_position_embeddings":8,"type_vocab_size":2,"vocab_size":5,"layer_norm_eps":1e-12}`),
		"sentence_bert_config.json": []byte(`{"max_seq_length":8}`),
	}
}

// weights writes tensors of the shapes, with the elements 0.25, 0.5, 0.75, 0.25, ...
func weights(t *testing.T, shapes map[string][]int, dtype string) []byte {
	t.Helper()
	type entry struct {
		DType   string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	header := map[string]entry{}
	var body []byte
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		n := 1
		for _, d := range shapes[name] {
			n *= d
		}
		e := entry{DType: dtype, Shape: shapes[name], Offsets: [2]int{len(body)}}
		for i := range n {
			switch x := float32(i%3+1) / 4; dtype {
			case "F16":
				body = binary.LittleEndian.AppendUint16(body, []uint16{0x3400, 0x3800, 0x3a00}[i%3])
			case "F32":
				body = binary.LittleEndian.AppendUint32(body, math.Float32bits(x))
			default:
				body = append(body, byte(i))
			}
		}
		e.Offsets[1] = len(body)
		header[name] = e
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), body...)
}

func TestHalfAndSingleWeightsGiveTheSameVectors(t *testing.T) {
	shapes, sections := small()
	var vectors [][]float32
	for _, dtype := range []string{"F16", "F32"} {
		sections["model.safetensors"] = weights(t, shapes, dtype)
		e, err := cybertron.Open("small", sections)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Encode(t.Context(), []string{"a b c a b c a b"})
		if err != nil {
			t.Fatal(err)
		}
		if got[0].Tokens != 10 || !got[0].Truncated {
			t.Errorf("%s: %d tokens, truncated %v, want 10 and true", dtype, got[0].Tokens, got[0].Truncated)
		}
		vectors = append(vectors, got[0].Vector)
	}
	if !slices.Equal(vectors[0], vectors[1]) {
		t.Errorf("F16 weights give %v, the same as F32 give %v", vectors[0], vectors[1])
	}
}

func TestOpenNamesWhatIsWrong(t *testing.T) {
	const query = "encoder.layer.0.attention.self.query.weight"
	tests := []struct {
		name   string
		dtype  string
		change func(shapes map[string][]int)
		damage func(sections map[string][]byte)
		want   string
	}{
		{name: "no weights", damage: func(s map[string][]byte) { delete(s, "model.safetensors") }, want: "model.safetensors: not in the model"},
		{name: "no vocabulary", damage: func(s map[string][]byte) { delete(s, "vocab.txt") }, want: "vocab.txt: not in the model"},
		{name: "weights cut short", damage: func(s map[string][]byte) { s["model.safetensors"] = s["model.safetensors"][:40] }, want: "safetensors header"},
		{name: "a missing tensor", change: func(s map[string][]int) { delete(s, query) }, want: `"` + query + `": not in the file`},
		{name: "a wrong shape", change: func(s map[string][]int) { s[query] = []int{4, 3} }, want: `"` + query + `": shape [4 3], expected [4 4]`},
		{name: "a wrong type", dtype: "I8", want: "dtype I8, expected F16 or F32"},
		{name: "a weight that is NaN", damage: func(s map[string][]byte) {
			copy(s["model.safetensors"][len(s["model.safetensors"])-4:], "\x00\x00\xc0\x7f")
		}, want: `"encoder.layer.0.output.dense.weight": element 23 is NaN`},
		{name: "a layer that is not there", damage: replace("config.json", `"num_hidden_layers":1`, `"num_hidden_layers":2`), want: `"encoder.layer.1.intermediate.dense.weight": not in the file`},
		{name: "a huge vocabulary in the configuration", damage: replace("config.json", `"vocab_size":5`, `"vocab_size":1000000000000`), want: "shape [5 4], expected [1000000000000 4]"},
		{name: "more pieces than the model has", damage: replace("vocab.txt", "b\n", "b\nc\n"), want: "6 pieces, the model has 5"},
		{name: "heads that do not divide the width", damage: replace("config.json", `heads":2`, `heads":3`), want: "no multiple of num_attention_heads 3"},
		{name: "no heads", damage: replace("config.json", `heads":2`, `heads":0`), want: "num_attention_heads 0"},
		{name: "another activation", damage: replace("config.json", `"gelu"`, `"relu"`), want: `hidden_act "relu"`},
		{name: "another kind of model", damage: replace("config.json", `"bert"`, `"roberta"`), want: `model_type "roberta"`},
		{name: "more tokens than positions", damage: replace("sentence_bert_config.json", "8", "9"), want: "max_seq_length 9, expected 2 to 8"},
		{name: "a configuration that is no JSON", damage: replace("config.json", "{", "("), want: "reading config.json: invalid character"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			shapes, sections := small()
			if test.change != nil {
				test.change(shapes)
			}
			sections["model.safetensors"] = weights(t, shapes, cmp.Or(test.dtype, "F32"))
			if test.damage != nil {
				test.damage(sections)
			}
			_, err := cybertron.Open("small", sections)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Open: error %v, want one with %q", err, test.want)
			}
		})
	}
}

func replace(section, old, new string) func(map[string][]byte) {
	return func(s map[string][]byte) {
		if !strings.Contains(string(s[section]), old) {
			panic(fmt.Sprintf("%s does not hold %q", section, old))
		}
		s[section] = []byte(strings.ReplaceAll(string(s[section]), old, new))
	}
}
