package models

// Model describes one model.
type Model struct {
	Name      string
	Dim       int // elements of a vector
	MaxTokens int // tokens that the model reads of a text, with [CLS] and [SEP]
	Licence   string
	Source    string // who published it and from what it was made
	Sections  []Section
}

// Section is one file of a model.
type Section struct {
	Name   string
	Size   int64  // bytes
	SHA256 string // lower-case hexadecimal
}

var bundled = Model{
	Name:      "all-MiniLM-L6-v2",
	Dim:       384,
	MaxTokens: 256,
	Licence:   "Apache-2.0",
	Source: "sentence-transformers/all-MiniLM-L6-v2, trained from nreimers/MiniLM-L6-H384-uncased; " +
		"weights rounded to half precision",
	Sections: []Section{
		{"config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"},
		{"model.safetensors", 45141904, "9c0bf732145c2a248a35b8d17263e9adefce68043737804b972f46d46b219189"},
		{"sentence_bert_config.json", 53, "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7"},
		{"vocab.txt", 231508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"},
	},
}

// List returns the models that akin knows, the bundled one first.
func List() []Model {
	m := bundled
	m.Sections = append([]Section(nil), bundled.Sections...)
	return []Model{m}
}
