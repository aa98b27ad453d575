package embed_test

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/embed"
)

// tiny is a model of one layer, by which a fault can be put anywhere.
type tiny struct {
	tensors map[string]tensor
	bundle  map[string][]byte // the other sections
}

type tensor struct {
	dtype string
	shape []int
	half  []uint16
}

const (
	tinyHidden = 32
	tinyWide   = 64
	tinyVocab  = 5
)

func newTiny() tiny {
	t := tiny{tensors: map[string]tensor{}, bundle: map[string][]byte{
		"vocab.txt":                 []byte("[PAD]\n[UNK]\n[CLS]\n[SEP]\ngraph\n"),
		"sentence_bert_config.json": []byte(`{"max_seq_length": 8}`),
		"config.json": []byte(`{"model_type":"bert","hidden_act":"gelu","hidden_size":32,"num_hidden_layers":1,
			"num_attention_heads":1,"intermediate_size":64,"max_position_embeddings":8,"vocab_size":5,"type_vocab_size":2,"layer_norm_eps":1e-12}`),
	}}
	t.matrix("embeddings.word_embeddings.weight", tinyVocab, tinyHidden)
	t.matrix("embeddings.position_embeddings.weight", 8, tinyHidden)
	t.matrix("embeddings.token_type_embeddings.weight", 2, tinyHidden)
	layer := "encoder.layer.0."
	for _, norm := range []string{"embeddings.", layer + "attention.output.", layer + "output."} {
		t.matrix(norm+"LayerNorm.weight", tinyHidden)
		t.matrix(norm+"LayerNorm.bias", tinyHidden)
	}
	for name, size := range map[string][2]int{
		"attention.self.query": {tinyHidden, tinyHidden}, "attention.self.key": {tinyHidden, tinyHidden},
		"attention.self.value": {tinyHidden, tinyHidden}, "attention.output.dense": {tinyHidden, tinyHidden},
		"intermediate.dense": {tinyWide, tinyHidden}, "output.dense": {tinyHidden, tinyWide},
	} {
		t.matrix(layer+name+".weight", size[0], size[1])
		t.matrix(layer+name+".bias", size[0])
	}
	return t
}

// matrix adds a tensor of small numbers of both signs.
func (t tiny) matrix(name string, shape ...int) {
	n := 1
	for _, d := range shape {
		n *= d
	}
	half := make([]uint16, n)
	for i := range half {
		half[i] = uint16(0x2c00 + (i*37+len(name)*11)%0x800 + i%2*0x8000)
	}
	t.tensors[name] = tensor{"F16", shape, half}
}

// sections writes the safetensors file.
func (t tiny) sections(tb testing.TB) map[string][]byte {
	tb.Helper()
	header, body := map[string]any{}, []byte(nil)
	for name, x := range t.tensors {
		begin := len(body)
		for _, h := range x.half {
			body = binary.LittleEndian.AppendUint16(body, h)
		}
		header[name] = map[string]any{"dtype": x.dtype, "shape": x.shape, "data_offsets": []int{begin, len(body)}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		tb.Fatal(err)
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	bundle := maps.Clone(t.bundle)
	bundle["model.safetensors"] = append(append(file, text...), body...)
	return bundle
}

func TestOpenOfATinyModel(t *testing.T) {
	for _, p := range []embed.Precision{embed.Int16, embed.FP32} {
		m, err := embed.Open("tiny", newTiny().sections(t), embed.Options{Precision: p})
		if err != nil {
			t.Fatal(err)
		}
		got := encode(t, m, []string{"graph graph", ""})
		if len(got[0].Vector) != tinyHidden || math.IsNaN(float64(got[0].Vector[0])) {
			t.Errorf("%v: the vector is %v", p, got[0].Vector)
		}
	}
}

func TestOpenNamesWhatIsWrong(t *testing.T) {
	const query = "encoder.layer.0.attention.self.query"
	section := func(name, text string) func(tiny) {
		return func(m tiny) { m.bundle[name] = []byte(text) }
	}
	config := func(old, new string) func(tiny) {
		return func(m tiny) {
			m.bundle["config.json"] = []byte(strings.Replace(string(m.bundle["config.json"]), old, new, 1))
		}
	}
	for name, c := range map[string]struct {
		fault func(tiny)
		want  string
	}{
		"no vocabulary":         {section("vocab.txt", ""), "vocab.txt"},
		"no [SEP]":              {section("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n"), "[SEP]"},
		"too many pieces":       {section("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\nc\n"), "vocab.txt"},
		"a config cut in half":  {section("config.json", `{"model_type":`), "config"},
		"another architecture":  {config(`"bert"`, `"roberta"`), "model_type"},
		"another activation":    {config(`"gelu"`, `"gelu_new"`), "hidden_act"},
		"a negative size":       {config(`"intermediate_size":64`, `"intermediate_size":-1`), "intermediate_size"},
		"a huge size":           {config(`"vocab_size":5`, `"vocab_size":4611686018427387904`), "vocab_size"},
		"heads too narrow":      {config(`"num_attention_heads":1`, `"num_attention_heads":4`), "heads"},
		"no length":             {section("sentence_bert_config.json", `{}`), "max_seq_length"},
		"longer than positions": {section("sentence_bert_config.json", `{"max_seq_length": 9}`), "max_seq_length"},
		"a missing tensor":      {func(m tiny) { delete(m.tensors, query+".weight") }, query + ".weight"},
		"a missing bias":        {func(m tiny) { delete(m.tensors, query+".bias") }, query + ".bias"},
		"a wrong shape":         {func(m tiny) { m.matrix(query+".weight", tinyHidden, 2*tinyHidden) }, query + ".weight"},
		"a NaN in a matrix":     {func(m tiny) { m.tensors[query+".weight"].half[77] = 0x7e00 }, query + ".weight"},
		"an infinity in a bias": {func(m tiny) { m.tensors[query+".bias"].half[3] = 0xfc00 }, query + ".bias"},
		"a NaN in a LayerNorm":  {func(m tiny) { m.tensors["embeddings.LayerNorm.weight"].half[0] = 0x7e00 }, "embeddings.LayerNorm.weight"},
		"other numbers": {func(m tiny) {
			x := m.tensors[query+".weight"]
			x.dtype = "BF16"
			m.tensors[query+".weight"] = x
		}, "BF16"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTiny()
			c.fault(m)
			for _, p := range []embed.Precision{embed.Int16, embed.FP32} {
				_, err := embed.Open("tiny", m.sections(t), embed.Options{Precision: p})
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v: the error is %v, want one that names %q", p, err, c.want)
				}
			}
		})
	}
}

func TestEncodeSaysThatAVectorIsNotFinite(t *testing.T) {
	m := newTiny()
	m.tensors["embeddings.word_embeddings.weight"].half[4*tinyHidden] = 0x7e00 // of "graph"
	e, err := embed.Open("tiny", m.sections(t), embed.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Encode(t.Context(), []string{"graph"}); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("the error is %v, want one that says the vector is not finite", err)
	}
	encode(t, e, []string{""})
}
