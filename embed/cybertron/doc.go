// Package cybertron is a second engine behind [embed.Encoder], on the pure-Go BERT of
// github.com/nlpodyssey/cybertron. It is there to compare with: it shares with our own
// engine the tokenizer and the pooling, and nothing of the arithmetic between them.
//
// Its activation is the tanh form of GELU, where the model was trained with the erf
// form. A test holds its vectors to a cosine of 0.99999 with the reference; they have a
// fingerprint of their own all the same. One text uses all cores, and more than ten times
// the processor time of our engine (docs/benchmarks).
//
// The library keeps weights on disk in a format of its own. None is written: its model
// is built in memory from the bundle, which is four times as fast as reading that file
// (docs/decisions/0071-cybertron.md).
package cybertron
