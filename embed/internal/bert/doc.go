// Package bert is the forward pass of BERT encoders: ids of tokens in, one unit vector a
// text out (mean over all tokens, divided by its length). It reads weights in place from a
// safetensors file and packs the dense layers once; see [Open].
//
// Shapes in comments: T is the number of tokens of all texts that run together, H the
// width of the model, F the width of the feed-forward layer, 4·H as a rule.
package bert
