package models

import _ "embed"

// Each file is its own []byte variable and not an entry of an embed.FS: such a
// variable is the mapped file itself, of which only the touched pages are ever read,
// whereas reading from an FS copies (45 MB, and as much memory again).
var (
	//go:embed model.safetensors
	weights []byte
	//go:embed vocab.txt
	vocab []byte
	//go:embed config.json
	config []byte
	//go:embed sentence_bert_config.json
	sentenceConfig []byte
)

// Bundled returns the name of the model inside the binary and its sections by the
// names of their files. The bytes are shared by all callers and must not be written.
func Bundled() (name string, sections map[string][]byte) {
	return bundled.Name, map[string][]byte{
		"model.safetensors":         weights,
		"vocab.txt":                 vocab,
		"config.json":               config,
		"sentence_bert_config.json": sentenceConfig,
	}
}
